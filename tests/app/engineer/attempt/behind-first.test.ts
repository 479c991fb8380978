// Engineers that begin together on one machine: the first call of each but the first waits for what that one has cached.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { behindFirst } from '../../../../src/app/engineer/attempt/workplace.ts';
import { reply, request, sequence } from '../../../engine/models/request.ts';
import { testClock } from '../../../ground/lib/clocks.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'echelon-mirror-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

/** Milliseconds that each call of a job waited. */
async function waits(mirror: string, clock: ReturnType<typeof testClock>, calls = 1): Promise<number[]> {
  const model = behindFirst(sequence(Array.from({ length: calls }, () => reply())), mirror, clock);
  const waited: number[] = [];
  for (let n = 0; n < calls; n++) {
    const before = clock.now();
    await model.call(request());
    waited.push(clock.now() - before);
  }
  return waited;
}

test('the first of them waits for nobody, the others for the rest of five seconds; later calls and jobs do not', async () => {
  const mirror = folder();
  const clock = testClock();
  expect(await waits(mirror, clock, 2)).toEqual([0, 0]);
  await clock.sleep(1000);
  expect(await waits(mirror, clock, 2)).toEqual([4000, 0]);
  expect(await waits(mirror, clock)).toEqual([0]);
});

test('a mirror that is not there fails no call', async () => {
  expect(await waits(join(folder(), 'gone'), testClock())).toEqual([0]);
});

test.each(['99999999999999', 'x', ''])('a mark that says %j holds nobody', async text => {
  const mirror = folder();
  writeFileSync(join(mirror, 'first-call'), text);
  expect(await waits(mirror, testClock())).toEqual([0]);
});

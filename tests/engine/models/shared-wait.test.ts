// One provider's wait, for every run that uses its key.
import { expect, test } from 'vitest';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import { type Model, ModelFailure } from '../../../src/engine/models/model.ts';
import type { Clock } from '../../../packages/ground/lib/clock.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { request } from './request.ts';

/** A provider that asks the first caller to wait so long (milliseconds), and two runs that call it. */
function twoRuns(retry_after_ms: number, clock: Clock = testClock()) {
  const wait = sharedWait(clock);
  let calls = 0;
  const provider: Model = {
    provider: 'test',
    async call() {
      calls += 1;
      throw new ModelFailure(calls === 1 ? 'rate_limit' : 'quota', `call ${calls}`, { retry_after_ms });
    },
  };
  const run = () => guarded(provider, { clock, wait }).within({ most: 1 });
  return { one: run(), other: run(), clock, calls: () => calls };
}

test('a long wait of one run parks the other without a call, until the same time', async () => {
  const { one, other, clock, calls } = twoRuns(300_000);
  const until = clock.now() + 300_000;
  await expect(one.call(request())).rejects.toMatchObject({ name: 'ProviderWait', until });
  await expect(other.call(request())).rejects.toMatchObject({ name: 'ProviderWait', until });
  expect(calls()).toBe(1);
  await clock.sleep(300_000);
  await expect(other.call(request())).rejects.toMatchObject({ class: 'quota' });
});

test('a clock that moves on while calls fail moves nobody’s end of the wait', async () => {
  let time = 0;
  const { one, other } = twoRuns(300_000, { ...testClock(), now: () => (time += 1) });
  const ends = [];
  for (const run of [one, other, one]) ends.push(await run.call(request()).catch(error => error.until));
  expect(new Set(ends)).toEqual(new Set([ends[0]]));
  expect(ends[0]).toBeGreaterThan(300_000);
});

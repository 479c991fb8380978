// Work that was overtaken is done anew, a few times, and then left for later.
import { expect, test } from 'vitest';
import { readAnew } from '../../../src/app/run/read-anew.ts';
import { WrittenElsewhere } from '../../../src/app/run/run-store.ts';
import { testClock } from '../../lib/clocks.ts';

test('overtaken twice: the third try counts, after waits of any length up to 5 s', async () => {
  const clock = testClock();
  let tries = 0;
  const work = async () => {
    if (++tries < 3) throw new WrittenElsewhere();
    return tries;
  };
  const randoms = [0, 1];
  expect(await readAnew(work, clock, () => randoms.shift() ?? 0)).toBe(3);
  expect(clock.sleeps).toEqual([200, 5000]);
});

test('overtaken eight times: looked at again in a minute', async () => {
  const clock = testClock();
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new WrittenElsewhere();
  };
  const error = await readAnew(work, clock).catch((thrown: unknown) => thrown);
  expect([tries, error]).toMatchObject([8, { until: clock.now() + 60_000 }]);
});

test.for([
  ['a time to wait for', new WrittenElsewhere(5)],
  ['any other error', new Error('no')],
] as const)('%s is not tried again', async ([, error]) => {
  const clock = testClock();
  await expect(readAnew(() => Promise.reject(error), clock)).rejects.toBe(error);
  expect(clock.sleeps).toEqual([]);
});

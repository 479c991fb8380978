// A wait that holds for all who share it.
import { expect, test } from 'vitest';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from './clocks.ts';

const hour = 3_600_000;

test.each<[string, number[], number | undefined]>([
  ['nothing was asked for', [], undefined],
  ['an hour', [hour], hour],
  ['the longer one counts, first', [2 * hour, hour], 2 * hour],
  ['the longer one counts, last', [hour, 2 * hour], 2 * hour],
  ['what is past', [-hour], undefined],
  ['no more than a day', [1e15], 24 * hour],
  ['no number', [Number.NaN], undefined],
])('%s', (_what, asked, left) => {
  const clock = testClock();
  const wait = sharedWait(clock);
  for (const each of asked) wait.extend(clock.now() + each);
  expect(wait.until()).toBe(left === undefined ? undefined : clock.now() + left);
});

test('it ends', async () => {
  const clock = testClock();
  const wait = sharedWait(clock);
  wait.extend(clock.now() + hour);
  await clock.sleep(hour);
  expect(wait.until()).toBeUndefined();
});

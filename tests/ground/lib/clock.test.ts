// Waiting by the clock of the machine.
import { expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';

test('a wait that is longer than any timer does not end at once', async () => {
  const end = new AbortController();
  const long = systemClock.sleep(2 ** 31 + 1000, end.signal).then(() => 'the long wait');
  expect(await Promise.race([long, systemClock.sleep(30).then(() => 'the short one')])).toBe('the short one');
  end.abort(new Error('over'));
  await expect(long).rejects.toThrow('over');
});

// A clock for tests: sleeping takes no time, only moves it on.
import type { Clock } from '../../../src/lib/clock.ts';

/** `sleeps`: the milliseconds slept, in order. `onSleep` runs at the beginning of each sleep. */
export function testClock({ onSleep = () => {} }: { onSleep?: (ms: number) => unknown } = {}) {
  let time = Date.UTC(2026, 0, 1);
  const sleeps: number[] = [];
  const clock: Clock = {
    now: () => time,
    async sleep(ms, signal) {
      sleeps.push(ms);
      onSleep(ms);
      signal?.throwIfAborted();
      time += ms;
    },
  };
  return { ...clock, sleeps };
}

// Clocks for tests, on which nothing waits for real time.
import type { Clock } from '../../../packages/ground/lib/clock.ts';

/** A clock that moves only when the test says so. */
export function stillClock(): Clock & { advance(ms: number): void } {
  let time = Date.UTC(2026, 0, 1);
  const sleepers: { until: number; wake: () => void }[] = [];
  return {
    now: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        sleepers.push({ until: time + ms, wake: resolve });
        signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      }),
    advance(ms) {
      time += ms;
      for (const sleeper of sleepers) if (sleeper.until <= time) sleeper.wake();
    },
  };
}

/**
 * Sleeping takes no time, only moves it on. `sleeps`: the milliseconds slept, in order. `onSleep` runs at the beginning
 * of each sleep.
 */
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

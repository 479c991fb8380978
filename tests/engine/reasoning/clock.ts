// A clock that moves only when the test says so.
import type { Clock } from '../../../src/lib/clock.ts';

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

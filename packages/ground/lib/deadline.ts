// A time limit as a signal: aborts when the time is up or the signal around it aborts.
import type { Clock } from './clock.ts';

export type Deadline = ReturnType<typeof deadline>;

/**
 * Begins to count at once, up to `limitMs` milliseconds; `signal` then aborts with what `reason` makes of the
 * milliseconds that were used: a TimeoutError, where nobody says another. Throws the reason
 * of `outer` when that has aborted already.
 */
export function deadline(
  limitMs: number,
  clock: Clock,
  outer: AbortSignal,
  reason: (usedMs: number) => unknown = () =>
    new DOMException(`the limit of ${limitMs} ms is used up`, 'TimeoutError'),
) {
  outer.throwIfAborted();
  const start = clock.now();
  const timer = new AbortController();
  const finished = new AbortController();
  let expired = false;
  let waited = 0; // milliseconds of suspended waits that have ended
  let waits = 0; // suspended waits under way
  let since = 0;
  const elapsed = () => clock.now() - start - waited - (waits > 0 ? clock.now() - since : 0);

  const arm = (ms: number): void => {
    clock.sleep(ms, finished.signal).then(
      () => {
        const left = limitMs - elapsed();
        if (left > 0) return arm(left);
        // The time ran out before a suspended wait began that is still under way. It may end well: look again later.
        if (waits > 0) return arm(1000);
        expired = !outer.aborted;
        timer.abort(reason(elapsed()));
      },
      () => {}, // the work ended first
    );
  };
  arm(limitMs);
  const signal = AbortSignal.any([outer, timer.signal]);
  return {
    signal,
    /** True if the time was up (and not the surrounding signal aborted). */
    expired: (): boolean => expired,
    /** Milliseconds since the start, without those that were suspended. */
    elapsed,
    /** `race` with the deadline's signal. */
    race: <T>(work: Promise<T>): Promise<T> => race(work, signal),
    /** As `race`, for a wait that does not count: a person's. */
    async suspended<T>(wait: Promise<T>): Promise<T> {
      if (waits++ === 0) since = clock.now();
      try {
        return await race(wait, signal);
      } finally {
        if (--waits === 0) waited += clock.now() - since;
      }
    },
    /** Stops the clock. Without it a deadline holds the process until its time is up. */
    end: (): void => finished.abort(),
  };
}

/**
 * The result of `work`, or a rejection with the signal's reason as soon as it aborts. `work` goes on for whoever else
 * waits for it; work that ignores the signal cannot hold anybody up.
 */
export function race<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

// A time limit as a signal: aborts when the time is up or the signal around it aborts.
import type { Clock } from '../lib/clock.ts';

export interface Deadline {
  signal: AbortSignal;
  /** Whether the time was up (and not the signal around it aborted). */
  expired(): boolean;
  /** Milliseconds since the start. */
  elapsed(): number;
  /** `work`, or a rejection as soon as the signal aborts: work that ignores the signal cannot hold a session up. */
  race<T>(work: Promise<T>): Promise<T>;
  /** Stops the clock. */
  end(): void;
}

export function deadline(limitMs: number, clock: Clock, outer: AbortSignal): Deadline {
  outer.throwIfAborted();
  const start = clock.now();
  const timer = new AbortController();
  const finished = new AbortController();
  let expired = false;
  clock.sleep(limitMs, finished.signal).then(
    () => {
      expired = !outer.aborted;
      timer.abort(new DOMException(`the limit of ${limitMs} ms is used up`, 'TimeoutError'));
    },
    () => {}, // the work ended first
  );
  const signal = AbortSignal.any([outer, timer.signal]);
  return {
    signal,
    expired: () => expired,
    elapsed: () => clock.now() - start,
    race: work =>
      new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) abort();
        else signal.addEventListener('abort', abort, { once: true });
        work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
      }),
    end: () => finished.abort(),
  };
}

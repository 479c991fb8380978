// A circuit breaker: a service that times out again and again is left alone for longer each time, then for good.
import { z } from 'zod';
import { ModelFailure } from './model.ts';

const breakerFailures = 5;
/** Pauses after each opening: 21 minutes together, so that an outage of ten minutes is survived. */
const openMs = [60_000, 300_000, 900_000];

/** State of an opened breaker, for another process. */
export const Opened = z.object({
  openings: z.int().positive(),
  /** Milliseconds since the epoch. */
  until: z.number(),
  /** No call has succeeded since. */
  isTrial: z.boolean(),
});
export type Opened = z.infer<typeof Opened>;

/** Counts time-outs in a row. Opens at the fifth, and again at the first one after that unless a call succeeded. */
export class Breaker {
  /** Milliseconds since the epoch; 0 when it never opened. */
  openUntil = 0;
  #inARow = 0;
  #trial = false;
  #openings = 0;

  /** `before`: how an earlier process left it. */
  constructor(before?: Opened) {
    if (!before) return;
    this.openUntil = before.until;
    this.#trial = before.isTrial;
    this.#openings = before.openings;
  }

  /** Undefined: it never opened. */
  get opened(): Opened | undefined {
    if (this.#openings === 0) return undefined;
    return { openings: this.#openings, until: this.openUntil, isTrial: this.#trial };
  }

  succeeded(): void {
    this.#inARow = 0;
    this.#trial = false;
  }

  /** Notes a time-out of a call begun at `started`; true when it opens the breaker. */
  failed(started: number, now: number): boolean {
    // A call that was under way when the breaker opened says nothing new.
    if (started < this.openUntil) return false;
    this.#inARow++;
    if (!this.#trial && this.#inARow < breakerFailures) return false;
    this.#openings++;
    this.#trial = true;
    this.#inARow = 0;
    this.openUntil = now + (openMs[this.#openings - 1] ?? 0);
    return true;
  }

  /** Throws ModelFailure `crash` when it has opened once more than it is waited for. */
  refuseForGood(cause?: ModelFailure): void {
    if (this.#openings <= openMs.length) return;
    const because = cause === undefined ? '' : `: ${cause.message}`;
    throw new ModelFailure(
      'crash',
      `the model timed out again and again, and is not called any more${because}`,
      { cause },
    );
  }
}

// Ends a piece of work for now: its provider asks for a longer pause than the work may wait.
import type { ModelFailure } from './model.ts';

/** Thrown instead of waiting long: the run should end here and be taken up again at `until`. */
export class ProviderWait extends Error {
  override readonly name = 'ProviderWait';
  /** Milliseconds since the epoch. */
  readonly until: number;
  override readonly cause: ModelFailure;
  constructor(until: number, cause: ModelFailure) {
    super(`the model is not to be called before ${new Date(until).toISOString()}: ${cause.message}`);
    this.cause = cause;
    this.until = until;
  }
}

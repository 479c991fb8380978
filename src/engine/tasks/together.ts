// Runs pieces of work side by side: the first failure cancels the rest, a question that waits does not.
import { Cancelled } from '../reasoning/stop.ts';
import { type Spent, sumSpent } from '../language/result.ts';
import { SessionPaused } from '../reasoning/question.ts';
import { createLedger, type Ledger } from './ledger.ts';
import type { TaskPlace } from './task-place.ts';

export interface Together<T> {
  /** The number worked at a time; default: all. */
  limit?: number;
  /**
   * Gets what was finished, at its place, and what those had spent that were cut off; may give another error in
   * the place of the first.
   */
  onFailure?: (error: unknown, finished: (T | undefined)[], index: number, cutOff: Spent) => unknown;
}

/** The signal and the books of one piece of work. */
export type Apart = Pick<TaskPlace, 'signal' | 'ledger'>;

/**
 * The results of `work` for each of `items`, in their order. When one fails the signal of the others aborts with
 * Cancelled, those under way are awaited, no further one begins, and the first failure is thrown. When a session of
 * one pauses, those under way go on to their end, since what they have done could not be gone on with; then the
 * first pause in the order of `items` is thrown.
 */
export async function together<I, T>(
  items: readonly I[],
  work: (item: I, index: number, apart: Apart) => Promise<T>,
  outer: Apart,
  { limit = items.length, onFailure }: Together<T> = {},
): Promise<T[]> {
  if (items.length === 0) return [];
  const others = new AbortController();
  // AbortSignal.any costs more the deeper it is nested: lists within lists would be slow by their signals alone.
  const { signal } = others;
  const end = () => others.abort(outer.signal.reason);
  if (outer.signal.aborted) end();
  else outer.signal.addEventListener('abort', end, { once: true });
  const results = new Array<T | undefined>(items.length);
  /** Of what is under way, or was cut off. */
  const open = new Array<Ledger | undefined>(items.length);
  let failure: { error: unknown; index: number } | undefined;
  const pauses: { error: SessionPaused; index: number }[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < items.length && !failure && pauses.length === 0) {
      const index = next++;
      const ledger = createLedger(outer.ledger);
      open[index] = ledger;
      try {
        outer.signal.throwIfAborted();
        results[index] = await work(items[index]!, index, { signal, ledger });
        open[index] = undefined;
      } catch (error) {
        if (error instanceof SessionPaused) {
          pauses.push({ error, index });
        } else if (!failure) {
          failure = { error, index };
          open[index] = undefined;
          others.abort(new Cancelled());
        }
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  outer.signal.removeEventListener('abort', end);
  if (failure) {
    const cutOff = sumSpent(open.map(ledger => ledger?.spent));
    throw onFailure ? onFailure(failure.error, results, failure.index, cutOff) : failure.error;
  }
  const [first] = pauses.sort((a, b) => a.index - b.index);
  if (first) throw first.error;
  return results as T[];
}

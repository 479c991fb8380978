// Work refused for now by GitHub or the model's provider: kept in the process, and done when the wait is over.
import type { Clock } from '@echelon/ground';

interface DeferredWork {
  work(): Promise<void>;
  /** Does all that other work of its key does, and more: only its like takes its place. */
  fuller?: boolean | undefined;
}

/** `until`: when it is done (milliseconds since the epoch). */
type Kept = DeferredWork & { until: number };

export interface Keeper {
  /** By what it is. */
  kept: Map<string, Kept>;
  clock: Clock;
  shutdown: AbortSignal;
  report(error: unknown, where: string): void;
}

/** Kept at most for one repository. */
export const MAX_KEPT = 1000;

export const advanceKey = (issue: number) => `advance #${issue}`;

/**
 * Does the work at `until` (milliseconds since the epoch), once for each key: the newest takes the older one's place, the
 * earlier time counts. Work that comes too early, because the wait was made longer, is refused without a call and kept again.
 */
export function afterwards(
  { kept, clock, shutdown, report }: Keeper,
  until: number,
  { key, ...newest }: DeferredWork & { key: string },
): void {
  const before = kept.get(key);
  const { work, fuller } = before?.fuller && !newest.fuller ? before : newest;
  const due: Kept = { until: Math.min(until, before?.until ?? until), work, fuller };
  if (before && before.until <= until) {
    Object.assign(before, due);
    return;
  }
  kept.set(key, due);
  clock
    .sleep(Math.max(1000, until - clock.now()), shutdown)
    .then(async () => {
      // Another one's turn comes, or came, at an earlier time.
      if (kept.get(key) !== due) return;
      kept.delete(key);
      await due.work();
    })
    .catch(error => {
      if (!shutdown.aborted) report(error, key);
    });
}

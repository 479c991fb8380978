// What GitHub or the model's provider does not take now: kept in the process, and done when the wait is over.
import type { Clock } from '../lib/clock.ts';

export interface Keeper {
  /** By what it is. */
  kept: Map<string, () => Promise<void>>;
  clock: Clock;
  shutdown: AbortSignal;
  report(error: unknown, where: string): void;
}

/** Kept at most for one repository. */
export const MAX_KEPT = 1000;

export const driveKey = (issue: number) => `drive #${issue}`;

/** Does the work at `until` (milliseconds since the epoch), once for each key: the newest takes the older one's place. */
export function afterwards(
  { kept, clock, shutdown, report }: Keeper,
  until: number,
  { key, work }: { key: string; work: () => Promise<void> },
): void {
  const waits = kept.has(key);
  kept.set(key, work);
  // Work that comes too early, because the wait was made longer, is refused without a call and kept again.
  if (waits) return;
  clock
    .sleep(Math.max(1000, until - clock.now()), shutdown)
    .then(async () => {
      const due = kept.get(key);
      kept.delete(key);
      await due?.();
    })
    .catch(error => {
      if (!shutdown.aborted) report(error, key);
    });
}

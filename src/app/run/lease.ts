// Who may go on with a run that several processes can write to: a lease in the record, and how long it is needed.
import { z } from 'zod';
import type { Entry } from '../../journal/journal.ts';
import { jobsHold, type RecordAccess, WrittenElsewhere } from './run-store.ts';

/** Seconds that a lease holds where effects are under way: GitHub ends a request after ten. */
const EFFECTS_S = 120;
/** No effect begins in its last seconds, so that none can land when another process has taken over. */
const LAST_MS = 30_000;
/** Another process waits so much longer than the lease holds (milliseconds). */
const MARGIN_MS = 30_000;
/** A longer hold is renewed when no more is left: what looks at a run again does so each minute (milliseconds). */
const RENEW_MS = 90_000;

/** From the time of its commit on, which is GitHub's: whose clock is wrong does not matter. */
export const Lease = z.strictObject({ holder: z.string().max(100), seconds: z.int().min(1).max(700_000) });

/** A lease in a record, and when its commit was made by GitHub's clock (milliseconds since the epoch). */
export type FoundLease = z.infer<typeof Lease> & { at: number };

/** Throws WrittenElsewhere where another process may be at work on the run. One call where there was one. */
export async function throwWhereHeld(
  lease: FoundLease | null,
  { github, clock, holder }: RecordAccess,
  issue: number,
): Promise<void> {
  if (!lease || lease.holder === holder) return;
  const left = lease.at + lease.seconds * 1000 + MARGIN_MS - (await github.githubTime(issue));
  if (left > 0) throw new WrittenElsewhere(clock.now() + left);
}

/** What this process needs the run for. Times are those of its own clock (milliseconds). */
export interface Holds {
  /** Seconds for the lease of the next commit, after which the record holds these entries; 0: none is needed. */
  needed(entries: readonly Entry[], now: number): number;
  /** The lease was written: it holds for so long from a time on. */
  written(from: number, seconds: number): void;
  /** Whether one has to be written before what this key stands for; it is, with the next commit, then. */
  wants(key: string, ms: number | undefined, now: number): boolean;
}

/** `found`: a lease that this process, or the one before it, has; of one for jobs nobody knows otherwise. */
export function newHolds(found: FoundLease | null): Holds {
  const longer = new Map<string, number>();
  // By GitHub's clock: where this one's differs, a renewal comes too early or too late, which costs a commit or a job.
  if (found && found.seconds > EFFECTS_S) longer.set(jobsHold, found.at + found.seconds * 1000);
  let until = 0;
  let isAsked = false;
  return {
    needed(entries, now) {
      const done = new Set(entries.flatMap(entry => (entry.t === 'step' ? entry.key : [])));
      for (const key of longer.keys()) if (done.has(key)) longer.delete(key);
      const isOpen = entries.some(entry => entry.t === 'intent' && !done.has(entry.key));
      const longest = Math.max(0, ...[...longer.values()].map(end => Math.ceil((end - now) / 1000)));
      return Math.max(longest, isOpen || isAsked ? EFFECTS_S : 0);
    },
    written(from, seconds) {
      until = from + seconds * 1000;
      isAsked = false;
    },
    wants(key, ms, now) {
      if (ms === 0) {
        longer.delete(key);
        return false;
      }
      if (ms === undefined) return (isAsked = until - now < LAST_MS);
      const left = (longer.get(key) ?? 0) - now;
      if (left >= Math.min(ms, RENEW_MS)) return false;
      longer.set(key, now + ms);
      return true;
    },
  };
}

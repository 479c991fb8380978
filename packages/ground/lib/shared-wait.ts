// A wait that one caller was told of and that holds for everybody who shares what it is for: a key, an installation.
import type { Clock } from './clock.ts';

/** Key of the waits that a job or a record reports: their model is not known. */
export const ofJobs = '';

export type SharedWait = ReturnType<typeof sharedWait>;

/** A header may say anything: after a day it is asked again. */
const LONGEST_MS = 24 * 3_600_000;

export function sharedWait(clock: Clock) {
  const ends = new Map<string, number>();
  return {
    /**
     * Until when nothing is to be sent (milliseconds since the epoch); undefined where nothing is waited for. `of`: one of
     * several that are waited for apart, a model's name or `ofJobs`; without it the longest.
     */
    until(of?: string): number | undefined {
      const end = of === undefined ? Math.max(0, ...ends.values()) : (ends.get(of) ?? 0);
      return end > clock.now() ? end : undefined;
    },
    /** Waits until then, or longer where that was asked for before. `of`: default `ofJobs`. */
    extend(until: number, of = ofJobs): void {
      ends.set(of, Math.max(ends.get(of) ?? 0, Math.min(until, clock.now() + LONGEST_MS)));
    },
  };
}

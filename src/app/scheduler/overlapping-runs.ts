// Runs of one repository whose issues name the same files.
import type { PastIssue } from '../comments/view.ts';
import { canMeet, type Effort } from './globs.ts';

/** A run that has not ended, by the number of its issue, and the globs that its issues name. */
export interface OpenRun {
  issue: number;
  paths: readonly string[];
}

/** The repository's other runs; `more`: some may be missing. */
export interface OtherRuns {
  /** Those that have not ended. */
  runs: OpenRun[];
  /** Results of issues in those runs. */
  past: PastIssue[];
  more: boolean;
}

/** Another run, and which of its globs can match what one of ours matches. */
export interface Meeting {
  issue: number;
  paths: { here: string; there: string }[];
}

/** Pairs that are told of each run, and pairs that are compared at most with one: a model may name thousands. */
const TOLD = 5;
const COMPARED = 2000;

/**
 * The runs that may touch the same files, by number. All share one `effort`: past it, and past what is compared,
 * nothing is told.
 */
export function meetings(here: readonly string[], others: readonly OpenRun[], effort: Effort): Meeting[] {
  return others
    .map(({ issue, paths }) => ({ issue, paths: pairs([...new Set(here)], [...new Set(paths)], effort) }))
    .filter(({ paths }) => paths.length > 0)
    .toSorted((a, b) => a.issue - b.issue);
}

function pairs(ours: readonly string[], theirs: readonly string[], effort: Effort): Meeting['paths'] {
  const found: Meeting['paths'] = [];
  let compared = 0;
  for (const here of ours)
    for (const there of theirs) {
      if (found.length === TOLD || compared === COMPARED) return found;
      compared += 1;
      const may = canMeet(here, there, effort);
      // Without effort left there is no answer.
      if (effort.left <= 0) return found;
      if (may) found.push({ here, there });
    }
  return found;
}

// What an attempt has come to: begun empty, or where an earlier process stood, and filled while it is worked.
import type { SessionSummary } from '../../../engine/reasoning/session-summary.ts';
import type { Spending } from '../../../engine/models/budget.ts';
import type { AttemptJournal } from './attempt-journal.ts';
import type { JobReport, WithoutChange } from '../jobs/report-spec.ts';

export interface AttemptState {
  /** The tree as the director left it in the last round, before the tests ran: their leftovers stay out. */
  tree: string | undefined;
  /** Whether the director may have changed the checkout since. */
  changing: boolean;
  /** The tests of that tree. */
  tests: JobReport['tests'];
  /** What the tests of a change came to without the rest of it, and the tree that they ran on. */
  without?: { tree: string; found: WithoutChange };
  /** The tree whose bundle lies in the folder for another process. */
  kept?: string;
  /** Lock files and manifests of the tree that was installed last; undefined: those of the base. */
  installed?: string;
  /** Output of the last test run. */
  log: string;
  /** Rounds that were judged. */
  rounds: number;
  /** How many of them were told before. */
  readonly roundsBefore: number;
  /** What was finished of the program. */
  readonly journal: AttemptJournal;
  /** Paid for so far, by whichever process of this job. */
  spent: Spending;
  /** Who carried the last director out, where it was not this product itself. */
  engine?: string;
  /** What sessions came to that have ended, in order. */
  summaries: SessionSummary[];
}

export const attemptState = (journal: AttemptJournal, spentBefore: Spending): AttemptState => ({
  tree: undefined,
  changing: true,
  tests: null,
  log: '',
  // Those before come again from the steps.
  rounds: 0,
  roundsBefore: journal.before?.rounds ?? 0,
  journal,
  spent: spentBefore,
  summaries: [],
});

/** The director has finished and the tree is the base's: there is nothing to test or to judge. */
export class NoChanges extends Error {
  override readonly name = 'NoChanges';
}

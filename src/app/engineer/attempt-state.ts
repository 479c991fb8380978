// What an attempt has come to: begun empty, or where the job stood that asked the person, and filled while it is worked.
import { quoteForModel, quoted } from '../../engine/language/quote.ts';
import type { SessionSummary } from '../../engine/reasoning/session-summary.ts';
import type { Spending } from '../../engine/models/budget.ts';
import { type PausedSessions, withAnswer } from '../../engine/reasoning/asking.ts';
import type { KeptSteps } from '../../journal/kept-steps.ts';
import type { JobReport, JobSpec } from './job-spec.ts';
import type { Paused } from './paused-attempt.ts';

export interface AttemptState {
  /** The tree as the director left it in the last round, before the tests ran: their leftovers stay out. */
  tree: string | undefined;
  /** Whether the director may have changed the checkout since. */
  changing: boolean;
  /** The tests of that tree. */
  tests: JobReport['tests'];
  /** Output of the last test run. */
  log: string;
  /** Rounds that were judged. */
  rounds: number;
  /** How many of them the job before told of. */
  readonly roundsBefore: number;
  /** What was finished of the program. */
  steps: KeptSteps;
  /** Paid for so far, by whichever process of this job. */
  spent: Spending;
  /** What sessions came to that have ended, in order. */
  summaries: SessionSummary[];
  /** Sessions that asked the person and have not finished. */
  sessions: PausedSessions;
}

/** `paused`: what the job left whose question `spec.from` answers; undefined: the attempt begins. */
export function attemptState(
  { from }: Pick<JobSpec, 'from'>,
  paused: Paused | undefined,
  spentBefore: Spending,
): AttemptState {
  const answer = `${quoted(quoteForModel(from?.answer ?? '').text)}\n\n${ANEW}`;
  return {
    tree: undefined,
    changing: true,
    tests: null,
    log: '',
    // Those before come again from the steps.
    rounds: 0,
    roundsBefore: paused?.rounds ?? 0,
    steps: { ...paused?.steps },
    spent: spentBefore,
    summaries: [],
    sessions: paused ? withAnswer(paused, answer) : {},
  };
}

const ANEW =
  '(Your checkout was made anew meanwhile: your changes are in it, files that git ignores are not, and nothing runs.)';

/** The director has finished and the tree is the base's: there is nothing to test or to judge. */
export class NoChanges extends Error {
  override readonly name = 'NoChanges';
}

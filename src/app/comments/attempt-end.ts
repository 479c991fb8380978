// Ends of an attempt at an issue, in plain words: one table, for status comment, next attempt and issue alike.
import { shortened } from '@echelon/ground';

/**
 * By the class of the report: a clause. Classes are those of `failure` in engineer/attempt/job-report.ts, and what the run itself
 * makes of a job (`lost`, `refused`, `push`, `pull`, `conflict`, `merge`).
 */
export const attemptEnds = {
  rejected: 'the evaluator did not accept the change',
  no_changes: 'the engineer changed nothing',
  no_engine: 'none of the programs that `engines` names could work',
  setup: 'what engineers start from could not be installed',
  refused: 'the patch was refused',
  push: 'the branch could not be pushed',
  pull: 'the pull request could not be opened',
  conflict: 'the change does not fit what the base branch has become',
  merge: 'the branch could not be merged into the base branch',
  time: 'the hard time limit has passed',
  time_exhausted: 'the time of a conversation was used up',
  turns_exhausted: 'the engineer used up its turns',
  output_exhausted: "a reply of the model was cut off at the model's output limit",
  context_exhausted: 'a conversation grew larger than the model can read',
  budget_exhausted: 'a task of the program spent what its own limits give it',
  budget: "its share of the run's limit is used up",
  quota: "the model's provider wants money: see to the account's credit",
  denied: "the model's provider denies what is asked of it",
  context: 'a prompt is larger than the model can read',
  rate_limit: "the model's provider wants a long pause before it is asked again",
  timeout: 'the model did not answer in time',
  crash: 'a call of the model failed',
  error: 'an error of the bot itself ended the job',
  lost: 'the job was lost before it could report',
  checkout: 'the checkout could not be worked in',
  question: 'the engineer asked a question in a conversation too large to be kept',
  model_failure: 'the model refused to answer, or its reply was unusable',
  INVALID_OUTPUT: 'a verdict or another reply could not be read',
  failed: 'the engineer or the evaluator gave its task up',
  no_progress: 'the engineer made no progress',
  too_many_errors: 'the engineer made one error after the other',
  too_many_sessions: 'what was tried in the place of a failed part failed as well',
  script_failed: 'the tests could not be run',
  tool_failed: 'a tool failed that the engineer works with',
  context_generation_failure: 'no context could be chosen for the engineer',
} as const;

const isKnown = (kind: string): kind is keyof typeof attemptEnds => Object.hasOwn(attemptEnds, kind);

/** The clause for a class; one that is not known is an error of the engineer's program. */
export const attemptEnd = (kind: string): string =>
  isKnown(kind) ? attemptEnds[kind] : "the engineer's program could not be carried out";

/** The steps for a person before another try, beyond typing the command. */
export const remedies: ReadonlyMap<string, string> = new Map([
  [
    'denied',
    'Set the key anew before it is tried again. Where the model is at fault, name another one in `models`, and put the label on again.',
  ],
  [
    'model_failure',
    'The same model may well refuse again: to have another one asked, name it in `models`, and put the label on again.',
  ],
]);

export interface TestsResult {
  command: string;
  /** Null where a signal ended them. */
  exit_code: number | null;
}

/** Ends whose clause says all, or whose detail is an error inside. */
const untold: ReadonlySet<string> = new Set([
  'error',
  'lost',
  'checkout',
  'time',
  'time_exhausted',
  'turns_exhausted',
  'output_exhausted',
  'context_exhausted',
  'budget_exhausted',
  'budget',
]);

/** The longest detail in a line, in UTF-16 units. */
const MOST = 300;

/** Reason for an attempt's end, in a line for the status comment. `failure`: the line of the log that says what failed. */
export function shortReason(
  kind: string,
  detail: string,
  tests: TestsResult | null = null,
  failure = '',
): string {
  // The failure comes first; earlier judgements follow it.
  const why = kind === 'rejected' ? detail : detail.trim().split('\n\n', 1)[0]!;
  const said = !untold.has(kind) && why.trim() !== '' ? `: ${oneLine(why).replace(/[.;,]$/, '')}` : '';
  const ran = tests && tests.exit_code !== 0 ? `; \`${oneLine(tests.command)}\` ${exited(tests)}` : '';
  return `${attemptEnd(kind)}${said}${ran}${ran && failure ? `: ${oneLine(failure)}` : ''}`;
}

/** `exited 1`. */
export const exited = ({ exit_code }: Pick<TestsResult, 'exit_code'>) =>
  exit_code === null ? 'was ended by a signal' : `exited ${exit_code}`;

/** Characters that the next attempt is told of what the one before came to. */
const MOST_TOLD = 4000;

/** Message about the last attempt for the next one. */
export const toldNext = (kind: string, detail: string): string =>
  detail.trim() ? `${attemptEnd(kind)}: ${detail.trim().slice(0, MOST_TOLD)}` : attemptEnd(kind);

const oneLine = (text: string) => shortened(text.replace(/\s+/g, ' ').trim(), MOST);

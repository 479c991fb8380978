// What a job reports of its attempt: the figures, and a failure from whatever error ended it.
import { type Notes, TaskError } from '../language/result.ts';
import { trimLog } from '../language/trim.ts';
import type { Deadline } from '../lib/deadline.ts';
import { messageOf } from '../lib/message.ts';
import { ParkRun } from '../models/guard.ts';
import { failureClass } from '../models/budget.ts';
import { ModelFailure } from '../models/model.ts';
import { makeBundle } from '../workspace/bundle.ts';
import { TreeTooLarge } from '../workspace/checkout.ts';
import { GitError } from '../workspace/git.ts';
import type { Workplace } from './evaluation.ts';
import { ATTEMPT_LIMIT, KEPT, type JobReport } from './job-spec.ts';

/** One attempt, or what is left of one after a question. */
export interface JobAttempt extends Workplace {
  /** The job's. */
  folder: string;
  /** The tree that the checkout began with. */
  before: string;
  time: Deadline;
}

type Facts = Pick<
  JobReport,
  'rounds' | 'cost_usd' | 'model_calls' | 'tests' | 'feedback' | 'isolation' | 'ms' | 'sessions'
>;

/** What every report tells; `notes`: of the program's result, where it has one. */
export const factsOf = (
  { spec, state, time }: JobAttempt,
  notes: Pick<Notes, 'rounds' | 'evaluation'> = {},
): Facts => ({
  rounds: notes.rounds ?? 0,
  ...state.spent,
  tests: state.tests,
  feedback: notes.evaluation?.feedback ?? '',
  isolation: spec.isolation,
  ms: time.elapsed(),
  sessions: state.summaries.slice(-KEPT),
});

/** Characters of feedback that no evaluator wrote. */
export const FEEDBACK = 2000;

export const failure = (
  kind: string,
  feedback: string,
  facts: Facts,
  more: { log_tail?: string; partial?: boolean; until?: number } = {},
): JobReport => ({
  kind: 'failed',
  class: kind,
  log_tail: '',
  partial: false,
  ...facts,
  feedback,
  ...more,
});

/** Leaves the bundle of `tree` in the job's folder. */
export const hand = (
  { checkout, folder, spec }: JobAttempt,
  tree: string,
  { tests, rounds, cost_usd }: Facts,
): Promise<unknown> =>
  makeBundle(checkout, tree, folder, { tests, rounds, cost_usd, isolation: spec.isolation });

/** Errors beside the language's own that are failures of an attempt, with the class that its report tells. */
const classes = [
  [ParkRun, 'rate_limit'],
  [TreeTooLarge, 'checkout'],
  [GitError, 'checkout'],
] as const;

/**
 * The report of an attempt that `error` ended. After an error of the language what was changed is left as a partial
 * bundle. Throws what is no failure of the attempt.
 */
export async function reportOf(error: unknown, attempt: JobAttempt): Promise<JobReport> {
  const { spec, state, time, before, checkout, signal } = attempt;
  const log_tail = trimLog(state.log);
  if (time.expired()) {
    const [after, limit] = [time.elapsed(), spec.limits.attempt_ms].map(ms => `${Math.round(ms / 1000)} s`);
    const why = `the hard time limit has passed: the attempt was ended after ${after}, at its limit of ${limit}; ${ATTEMPT_LIMIT}`;
    return failure('time', why, factsOf(attempt), { log_tail });
  }
  const [, kind] = classes.find(([type]) => error instanceof type) ?? [];
  if (kind !== undefined)
    return failure(kind, messageOf(error).slice(0, FEEDBACK), factsOf(attempt), {
      log_tail,
      ...(error instanceof ParkRun && { until: error.until }),
    });
  if (!(error instanceof TaskError)) throw error;
  const facts = factsOf(attempt, error.notes);
  const tree = state.tree ?? (await checkout.writeTree(signal).catch(() => before));
  const partial = tree !== before;
  if (partial) await hand(attempt, tree, facts);
  // A round's feedback must not hide that it was the model that failed.
  const feedback = error.cause instanceof ModelFailure ? error.message : facts.feedback || error.message;
  return failure(classOf(error), feedback, facts, { log_tail, partial });
}

/** What the report calls the failure: a class of model failure, a reason of the language, or an error's code. */
function classOf({ cause, detail }: TaskError): string {
  if (cause instanceof ModelFailure) return failureClass(cause);
  if (detail.code === 'TASK_FAILURE') return detail.reason;
  return detail.code === 'RESOURCE_EXHAUSTION' ? `${detail.resource}_exhausted` : detail.code;
}

// Report of a job's attempt: the figures, and a failure from whatever error ended it.
import { messageOf } from '@echelon/ground';
import { GitError, makeBundle, TreeTooLarge } from '@echelon/ground/workspace';
import { type Notes, TaskError, trimLog } from '../../../engine/texts.ts';
import { failureClass, ModelFailure, NoEngine, ProviderWait } from '../../../engine/models.ts';
import { NoChanges } from './attempt-journal.ts';
import type { Workplace } from './workplace.ts';
import { criteriaOf } from '../slots/criteria.ts';
import { ATTEMPT_LIMIT } from '../jobs/job-spec.ts';
import { KEPT, type JobReport } from '../jobs/report-spec.ts';

type Facts = Omit<Extract<JobReport, { kind: 'question' }>, 'kind' | 'question' | 'candidates'>;

/** Common fields of every report; `notes`: of the program's result, if it has one. */
export const factsOf = (
  { spec, state, time }: Workplace,
  notes: Pick<Notes, 'rounds' | 'evaluation'> = {},
): Facts => {
  const criteria = criteriaOf(notes.evaluation?.outputs?.['criteria'], spec.issue.body);
  return {
    rounds: notes.rounds ?? state.rounds,
    ...state.spent,
    tests: state.tests,
    feedback: notes.evaluation?.feedback ?? '',
    isolation: spec.isolation,
    ...(state.engine !== undefined && { engine: state.engine }),
    ms: time.elapsed(),
    sessions: state.summaries.slice(-KEPT),
    ...(criteria && { criteria }),
  };
};

/** Characters of feedback that no evaluator wrote. */
export const FEEDBACK = 2000;

/**
 * The report of an attempt that has failed. Whatever ended it, what differs from the base is left as a partial bundle:
 * it was paid for.
 */
export async function failure(
  attempt: Workplace,
  kind: string,
  feedback: string,
  notes?: Parameters<typeof factsOf>[1],
): Promise<Extract<JobReport, { kind: 'failed' }>> {
  const facts = factsOf(attempt, notes);
  const partial = await leavePartial(attempt, facts);
  const log_tail = trimLog(attempt.state.log);
  return { kind: 'failed', class: kind, ...facts, log_tail, partial, feedback };
}

/** False where the tree is the base's, or cannot be stored: an attempt that failed is no reason to fail once more. */
async function leavePartial(attempt: Workplace, facts: Facts): Promise<boolean> {
  const { state, checkout, before, host } = attempt;
  const dropped = (error: unknown) => void host.unexpected(error);
  // Not under the attempt's signal, which may be what has ended it.
  const now = state.changing ? await checkout.writeTree().catch(dropped) : undefined;
  const tree = now ?? state.tree ?? before;
  if (tree === before) return false;
  return await hand(attempt, tree, facts).then(
    () => true,
    error => dropped(error) ?? false,
  );
}

/** Leaves the bundle of `tree` in the job's folder, with its own tests only. */
export const hand = (
  { checkout, folder, spec }: Workplace,
  tree: string,
  { tests, rounds, cost_usd }: Facts,
): Promise<unknown> =>
  makeBundle(checkout, tree, folder, {
    tests: tests?.tree === tree ? { command: tests.command, exit_code: tests.exit_code, tree } : null,
    ...{ rounds, cost_usd, isolation: spec.isolation },
  });

/** Errors beside the language's own that are failures of an attempt, with the class that its report tells. */
const classes = [
  [NoChanges, 'no_changes'],
  [NoEngine, 'no_engine'],
  [ProviderWait, 'rate_limit'],
  [TreeTooLarge, 'checkout'],
  [GitError, 'checkout'],
] as const;

/** The report of an attempt that `error` ended. */
export async function reportOf(error: unknown, attempt: Workplace): Promise<JobReport> {
  const notes = error instanceof TaskError ? error.notes : undefined;
  const { time, spec, host } = attempt;
  if (time.expired()) {
    const [after, limit] = [time.elapsed(), spec.limits.attempt_ms].map(ms => `${Math.round(ms / 1000)} s`);
    const why = `the hard time limit has passed: the attempt was ended after ${after}, at its limit of ${limit}; ${ATTEMPT_LIMIT}`;
    return await failure(attempt, 'time', why, notes);
  }
  if (error instanceof TaskError) return await failure(attempt, classOf(error), feedbackOf(error), notes);
  const message = messageOf(error).slice(0, FEEDBACK);
  const [, kind] = classes.find(([type]) => error instanceof type) ?? [];
  if (kind !== undefined) {
    const report = await failure(attempt, kind, message);
    return error instanceof ProviderWait ? { ...report, until: error.until } : report;
  }
  host.unexpected(error);
  return await failure(attempt, 'error', `an error of the bot itself: ${message}`);
}

/** Of what was rejected the last evaluation; else what ended the attempt, then what was said last of the work. */
function feedbackOf({ message, detail, notes }: TaskError): string {
  const judged = notes.evaluation?.feedback ?? '';
  if (detail.code === 'TASK_FAILURE' && detail.reason === 'rejected') return judged || message;
  const said = (notes.partial ?? '').slice(0, FEEDBACK);
  return [
    message,
    ...(judged === '' ? [] : [`The last evaluation: ${judged}`]),
    ...(said === '' ? [] : [`What was said last: ${said}`]),
  ].join('\n\n');
}

/** Class of the failure in the report: a class of model failure, a reason of the language, or an error's code. */
function classOf({ cause, detail }: TaskError): string {
  if (cause instanceof ModelFailure) return failureClass(cause);
  if (detail.code === 'TASK_FAILURE') return detail.reason;
  return detail.code === 'RESOURCE_EXHAUSTION' ? `${detail.resource}_exhausted` : detail.code;
}

// Stop conditions of a session without a final output, as predicates over its state, and the results they end it with.
import { type Resource, TaskError, type Notes, type Spent, nothingSpent } from '../language/result.ts';
import type { SessionState } from './state.ts';
import { BudgetSpent } from '../models/budget.ts';
import type { ModelFailure } from '../models/model.ts';

/** Model calls that a session may never pass, whatever its task allows. */
export const SESSION_TURNS = 30;
/** Iterations with errors in a row that stop a session. */
const ERRORS_IN_ROW = 5;
/** Replies in a row that hold nothing. */
const EMPTY_IN_ROW = 3;

export interface SessionLimits {
  /** Model calls, and questions to a person. */
  turns: number;
  /** Of one reply. */
  output_tokens: number;
  time_ms: number;
  /** Tokens that the conversation may come to; absent: no limit but the provider's. */
  context_tokens?: number;
  /** Share of each limit, above 0 and at most 1, at which a warning goes out; absent: 0.8. */
  warn_at?: number;
}

/** The error that ends the session, or nothing: it goes on. */
export type StopCondition = (
  state: Readonly<SessionState>,
  limits: SessionLimits,
  task: string,
) => TaskError | undefined;

const turnsUsedUp: StopCondition = (state, limits, task) => {
  const { used, limit } = turnsOf(state, limits);
  return used >= limit ? exhausted('turns', used, limit, task) : undefined;
};

/** Use of the limit that is nearer: the session's limit of model calls, or the task's limit, which counts questions too. */
export function turnsOf(
  { spent, counts }: Readonly<SessionState>,
  { turns }: SessionLimits,
): { used: number; limit: number } {
  const calls = { used: spent.turns, limit: SESSION_TURNS };
  const all = { used: spent.turns + counts.questions, limit: turns };
  return all.limit - all.used <= calls.limit - calls.used ? all : calls;
}

/** True if a question, and the model call for its answer, still fit into the limits. */
export const mayAsk = ({ spent, counts }: Readonly<SessionState>, { turns }: SessionLimits) =>
  turns - spent.turns - counts.questions >= 2 && SESSION_TURNS - spent.turns >= 1;

const errorsInRow: StopCondition = ({ errorsInRow: count, iterations }) =>
  count >= ERRORS_IN_ROW
    ? new TaskError(
        { code: 'TASK_FAILURE', reason: 'too_many_errors' },
        `${count} iterations in a row had errors; the last one: ${iterations.at(-1)?.errors.join('; ')}`,
      )
    : undefined;

const noProgress: StopCondition = ({ emptyInRow }) =>
  emptyInRow >= EMPTY_IN_ROW
    ? new TaskError(
        { code: 'TASK_FAILURE', reason: 'no_progress' },
        `${emptyInRow} replies in a row held no operation, no tool call and no text`,
      )
    : undefined;

/** The conditions of every session, in the order in which they are asked before each model call. */
export const standardStops: readonly StopCondition[] = [errorsInRow, noProgress, turnsUsedUp];

const amounts: Readonly<Record<Resource, (amount: number) => string>> = {
  turns: n => `${n} turns`,
  time: n => `${n} ms`,
  context: n => `${n} tokens of context`,
  output: n => `${n} tokens of output`,
  budget: n => `$${n}`,
};

/** The error of `task`, whose limit it is. */
export function exhausted(resource: Resource, used: number, limit: number, task: string): TaskError {
  const amount = amounts[resource];
  const more = used > limit ? ` (${amount(used)})` : '';
  return new TaskError(
    { code: 'RESOURCE_EXHAUSTION', resource, used, limit, peak: used, task },
    `the limit of ${amount(limit)} is used up by ${task}${more}`,
  );
}

/**
 * The abort reason. If it came from a task around or beside this one, the session's cost so far is added, so that it
 * is not lost. If the limit of a task around it was reached, the notes found so far are added too.
 */
export function abortedWith({ reason }: AbortSignal, spent: Spent, found: Partial<Notes> = {}): unknown {
  if (reason instanceof TaskError) return reason.with({ ...found, dataUsage: spent });
  return reason instanceof Cancelled ? reason.with(spent) : reason;
}

/** RESOURCE_EXHAUSTION where the budget of all the work is spent, else TASK_FAILURE `model_failure`; the failure is its cause. */
export function failedModel(failure: ModelFailure, task: string, notes: Partial<Notes>): TaskError {
  const more = { notes, cause: failure };
  if (!(failure instanceof BudgetSpent))
    return new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, failure.message, more);
  const { used, limit } = failure;
  const detail = { code: 'RESOURCE_EXHAUSTION', resource: 'budget', used, limit, peak: used, task } as const;
  return new TaskError(detail, failure.message, more);
}

/**
 * Ends work that the failure of other work beside it has made useless: the reason of its signal. Never a TaskError: whoever mends or tells the failures of its own tasks
 * would take it for one of those. A session that ends by it throws one that has what it had spent.
 */
export class Cancelled extends Error {
  readonly spent: Spent;
  constructor(spent: Spent = nothingSpent) {
    super('something beside this failed');
    this.spent = spent;
  }

  /** The same reason, as one session leaves with it. */
  with(spent: Spent): Cancelled {
    return new Cancelled(spent);
  }
}

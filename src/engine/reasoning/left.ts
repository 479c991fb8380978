// What a session leaves with that its model or its surroundings have ended.
import { type Notes, type Spent, TaskError, nothingSpent } from '../language/result.ts';
import { BudgetSpent } from '../models/budget.ts';
import type { ModelFailure } from '../models/model.ts';

/**
 * What aborted it; where that was a task around or beside it, with what the session had spent, which is not lost. The limit
 * of one around it is its own failure, too, and keeps what it had found.
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
  override readonly name = 'Cancelled';
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

// A model that is not asked any more once what it may cost is spent.
import { type FailureClass, type Model, ModelFailure } from './model.ts';
import type { ResilientModel } from './resilient-model.ts';

/** What was given for the work is spent; unlike a provider's own quota it is for a person here to raise. */
class BudgetSpent extends ModelFailure {
  constructor(message: string) {
    super('quota', message);
  }
}

/** The class of a failure, `budget` where it was no provider's but `withinBudget`'s. */
export const failureClass = (failure: ModelFailure): FailureClass | 'budget' =>
  failure instanceof BudgetSpent ? 'budget' : failure.class;

/** What calls of a model have come to. */
export interface Spending {
  cost_usd: number;
  model_calls: number;
}

/**
 * `model` until `most` USD are spent; after that each call throws ModelFailure `quota`. Calls that run side by side
 * when the budget ends are paid for all the same.
 */
export function withinBudget(
  model: Model | ResilientModel,
  most: number,
  {
    before = { cost_usd: 0, model_calls: 0 },
    name = 'the budget',
    remedy,
    timeoutMs,
    onSpent,
  }: {
    /** By earlier processes of the same work. */
    before?: Spending;
    /** What the failure's message calls it. */
    name?: string;
    /** Ends the failure's message: what to do about it, in the words of whoever gave the budget. */
    remedy?: string;
    /** Milliseconds that each try of a resilient model may take; default: its own. */
    timeoutMs?: number | undefined;
    /** Gets the sum after each reply, before anybody gets the reply; what it throws fails the call. */
    onSpent?: (sum: Spending) => Promise<void> | void;
  } = {},
): Model {
  let spent = before;
  return {
    provider: model.provider,
    ...(model.models && { models: model.models }),
    async call(request, onEvent) {
      if (spent.cost_usd >= most)
        throw new BudgetSpent(
          `${name} of $${most} is used up ($${spent.cost_usd.toFixed(2)})${remedy === undefined ? '' : `; ${remedy}`}`,
        );
      const timed = timeoutMs === undefined ? request : { ...request, timeout_ms: timeoutMs };
      const reply = await model.call(timed, onEvent);
      spent = { cost_usd: spent.cost_usd + reply.cost_usd, model_calls: spent.model_calls + 1 };
      await onSpent?.(spent);
      return reply;
    },
  };
}

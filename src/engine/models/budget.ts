// The budget shared by model calls: no call is made once it is spent.
import { type FailureClass, ModelFailure, type ModelReply } from './model.ts';

/** The budget of the work is spent; unlike a provider's own quota, a person here can raise it. */
export class BudgetSpent extends ModelFailure {
  /** USD. */
  readonly used: number;
  readonly limit: number;
  constructor(message: string, used: number, limit: number) {
    super('quota', message);
    this.used = used;
    this.limit = limit;
  }
}

/** The class of a failure, `budget` where it was no provider's but a budget's. */
export const failureClass = (failure: ModelFailure): FailureClass | 'budget' =>
  failure instanceof BudgetSpent ? 'budget' : failure.class;

/** Total use of model calls. */
export interface Spending {
  cost_usd: number;
  model_calls: number;
}

export interface Budget {
  /** USD. */
  most: number;
  /** By earlier processes of the same work. */
  before?: Spending;
  /** Name of the budget in the failure's message; default: the budget. */
  name?: string;
  /** Ends the failure's message: what to do about it, in the words of whoever gave the budget. */
  remedy?: string;
  /** Gets the sum after each reply, before anybody gets the reply; what it throws fails the call. */
  onSpent?: (sum: Spending) => Promise<void> | void;
}

/** The books of a budget. Calls that run side by side when it ends are paid for all the same. */
export function openAccount({ most, before, name = 'the budget', remedy, onSpent }: Budget) {
  let { cost_usd, model_calls }: Spending = before ?? { cost_usd: 0, model_calls: 0 };
  return {
    /** Throws ModelFailure `quota` once the budget is spent. */
    check(): void {
      if (cost_usd < most) return;
      const what = remedy === undefined ? '' : `; ${remedy}`;
      throw new BudgetSpent(
        `${name} of $${most} is used up ($${cost_usd.toFixed(2)})${what}`,
        cost_usd,
        most,
      );
    },
    async book(reply: Pick<ModelReply, 'cost_usd'>): Promise<void> {
      cost_usd += reply.cost_usd;
      model_calls += 1;
      await onSpent?.({ cost_usd, model_calls });
    },
  };
}

// What the models were asked and what they cost, by task, over all entries.
import { addSpent, nothingSpent, type Spent } from '../../../../engine/language/result.ts';
import type { Model, ModelRequest } from '../../../../engine/models/model.ts';

export interface Spending {
  /** In the order in which the tasks first replied. `turns` are model calls. */
  readonly byTask: ReadonlyMap<string, Spent>;
  readonly total: Spent;
  /** What the last session was sent; undefined: none was asked. */
  readonly last: ModelRequest | undefined;
}

/** `model`, with the books of what it is asked from now on. */
export function keepingBooks(model: Model): { model: Model; spending: Spending } {
  const byTask = new Map<string, Spent>();
  let total = nothingSpent;
  let last: ModelRequest | undefined;
  return {
    model: {
      ...model,
      async call(request, onEvent) {
        last = request;
        const reply = await model.call(request, onEvent);
        const { usage, cost_usd } = reply;
        const spent = { usage, cost_usd, turns: 1 };
        byTask.set(request.task, addSpent(byTask.get(request.task) ?? nothingSpent, spent));
        total = addSpent(total, spent);
        return reply;
      },
    },
    spending: {
      byTask,
      get total() {
        return total;
      },
      get last() {
        return last;
      },
    },
  };
}

/** All tokens that were sent and received. */
export const tokensOf = ({ usage }: Pick<Spent, 'usage'>): number =>
  usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens;

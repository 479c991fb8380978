// Model calls and costs by task, over all entries.
import { addSpent, nothingSpent, type Spent } from '../../../../engine/texts.ts';
import type { Model, ModelRequest } from '../../../../engine/models.ts';

export interface Spending {
  /** In the order in which the tasks first replied. `turns` are model calls. */
  readonly byTask: Map<string, Spent>;
  total: Spent;
  /** Request of the last session; undefined if there was none. */
  last: ModelRequest | undefined;
}

/** `model`, with the books of what it is asked from now on. */
export function keepingBooks(model: Model): { model: Model; spending: Spending } {
  const spending: Spending = { byTask: new Map(), total: nothingSpent, last: undefined };
  const { byTask } = spending;
  return {
    spending,
    model: {
      ...model,
      async call(request, onEvent) {
        spending.last = request;
        const reply = await model.call(request, onEvent);
        const spent = { usage: reply.usage, cost_usd: reply.cost_usd, turns: 1 };
        byTask.set(request.task, addSpent(byTask.get(request.task) ?? nothingSpent, spent));
        spending.total = addSpent(spending.total, spent);
        return reply;
      },
    },
  };
}

/** All tokens that were sent and received. */
export const tokensOf = ({ usage }: Pick<Spent, 'usage'>): number =>
  usage.input_tokens + usage.cache_read_tokens + usage.cache_write_tokens + usage.output_tokens;

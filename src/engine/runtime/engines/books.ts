// The books of a program that asks its model at our door: what its calls came to, within the limits of a session.
import { addSpent, nothingSpent, type Spent } from '../../language/result.ts';
import type { DoorRequest } from '../../models/messages-request.ts';
import type { Model, ModelReply } from '../../models/model.ts';
import type { SessionEvent } from '../../reasoning/events.ts';
import type { SessionOutcome, SessionRequest } from '../../reasoning/request.ts';
import { exhausted } from '../../reasoning/stop.ts';

export interface Books {
  spent: Spent;
  last?: ModelReply;
  tools: SessionOutcome['tools'];
  ask(asked: DoorRequest): Promise<ModelReply>;
}

/** `ask` makes a call, each when the one before is done; throws TaskError once the session's turns are used up, and what the model throws. */
export function openBooks(
  request: SessionRequest,
  { model, onEvent }: { model: Model; onEvent(event: SessionEvent): void },
): Books {
  const { key, scope, task, limits, signal, effort } = request;
  const pending = new Map<string, { name: string; input: unknown }>();
  let calls = 0;
  /** Results of the tools are in the next request. */
  function note({ messages }: DoorRequest): void {
    for (const part of messages.at(-1)?.content ?? []) {
      const call = part.type === 'tool_result' ? pending.get(part.id) : undefined;
      if (part.type !== 'tool_result' || !call) continue;
      pending.delete(part.id);
      const ok = !part.is_error;
      books.tools.push({ name: call.name, ok });
      onEvent({ type: 'tool_call', task, ...call, ok });
    }
  }
  async function call(asked: DoorRequest): Promise<ModelReply> {
    note(asked);
    request.meter?.call(books.spent);
    if (calls >= limits.turns) throw exhausted('turns', calls, limits.turns, task);
    calls += 1;
    const reply = await model.call({
      ...{ key: `${key}/${calls}`, scope, task, model: request.model, signal, ...asked },
      max_output_tokens: limits.output_tokens,
      ...(effort !== undefined && { effort }),
    });
    const { text, usage, cost_usd } = reply;
    books.spent = addSpent(books.spent, { turns: 1, usage, cost_usd });
    request.meter?.spent(books.spent);
    books.last = reply;
    for (const { id, ...each } of reply.tool_calls) pending.set(id, each);
    const tool_calls = reply.tool_calls.map(({ name }) => name);
    onEvent({ type: 'model_reply', task, turn: books.spent.turns, text, tool_calls, usage, cost_usd });
    return reply;
  }
  let before: Promise<unknown> = Promise.resolve();
  const books: Books = {
    spent: nothingSpent,
    tools: [],
    // One after the other: a budget holds calls that are made at once only when they have come back.
    ask(asked) {
      const reply = before.then(() => call(asked));
      before = reply.catch(() => {});
      return reply;
    },
  };
  return books;
}

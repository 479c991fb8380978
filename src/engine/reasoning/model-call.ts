// One model call of a session: its request, and the accounting of its reply.
import { addSpent, TaskError } from '../language/result.ts';
import { type ToolSpec, toolSpec } from '../language/tool.ts';
import type { ModelMessage, ModelReply, ModelRequest } from '../models/model.ts';
import { hasToolsInCode } from './call-tool.ts';
import { tagsGuide, toolsOfOperations } from './operations/offer.ts';
import type { SessionRequest } from './request.ts';
import type { Session } from './session-in-progress.ts';
import { type SoundReply, sound } from './sound-reply.ts';

/** Call `n` of the session. */
export function callOf(
  { request, time }: Session,
  messages: readonly ModelMessage[],
  n: number,
): ModelRequest {
  const { scope, task, model, limits, temperature, effort, schema } = request;
  return {
    key: `${request.key}/${n}`,
    scope,
    task,
    model,
    system: systemOf(request),
    messages: [...messages],
    tools: [
      ...ownOf(request),
      ...(request.abilities.includes('js') ? toolsOfOperations(hasToolsInCode(request)) : []),
      ...askOf(request),
    ],
    max_output_tokens: limits.output_tokens,
    ...(temperature !== undefined && { temperature }),
    ...(effort !== undefined && { effort }),
    ...(schema !== undefined && { schema }),
    ...(request.once && messages.length === 1 && { once: true }),
    signal: time.signal,
  };
}

/** The reply as it can be gone on with; what it cost is the session's. */
export function booked(given: ModelReply, { request, around, state, warn }: Session): SoundReply {
  const { task, limits } = request;
  const reply = sound(given);
  if (!(Number.isFinite(reply.cost_usd) && reply.cost_usd >= 0))
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'model_failure' },
      `the cost of a reply is ${reply.cost_usd}, not a finite number of at least 0`,
    );
  state.spent = addSpent(state.spent, { turns: 1, usage: reply.usage, cost_usd: reply.cost_usd });
  request.meter?.spent(state.spent);
  if (reply.instead) noteInstead(state, reply.instead);
  const { text, usage, cost_usd } = reply;
  around.onEvent?.({
    type: 'model_reply',
    task,
    turn: state.spent.turns,
    text,
    tool_calls: reply.tool_calls.map(call => call.name),
    usage,
    cost_usd,
  });
  warn('output', reply.usage.output_tokens, limits.output_tokens);
  return reply;
}

/** Kept in a few short lines: they stand in comments. */
function noteInstead(state: Session['state'], { model, why }: NonNullable<ModelReply['instead']>): void {
  const line = `${model} answered: ${why}`.slice(0, 300);
  const told = state.instead ?? [];
  if (!told.includes(line)) state.instead = [...told, line].slice(-5);
}

/** A model that calls tools is told of them there, and of no tags. */
function systemOf(request: SessionRequest): SessionRequest['system'] {
  const { system, abilities, writesTags } = request;
  const own = writesTags ? [...ownOf(request), ...askOf(request)] : [];
  const hasOperations = abilities.includes('js');
  if (!writesTags || (own.length === 0 && !hasOperations)) return system;
  const guide = tagsGuide(own, hasOperations, hasToolsInCode(request));
  const { stable, changing } = system;
  return { stable: [guide, stable].filter(text => text !== '').join('\n\n'), changing };
}

const askSpec = toolSpec('ask');

const ownOf = ({ tools }: SessionRequest): ToolSpec[] =>
  tools.map(({ name, description, input }) => ({ name, description, input }));

const askOf = ({ abilities }: SessionRequest): ToolSpec[] => (abilities.includes('ask') ? [askSpec] : []);

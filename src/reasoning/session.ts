// The one loop of model call, tool calls and final output: how every atomic task is carried out.
import { messageOf } from '../lib/message.ts';
import { addSpent, nothingSpent, type Spent, TaskError } from '../language/result.ts';
import { type Tool, ToolRefusal } from '../language/tool.ts';
import type { Clock } from '../lib/clock.ts';
import type { Model, ModelMessage, ModelPart, ModelReply, Usage } from '../models/model.ts';
import { ModelFailure } from '../models/model.ts';
import { type Deadline, deadline } from './deadline.ts';

/** Model calls that a session may never pass, whatever its task allows. */
export const SESSION_TURNS = 30;

export interface SessionRequest {
  /** Stable over restarts; call n of the session has the key `${key}/${n}`. */
  key: string;
  scope: string;
  /** The task's name, as events and scripts of replies know it. */
  task: string;
  /** Provider's model name. */
  model: string;
  system: { stable: string; changing: string };
  prompt: string;
  /** A conversation to go on with: the prompt is added to it. */
  history?: readonly ModelMessage[];
  tools: readonly Tool[];
  limits: {
    /** Model calls. */
    turns: number;
    /** Of one reply. */
    output_tokens: number;
    time_ms: number;
  };
  temperature?: number;
  signal: AbortSignal;
}

export interface SessionOutcome {
  /** The final output: the last reply's text. */
  text: string;
  /** The whole conversation, the history and the final output included. */
  messages: ModelMessage[];
  turns: number;
  usage: Usage;
  cost_usd: number;
  /** `max_output`: the last reply was cut off by the output limit; its tool calls, if any, were not carried out. */
  stop: 'end' | 'max_output' | 'refusal';
  tools: { name: string; ok: boolean; error?: string }[];
}

export type SessionEvent =
  | {
      type: 'model_reply';
      task: string;
      turn: number;
      text: string;
      tool_calls: string[];
      usage: Usage;
      cost_usd: number;
    }
  | { type: 'tool_call'; task: string; name: string; input: unknown; ok: boolean; error?: string }
  | { type: 'warning'; task: string; resource: 'turns'; used: number; limit: number };

export interface SessionSurroundings {
  model: Model;
  clock: Clock;
  /** Progress, as it happens. */
  onEvent?: (event: SessionEvent) => void;
}

/**
 * Runs a session to its final output: a reply without tool calls, or one that was cut off or refused.
 * Throws TaskError with what was spent in its notes: RESOURCE_EXHAUSTION (turns: the call that would exceed is
 * not made; time), TASK_FAILURE `model_failure` (`cause` is the ModelFailure) or `tool_failed`. Throws the
 * signal's reason when it aborts.
 */
export async function runSession(
  request: SessionRequest,
  { model, clock, onEvent }: SessionSurroundings,
): Promise<SessionOutcome> {
  const messages: ModelMessage[] = [...(request.history ?? []), user({ type: 'text', text: request.prompt })];
  const tools: SessionOutcome['tools'] = [];
  const { task, limits } = request;
  const turnLimit = Math.min(limits.turns, SESSION_TURNS);
  const time = deadline(limits.time_ms, clock, request.signal);
  let spent = nothingSpent;

  try {
    for (;;) {
      if (spent.turns >= turnLimit) throw exhausted('turns', spent.turns, turnLimit);
      const reply = await callModel(model, request, messages, spent.turns + 1, time);
      checkCost(reply);
      spent = addSpent(spent, { turns: 1, usage: reply.usage, cost_usd: reply.cost_usd });
      const calls = reply.tool_calls;
      onEvent?.({
        ...reply,
        type: 'model_reply',
        task,
        turn: spent.turns,
        tool_calls: calls.map(each => each.name),
      });
      if (spent.turns === Math.ceil(turnLimit * WARN_AT) && calls.length > 0)
        onEvent?.({ type: 'warning', task, resource: 'turns', used: spent.turns, limit: turnLimit });

      const isFinal = calls.length === 0 || reply.stop === 'max_output' || reply.stop === 'refusal';
      if (reply.text !== '' || !isFinal) messages.push(assistant(reply, isFinal));
      if (isFinal) {
        const stop = reply.stop === 'tool_calls' ? 'end' : reply.stop;
        return { text: reply.text, messages, ...spent, stop, tools };
      }
      const results: ModelPart[] = [];
      for (const { id, name, input } of calls) {
        const result = await callTool(request.tools, name, input, time);
        const outcome = result.ok ? { name, ok: true } : { name, ok: false, error: result.content };
        tools.push(outcome);
        onEvent?.({ type: 'tool_call', task, input, ...outcome });
        results.push({
          type: 'tool_result',
          id,
          content: result.content,
          ...(!result.ok && { is_error: true }),
        });
      }
      messages.push(user(...results));
    }
  } catch (error) {
    throw withSpent(error, spent, time, request);
  } finally {
    time.end();
  }
}

/** Share of the turns at which a warning event goes out. */
const WARN_AT = 0.8;

async function callModel(
  model: Model,
  request: SessionRequest,
  messages: ModelMessage[],
  call: number,
  time: Deadline,
): Promise<ModelReply> {
  const { scope, task, system, limits, temperature } = request;
  return await time.race(
    model.call({
      key: `${request.key}/${call}`,
      scope,
      task,
      model: request.model,
      system,
      messages: [...messages],
      tools: request.tools.map(({ name, description, input }) => ({ name, description, input })),
      max_output_tokens: limits.output_tokens,
      ...(temperature !== undefined && { temperature }),
      signal: time.signal,
    }),
  );
}

/** What the model can mend comes back as a refused call; anything else that a tool throws ends the session. */
async function callTool(
  tools: readonly Tool[],
  name: string,
  input: unknown,
  time: Deadline,
): Promise<{ ok: boolean; content: string }> {
  const tool = tools.find(each => each.name === name);
  if (!tool) {
    const names = tools.map(each => each.name).join(', ');
    return { ok: false, content: `There is no tool "${name}". The tools are: ${names || 'none'}.` };
  }
  try {
    return { ok: true, content: await time.race(tool.run(input, time.signal)) };
  } catch (error) {
    if (error instanceof ToolRefusal) return { ok: false, content: error.message };
    if (time.signal.aborted || error instanceof TaskError) throw error;
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'tool_failed' },
      `the tool ${name} failed: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function checkCost({ cost_usd }: ModelReply): void {
  if (!(Number.isFinite(cost_usd) && cost_usd >= 0))
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'model_failure' },
      `the cost of a reply is ${cost_usd}, not a finite number of at least 0`,
    );
}

function exhausted(resource: 'turns' | 'time', used: number, limit: number): TaskError {
  const unit = resource === 'time' ? 'ms' : 'turns';
  return new TaskError(
    { code: 'RESOURCE_EXHAUSTION', resource, used, limit, peak: used },
    `the limit of ${limit} ${unit} is used up`,
  );
}

/** The error that leaves the session; an abort from outside leaves as it is. */
function withSpent(error: unknown, spent: Spent, time: Deadline, request: SessionRequest): unknown {
  if (request.signal.aborted) return request.signal.reason;
  if (time.expired()) return exhausted('time', time.elapsed(), request.limits.time_ms).with(spent);
  if (error instanceof TaskError) return error.with(spent);
  if (error instanceof ModelFailure)
    return new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, error.message, {
      notes: spent,
      cause: error,
    });
  return error;
}

function user(...content: ModelPart[]): ModelMessage {
  return { role: 'user', content };
}

/** A final reply that was cut off leaves its tool calls out: nothing answers them. */
function assistant(reply: ModelReply, isFinal: boolean): ModelMessage {
  const text: ModelPart[] = reply.text === '' ? [] : [{ type: 'text', text: reply.text }];
  const calls: ModelPart[] = isFinal ? [] : reply.tool_calls.map(call => ({ type: 'tool_call', ...call }));
  return { role: 'assistant', content: [...text, ...calls] };
}

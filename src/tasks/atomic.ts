// Evaluates an atomic task: one model session, whose final output is read as the result.
import type { AtomicTask } from '../language/ast.ts';
import { parseReply } from '../language/envelope.ts';
import type { Environment } from '../language/environment.ts';
import { type Spent, TaskError, type TaskResult } from '../language/result.ts';
import type { ModelMessage } from '../models/model.ts';
import { SESSION_TURNS, type SessionOutcome, type SessionRequest } from '../reasoning/session.ts';
import { type Context, nameOf } from './options.ts';
import { layOut } from './prompt.ts';

/** Limits of a session whose task and surroundings give none. */
const defaults = { turns: 10, directorTurns: SESSION_TURNS, outputTokens: 16_000, timeMs: 5 * 60_000 };

/** `conversation`: the history to go on with, and what to say instead of the task's prompt. */
export async function runAtomic(
  task: AtomicTask,
  environment: Environment,
  key: string,
  { options, signal }: Context,
  conversation: { history?: readonly ModelMessage[]; prompt?: string } = {},
): Promise<TaskResult & { messages: ModelMessage[] }> {
  const name = nameOf(task);
  const { system, prompt } = layOut(task, environment);
  const wanted = new Set<string>(task.tools);
  const request: SessionRequest = {
    key,
    scope: options.scope,
    task: name,
    model: options.models(task.model, name),
    system,
    prompt: conversation.prompt ?? prompt,
    ...(conversation.history && { history: conversation.history }),
    tools: options.tools.filter(tool => wanted.has(tool.name)),
    limits: limitsOf(task, options.turns?.(name), options.timeMs?.(name)),
    ...(task.temperature !== undefined && { temperature: task.temperature }),
    signal,
  };
  const outcome = await options.session(request);
  const spent: Spent = { cost_usd: outcome.cost_usd, turns: outcome.turns, usage: outcome.usage };
  try {
    checkStop(outcome, request);
    const { notes, warnings, criteria, ...reply } = parseReply(outcome.text, task.outputs);
    return {
      ...reply,
      ...(criteria !== undefined && { criteria }),
      notes: { ...spent, warnings, ...(Object.keys(notes).length > 0 && { model: notes }) },
      messages: outcome.messages,
    };
  } catch (error) {
    throw error instanceof TaskError ? error.with(spent) : error;
  }
}

function checkStop({ stop, text, usage }: SessionOutcome, { limits }: SessionRequest): void {
  if (stop === 'max_output') {
    const limit = limits.output_tokens;
    const used = Math.max(limit, usage.output_tokens);
    throw new TaskError(
      { code: 'RESOURCE_EXHAUSTION', resource: 'output', used, limit, peak: used },
      `the reply was cut off at ${limit} tokens of output`,
      { notes: { partial: text } },
    );
  }
  if (stop === 'refusal')
    throw new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, 'the model refused to answer', {
      notes: { partial: text },
    });
}

/** The smallest of what the program, the surroundings and the session allow; the default where none of them says. */
function limitsOf(
  { subtype, limits }: AtomicTask,
  turnsAllowed: number | undefined,
  timeAllowed: number | undefined,
): SessionRequest['limits'] {
  const turns = subtype === 'director' ? defaults.directorTurns : defaults.turns;
  return {
    turns: Math.min(SESSION_TURNS, least(limits.turns, turnsAllowed) ?? turns),
    output_tokens: limits.outputTokens ?? defaults.outputTokens,
    time_ms: least(limits.timeMs, timeAllowed) ?? defaults.timeMs,
  };
}

function least(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : Math.min(a, b ?? a);
}

// Calls of the task's tools: what an operation asks for, and what code in the sandbox does.
import { messageOf } from '@echelon/ground';
import { TaskError } from '../language/result.ts';
import { ToolRefusal } from '../language/tool.ts';
import type { HostTools } from '../sandbox/host-tools.ts';
import type { Operation, OperationOutcome } from './operation.ts';
import type { SessionRequest } from './request.ts';
import type { Session } from './session-in-progress.ts';

type ToolCall = Extract<Operation, { kind: 'tool' }>;

/** An error that the model can fix is returned as a refused call. Any other error of a tool ends the session. */
export async function callTool(
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  { request, time }: Session,
  signal: AbortSignal,
): Promise<OperationOutcome> {
  const tool = request.tools.find(each => each.name === name);
  if (!tool) {
    const names = [...request.tools.map(each => each.name), ...request.abilities].join(', ');
    return { ok: false, text: `There is no tool "${name}". The tools are: ${names || 'none'}.` };
  }
  try {
    return { ok: true, text: await time.race(tool.run(input, signal)) };
  } catch (error) {
    if (error instanceof ToolRefusal) return { ok: false, text: error.message };
    if (signal.aborted || error instanceof TaskError) throw error;
    throw new TaskError(
      { code: 'TASK_FAILURE', reason: 'tool_failed' },
      `the tool ${name} failed: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

/** Notes and tells that a tool was called, when it is its turn: calls side by side end in any order. */
export function bookCall(
  { name, input }: Pick<ToolCall, 'name' | 'input'>,
  { ok, text }: OperationOutcome,
  { request, around, tools }: Session,
): void {
  const told = { name, ok, ...(!ok && { error: text }) };
  tools.push(told);
  around.onEvent?.({ type: 'tool_call', task: request.task, input, ...told });
}

const ABANDONED = 'the code ended before it was answered';

/** True if code of the session may call a tool. */
export const hasToolsInCode = ({ tools, abilities }: Pick<SessionRequest, 'tools' | 'abilities'>): boolean =>
  abilities.includes('js') && tools.some(({ readOnly }) => readOnly);

/**
 * The session's tools for its code. Those that change something are refused by name: code is run again where an attempt at it
 * fails, and what it would have changed is not undone with its writes.
 */
export function toolsInCode(session: Session): HostTools | undefined {
  const { tools } = session.request;
  if (!hasToolsInCode(session.request)) return undefined;
  return {
    names: tools.map(({ name }) => name),
    async call(name, input, signal) {
      if (!tools.some(tool => tool.name === name && tool.readOnly))
        return { error: `${name} changes something: call it outside of code. Code may call what only reads` };
      const asked = { name, input: JSON.parse(input) as unknown };
      // A call that was begun is reported, even if nobody awaits its result.
      const abandoned = () => bookCall(asked, { ok: false, text: ABANDONED }, session);
      signal.addEventListener('abort', abandoned, { once: true });
      const within = AbortSignal.any([signal, session.time.signal]);
      const outcome = await callTool(asked, session, within).finally(() =>
        signal.removeEventListener('abort', abandoned),
      );
      signal.throwIfAborted();
      bookCall(asked, outcome, session);
      return outcome.ok ? { text: outcome.text } : { error: outcome.text };
    },
  };
}

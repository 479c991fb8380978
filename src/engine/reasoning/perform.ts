// Performs one operation: on the stores, in the sandbox, or by a tool of the task. What a reply asks of the person,
// and its final output, concern all of it: see carry-out.ts.
import { callTool, toolsInCode } from './call-tool.ts';
import { reasoningBefore, tracked } from './execution/report-to-model.ts';
import type { Iteration } from './iteration.ts';
import type { Operation, OperationOutcome, OperationProblem } from './operation.ts';
import { apply } from './operations/apply.ts';
import { type Filled, resolveReferences } from './operations/references.ts';
import { kept } from './state.ts';
import type { Session } from './session-in-progress.ts';
import type { SessionRequest } from './request.ts';

/** Applies wholly or not at all. Throws only what ends the session. */
export async function perform(
  operation: Exclude<Operation, { kind: 'ask' | 'final' }>,
  session: Session,
  iteration: Iteration,
): Promise<OperationOutcome> {
  const { state, around } = session;
  switch (operation.kind) {
    case 'vault':
    case 'memory':
    case 'task':
    case 'goal': {
      const resolved = withReferences(operation, session);
      if ('error' in resolved) return { ok: false, text: resolved.error };
      const { lastResult } = state;
      const held = { lastResult, rules: around.executor?.vault };
      const applied = apply(state.stores, resolved.operation, around.clock.now(), held);
      if ('error' in applied) {
        if (applied.missing !== undefined) state.missing = tracked(state.missing, [applied.missing]);
        return { ok: false, text: applied.error };
      }
      state.stores = applied.stores;
      return { ok: true, text: applied.answer };
    }
    case 'js':
      return await execute(operation.code, session, iteration);
    case 'tool':
      return await callTool(operation, session, session.time.signal);
  }
}

/** References to vault entries, in code and in contents, stand for the entries. */
function withReferences<O extends Operation>(
  operation: O,
  { state }: Session,
): { operation: O } | { error: string } {
  const text = 'code' in operation ? operation.code : contentOf(operation);
  if (text === undefined || !text.includes('{{<vaultref')) return { operation };
  const filled: Filled =
    'code' in operation
      ? { isCode: true }
      : { isCode: false, ...(operation.kind === 'vault' && { id: operation.id }) };
  const resolved = resolveReferences(text, state.stores, state.lastResult, filled);
  if ('error' in resolved) {
    state.missing = tracked(state.missing, resolved.missing);
    return { error: resolved.error };
  }
  if ('code' in operation) return { operation: { ...operation, code: resolved.text } };
  if ('fields' in operation)
    return { operation: { ...operation, fields: { ...operation.fields, content: resolved.text } } };
  return { operation: { ...operation, content: resolved.text } };
}

function contentOf(operation: Operation): string | undefined {
  if ('fields' in operation) return operation.fields.content;
  return 'content' in operation ? operation.content : undefined;
}

async function execute(code: string, session: Session, iteration: Iteration): Promise<OperationOutcome> {
  const { request, around, state, time, hooks } = session;
  const { executor } = around;
  if (!executor || !request.abilities.includes('js'))
    return { ok: false, text: 'There is no JavaScript in this task.' };
  const resolved = withReferences({ kind: 'js', code } as const, session);
  if ('error' in resolved) return { ok: false, text: resolved.error };
  const given = await hooks.preExecution(resolved.operation.code);
  const { executionsOk, executionsFailed } = state.counts;
  const done = await executor.execute(given, {
    id: `${request.key}/execution-${executionsOk + executionsFailed + 1}`,
    stores: state.stores,
    lastResult: state.lastResult,
    signal: time.signal,
    startedBy: 'model',
    task: request.task,
    reasoning: reasoningBefore([...state.iterations, iteration]),
    missing: state.missing,
    executions: state.executions,
    tools: toolsInCode(session),
  });
  const ok = done.record.state === 'completed';
  state.stores = done.stores;
  state.missing = [...done.missing];
  state.counts.executionsOk += ok ? 1 : 0;
  state.counts.executionsFailed += ok ? 0 : 1;
  state.counts.contextCleanings += done.cleanings;
  const { record, value, told } = await hooks.postExecution({
    record: done.record,
    told: done.told,
    ...(ok && { value: done.lastResult }),
  });
  if (value !== undefined) state.lastResult = value;
  state.executions = [...state.executions, record].slice(-kept.executions);
  return { ok, text: told };
}

// In which order the operations of a reply are carried out: one after another, but for calls that only read.

interface Item {
  asked: Operation | OperationProblem;
}

type Tools = Pick<SessionRequest, 'tools'>;

/** As many calls that follow each other and only read are carried out together. */
const MOST_TOGETHER = 8;

/** The items in their order, parted into those that are carried out together. */
export function sideBySide<I extends Item>(items: readonly I[], request: Tools): I[][] {
  const isReading = (item: Item) => toolOf(item, request)?.readOnly === true;
  const groups: I[][] = [];
  for (const item of items) {
    const last = groups.at(-1);
    if (last && last.length < MOST_TOGETHER && isReading(item) && last.every(isReading)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** True if another process must not repeat its effect. */
export function reachesOutside(item: Item, request: Tools): boolean {
  const tool = toolOf(item, request);
  return tool?.outside === true && !tool.readOnly;
}

const toolOf = ({ asked }: Item, { tools }: Tools) =>
  'kind' in asked && asked.kind === 'tool' ? tools.find(({ name }) => name === asked.name) : undefined;

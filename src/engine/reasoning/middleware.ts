// Hooks into a session's iterations and executions, in the order of registration.
import { z } from 'zod';
import { type Deadline, messageOf, jsonOf } from '@echelon/ground';
import type { ModelMessage } from '../models/model.ts';
import type { HookName, SessionEvent } from './events.ts';
import { beginningOf, type ExecutionRecord, recordLimits } from './execution/record.ts';
import type { Iteration } from './iteration.ts';
import type { SessionState } from './state.ts';
import { UNDEFINED } from './stores.ts';

/** The model's next input; a middleware may replace it. */
export interface IterationContext {
  n: number;
  messages: readonly ModelMessage[];
}

/** Result of an execution. */
export interface ExecutionResult {
  /** JSON text, or `undefined`, of one that completed: what the next execution and the vault have of it. */
  value?: string | undefined;
  /** Text for the model. */
  told: string;
}

export interface Middleware {
  name: string;
  preIteration?(
    context: IterationContext,
    state: Readonly<SessionState>,
  ): Promise<IterationContext> | IterationContext;
  postIteration?(result: Iteration, state: Readonly<SessionState>): Promise<void> | void;
  /** May give other code in the place of what is about to be run. */
  preExecution?(code: string): Promise<string> | string;
  /** May give another value, or tell the model other words, in the place of what came of it. */
  postExecution?(
    record: ExecutionRecord,
    result: ExecutionResult,
  ): Promise<Partial<ExecutionResult> | undefined> | Partial<ExecutionResult> | undefined;
  onError?(error: string): Promise<void> | void;
}

type Ended = ExecutionResult & { record: ExecutionRecord };

/**
 * All of `chain` as one: a middleware that throws, or answers what its hook cannot take, is reported and skipped. None
 * is waited for past the session's time: what is to come of `preIteration` and `preExecution` then throws the reason.
 */
export function hooksOf(
  chain: readonly Middleware[],
  session: string,
  { time, onEvent }: { time: Deadline; onEvent: ((event: SessionEvent) => void) | undefined },
) {
  /** `call` answers what stands in the place of the value from then on, or nothing. */
  const through = async <T>(
    hook: HookName,
    value: T,
    call: (each: Middleware, value: T) => Promise<T | undefined>,
  ): Promise<T> => {
    for (const each of chain) {
      if (!each[hook]) continue;
      try {
        value = (await time.race(call(each, value))) ?? value;
        onEvent?.({ type: 'middleware', session, hook, name: each.name });
      } catch (error) {
        if (time.signal.aborted) {
          if (hook === 'preIteration' || hook === 'preExecution') throw time.signal.reason;
          continue;
        }
        onEvent?.({ type: 'middleware_error', session, hook, name: each.name, error: messageOf(error) });
      }
    }
    return value;
  };
  const told = async (hook: HookName, call: (each: Middleware) => Promise<void> | void | undefined) =>
    await through<void>(hook, undefined, async each => await call(each));
  return {
    preIteration: (context: IterationContext, state: Readonly<SessionState>) =>
      through('preIteration', context, async (each, now) => checked(await each.preIteration?.(now, state))),
    postIteration: (result: Iteration, state: Readonly<SessionState>) =>
      told('postIteration', each => each.postIteration?.(result, state)),
    preExecution: (code: string) =>
      through('preExecution', code, async (each, now) => {
        const given: unknown = await each.preExecution?.(now);
        if (given === undefined || typeof given === 'string') return given;
        throw new TypeError('preExecution answers code as a text, or nothing');
      }),
    postExecution: (ended: Ended) =>
      through('postExecution', ended, async (each, { record, ...result }) => {
        const given = await each.postExecution?.(record, result);
        return given === undefined ? undefined : withResult({ record, ...result }, given);
      }),
    onError: (error: string) => told('onError', each => each.onError?.(error)),
  };
}

export type Hooks = ReturnType<typeof hooksOf>;

const Result = z.object({ value: z.string().optional(), told: z.string().optional() });

/** Throws TypeError where `given` is not what the hook may answer. */
function withResult(ended: Ended, given: unknown): Ended {
  const read = Result.safeParse(given);
  if (!read.success) throw new TypeError('postExecution answers { value, told } as texts, or nothing');
  const { value = ended.value, told = ended.told } = read.data;
  if (value === ended.value) return { ...ended, told };
  const isValue = value === UNDEFINED || jsonOf(value ?? '') !== undefined;
  if (value === undefined || ended.value === undefined || !isValue)
    throw new TypeError('postExecution gives a value as JSON, of an execution that completed');
  const record = { ...ended.record, value: beginningOf(value, recordLimits.value) };
  return { record, value, told };
}

const Part = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('tool_call'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    id: z.string(),
    content: z.string(),
    is_error: z.boolean().optional(),
  }),
  z.object({ type: z.literal('opaque'), model: z.string(), after: z.string(), data: z.json() }),
]);
const Context = z.object({
  n: z.number(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.array(Part) })).min(1),
});

/** Throws TypeError where it is not what `preIteration` may answer. */
function checked(given: IterationContext | undefined): IterationContext | undefined {
  if (given === undefined) return given;
  const [issue] = Context.safeParse(given).error?.issues ?? [];
  if (!issue) return given;
  const place = issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  throw new TypeError(
    `preIteration answers { n, messages } with at least one message, or nothing${place}: ${issue.message}`,
  );
}

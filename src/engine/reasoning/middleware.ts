// What can be hooked into a session's iterations and executions, in the order of registration.
import { z } from 'zod';
import type { Deadline } from '../../lib/deadline.ts';
import { messageOf } from '../../lib/message.ts';
import type { ModelMessage } from '../models/model.ts';
import type { HookName, SessionEvent } from './events.ts';
import type { ExecutionRecord } from './execution/record.ts';
import type { Iteration } from './iteration.ts';
import type { SessionState } from './state.ts';

/** What the model is about to see; a middleware may give another one in its place. */
export interface IterationContext {
  n: number;
  messages: readonly ModelMessage[];
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
  postExecution?(result: ExecutionRecord): Promise<void> | void;
  onError?(error: string): Promise<void> | void;
}

export interface Hooks {
  preIteration(context: IterationContext, state: Readonly<SessionState>): Promise<IterationContext>;
  postIteration(result: Iteration, state: Readonly<SessionState>): Promise<void>;
  preExecution(code: string): Promise<string>;
  postExecution(result: ExecutionRecord): Promise<void>;
  onError(error: string): Promise<void>;
}

/**
 * All of `chain` as one: a middleware that throws, or answers what its hook cannot take, is reported and skipped. None
 * is waited for past the session's time: what is to come of `preIteration` and `preExecution` then throws the reason.
 */
export function hooksOf(
  chain: readonly Middleware[],
  session: string,
  { time, onEvent }: { time: Deadline; onEvent: ((event: SessionEvent) => void) | undefined },
): Hooks {
  const through = async <T>(
    hook: HookName,
    value: T,
    call: (each: Middleware, value: T) => unknown,
    wrong: (given: unknown) => string | undefined = () => undefined,
  ): Promise<T> => {
    for (const each of chain) {
      if (!each[hook]) continue;
      try {
        const given = await time.race((async () => await call(each, value))());
        const fault = given === undefined ? undefined : wrong(given);
        if (fault !== undefined) throw new TypeError(fault);
        if (given !== undefined) value = given as T;
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
  return {
    preIteration: (context, state) =>
      through('preIteration', context, (each, value) => each.preIteration?.(value, state), contextFault),
    postIteration: async (result, state) => {
      await through(
        'postIteration',
        result,
        async (each, value) => void (await each.postIteration?.(value, state)),
      );
    },
    preExecution: code =>
      through(
        'preExecution',
        code,
        (each, value) => each.preExecution?.(value),
        given => (typeof given === 'string' ? undefined : 'preExecution answers code as a text, or nothing'),
      ),
    postExecution: async result => {
      await through('postExecution', result, async (each, value) => void (await each.postExecution?.(value)));
    },
    onError: async error => {
      await through('onError', error, async (each, value) => void (await each.onError?.(value)));
    },
  };
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

function contextFault(given: unknown): string | undefined {
  const { error } = Context.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (!issue) return undefined;
  const place = issue.path.length === 0 ? '' : ` (${issue.path.join('.')})`;
  return `preIteration answers { n, messages } with at least one message, or nothing${place}: ${issue.message}`;
}

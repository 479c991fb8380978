// What can be hooked into a session's iterations and executions, in the order of registration.
import { messageOf } from '../lib/message.ts';
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

/** All of `chain` as one: a middleware that throws is reported and skipped. */
export function hooksOf(
  chain: readonly Middleware[],
  session: string,
  onEvent: ((event: SessionEvent) => void) | undefined,
): Hooks {
  const through = async <T>(
    hook: HookName,
    value: T,
    call: (each: Middleware, value: T) => unknown,
  ): Promise<T> => {
    for (const each of chain) {
      if (!each[hook]) continue;
      try {
        const given = await call(each, value);
        if (given !== undefined) value = given as T;
        onEvent?.({ type: 'middleware', session, hook, name: each.name });
      } catch (error) {
        onEvent?.({ type: 'middleware_error', session, hook, name: each.name, error: messageOf(error) });
      }
    }
    return value;
  };
  return {
    preIteration: (context, state) =>
      through('preIteration', context, (each, value) => each.preIteration?.(value, state)),
    postIteration: async (result, state) => {
      await through(
        'postIteration',
        result,
        async (each, value) => void (await each.postIteration?.(value, state)),
      );
    },
    preExecution: code => through('preExecution', code, (each, value) => each.preExecution?.(value)),
    postExecution: async result => {
      await through('postExecution', result, async (each, value) => void (await each.postExecution?.(value)));
    },
    onError: async error => {
      await through('onError', error, async (each, value) => void (await each.onError?.(value)));
    },
  };
}

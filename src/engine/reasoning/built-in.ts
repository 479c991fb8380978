// The middleware there is: compaction, health and metrics of every session, in front of its own; logging for who wants it.
import type { ModelMessage } from '../models/model.ts';
import { compact } from './compaction.ts';
import { advice, healthAfter } from './health.ts';
import { userMessage } from './session-lifecycle.ts';
import { thresholdsPassed } from './metrics.ts';
import type { Middleware } from './middleware.ts';
import type { Session } from './session-in-progress.ts';
import { kept } from './state.ts';
import { contextTokens } from './usage.ts';

/** Own middleware may only read the state; these book in it what they do. */
type Watched = Pick<Session, 'request' | 'around' | 'state'>;

export function builtIn(session: Watched): Middleware[] {
  return [compaction(session), health(session), metrics(session)];
}

/** Makes the conversation shorter where the next call would hold more than its share of the window. */
function compaction({ request, state }: Watched): Middleware {
  return {
    name: 'compaction',
    preIteration(context) {
      const limit = request.limits.context_tokens;
      if (limit === undefined || contextTokens(request, state) <= limit) return context;
      if (compact(state, request, Math.floor(limit / 2))) state.counts.compactions++;
      return { ...context, messages: state.messages };
    },
  };
}

/** Judges each iteration, and gives a critical session advice, which is not kept in the conversation. */
function health({ request, around, state }: Watched): Middleware {
  return {
    name: 'health',
    preIteration(context) {
      const told = advice(state.health);
      return told === '' ? context : { ...context, messages: advised(context.messages, told) };
    },
    postIteration() {
      const before = state.health.status;
      state.health = healthAfter(state.iterations, state.health);
      if (state.health.status !== before)
        around.onEvent?.({ type: 'health', session: request.key, ...state.health });
    },
  };
}

/** The advice goes with the last message of the user. */
function advised(messages: readonly ModelMessage[], text: string): ModelMessage[] {
  const last = messages.at(-1)!;
  return [...messages.slice(0, -1), userMessage(...last.content, { type: 'text', text })];
}

/** Tells of the thresholds that an execution makes the session's figures pass. */
function metrics({ request, around, state }: Watched): Middleware {
  return {
    name: 'metrics',
    postExecution(record) {
      const limit = around.executor?.policyOf(request.task).timeLimitMs ?? Number.POSITIVE_INFINITY;
      const executions = [...state.executions, record].slice(-kept.executions);
      for (const event of thresholdsPassed(executions, limit)) around.onEvent?.(event);
    },
  };
}

/** Characters of a line; an error can be as long as a reply. */
const LINE_CHARS = 300;

/** `write` gets one line for each hook, without a line end in it. */
export function logging(write: (line: string) => void): Middleware {
  const line = (text: string) => write(text.slice(0, LINE_CHARS).replace(/\s+/g, ' ').toWellFormed());
  return {
    name: 'logging',
    preIteration(context) {
      line(`iteration ${context.n} begins with ${context.messages.length} messages`);
      return context;
    },
    postIteration({ n, state, operations, errors, ms }) {
      line(
        `iteration ${n} ${state}: ${operations} operations, ${errors.length} errors, ${Math.round(ms)} ms`,
      );
    },
    preExecution(code) {
      line(`an execution of ${code.length} characters begins`);
      return code;
    },
    postExecution({ id, state, attempts, ms }) {
      line(`${id} ${state}: ${attempts} attempts, ${Math.round(ms)} ms`);
    },
    onError(error) {
      line(`error: ${error}`);
    },
  };
}

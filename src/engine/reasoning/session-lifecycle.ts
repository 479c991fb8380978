// Life of a session: begin, pause, resume, status, summary.
import { machine } from '@echelon/ground';
import type { Progress } from '@echelon/ground/journal';
import { nothingSpent } from '../language/result.ts';
import type { ModelMessage, ModelPart } from '../models/model.ts';
import type { SessionEvent } from './events.ts';
import { healthy } from './health.ts';
import { answerPart, SessionPaused } from './question.ts';
import {
  readState,
  type SessionState,
  type SessionStatus,
  type SessionSummary,
  sessionTransitions,
} from './state.ts';
import { emptyStores } from './stores.ts';
import type { Session } from './session-in-progress.ts';
import { turnsOf } from './stop.ts';

/**
 * A session at its beginning. A history that ends with the user's words (the results of its last calls) takes the
 * prompt into them: roles alternate.
 */
export function begin(
  prompt: string,
  history: readonly ModelMessage[] = [],
  cuts: readonly number[] = [],
): SessionState {
  const last = history.at(-1);
  const before = last?.role === 'user' ? history.slice(0, -1) : history;
  const ending = last?.role === 'user' ? last.content : [];
  return {
    version: 1,
    status: 'created',
    messages: [...before, userMessage(...ending, ...promptParts(prompt, cuts))],
    promptAt: before.length,
    stores: emptyStores,
    iterations: [],
    executions: [],
    activity: [],
    counts: {
      iterations: 0,
      operations: 0,
      executionsOk: 0,
      executionsFailed: 0,
      errors: 0,
      contextCleanings: 0,
      compactions: 0,
      questions: 0,
    },
    health: healthy,
    spent: nothingSpent,
    activeMs: 0,
    errorsInRow: 0,
    emptyInRow: 0,
    missing: [],
    askedForFinal: false,
  };
}

/** Text that other sessions share is a part of its own. */
function promptParts(prompt: string, cuts: readonly number[]): ModelPart[] {
  const texts = [0, ...cuts].map((from, at) => prompt.slice(from, cuts[at]));
  return texts.flatMap((text, at) => (at > 0 && text === '' ? [] : [{ type: 'text', text }]));
}

/**
 * The session as it was saved: with the answer, where it waited for one. Throws SessionPaused where none has come yet,
 * and TypeError where it is none of ours.
 */
export function goOn(key: string, { state: saved, said }: Pick<Progress, 'state' | 'said'>): SessionState {
  const { pending, ...state } = readState(saved);
  if (!pending) return state;
  const heard = state.heard ?? 0;
  const answer = said[heard];
  if (typeof answer !== 'string') throw new SessionPaused(key, pending.question, { ...state, pending });
  state.heard = heard + 1;
  const part = answerPart(state, pending, answer);
  return { ...state, messages: [...state.messages, userMessage(...pending.parts, part)] };
}

export function userMessage(...content: ModelPart[]): ModelMessage {
  // Results of tools come first: a provider wants them right after the calls.
  const isResult = (part: ModelPart) => part.type === 'tool_result';
  return { role: 'user', content: [...content.filter(isResult), ...content.filter(part => !isResult(part))] };
}

/** Ends the conversation with words of the user's side. Roles alternate: results of calls are the user's words, too. */
export function say(state: Pick<SessionState, 'messages'>, text: string): void {
  const part = { type: 'text', text } as const;
  const last = state.messages.at(-1);
  if (last?.role === 'user') state.messages.splice(-1, 1, userMessage(...last.content, part));
  else state.messages.push(userMessage(part));
}

const transition = machine(
  Object.fromEntries(
    Object.entries(sessionTransitions).map(([from, to]) => [
      from,
      Object.fromEntries(to.map(each => [each, ''])),
    ]),
  ) as Record<SessionStatus, Partial<Record<SessionStatus, string>>>,
);

export function moveSession(
  state: SessionState,
  to: SessionStatus,
  id: string,
  onEvent: ((event: SessionEvent) => void) | undefined,
): void {
  const from = state.status;
  state.status = transition(from, to);
  onEvent?.({ type: 'session_state', id, from, to });
}

/** Characters of an execution's value that a summary shows. */
const RESULT = 80;

export function summaryOf(
  state: Readonly<SessionState>,
  { task, key }: { task: string; key: string },
  ms: number,
): SessionSummary {
  return {
    task,
    key,
    status: state.status,
    iterations: state.counts.iterations,
    operations: state.counts.operations,
    health: state.health.status,
    executions: state.executions.slice(-5).map(({ state: end, ms: took, value, error }) => ({
      state: end,
      ms: Math.round(took),
      result: (error ? `${error.class}: ${error.message}` : (value ?? '')).slice(0, RESULT),
    })),
    errors: state.counts.errors,
    ...(state.instead && { instead: state.instead }),
    cost_usd: state.spent.cost_usd,
    ms: state.activeMs + ms,
  };
}

// A reply that was cut off at its output limit: the model goes on where it stopped, a few times.

/** Replies in a row that may be cut off before the session ends with what there is. */
const MAX_CUTS = 3;

const goOnFrom = (
  limit: number,
) => `Your reply was cut off at the limit of ${limit} tokens, thinking included, and none of its calls was carried out.
Go on exactly where your text stops, without repeating any of it. If it was to make a call, make it again, in smaller pieces.`;

/** Asks the model to continue, at the end of the conversation. Returns true if it asked. `text`: its reply. */
export function askToGoOn(text: string, { request, state }: Session): boolean {
  const { times = 0, text: before = '' } = state.cut ?? {};
  const { used, limit } = turnsOf(state, request.limits);
  if (times >= MAX_CUTS || used >= limit) return false;
  state.cut = { times: times + 1, text: before + text };
  say(state, goOnFrom(request.limits.output_tokens));
  return true;
}

/** The final output that `text` ends, after what was cut off before it; a model that began anew said all of it now. */
export function wholeText(
  text: string,
  { state, request: { misfit } }: Pick<Session, 'state' | 'request'>,
): string {
  if (!state.cut) return text;
  const whole = state.cut.text + text;
  return misfit?.(whole) !== undefined && misfit(text) === undefined ? text : whole;
}

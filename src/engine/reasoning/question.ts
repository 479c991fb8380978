// A question to the person, whose answer may come later, perhaps to another process.
import { live, type Replay } from '@echelon/ground/journal';
import type { ModelPart } from '../models/model.ts';
import type { Operation } from './operation.ts';
import type { Session } from './session-in-progress.ts';
import { readState, type SessionState } from './state.ts';

/** The person will answer, but not now. */
export class NoAnswerYet extends Error {}

/** The session waits for an answer; `state` is what it goes on with. */
export class SessionPaused extends Error {
  override readonly name = 'SessionPaused';
  /** The session's. */
  readonly key: string;
  /** Of the question: an answer that names it is to no other one. */
  readonly id: string;
  readonly question: string;
  readonly state: SessionState;
  constructor(key: string, question: string, state: SessionState) {
    super(`the session ${key} waits for an answer to: ${question}`);
    this.key = key;
    this.id = idOf(key, state);
    this.question = question;
    this.state = state;
  }
}

/** The operation, and the call that it came by; without one it was a tag. */
export interface Question {
  asked: Extract<Operation, { kind: 'ask' }>;
  call?: string;
}

/** Message for the model with the person's answer; the answer is kept for compaction. */
export function answerPart(
  state: SessionState,
  { question, call }: { question: string; call?: string },
  answer: string,
): ModelPart {
  state.answers = [...(state.answers ?? []), { question, answer }];
  const text = `The answer to your question:\n${answer}`;
  return call === undefined ? { type: 'text', text } : { type: 'tool_result', id: call, content: text };
}

/**
 * The person's answer as what the model is told next, besides `parts`. Throws SessionPaused where it comes later.
 */
export async function answerTo(
  { asked: { question }, call }: Question,
  parts: ModelPart[],
  { request, around, state, time }: Session,
): Promise<ModelPart> {
  state.counts.questions++;
  const put = { question, ...(call !== undefined && { call }) };
  try {
    if (!around.ask) throw new NoAnswerYet('nobody is there');
    const answer = time.suspended(around.ask(question, time.signal));
    return answerPart(state, put, await (request.meter?.suspended(answer) ?? answer));
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    state.pending = { ...put, parts };
    throw new SessionPaused(request.key, question, state);
  }
}

const idOf = (key: string, { heard = 0 }: SessionState): string => `${key}#${heard + 1}`;

/** Says the answer to the question `id`, if it waits for one. */
export function answerQuestion(
  journal: Pick<Replay, 'entries' | 'deliver'>,
  id: string,
  answer: string,
): void {
  const key = id.slice(0, Math.max(0, id.lastIndexOf('#')));
  const saved = live(journal.entries).find(entry => entry.t === 'checkpoint' && entry.key === key);
  if (saved?.t !== 'checkpoint') return;
  const state = readState(saved.state);
  if (state.pending && idOf(key, state) === id)
    journal.deliver({ id: `answer ${id}`, name: key, value: answer });
}

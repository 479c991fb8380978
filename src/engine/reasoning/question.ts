// A question to the person, whose answer may come later, perhaps to another process.
import type { ModelPart } from '../models/model.ts';
import type { Operation } from './operation.ts';
import type { Session } from './session-in-progress.ts';
import { answerPart } from './session-lifecycle.ts';
import type { SessionState } from './state.ts';

/** The person will answer, but not now. */
export class NoAnswerYet extends Error {
  override readonly name = 'NoAnswerYet';
}

/** The session waits for an answer; `state` is what it goes on with. */
export class SessionPaused extends Error {
  override readonly name = 'SessionPaused';
  /** The session's. */
  readonly key: string;
  readonly question: string;
  readonly state: SessionState;
  constructor(key: string, question: string, state: SessionState) {
    super(`the session ${key} waits for an answer to: ${question}`);
    this.key = key;
    this.question = question;
    this.state = state;
  }
}

/** The operation, and the call that it came by; without one it was a tag. */
export interface Question {
  asked: Extract<Operation, { kind: 'ask' }>;
  call?: string;
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
    return answerPart(state, put, await time.suspended(around.ask(question, time.signal)));
  } catch (error) {
    if (!(error instanceof NoAnswerYet)) throw error;
    state.pending = { ...put, parts };
    throw new SessionPaused(request.key, question, state);
  }
}

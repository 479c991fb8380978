// A question to the person whose answer comes later, perhaps to another process.
import type { SessionState } from './state.ts';

/** Paused sessions with the answers they waited for, by the session's key. Plain JSON. */
export type Answered = Record<string, { state: SessionState; answer: string }>;

/** The session of the key, where it is among them. */
export const answeredOf = (answered: Answered, key: string): Answered[string] | undefined =>
  Object.hasOwn(answered, key) ? answered[key] : undefined;

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

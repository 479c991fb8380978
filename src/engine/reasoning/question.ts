// A question to the person whose answer comes later, perhaps to another process.
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

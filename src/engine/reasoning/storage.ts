// Sessions that wait for an answer: kept somewhere, and gone on with from there.
import { SessionPaused } from './question.ts';
import type { SessionOutcome, SessionRequest, SessionSurroundings } from './request.ts';
import { runSession } from './session.ts';
import type { SessionState } from './state.ts';

/** By the session's key. What is kept is plain JSON; what these throw ends the task. */
export interface SessionStorage {
  load(key: string): Promise<SessionState | undefined> | SessionState | undefined;
  save(key: string, state: SessionState): Promise<void> | void;
  remove(key: string): Promise<void> | void;
}

/**
 * Runs sessions as `runSession` does, each from where it is kept if it waits for an answer there. Without the answer it
 * waits on: no model is asked, and SessionPaused is thrown as by the session itself. A session is kept until it has
 * ended in its outcome: after a crash or a failure the same answer goes on with it again.
 */
export function storedSessions(
  storage: SessionStorage,
  /** What the person answered to the session of the key; undefined: nothing yet. */
  answerTo: (key: string) => string | undefined,
  around: Omit<SessionSurroundings, 'resume'>,
): (request: SessionRequest) => Promise<SessionOutcome> {
  return async request => {
    const { key } = request;
    const state = await storage.load(key);
    const answer = answerTo(key);
    if (state?.pending && answer === undefined) throw new SessionPaused(key, state.pending.question, state);
    const resumed = state && answer !== undefined ? { state, answer } : undefined;
    try {
      const outcome = await runSession(request, { ...around, resume: () => resumed });
      if (state) await storage.remove(key);
      return outcome;
    } catch (error) {
      if (error instanceof SessionPaused) await storage.save(key, error.state);
      throw error;
    }
  };
}

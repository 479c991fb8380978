// Sessions that wait for an answer, kept where a program chooses, and gone on with from there.
import { SessionPaused } from './question.ts';
import type { SessionOutcome } from './request.ts';
import type { SessionState } from './state.ts';

/** By the session's key. What is kept is plain JSON; what these throw ends the task. */
export interface SessionStorage {
  load(key: string): Promise<SessionState | undefined> | SessionState | undefined;
  save(key: string, state: SessionState): Promise<void> | void;
  remove(key: string): Promise<void> | void;
}

/** How a session is run that may go on from a paused state: what `runSession` takes as `resume`. */
type Run = (resumed: { state: SessionState; answer: string } | undefined) => Promise<SessionOutcome>;

/**
 * Runs the session of `key`, from where it is kept if it waits for an answer there. Without the answer it waits on: no
 * model is asked, and SessionPaused is thrown as by the session itself. It is kept until it has ended in its outcome:
 * after a crash or a failure the same answer goes on with it again.
 */
export async function runStored(
  key: string,
  storage: SessionStorage,
  answers: Readonly<Record<string, string>>,
  run: Run,
): Promise<SessionOutcome> {
  const state = await storage.load(key);
  const answer = Object.hasOwn(answers, key) ? answers[key] : undefined;
  if (state?.pending && answer === undefined) throw new SessionPaused(key, state.pending.question, state);
  try {
    const outcome = await run(state && answer !== undefined ? { state, answer } : undefined);
    if (state) await storage.remove(key);
    return outcome;
  } catch (error) {
    if (error instanceof SessionPaused) await storage.save(key, error.state);
    throw error;
  }
}

// An evaluation that waits for an answer, as a value: its paused sessions, kept in memory and handed on as plain JSON.
import type { SessionPaused } from './question.ts';
import type { SessionOutcome, SessionRequest, SessionSurroundings } from './request.ts';
import type { SessionState } from './state.ts';
import { type SessionStorage, storedSessions } from './storage.ts';

/** Paused sessions by their keys. With an answer a session can be gone on with; without one it still waits. */
export type PausedSessions = Record<string, { state: SessionState; answer?: string | undefined }>;

/** Which session asks, and where it and the others stand. */
export interface Asking {
  /** Key of the session whose question is put. */
  session: string;
  state: SessionState;
  /**
   * Sessions that asked as well and have not finished. Most were answered and are gone on with from their answer; those
   * that paused beside the one that asks have none yet.
   */
  answered: PausedSessions;
}

/** The sessions of an evaluation that is gone on with when its question is answered. */
export const withAnswer = ({ session, state, answered }: Asking, answer: string): PausedSessions => ({
  ...answered,
  [session]: { state, answer },
});

/** What is handed on when `paused` has left the evaluation; `sessions` are those that were kept in it. */
export function askingOf({ key, state }: SessionPaused, sessions: PausedSessions): Asking {
  const { [key]: _, ...answered } = sessions;
  return { session: key, state, answered };
}

/** Without the sessions that have no answer yet: they begin anew. */
export const onlyAnswered = <T extends Asking>(asking: T): T => ({
  ...asking,
  answered: Object.fromEntries(
    Object.entries(asking.answered).filter(([, { answer }]) => answer !== undefined),
  ),
});

/** Runs sessions, each that is in `sessions` from where it stands there. `sessions` is changed as they pause and end. */
export function sessionsFrom(
  sessions: PausedSessions,
  around: Omit<SessionSurroundings, 'resume'>,
): (request: SessionRequest) => Promise<SessionOutcome> {
  const of = (key: string) => (Object.hasOwn(sessions, key) ? sessions[key] : undefined);
  const storage: SessionStorage = {
    load: key => of(key)?.state,
    save(key, state) {
      // What it was answered before stands in its state.
      sessions[key] = { state };
    },
    remove(key) {
      delete sessions[key];
    },
  };
  return storedSessions(storage, key => of(key)?.answer, around);
}

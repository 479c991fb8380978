// A question to the person that ends: in an answer, in the word that it comes later, or in a failure that is data.
import { type Clock, deadline, messageOf } from '@echelon/ground';
import { TaskError } from '../language/result.ts';
import { NoAnswerYet } from '../reasoning/question.ts';
import type { SessionSurroundings } from '../reasoning/request.ts';

export type AskPerson = NonNullable<SessionSurroundings['ask']>;

/** Milliseconds that a question waits for its answer where nobody says otherwise: a day. */
const ANSWER_WAIT_MS = 24 * 60 * 60_000;

/** The longest that a timer can wait. */
const MOST_WAIT_MS = 2 ** 31 - 1;

/**
 * `ask` for a session: what it throws, and no answer within `waitMs`, becomes TaskError TASK_FAILURE `tool_failed`, to
 * which the session adds what it had spent. NoAnswerYet, a TaskError and the reason of the session's signal go through
 * as they are. Throws RangeError for a wait that no timer can have.
 */
export function askWithin(ask: AskPerson, clock: Clock, waitMs: number = ANSWER_WAIT_MS): AskPerson {
  if (!(waitMs > 0 && waitMs <= MOST_WAIT_MS))
    throw new RangeError(`the wait for an answer is ${waitMs} ms, not one above 0 and up to ${MOST_WAIT_MS}`);
  return async (question, signal) => {
    const time = deadline(waitMs, clock, signal);
    try {
      return await time.race(ask(question, time.signal));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NoAnswerYet || error instanceof TaskError) throw error;
      const why = time.expired()
        ? `no answer came within ${waitMs / 1000} s`
        : `it was not answered: ${messageOf(error)}`;
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'tool_failed' },
        `the question "${question.slice(0, 200)}" was asked, but ${why}`,
        { cause: error },
      );
    } finally {
      time.end();
    }
  };
}

// When a session stops although no final output was given: conditions as predicates over its state.
import { type Resource, TaskError } from '../language/result.ts';
import type { SessionState } from './state.ts';

/** Model calls, and questions to a person, that a session may never pass, whatever its task allows. */
export const SESSION_TURNS = 30;
/** Iterations with errors in a row that stop a session. */
const ERRORS_IN_ROW = 5;
/** Replies in a row that hold nothing. */
const EMPTY_IN_ROW = 3;

export interface SessionLimits {
  /** Model calls, and questions to a person. */
  turns: number;
  /** Of one reply. */
  output_tokens: number;
  time_ms: number;
  /** Tokens that the conversation may come to; absent: no limit but the provider's. */
  context_tokens?: number;
}

/** The error that ends the session, or nothing: it goes on. */
export type StopCondition = (state: Readonly<SessionState>, limits: SessionLimits) => TaskError | undefined;

export const turnsUsedUp: StopCondition = (state, limits) =>
  turnsLeft(state, limits) <= 0
    ? exhausted('turns', turnsUsed(state), Math.min(limits.turns, SESSION_TURNS))
    : undefined;

const turnsUsed = ({ spent, counts }: Readonly<SessionState>) => spent.turns + counts.questions;

/** Model calls and questions that the session may still make. */
export const turnsLeft = (state: Readonly<SessionState>, { turns }: SessionLimits) =>
  Math.min(turns, SESSION_TURNS) - turnsUsed(state);

export const errorsInRow: StopCondition = ({ errorsInRow: count, iterations }) =>
  count >= ERRORS_IN_ROW
    ? new TaskError(
        { code: 'TASK_FAILURE', reason: 'too_many_errors' },
        `${count} iterations in a row had errors; the last one: ${iterations.at(-1)?.errors.join('; ')}`,
      )
    : undefined;

export const noProgress: StopCondition = ({ emptyInRow }) =>
  emptyInRow >= EMPTY_IN_ROW
    ? new TaskError(
        { code: 'TASK_FAILURE', reason: 'no_progress' },
        `${emptyInRow} replies in a row held no operation, no tool call and no text`,
      )
    : undefined;

/** The conditions of every session, in the order in which they are asked before each model call. */
export const standardStops: readonly StopCondition[] = [errorsInRow, noProgress, turnsUsedUp];

export function exhausted(resource: Resource, used: number, limit: number): TaskError {
  const unit = { turns: 'turns', time: 'ms', context: 'tokens of context', output: 'tokens of output' }[
    resource
  ];
  return new TaskError(
    { code: 'RESOURCE_EXHAUSTION', resource, used, limit, peak: used },
    `the limit of ${limit} ${unit} is used up`,
  );
}

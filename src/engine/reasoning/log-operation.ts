// Books each operation: in the activity log, and in the iteration that asked for it.
import type { Iteration } from './iteration.ts';
import type { Operation, OperationProblem } from './operation.ts';
import { activityOf } from './operations/activity.ts';
import { kept } from './state.ts';
import type { Session } from './session-in-progress.ts';

/** Errors of one iteration that are kept; the rest is counted. A reply of a page can make thousands. */
const ERRORS = 20;
/** Characters of one. */
const ERROR_CHARS = 500;

/** `error`: why the operation failed, undefined where it did not. */
export function note(
  asked: Operation | OperationProblem,
  error: string | undefined,
  { state }: Session,
  iteration: Iteration,
): void {
  iteration.operations++;
  state.counts.operations++;
  if (error !== undefined) {
    if (iteration.errors.length < ERRORS) iteration.errors.push(error.slice(0, ERROR_CHARS));
    else iteration.moreErrors = (iteration.moreErrors ?? 0) + 1;
  }
  state.activity = [...state.activity, activityOf(asked, error, state.counts.operations)].slice(
    -kept.activity,
  );
}

// What is noted of each operation: in the activity log, and in the iteration that asked for it.
import type { Iteration } from '../iteration.ts';
import { type Activity, type Operation, type OperationProblem, verbs } from '../operation.ts';
import type { Session } from '../session-in-progress.ts';
import { kept } from '../state.ts';

/** Characters of an error and of an id: they are kept with the session. */
const ERROR_CHARS = 500;
const ID_CHARS = 200;
/** Errors of one iteration that are kept; the rest is counted. A reply of a page can make thousands. */
const ERRORS = 20;

/** `error`: why the operation failed, undefined where it did not. */
export function note(
  asked: Operation | OperationProblem,
  error: string | undefined,
  { state }: Pick<Session, 'state'>,
  iteration: Iteration,
): void {
  iteration.operations++;
  state.counts.operations++;
  if (error !== undefined) {
    if (iteration.errors.length < ERRORS) iteration.errors.push(error.slice(0, ERROR_CHARS));
    else iteration.moreErrors = (iteration.moreErrors ?? 0) + 1;
  }
  const row = activityOf(asked, error, state.counts.operations);
  state.activity = [...state.activity, row].slice(-kept.activity);
}

/** The row of the tool activity log; `error` is undefined when it succeeded, `index` counts from 1. */
function activityOf(asked: Operation | OperationProblem, error: string | undefined, index: number): Activity {
  return {
    ...labelOf(asked),
    status: error === undefined ? 'ok' : 'error',
    ...(error !== undefined && { error: error.slice(0, ERROR_CHARS) }),
    index,
  };
}

/** What an operation is called, in the log and to the model, the id cut to its beginning. */
export function labelOf(asked: Operation | OperationProblem): Pick<Activity, 'type' | 'action' | 'id'> {
  if ('message' in asked) return { type: 'parse', action: 'read', id: '' };
  const action = 'action' in asked ? asked.action : verbs[asked.kind];
  return { type: asked.kind, action, id: idOf(asked).slice(0, ID_CHARS) };
}

function idOf(operation: Operation): string {
  if ('id' in operation) return operation.id;
  if ('identifier' in operation) return operation.identifier;
  return 'name' in operation ? operation.name : '';
}

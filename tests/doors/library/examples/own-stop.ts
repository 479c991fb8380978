// Stop conditions: those of every session, and one that ends a session when three of its executions have failed.
import { type StopCondition, standardStops, TaskError } from 'echelon';

const threeFailed: StopCondition = ({ counts }) =>
  counts.executionsFailed < 3
    ? undefined
    : new TaskError({ code: 'TASK_FAILURE', reason: 'too_many_errors' }, 'three executions have failed');

export const stops: readonly StopCondition[] = [...standardStops, threeFailed];

// The limits of a task over all that runs in it.
import { deadline } from '@echelon/ground';
import type { Limits, Task } from '../language/ast.ts';
import { exhausted } from '../reasoning/stop.ts';
import { createLedger } from './ledger.ts';
import { type Evaluator, nameOf, type TaskPlace } from './task-place.ts';

/** Of an atomic task they are those of its one session, but for the budget. */
export const limitsWithin = (task: Task): Partial<Limits> =>
  task.type === 'atomic' ? {} : { ...task.limits, budgetUsd: undefined };

/** Of every task: all that is done for it costs at most that, what is done in its place when it failed included. */
export const budgetOf = ({ limits: { budgetUsd } }: Task): Partial<Limits> => ({ budgetUsd });

/**
 * What `act` comes to at the place that `limits` of `task` hold at. Whatever would pass one of them throws TaskError
 * RESOURCE_EXHAUSTION; when the time is up that is the reason of the place's signal. The time begins anew where a program is gone
 * on with in another process.
 */
export async function within<T>(
  task: Task,
  limits: Partial<Limits>,
  place: TaskPlace,
  { options: { clock } }: Pick<Evaluator, 'options'>,
  act: (place: TaskPlace) => Promise<T>,
): Promise<T> {
  if (Object.values(limits).every(limit => limit === undefined)) return await act(place);
  const name = nameOf(task);
  const { timeMs } = limits;
  const time =
    timeMs === undefined
      ? undefined
      : deadline(timeMs, clock, place.signal, used => exhausted('time', used, timeMs, name));
  const ledger = createLedger(place.ledger, { name, limits, time });
  try {
    return await act({ ...place, ledger, signal: time?.signal ?? place.signal });
  } finally {
    time?.end();
  }
}

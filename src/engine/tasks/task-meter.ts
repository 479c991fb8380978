// Meters an evaluation: how many tasks it evaluates, and that the process goes on with other things meanwhile.
import type { Clock } from '@echelon/ground';
import type { Task } from '../language/ast.ts';
import { TaskError } from '../language/result.ts';
import { nameOf } from './task-place.ts';

/** Tasks that one evaluation evaluates at most, however often lists and calls repeat them: some 400 MB where all wait. */
export const MOST_TASKS = 50_000;

/** Calls within calls: a function that calls itself has to end at some time. */
export const MOST_CALLS = 50;

/** Milliseconds after which timers, signals and other work of the process have their turn. */
const TURN_MS = 20;

/** Takes in each task before it is evaluated; undefined: it may begin at once. */
export type TaskMeter = (task: Task, signal: AbortSignal) => Promise<void> | undefined;

/** Its promise rejects with TASK_FAILURE `too_many_tasks`, and with the signal's reason once that has aborted. */
export function createTaskMeter(clock: Clock): TaskMeter {
  let begun = 0;
  let since = clock.now();
  // In a row: tasks that were let go on together would hold the process as long as all of them take.
  let turn = Promise.resolve();
  let waiting = 0;
  const next = async () => {
    waiting--;
    if (clock.now() - since < TURN_MS) return;
    await new Promise(resolve => setImmediate(resolve));
    since = clock.now();
  };
  const wait = async (task: Task, signal: AbortSignal) => {
    if (begun > MOST_TASKS)
      throw new TaskError(
        { code: 'TASK_FAILURE', reason: 'too_many_tasks' },
        `${nameOf(task)} was not begun: the program has evaluated ${MOST_TASKS} tasks, and may evaluate no more`,
      );
    waiting++;
    turn = turn.then(next);
    await turn;
    signal.throwIfAborted();
  };
  return (task, signal) => {
    const isFree = ++begun <= MOST_TASKS && waiting === 0 && !signal.aborted;
    return isFree && clock.now() - since < TURN_MS ? undefined : wait(task, signal);
  };
}

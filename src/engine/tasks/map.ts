// Evaluates a map: its inner task for each element of a list, side by side, the results in the list's order.
import type { MapTask } from '../language/ast.ts';
import { boundValue } from '../language/environment.ts';
import {
  addSpent,
  type Spent,
  TaskError,
  type TaskResult,
  throwIfFailed,
  wholeText,
  sumSpent,
} from '../language/result.ts';
import { allWarnings, warningsOf } from '../language/problem.ts';
import { placeWithin } from './context.ts';
import { finishedBefore, type Steps } from './history.ts';
import { dataOf, evaluateValue, listOver, type Valued } from './inputs.ts';
import { before, type TaskPlace } from './task-place.ts';
import { type Together, together } from './together.ts';

/**
 * The values of all results as a list; output `results` has each one's content and outputs. An element that
 * fails cancels the others; the error's notes keep those that were finished.
 */
export async function runMap(task: MapTask, place: TaskPlace): Promise<TaskResult> {
  const within = await placeWithin(task, place, 'subset');
  const over = await evaluateValue(task.over, 'over', before([task.inner], place));
  const list = listOver(over, task);
  const results = await together(
    list,
    async (item, index, apart) => {
      const environment = place.environment.extend([
        ['item', boundValue(item)],
        ['index', boundValue(index)],
      ]);
      const key = `${place.key}/item-${index + 1}`;
      const result = await place.evaluator.run(task.inner, {
        ...within,
        signal: apart.signal,
        ledger: apart.ledger,
        environment,
        key,
        heard: false,
        notesOnly: false,
      });
      throwIfFailed(result, label(index), result.notes);
      return result;
    },
    place,
    { limit: task.parallel, onFailure: failedIn(over) },
  );
  const steps = results.map((result, index) => ({ step: label(index), result }));
  const value = results.map(dataOf);
  return {
    status: 'COMPLETE',
    content: JSON.stringify(value),
    value,
    outputs: { results: results.map(result => ({ content: wholeText(result), outputs: result.outputs })) },
    notes: { warnings: warningsIn(over, steps), dataUsage: sum(over, steps) },
  };
}

/** Adds to an error the elements that had finished, and the name of the one that failed. */
const failedIn =
  (over: Valued): NonNullable<Together<TaskResult>['onFailure']> =>
  (error, finished, index, cutOff) => {
    if (!(error instanceof TaskError)) return error;
    const steps = finished.flatMap((result, at) => (result ? [{ step: label(at), result }] : []));
    const dataUsage = addSpent(sum(over, steps), cutOff);
    const done = finishedBefore(error, steps, label(index));
    return error.with({ dataUsage, warnings: warningsIn(over, steps), steps: done }, label(index));
  };

const label = (index: number) => `element ${index + 1}`;

function warningsIn({ warnings }: Valued, steps: Steps): string[] {
  const all = steps.flatMap(({ step, result }) => warningsOf(step, result.notes.warnings));
  return allWarnings(warnings, all);
}

const sum = ({ spent }: Valued, steps: Steps): Spent =>
  sumSpent([spent, ...steps.map(({ result }) => result.notes.dataUsage)]);

// Evaluates a reduce: its inputs, or the elements of a list, are folded in their order into one result.
import type { ReduceTask } from '../language/ast.ts';
import { type Bound, boundValue } from '../language/environment.ts';
import {
  addSpent,
  type Spent,
  TaskError,
  type TaskResult,
  throwIfFailed,
  withoutTemplate,
} from '../language/result.ts';
import { failingWith, type Given } from './ledger.ts';
import { reduceNames } from '../language/names.ts';
import { allWarnings, warningsOf } from '../language/problem.ts';
import { placeWithin } from './context.ts';
import { createHistory, finishedBefore } from './history.ts';
import { boundResult, evaluateValue, listOver, nothingGiven } from './inputs.ts';
import { before, emptyResult, type TaskPlace } from './task-place.ts';

/**
 * The last accumulator: the result of the last reduction; of an empty list, the initial value. The error of a failed
 * input or element keeps the reductions before it.
 */
export async function runReduce(task: ReduceTask, place: TaskPlace): Promise<TaskResult> {
  const within = await placeWithin(task, place);
  const { inner, reduction } = task;
  const values = before([inner, reduction], place);
  const { parts, ...given } = await partsOf(task, values);
  const failing = failingWith({ dataUsage: given.spent, warnings: [...given.warnings] });
  const initial = await evaluateValue(task.initial, 'initial', values).catch(failing);
  const history = createHistory();
  let spent: Spent = addSpent(given.spent, initial.spent);
  let warnings: readonly string[] = allWarnings(given.warnings, initial.warnings);
  let accumulator = initial.value;
  let last: TaskResult | undefined;
  for (const { name, key, original } of parts) {
    place.signal.throwIfAborted();
    const who = task.over ? name : `input "${name}"`;
    const at = (part: string, environment: TaskPlace['environment']): TaskPlace => ({
      ...within,
      environment,
      key: `${place.key}/${part}-${key}`,
      heard: false,
      notesOnly: false,
    });
    try {
      const data = place.environment.extend([[reduceNames.data, original]]);
      const result = await place.evaluator.run(inner, before([reduction], at('inner', data)));
      spent = addSpent(spent, result.notes.dataUsage);
      throwIfFailed(result, who);
      warnings = allWarnings(warnings, warningsOf(name, result.notes.warnings));
      const folded = place.environment.extend([
        [reduceNames.result, boundResult(result)],
        [reduceNames.accumulator, accumulator],
        [reduceNames.original, original],
      ]);
      last = await place.evaluator.run(reduction, at('reduction', folded));
      spent = addSpent(spent, last.notes.dataUsage);
      throwIfFailed(last, who);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      const steps = finishedBefore(error, history.steps, name);
      throw error.with({ dataUsage: spent, warnings: [...warnings], steps }, name);
    }
    history.add(name, last);
    accumulator = boundResult(last);
  }
  last ??= { ...emptyResult, content: accumulator.text, value: accumulator.value };
  const notes = withoutTemplate(last.notes);
  const all = allWarnings(warnings, notes.warnings);
  return { ...last, notes: { ...notes, warnings: all, dataUsage: spent, steps: history.steps } };
}

/** One of what is folded: its name for people, its part of a key, its value. */
interface Folded {
  name: string;
  key: string;
  original: Bound;
}

async function partsOf(task: ReduceTask, place: TaskPlace): Promise<{ parts: Folded[] } & Given> {
  if (!task.over) {
    const folded = task.inputs.filter(({ asked }) => !asked);
    const parts = folded.map(({ name }) => ({
      name,
      key: name,
      original: place.environment.find(name),
    }));
    return { parts, ...nothingGiven };
  }
  const over = await evaluateValue(task.over, 'over', place);
  const parts = listOver(over, task).map((each, index) => ({
    name: `element ${index + 1}`,
    key: `item-${index + 1}`,
    original: boundValue(each),
  }));
  return { parts, spent: over.spent, warnings: over.warnings };
}

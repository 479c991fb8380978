// Evaluates a reduce: its inputs are folded in their order into one result.
import type { ReduceTask } from '../language/ast.ts';
import {
  addSpent,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
  withoutTemplate,
} from '../language/result.ts';
import { reduceNames } from '../language/names.ts';
import { allWarnings, warningsOf } from '../language/warnings.ts';
import { placeWithin } from './context.ts';
import { createHistory, finishedBefore } from './history.ts';
import { boundResult, evaluateValue } from './inputs.ts';
import { before, type Evaluator, type TaskPlace } from './task-place.ts';

/** The last accumulator: the result of the last reduction. The error of a failed input keeps the reductions before. */
export async function runReduce(
  task: ReduceTask,
  place: TaskPlace,
  evaluator: Evaluator,
): Promise<TaskResult> {
  const within = await placeWithin(task, place, evaluator);
  const { inner, reduction } = task;
  const initial = await evaluateValue(task.initial, 'initial', before([inner, reduction], place), evaluator);
  const history = createHistory();
  let spent: Spent = initial.spent;
  let warnings = initial.warnings;
  let accumulator = initial.value;
  let last: TaskResult | undefined;
  for (const { name } of task.inputs) {
    place.signal.throwIfAborted();
    const original = place.environment.find(name);
    const at = (part: string, environment: TaskPlace['environment']): TaskPlace => ({
      ...within,
      environment,
      key: `${place.key}/${part}-${name}`,
      heard: false,
    });
    try {
      const data = place.environment.extend([[reduceNames.data, original]]);
      const result = await evaluator.run(inner, before([reduction], at('inner', data)));
      spent = addSpent(spent, result.notes);
      checkFinished(result, name);
      warnings = allWarnings(warnings, warningsOf(name, result.notes.warnings));
      const folded = place.environment.extend([
        [reduceNames.result, boundResult(result)],
        [reduceNames.accumulator, accumulator],
        [reduceNames.original, original],
      ]);
      last = await evaluator.run(reduction, at('reduction', folded));
      spent = addSpent(spent, last.notes);
      checkFinished(last, name);
    } catch (error) {
      if (!(error instanceof TaskError)) throw error;
      const steps = finishedBefore(error, history.steps, name);
      throw error.with({ ...spent, warnings: [...warnings], steps }, name);
    }
    history.add(name, last);
    accumulator = boundResult(last);
  }
  if (!last) throw new TypeError('a reduce without inputs passed the check');
  const notes = withoutTemplate(last.notes);
  const all = allWarnings(warnings, notes.warnings);
  const total = addSpent(nothingSpent, spent);
  return { ...last, notes: { ...notes, warnings: all, ...total, steps: history.steps } };
}

function checkFinished({ status, content }: TaskResult, name: string): void {
  if (status !== 'FAILED') return;
  throw new TaskError(
    { code: 'TASK_FAILURE', reason: 'failed' },
    `input "${name}" ended as failed: ${content.slice(0, 500)}`,
  );
}

// What a program that ran leaves for the next one, as a step of a sequence does for those after it.
import { type Preceding, binding, environmentOf } from '../../../../engine/language/preceding.ts';
import type { FunctionTask, Task } from '../../../../engine/language/ast.ts';
import type { Environment } from '../../../../engine/language/environment.ts';
import type { TaskResult } from '../../../../engine/language/result.ts';
import { nothing, shapeOfResult } from '../../../../engine/language/shape.ts';
import { boundFunction, boundResult } from '../../../../engine/tasks/inputs.ts';

/** `task` ended with `result`, which `names` are bound to. */
export function afterTask(
  preceding: Preceding,
  task: Task,
  result: TaskResult,
  names: readonly string[],
): Preceding {
  const shape = shapeOfResult(task);
  return { ...binding(preceding, names, { bound: boundResult(result), shape }), previous: { shape, result } };
}

/** The function is bound to its name. Its body sees what is bound now. */
export function withFunction(preceding: Preceding, task: FunctionTask, settings: Environment): Preceding {
  const bound = boundFunction(task, environmentOf(preceding, settings));
  const parameters = task.parameters.map(({ name }) => name);
  return binding(preceding, [task.name], { bound, shape: nothing, parameters });
}

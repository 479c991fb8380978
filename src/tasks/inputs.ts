// Evaluates a task's inputs, side by side, and binds them.
import type { Input, Task } from '../language/ast.ts';
import { type Bound, boundValue, type Environment } from '../language/environment.ts';
import { addSpent, nothingSpent, type Spent, TaskError, type TaskResult } from '../language/result.ts';
import { lookUp, substitute } from '../language/substitute.ts';
import type { Context } from './options.ts';
import { together } from './together.ts';

/** A task's result as the name it is bound to: its content, its outputs as fields. */
export function boundResult({ content, outputs }: TaskResult): Bound {
  return { text: content, fields: outputs };
}

/**
 * The environment of the task itself, and what its inputs cost. Parameters are bound already, around it;
 * otherwise the inputs of one task do not see one another.
 */
export async function bindInputs(
  task: Task,
  environment: Environment,
  key: string,
  context: Context,
): Promise<{ environment: Environment; spent: Spent }> {
  const inputs = task.inputs.filter(input => input.value.kind !== 'parameter');
  if (inputs.length === 0) return { environment, spent: nothingSpent };
  const bound = await together(
    inputs.map(input => async signal => {
      const { value, spent } = await evaluateInput(input, environment, key, { ...context, signal });
      return { name: input.name, value, spent };
    }),
    context.signal,
    (error, finished) => (error instanceof TaskError ? error.with(sum(finished)) : error),
  );
  return {
    environment: environment.extend(bound.map(({ name, value }) => [name, value])),
    spent: sum(bound),
  };
}

function sum(parts: { spent: Spent }[]): Spent {
  return parts.reduce((total, { spent }) => addSpent(total, spent), nothingSpent);
}

async function evaluateInput(
  { name, value }: Input,
  environment: Environment,
  key: string,
  context: Context,
): Promise<{ value: Bound; spent: Spent }> {
  switch (value.kind) {
    case 'binding':
      return { value: lookUp(value.from, environment), spent: nothingSpent };
    case 'task': {
      const result = await context.run(value.task, environment, `${key}/input-${name}`, context);
      return { value: boundResult(result), spent: result.notes };
    }
    case 'text':
      return { value: boundValue(substitute(value.text, environment)), spent: nothingSpent };
    case 'parameter':
      return { value: environment.find(name), spent: nothingSpent };
  }
}

// Evaluates a `let`: its bindings in order, each of which sees those before it, then its body.
import type { LetTask } from '../language/ast.ts';
import { addSpent, nothingSpent, TaskError, type TaskResult } from '../language/result.ts';
import { allWarnings } from '../language/warnings.ts';
import { placeWithin } from './context.ts';
import { evaluateValue } from './inputs.ts';
import { before, type TaskPlace } from './task-place.ts';

export async function runLet(task: LetTask, place: TaskPlace): Promise<TaskResult> {
  let environment = place.environment;
  let spent = nothingSpent;
  const warnings: string[] = [];
  try {
    for (const { name, value } of task.binds) {
      const at = before([task.body], { ...place, environment });
      const found = await evaluateValue(value, `bind-${name}`, at);
      spent = addSpent(spent, found.spent);
      warnings.push(...found.warnings);
      environment = environment.extend([[name, found.value]]);
    }
    const within = await placeWithin(task, place);
    const result = await place.evaluator.run(task.body, { ...within, environment, key: `${place.key}/body` });
    const { notes } = result;
    const all = allWarnings(warnings, notes.warnings);
    return { ...result, notes: { ...notes, warnings: all, dataUsage: addSpent(notes.dataUsage, spent) } };
  } catch (error) {
    throw error instanceof TaskError ? error.with({ dataUsage: spent, warnings }) : error;
  }
}

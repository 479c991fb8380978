// Evaluates a `cond`: the task of the first case whose test is true.
import { placeOf } from '../language/problem.ts';
import type { Case, CondTask } from '../language/ast.ts';
import { ExpressionError } from '../language/expressions/data.ts';
import { invalidInput, type TaskResult } from '../language/result.ts';
import { placeWithin } from './context.ts';
import { emptyResult, type TaskPlace } from './task-place.ts';
import type { Json } from '@echelon/ground';
import type { Bound } from '../language/environment.ts';
import { evaluateExpression } from '../language/expressions/evaluate.ts';
import { previousOutput } from '../language/names.ts';
import { boundResult } from './inputs.ts';

/** The chosen task's result; COMPLETE and empty when none is chosen. */
export async function runCond(task: CondTask, place: TaskPlace): Promise<TaskResult> {
  const within = await placeWithin(task, place);
  for (const [index, each] of task.cases.entries())
    if (isTrue(each, place))
      return await place.evaluator.run(each.task, { ...within, key: `${place.key}/case-${index + 1}` });
  if (!task.otherwise) return emptyResult;
  return await place.evaluator.run(task.otherwise, { ...within, key: `${place.key}/else` });
}

function isTrue({ test, testAt, source }: Case, place: TaskPlace): boolean {
  try {
    // Lists and objects are true, false are '', 0, NaN and null, as for GitHub.
    return Boolean(expressionValue(test, place));
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    throw invalidInput(
      `the test "${source.slice(0, 200)}" cannot be worked out: ${error.message} (${placeOf(testAt)})`,
      { cause: error },
    );
  }
}

type Place = Pick<TaskPlace, 'environment' | 'previous'>;

/** Throws as `evaluateExpression`. */
export function expressionValue(expression: Case['test'], place: Place): Json {
  return evaluateExpression(expression, (name, isForMember) => {
    const bound = lookUp(name, place);
    return isForMember ? bound?.fields : bound?.value;
  });
}

/** `output` is the result of the step before, as if it were bound to that name. The case of letters does not count. */
function lookUp(name: string, { environment, previous }: Place): Bound | undefined {
  if (name.toLowerCase() !== previousOutput) return environment.getAnyCase(name);
  return previous && boundResult(previous);
}

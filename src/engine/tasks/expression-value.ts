// The value of an expression at a place of a program.
import type { Json } from '@echelon/ground';
import type { Case } from '../language/ast.ts';
import type { Bound } from '../language/environment.ts';
import { evaluateExpression } from '../language/expressions/evaluate.ts';
import { previousOutput } from '../language/names.ts';
import { boundResult } from './inputs.ts';
import type { TaskPlace } from './task-place.ts';

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

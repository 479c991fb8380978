// The error with which a program that has problems is refused.
import { formatProblem, type Problem } from '../../engine/language/problem.ts';
import { TaskError } from '../../engine/language/result.ts';

/**
 * The error for `problems`, with all errors among them in its message: XML_PARSE_ERROR where the first one is that the
 * source is not well-formed, else VALIDATION_ERROR. Undefined where none is an error.
 */
export function refusalOf(problems: readonly Problem[]): TaskError | undefined {
  const errors = problems.filter(({ severity }) => severity === 'error');
  const [first] = errors;
  if (!first) return undefined;
  const { file, line, column, syntax } = first;
  return new TaskError(
    syntax
      ? { code: 'XML_PARSE_ERROR', line, column }
      : { code: 'VALIDATION_ERROR', path: file, line, column },
    errors.map(formatProblem).join('\n'),
  );
}

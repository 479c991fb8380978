// An expression that stands by itself, over what was bound before it: read and checked as the test of a case.
import { placesIn } from '@echelon/ground';
import { scopeBehind } from './check-names.ts';
import { checkTest } from './check-reads.ts';
import type { Expr } from '@actions/expressions';
import { parseExpression } from './expressions/parse.ts';
import { settingNames } from './names.ts';
import { type Problem, problemOf } from './problem.ts';
import { type KnownPreceding, Scope, texts } from './scope.ts';

export { functionNames } from './expressions/data.ts';

/** The expression, and the names bound before it that it reads; undefined exactly when one of the problems is an error. */
export function readExpression(
  source: string,
  file: string,
  preceding: KnownPreceding,
): { expression: Expr | undefined; reads: readonly string[]; problems: Problem[] } {
  const place = placesIn(source);
  const at = (offset: number) => ({ file, ...place(offset) });
  const parsed = parseExpression(source);
  if ('problem' in parsed) {
    const { message, offset } = parsed.problem;
    return { expression: undefined, reads: [], problems: [problemOf(at(offset), message, 'error')] };
  }
  const problems: Problem[] = [];
  const { scope, previous, reads } = scopeBehind(preceding, new Scope(undefined, texts(settingNames)));
  const test = { test: parsed.expression, reads: parsed.names, testAt: at(0) };
  checkTest(test, scope, previous, (where, message, kind = 'error') =>
    problems.push(problemOf(where, message, kind)),
  );
  const isWrong = problems.some(({ severity }) => severity === 'error');
  return { expression: isWrong ? undefined : parsed.expression, reads: reads(), problems };
}

/** True if no further line could complete or repair it: a fault before its end stays a fault. */
export function isWholeExpression(source: string): boolean {
  const read = parseExpression(source);
  return !('problem' in read) || read.problem.offset < source.trimEnd().length;
}

// The combinations of a matrix, by GitHub's rules for `include` and `exclude`.
import { canonical, isObject, type Json, type JsonObject } from '@echelon/ground';
import { evaluateTemplate, ExpressionError, type Scope } from './expressions.ts';

/** GitHub's limit. */
const mostCombinations = 256;

/** The value with every text in it evaluated as a template. Throws ExpressionError. */
export function evaluateTree(value: Json, scope: Scope): Json {
  if (typeof value === 'string') return evaluateTemplate(value, scope);
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, evaluateTree(each, scope)]));
  return isList(value) ? value.map(each => evaluateTree(each, scope)) : value;
}

/**
 * All combinations of an evaluated matrix, those of the first row of values slowest, then what `include` adds. Throws
 * ExpressionError for a matrix that is none, is empty, or has more than 256 combinations.
 */
export function expandMatrix(matrix: Json): JsonObject[] {
  if (!isObject(matrix)) throw new ExpressionError('The matrix is no mapping');
  const { include = [], exclude = [], ...rows } = matrix;
  const base = product(Object.entries(rows).map(([name, values]) => [name, listOf(name, values)]));
  const excluded = objectsOf('exclude', exclude);
  const kept = base.filter(each => !excluded.some(rule => agrees(rule, each)));
  const names = Object.keys(rows);
  const combinations: Record<string, Json>[] = kept.map(each => ({ ...each }));
  for (const entry of objectsOf('include', include)) {
    const own = Object.fromEntries(Object.entries(entry).filter(([name]) => names.includes(name)));
    // Values of an earlier entry may be overwritten, values of the rows may not.
    const into = combinations.slice(0, kept.length).filter((_each, at) => agrees(own, kept[at] ?? {}));
    if (into.length > 0) for (const each of into) Object.assign(each, entry);
    else combinations.push({ ...entry });
  }
  if (combinations.length === 0) throw new ExpressionError('The matrix has no combination');
  if (combinations.length > mostCombinations)
    throw new ExpressionError(
      `The matrix has ${combinations.length} combinations; at most ${mostCombinations} run`,
    );
  return combinations;
}

/** ` (a, 1)`: the plain values of a combination, inner ones too; nothing for none. */
export function suffixOf(combination: JsonObject): string {
  const values = scalarsOf(combination).filter(each => each !== '');
  return values.length > 0 ? ` (${values.join(', ')})` : '';
}

function scalarsOf(value: Json): string[] {
  if (isObject(value)) return Object.values(value).flatMap(scalarsOf);
  return isList(value) ? value.flatMap(scalarsOf) : [value === null ? '' : String(value)];
}

/** Without rows there is nothing to combine, and not one combination of nothing. */
function product(rows: [string, readonly Json[]][]): JsonObject[] {
  if (rows.length === 0) return [];
  return rows.reduce<JsonObject[]>(
    (found, [name, values]) => found.flatMap(each => values.map(value => ({ ...each, [name]: value }))),
    [{}],
  );
}

/** True if a combination has all values of a rule, those inside of objects too. */
const agrees = (rule: JsonObject, combination: JsonObject): boolean =>
  Object.entries(rule).every(([name, value]) => {
    const other = combination[name];
    if (isObject(value) && isObject(other)) return agrees(value, other);
    return other !== undefined && canonical(value) === canonical(other);
  });

function listOf(name: string, value: Json): readonly Json[] {
  if (isList(value)) return value;
  throw new ExpressionError(`"${name}" of the matrix is no list`);
}

function objectsOf(name: string, value: Json): JsonObject[] {
  return listOf(name, value).map(each => {
    if (isObject(each)) return each;
    throw new ExpressionError(`"${name}" of the matrix holds what is no mapping`);
  });
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

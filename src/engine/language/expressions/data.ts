// Values, functions and the one error of the expression language, by the library of GitHub's expressions.
import { data, wellKnownFunctions } from '@actions/expressions';
import type { ExpressionData } from '@actions/expressions/data/expressiondata';
import { type Json, didYouMean } from '@echelon/ground';

/** Lists and objects one inside the other: the library goes down into them by recursion. */
export const deepest = 100;

/** Throws RangeError where lists and objects are nested deeper than 100. */
export function toData(value: Json, depth = 0): ExpressionData {
  if (value === null) return new data.Null();
  if (typeof value === 'string') return new data.StringData(value);
  if (typeof value === 'number') return new data.NumberData(value);
  if (typeof value === 'boolean') return new data.BooleanData(value);
  if (depth === deepest) throw new RangeError(`the value is nested deeper than ${deepest}`);
  if (isList(value)) {
    const list = new data.Array();
    for (const each of value) list.add(toData(each, depth + 1));
    return list;
  }
  const object = new data.Dictionary();
  for (const key of Object.keys(value)) object.add(key, toData(value[key]!, depth + 1));
  return object;
}

export function toJson(value: ExpressionData): Json {
  if (value instanceof data.Array) return value.values().map(toJson);
  if (value instanceof data.Dictionary)
    return Object.fromEntries(value.pairs().map(({ key, value: inner }) => [key, toJson(inner)]));
  return value instanceof data.Null ? null : value.value;
}

/** Characters and elements in it, at all depths. */
export function sizeOf(value: ExpressionData): number {
  if (value instanceof data.StringData) return value.value.length + 1;
  let size = 1;
  if (value instanceof data.Array) for (const each of value.values()) size += sizeOf(each);
  if (value instanceof data.Dictionary)
    for (const { key, value: inner } of value.pairs()) size += key.length + sizeOf(inner);
  return size;
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** `offset` counts UTF-16 units from the beginning of the text that was read. */
export class ExpressionError extends Error {
  override name = 'ExpressionError';
  readonly offset: number;

  constructor(message: string, offset: number, options?: ErrorOptions) {
    super(message, options);
    this.offset = offset;
  }
}

/** A piece of the author's text, in quotation marks and short enough for a line; what cannot be seen is named. */
export function shown(piece: string): string {
  const short = piece.length > 40 ? `${piece.slice(0, 40).toWellFormed()}...` : piece;
  const visible = short.replace(
    /[^\x20-\x7e\p{L}\p{N}\p{P}\p{S}]/gu,
    each => `U+${each.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`,
  );
  return `"${visible}"`;
}

/** Spelt as GitHub's documentation does: `toJSON`. */
export const functionNames: readonly string[] = Object.values(wellKnownFunctions).map(({ name }) =>
  name.replace(/Json$/, 'JSON'),
);

/** Without regard to case. */
export const isFunction = (name: string): boolean => Object.hasOwn(wellKnownFunctions, name.toLowerCase());

export function unknownFunction(name: string, offset: number): ExpressionError {
  const remedy = didYouMean(name, functionNames) || `: there are ${functionNames.join(', ')}`;
  return new ExpressionError(`unknown function ${shown(name)}${remedy}`, offset);
}

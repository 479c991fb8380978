// The functions of the expression language: GitHub's, by GitHub's library.
import { wellKnownFunctions } from '@actions/expressions';
import { didYouMean } from '@echelon/ground';
import { ExpressionError, shown } from './error.ts';

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

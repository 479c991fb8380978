// Expressions of workflow files: `a ${{ b }} c` and conditions, evaluated by GitHub's own library.
import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { type Json, messageOf } from '@echelon/ground';
import type { Contexts } from './planned-job.ts';

/** Results of success(), failure() and cancelled(). All are false if a need was skipped. */
export interface Status {
  success: boolean;
  failure: boolean;
  cancelled: boolean;
}

/** Names that an expression can reach. Any other name is an error, as on GitHub, and not null. */
export interface Scope {
  contexts: Contexts;
  /** Without it the status functions are unknown. */
  status?: Status;
  /** Of the patterns' files; where there is none, `hashFiles` is unknown. */
  hashFiles?: (patterns: string[]) => string;
}

/** An expression that cannot be read or evaluated. The message names it. */
export class ExpressionError extends Error {}

/** `${{ ... }}`; a text in quotes may hold the closing brackets. */
const bracketed = /\$\{\{((?:[^'}]|'[^']*'|\}(?!\}))*)\}\}/g;
const statusFunctions = ['success', 'failure', 'cancelled', 'always'];

/** The value of what stands between the brackets. Throws ExpressionError. */
export function evaluate(expression: string, scope: Scope): Json {
  return toJson(evaluated(expression, scope));
}

/**
 * The value of a text with expressions in it: of their type where one expression is the whole text, a string
 * otherwise. Throws ExpressionError.
 */
export function evaluateTemplate(text: string, scope: Scope): Json {
  const [only] = text.matchAll(bracketed);
  return only?.[0] === text.trim() ? evaluate(only[1] ?? '', scope) : render(text, scope);
}

/** The text with each expression replaced by its value as a string. Throws ExpressionError. */
export function render(text: string, scope: Scope): string {
  if (text.replaceAll(bracketed, '').includes('${{'))
    throw new ExpressionError(`An expression is not closed in: ${text}`);
  return text.replaceAll(bracketed, (_whole, inner: string) => evaluated(inner, scope).coerceString());
}

/** True if a condition holds, with or without brackets; one without a status function implies success(). */
export function holds(condition: string | undefined, scope: Scope & { status: Status }): boolean {
  const inner = withoutBrackets(condition ?? '');
  if (inner === '') return scope.status.success;
  if (!asksForStatus(inner) && !scope.status.success) return false;
  // GitHub's: false, 0, NaN, '' and null do not.
  return Boolean(evaluate(inner, scope));
}

/** Fault of a condition, before anything can be evaluated; undefined if it can be read. */
export function conditionProblem(condition: string, contexts: readonly string[], hashFiles: boolean) {
  const scope = {
    contexts: Object.fromEntries(contexts.map(name => [name, null])),
    status: { success: true, failure: true, cancelled: true },
    ...(hashFiles && { hashFiles: () => '' }),
  };
  try {
    const inner = withoutBrackets(condition);
    if (inner !== '') treeOf(inner, scope);
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** The expression of a condition. */
function withoutBrackets(condition: string): string {
  const text = condition.trim();
  const [only] = text.matchAll(bracketed);
  if (only && only[0] !== text)
    throw new ExpressionError(`A condition with text outside of \${{ }} is always true: ${text}`);
  return (only?.[1] ?? text).trim();
}

type Data = data.ExpressionData;

function evaluated(expression: string, scope: Scope): Data {
  const { tree, functions } = treeOf(expression, scope);
  try {
    const known = new Map(functions.map(each => [each.name.toLowerCase(), each]));
    const pairs = Object.entries(scope.contexts).map(([key, value]) => ({ key, value: toData(value) }));
    return new Evaluator(tree, new data.Dictionary(...pairs), known).evaluate();
  } catch (error) {
    throw failed(expression, error);
  }
}

function treeOf(expression: string, { contexts, status, hashFiles }: Scope) {
  const functions = [...statusCalls(status), ...(hashFiles ? [hashFilesCall(hashFiles)] : [])];
  try {
    const { tokens } = new Lexer(expression).lex();
    const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
    if (tree === undefined) throw new Error('there is no expression');
    return { tree, functions };
  } catch (error) {
    throw failed(expression, error);
  }
}

const failed = (expression: string, error: unknown) =>
  new ExpressionError(`${expression.trim()}: ${messageOf(error)}`, {
    cause: error,
  });

const statusCalls = (status: Status | undefined) =>
  Object.entries({ ...status, ...(status && { always: true }) }).map(([name, answer]) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: (): Data => new data.BooleanData(answer),
  }));

const hashFilesCall = (hash: (patterns: string[]) => string) => ({
  name: 'hashFiles',
  minArgs: 1,
  maxArgs: 255,
  call: (...patterns: Data[]): Data => new data.StringData(hash(patterns.map(each => each.coerceString()))),
});

const toData = (value: Json): Data => JSON.parse(JSON.stringify(value), data.reviver);

function toJson(value: Data): Json {
  if (value instanceof data.Array) return value.values().map(toJson);
  if (value instanceof data.Dictionary)
    return Object.fromEntries(value.pairs().map(({ key, value: inner }) => [key, toJson(inner)]));
  return value instanceof data.Null ? null : value.value;
}

/** True if it calls a status function: a name in a text is none, a text keeps its quotes. */
function asksForStatus(expression: string): boolean {
  const { tokens } = new Lexer(expression).lex();
  return tokens.some(
    ({ lexeme }, index) =>
      statusFunctions.includes(lexeme.toLowerCase()) && tokens[index + 1]?.lexeme === '(',
  );
}

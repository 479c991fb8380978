// Reads the test of a `<case>` with the library of GitHub's workflow files.
import { type Expr, ExpressionError as ParserError, Lexer, Parser } from '@actions/expressions';
import { ErrorType } from '@actions/expressions/errors';
import { type Token, TokenType } from '@actions/expressions/lexer';
import { ExpressionError, shown, unknownFunction } from './data.ts';
import { type NameUse, namesIn } from './names-in.ts';

/** Longest text, in UTF-16 units. GitHub's own limit is 21,000. */
const longestExpression = 20_000;

/** Remedies for what other languages write, by the unexpected piece. The first that matches counts. */
const hints: readonly [RegExp, string][] = [
  [/^=(?!=)/, 'write "==" to compare'],
  [/^(&|and$)/i, 'write "&&"'],
  [/^(\||or$)/i, 'write "||"'],
  [/^["`]/, "strings stand in single quotes, as in 'text'"],
  [/^'(?:[^']|'')*$/, 'a quote is missing (one inside of a string is written twice)'],
  [/^[-+/%]$/, 'there is no arithmetic here'],
  [/^(\$\{\{|\}\})/, `"\${{" and "}}" may only stand around the whole expression`],
];

/**
 * The whole of `text` as one expression, with or without `${{ }}` around it. A mistake is a value, with its place
 * in UTF-16 units from the beginning of `text`; nothing is thrown.
 */
export function parseExpression(
  text: string,
): { expression: Expr; names: NameUse[] } | { problem: { message: string; offset: number } } {
  try {
    if (text.length > longestExpression)
      throw new ExpressionError(
        `the expression has ${text.length} characters, and at most ${longestExpression} are read`,
        longestExpression,
      );
    const expression = treeOf(tokensOf(text));
    return { expression, names: namesIn(expression) };
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause;
    return { problem: { message: cause.message, offset: cause.offset } };
  }
}

/** The tokens of an expression. The column of each is its offset in `text`, whatever line it is on. */
function tokensOf(text: string): Token[] {
  const [start, end] = inside(text);
  const inner = text.slice(start, end);
  const lexer = new Lexer(inner);
  let tokens: Token[];
  try {
    ({ tokens } = lexer.lex());
  } catch (cause) {
    // The library says the place in its message only.
    const offset = lexer['start'];
    throw new ExpressionError(unexpected(inner.slice(offset, lexer['offset'])), start + offset, { cause });
  }
  let offset = start;
  for (const token of tokens) {
    while (offset < end && isSpace(text[offset]!)) offset++;
    token.range.start = { line: 0, column: offset };
    offset += token.lexeme.length;
  }
  return tokens;
}

function treeOf(tokens: Token[]): Expr {
  const end = tokens.at(-1)!.range.start.column;
  const names = tokens.filter(({ type }) => type === TokenType.IDENTIFIER).map(({ lexeme }) => lexeme);
  let tree: Expr | undefined;
  try {
    tree = new Parser(tokens, names, []).parse();
  } catch (cause) {
    if (!(cause instanceof ParserError)) throw cause;
    throw refusal(cause, end);
  }
  if (tree === undefined) throw new ExpressionError('the expression is empty', end);
  return tree;
}

/** The library's refusal in our words. `end` is where the expression ends. */
function refusal(cause: ParserError, end: number): ExpressionError {
  const { lexeme, type } = cause['tok'];
  const kind = cause['typ'];
  if (type === TokenType.EOF || kind === ErrorType.ErrorUnexpectedEndOfExpression)
    return new ExpressionError('the expression ends too early', end, { cause });
  const offset = cause.pos.column;
  switch (kind) {
    case ErrorType.ErrorUnexpectedSymbol:
      return new ExpressionError(unexpected(lexeme), offset, { cause });
    case ErrorType.ErrorUnrecognizedFunction:
      return unknownFunction(lexeme, offset);
    default:
      return new ExpressionError(cause.message, offset, { cause });
  }
}

function unexpected(piece: string): string {
  const hint = hints.find(([pattern]) => pattern.test(piece));
  return `unexpected ${shown(piece)}${hint ? `: ${hint[1]}` : ''}`;
}

const opening = '${{';

/** The offsets between which the expression stands once white space and `${{ }}` around it are left out. */
function inside(text: string): [start: number, end: number] {
  let start = 0;
  let end = text.length;
  const trim = () => {
    while (start < end && isSpace(text[start]!)) start++;
    while (start < end && isSpace(text[end - 1]!)) end--;
  };
  trim();
  if (!text.startsWith(opening, start)) return [start, end];
  if (end < start + opening.length + 2 || !text.endsWith('}}', end))
    throw new ExpressionError(`${shown(opening)} is not closed: "}}" is expected at the end`, start);
  start += opening.length;
  end -= 2;
  trim();
  return [start, end];
}

const isSpace = (character: string) => ' \t\r\n'.includes(character);

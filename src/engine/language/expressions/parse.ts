// Reads the test of a `<case>`: GitHub's expression language, that of workflow files.
import { didYouMean } from '../../../lib/nearest.ts';
import type { Comparator } from './coercion.ts';
import { ExpressionError, shown } from './error.ts';
import type { Comparison, Expression, Access } from './expression.ts';
import { arityOf, findFunction, functionNames } from './functions.ts';
import { lex, type Token } from './lex.ts';

/** Longest text, in UTF-16 units. GitHub's own limit is 21,000. */
const longestExpression = 20_000;
/** Brackets, arguments, `!` and steps to a member, one inside or behind the other. GitHub's own limit. */
const deepestExpression = 50;

/** A name that the program binds, where it stands, and the members and elements written out behind it. */
export interface NameUse {
  name: string;
  path: (string | number)[];
  /** In UTF-16 units from the beginning of the text. */
  offset: number;
}

/**
 * The whole of `text` as one expression, with or without `${{ }}` around it. A mistake is a value, with its place
 * in UTF-16 units from the beginning of `text`; nothing is thrown.
 */
export function parseExpression(
  text: string,
): { expression: Expression; names: NameUse[] } | { problem: { message: string; offset: number } } {
  try {
    if (text.length > longestExpression)
      throw new ExpressionError(
        `the expression has ${text.length} characters, and at most ${longestExpression} are read`,
        longestExpression,
      );
    const [start, end] = inside(text);
    const parser = new Parser(lex(text, start, end));
    return { expression: parser.whole(), names: parser.names };
  } catch (cause) {
    if (!(cause instanceof ExpressionError)) throw cause;
    return { problem: { message: cause.message, offset: cause.offset } };
  }
}

const opening = '${{';

/** Where the expression begins and ends once white space and `${{ }}` around it are left out. */
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

const equalities: readonly Comparator[] = ['==', '!='];
const orders: readonly Comparator[] = ['<', '<=', '>', '>='];
const foreignOperators: ReadonlyMap<string, string> = new Map([
  ['and', '&&'],
  ['or', '||'],
  ['not', '!'],
  ['eq', '=='],
  ['ne', '!='],
  ['is', '=='],
]);

/** Recursive descent, the loosest operator first: `||`, `&&`, equality, order, `!`, members. */
class Parser {
  readonly names: NameUse[] = [];
  readonly #tokens: readonly Token[];
  #next = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Expression {
    if (this.#isAtEnd()) throw new ExpressionError('the expression is empty', this.#token.offset);
    const expression = this.#expression();
    if (!this.#isAtEnd()) throw this.#unexpected('an operator or the end');
    return expression;
  }

  #expression(): Expression {
    return this.#deeper(() =>
      this.#logical('||', () => this.#logical('&&', () => this.#comparisons(equalities, this.#order))),
    );
  }

  readonly #order = () => this.#comparisons(orders, this.#unary);

  #logical(operator: '&&' | '||', operand: () => Expression): Expression {
    const operands = [operand()];
    while (this.#takes(operator)) operands.push(operand());
    return operands.length === 1 ? operands[0]! : { kind: 'logical', operator, operands };
  }

  #comparisons(operators: readonly Comparator[], operand: () => Expression): Expression {
    const first = operand();
    const rest: Comparison[] = [];
    for (;;) {
      const { text, offset } = this.#token;
      const operator = operators.find(each => each === text);
      if (operator === undefined) break;
      this.#take();
      rest.push({ operator, right: operand(), offset });
    }
    return rest.length === 0 ? first : { kind: 'compare', first, rest };
  }

  readonly #unary = (): Expression =>
    this.#takes('!') ? this.#deeper(() => ({ kind: 'not', operand: this.#unary() })) : this.#members();

  #members(): Expression {
    const isLiteral = this.#token.kind === 'literal';
    const from = this.#primary();
    // A literal has no members: `'text'.x` is a mistake, as it is for GitHub.
    if (isLiteral) return from;
    const use = from.kind === 'name' ? this.names.at(-1) : undefined;
    const depth = this.#depth;
    const steps: Access[] = [];
    for (let step = this.#step(); step; step = this.#step()) {
      steps.push(step);
      this.#deepen(step.offset);
      const key = step.kind === 'member' && step.key.kind === 'literal' ? step.key.value : undefined;
      const isWritten = typeof key === 'string' || typeof key === 'number';
      if (use && isWritten && use.path.length === steps.length - 1) use.path.push(key);
    }
    this.#depth = depth;
    return steps.length === 0 ? from : { kind: 'access', from, steps };
  }

  #step(): Access | undefined {
    const { offset } = this.#token;
    if (this.#takes('.')) {
      if (this.#takes('*')) return { kind: 'all', offset };
      if (this.#token.kind !== 'name') throw this.#unexpected('the name of a member or "*"');
      return { kind: 'member', key: { kind: 'literal', value: this.#take().text }, offset };
    }
    if (!this.#takes('[')) return undefined;
    const step: Access = this.#takes('*')
      ? { kind: 'all', offset }
      : { kind: 'member', key: this.#expression(), offset };
    this.#close(']', offset);
    return step;
  }

  #primary(): Expression {
    const token = this.#token;
    if (token.kind === 'literal') {
      this.#take();
      return { kind: 'literal', value: token.value };
    }
    if (token.kind === 'name') {
      this.#take();
      if (this.#token.text === '(') return this.#call(token);
      this.names.push({ name: token.text, path: [], offset: token.offset });
      return { kind: 'name', name: token.text };
    }
    if (!this.#takes('(')) throw this.#unexpected('a value');
    const grouped = this.#expression();
    this.#close(')', token.offset);
    // A name in brackets is a value like any other: members behind the bracket are not part of its path.
    return grouped.kind === 'name' ? { kind: 'access', from: grouped, steps: [] } : grouped;
  }

  #call({ text, offset }: Token): Expression {
    const known = findFunction(text);
    if (!known)
      throw new ExpressionError(
        `unknown function ${shown(text)}${didYouMean(text, functionNames) || `: there are ${functionNames.join(', ')}`}`,
        offset,
      );
    const open = this.#take().offset;
    const args: Expression[] = [];
    if (!this.#takes(')')) {
      do args.push(this.#expression());
      while (this.#takes(','));
      this.#close(')', open, '"," or ")"');
    }
    const complaint = arityOf(known, args.length);
    if (complaint !== undefined) throw new ExpressionError(complaint, offset);
    return { kind: 'call', function: known, args, offset };
  }

  #close(bracket: ')' | ']', open: number, expected = `"${bracket}"`): void {
    if (this.#takes(bracket)) return;
    throw this.#unexpected(`${expected} for the bracket at character ${open + 1}`);
  }

  get #token(): Token {
    return this.#tokens[this.#next]!;
  }

  #isAtEnd(): boolean {
    return this.#token.kind === 'end';
  }

  /** The token here; the end is never passed. */
  #take(): Token {
    const token = this.#token;
    if (!this.#isAtEnd()) this.#next++;
    return token;
  }

  #takes(symbol: string): boolean {
    if (this.#token.text !== symbol) return false;
    this.#next++;
    return true;
  }

  #deeper<Read>(read: () => Read): Read {
    this.#deepen(this.#token.offset);
    const found = read();
    this.#depth--;
    return found;
  }

  #deepen(offset: number): void {
    if (++this.#depth > deepestExpression)
      throw new ExpressionError(`the expression is nested deeper than ${deepestExpression}`, offset);
  }

  #unexpected(expected: string): ExpressionError {
    const { kind, text, offset } = this.#token;
    if (kind === 'end')
      return new ExpressionError(`the expression ends where ${expected} is expected`, offset);
    const operator = kind === 'name' ? foreignOperators.get(text.toLowerCase()) : undefined;
    const remedy = operator === undefined ? `${expected} is expected here` : `write "${operator}"`;
    return new ExpressionError(`unexpected ${shown(text)}: ${remedy}`, offset);
  }
}

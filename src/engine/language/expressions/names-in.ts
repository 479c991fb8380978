// Finds the names in an expression, and refuses what the library reads and cannot evaluate.
import type { Expr } from '@actions/expressions';
import {
  Binary,
  ContextAccess,
  FunctionCall,
  Grouping,
  IndexAccess,
  Literal,
  Logical,
  Unary,
} from '@actions/expressions/ast';
import { ExpressionError, isFunction, unknownFunction } from './data.ts';

/** Operators in a row. The library reads `a == b == c` as a tree as deep as the row is long. */
const longestChain = 500;

/** A name that the program binds, where it stands, and the members and elements written out behind it. */
export interface NameUse {
  name: string;
  path: (string | number)[];
  /** In UTF-16 units from the beginning of the text. */
  offset: number;
}

/** In the order of the text. Throws ExpressionError. */
export function namesIn(expression: Expr): NameUse[] {
  const names: NameUse[] = [];
  visit(expression, 0);
  return names;

  function visit(part: Expr, depth: number): void {
    if (depth > longestChain) throw new ExpressionError(`more than ${longestChain} operators in a row`, 0);
    if (part instanceof FunctionCall) refuseUnknown(part);
    const name = nameOf(part);
    if (name) names.push(name);
    else for (const each of childrenOf(part)) visit(each, depth + 1);
  }
}

/** The name that the whole of `part` is, with all that follows it written out. */
export function nameOf(part: Expr): NameUse | undefined {
  if (part instanceof ContextAccess)
    return { name: part.name.lexeme, path: [], offset: part.name.range.start.column };
  if (!(part instanceof IndexAccess)) return undefined;
  const key = writtenKey(part);
  const name = key === undefined ? undefined : nameOf(part.expr);
  return name && key !== undefined ? { ...name, path: [...name.path, key] } : undefined;
}

/** The member or element that an access names, where it is written out: `.name`, `['name']`, `[0]`. */
export function writtenKey({ index }: IndexAccess): string | number | undefined {
  const key = index instanceof Literal && 'value' in index.literal ? index.literal.value : undefined;
  return typeof key === 'string' || typeof key === 'number' ? key : undefined;
}

export function childrenOf(part: Expr): readonly Expr[] {
  if (part instanceof FunctionCall || part instanceof Logical) return part.args;
  if (part instanceof Binary) return [part.left, part.right];
  if (part instanceof IndexAccess) return [part.expr, part.index];
  if (part instanceof Unary) return [part.expr];
  return part instanceof Grouping ? [part.group] : [];
}

/** The parser accepts `constructor`, which its table of functions inherits. */
function refuseUnknown({ functionName: { lexeme, range } }: FunctionCall): void {
  if (!isFunction(lexeme)) throw unknownFunction(lexeme, range.start.column);
}

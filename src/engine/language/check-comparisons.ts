// Finds comparisons in a test that can never be true, by what is known of both sides.
// The rules of comparing are GitHub's: of different kinds, both sides are read as numbers.
import type { Expr } from '@actions/expressions';
import { Binary, Grouping, Literal, Unary } from '@actions/expressions/ast';
import type { ExpressionData } from '@actions/expressions/data/expressiondata';
import { equals } from '@actions/expressions/result';
import type { Json } from '@echelon/ground';
import { toData, toJson } from './expressions/data.ts';
import { childrenOf, nameOf } from './expressions/names-in.ts';
import { article, type Kind, type Shape, unknown } from './shape.ts';
import type { Steps } from './text.ts';

/** One side of a comparison: a shape, or a literal value. */
type Side = Known | { literal: ExpressionData };

interface Known {
  shape: Shape;
  /** Its name in problem messages. */
  words: string;
}

type ShapeOf = (name: string, steps: Steps) => Shape;

export function checkComparisons(test: Expr, shapeOf: ShapeOf, report: (problem: string) => void): void {
  for (const each of childrenOf(test)) checkComparisons(each, shapeOf, report);
  if (!(test instanceof Binary)) return;
  const problem = problemOf(sideOf(test.left, shapeOf), sideOf(test.right, shapeOf));
  const operator = test.operator.lexeme;
  if (problem !== undefined)
    report(`"${operator}" can ${operator === '!=' ? 'only' : 'never'} be true here: ${problem}`);
}

function sideOf(side: Expr, shapeOf: ShapeOf): Side {
  if (side instanceof Grouping) return sideOf(side.group, shapeOf);
  if (side instanceof Literal) return { literal: side.literal };
  if (side instanceof Unary || side instanceof Binary)
    return { shape: { kind: 'boolean' }, words: 'a condition' };
  const name = nameOf(side);
  if (!name) return { shape: unknown, words: '' };
  return { shape: shapeOf(name.name, name.path), words: `"${[name.name, ...name.path].join('.')}"` };
}

/** Returns the reason if the two sides can never be equal, otherwise undefined. */
function problemOf(left: Side, right: Side): string | undefined {
  if ('shape' in left)
    return 'literal' in right ? againstLiteral(left, right.literal) : againstShape(left, right);
  return 'shape' in right ? againstLiteral(right, left.literal) : undefined;
}

function againstLiteral({ shape, words }: Known, written: ExpressionData): string | undefined {
  const { kind, nullable } = shape;
  const meets = (value: Json) => equals(toData(value), written);
  if (!kind || (nullable && meets(null))) return undefined;
  const literal = toJson(written);
  const is = `${words} is ${article[kind]}`;
  if (kind === 'list' || kind === 'object') return `${is}; compare ${remedyFor(kind)}`;
  if (kind === 'boolean' && typeof literal === 'string')
    return [true, false].some(meets)
      ? undefined
      : `${is}, and ${JSON.stringify(literal).replaceAll('"', "'")} is a text; write true or false without quotes`;
  if (kind === 'number' && typeof literal === 'string' && Number.isNaN(Number(literal)))
    return `${is}, and '${literal}' spells none`;
  if (kind === 'text' && typeof literal === 'boolean')
    return `${is}; write '${literal}' in quotes, or declare an output of type boolean and compare that`;
  return undefined;
}

const remedyFor = (kind: Kind): string =>
  kind === 'object' ? 'one of its outputs, or its content' : 'an element of it, or use contains()';

/** An object has no order, and is equal to itself only. */
function againstShape(left: Known, right: Known): string | undefined {
  const whole = (kind: Kind | undefined) => kind === 'list' || kind === 'object';
  const [one, other] = whole(left.shape.kind) ? [left, right] : [right, left];
  const { kind } = one.shape;
  if (!kind || !whole(kind) || !other.shape.kind || whole(other.shape.kind)) return undefined;
  return `${one.words} is ${article[kind]}; compare ${remedyFor(kind)}`;
}

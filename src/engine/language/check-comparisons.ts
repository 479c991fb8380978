// Finds comparisons in a test that can never be true, by what is known of both sides.
// The rules of comparing are GitHub's (expressions/coercion.ts): of different kinds, both sides are read as numbers.
import type { Expression } from './expressions/expression.ts';
import { compares, isPrimitive } from './expressions/coercion.ts';
import { article, type Kind, type Shape, unknown } from './shape.ts';
import type { Steps } from './text.ts';

/** What is known of one side: a shape, or the value that is written there. */
type Side = Known | { literal: Literal };

interface Known {
  shape: Shape;
  /** How it is called in what is reported. */
  words: string;
}

type Literal = string | number | boolean | null;

type ShapeOf = (name: string, steps: Steps) => Shape;

export function checkComparisons(
  test: Expression,
  shapeOf: ShapeOf,
  report: (problem: string) => void,
): void {
  switch (test.kind) {
    case 'literal':
    case 'name':
      return;
    case 'access':
      checkComparisons(test.from, shapeOf, report);
      return;
    case 'not':
      checkComparisons(test.operand, shapeOf, report);
      return;
    case 'logical':
      for (const each of test.operands) checkComparisons(each, shapeOf, report);
      return;
    case 'call':
      for (const each of test.args) checkComparisons(each, shapeOf, report);
      return;
    case 'compare':
      checkComparisons(test.first, shapeOf, report);
      for (const { right } of test.rest) checkComparisons(right, shapeOf, report);
      // What a comparison gives is a boolean, and comparing that goes on from the left.
      for (const [index, { operator, right }] of test.rest.entries()) {
        const left: Side =
          index === 0 ? sideOf(test.first, shapeOf) : { shape: { kind: 'boolean' }, words: 'a comparison' };
        const problem = problemOf(left, sideOf(right, shapeOf));
        if (problem !== undefined)
          report(`"${operator}" can ${operator === '!=' ? 'only' : 'never'} be true here: ${problem}`);
      }
  }
}

function sideOf(side: Expression, shapeOf: ShapeOf): Side {
  switch (side.kind) {
    case 'literal':
      return { literal: side.value };
    case 'name':
      return { shape: shapeOf(side.name, []), words: `"${side.name}"` };
    case 'not':
    case 'compare':
      return { shape: { kind: 'boolean' }, words: 'a condition' };
    case 'access': {
      const steps = writtenSteps(side);
      if (!steps || side.from.kind !== 'name') return { shape: unknown, words: '' };
      return { shape: shapeOf(side.from.name, steps), words: `"${[side.from.name, ...steps].join('.')}"` };
    }
    case 'logical':
    case 'call':
      return { shape: unknown, words: '' };
  }
}

function writtenSteps({ steps }: Extract<Expression, { kind: 'access' }>): Steps | undefined {
  const written: (string | number)[] = [];
  for (const step of steps) {
    const key = step.kind === 'member' && step.key.kind === 'literal' ? step.key.value : undefined;
    if (typeof key !== 'string' && typeof key !== 'number') return undefined;
    written.push(key);
  }
  return written;
}

/** Why the two never meet; undefined: they may. */
function problemOf(left: Side, right: Side): string | undefined {
  if ('shape' in left)
    return 'literal' in right ? againstLiteral(left, right.literal) : againstShape(left, right);
  return 'shape' in right ? againstLiteral(right, left.literal) : undefined;
}

function againstLiteral({ shape, words }: Known, literal: Literal): string | undefined {
  const { kind, nullable } = shape;
  if (!kind || (nullable && isPrimitive(literal) && compares(null, '==', literal))) return undefined;
  const is = `${words} is ${article[kind]}`;
  if (kind === 'list' || kind === 'object') return `${is}; compare ${remedyFor(kind)}`;
  if (kind === 'boolean' && typeof literal === 'string')
    return [true, false].some(each => compares(each, '==', literal))
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

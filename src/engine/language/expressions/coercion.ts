// How values of different kinds meet: as numbers, as texts, in comparisons, as a condition.
// After https://docs.github.com/en/actions/reference/workflows-and-actions/expressions#operators
import type { Json } from '../../../lib/json.ts';

export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Primitive = string | number | boolean | null;

export const isPrimitive = (value: Json): value is Primitive => value === null || typeof value !== 'object';

export const isList = (value: Json): value is readonly Json[] => Array.isArray(value);

/** False are false, 0, NaN, '' and null; lists and objects are true, empty ones too. */
export function truthy(value: Json): boolean {
  return typeof value === 'number' ? value !== 0 && !Number.isNaN(value) : Boolean(value);
}

/** null is 0, false 0, true 1; a text is the number it spells, '' 0; all else is NaN. */
export function toNumber(value: Json): number {
  return isPrimitive(value) ? Number(value) : Number.NaN;
}

/** null is ''; a number has at most 15 decimal places; a list is `Array`, an object `Object`. */
export function toText(value: Json): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return value === 0 ? '0' : String(Number(value.toFixed(15)));
  return isList(value) ? 'Array' : 'Object';
}

/** Upper case, with the dotless i left as it is: it is not another way to write `I`. */
export function folded(text: string): string {
  if (!text.includes('ı')) return text.toUpperCase();
  return text
    .split('ı')
    .map(part => part.toUpperCase())
    .join('ı');
}

/**
 * Texts without regard to case; different kinds as numbers; lists and objects are equal to themselves only, and have
 * no order.
 */
export function compares(left: Json, operator: Comparator, right: Json): boolean {
  if (operator === '!=') return !compares(left, '==', right);
  if (typeof left === 'string' && typeof right === 'string')
    return ordered(folded(left), operator, folded(right));
  if (isPrimitive(left) && isPrimitive(right)) return ordered(toNumber(left), operator, toNumber(right));
  return operator.endsWith('=') && left === right;
}

function ordered<Kind extends string | number>(left: Kind, operator: Comparator, right: Kind): boolean {
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
  }
}

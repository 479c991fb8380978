// Steps into a value: a member, an element, or all of them at once.
import type { Json } from '../../../lib/json.ts';
import { isList, isPrimitive, toNumber, toText } from './coercion.ts';
import type { Effort } from './effort.ts';

/**
 * What `*` gives: a list whose further steps are taken by each element and leave out what has no such member.
 * A class of its own, because it stays one on its way through brackets and operators: `(a.* || b).c`.
 */
export class Filtered extends Array<Json> {}

/** All elements or members of a value; of a list that `*` gave, those of each of its elements. */
export function all(value: Json, effort: Effort, at: number): Filtered {
  const found = new Filtered();
  for (const each of value instanceof Filtered ? value : [value]) {
    if (isPrimitive(each)) continue;
    const inner: readonly Json[] = isList(each) ? each : Object.values(each);
    effort.spend(inner.length + 1, at);
    for (const one of inner) found.push(one);
  }
  return found;
}

/** The member or element `key` of a value, null when there is none. */
export function member(value: Json, key: Json, effort: Effort, at: number): Json {
  if (!(value instanceof Filtered)) return own(value, key, effort, at) ?? null;
  const found = new Filtered();
  for (const each of value) {
    const one = own(each, key, effort, at);
    if (one !== undefined) found.push(one);
  }
  return found;
}

/**
 * Own members only, so that no name reaches what every object of JavaScript inherits. Without regard to case: of two
 * that differ in case only, the first.
 */
function own(value: Json, key: Json, effort: Effort, at: number): Json | undefined {
  effort.spend(1, at);
  if (isPrimitive(value)) return undefined;
  if (isList(value)) {
    const index = Math.floor(toNumber(key));
    return index >= 0 && index < value.length ? value[index] : undefined;
  }
  if (!isPrimitive(key)) return undefined;
  const text = toText(key);
  effort.spend(text.length, at);
  const wanted = text.toLowerCase();
  for (const each of Object.keys(value)) {
    effort.spend(each.length + 1, at);
    if (each.toLowerCase() === wanted) return value[each];
  }
  return undefined;
}

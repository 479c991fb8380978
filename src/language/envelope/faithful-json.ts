// Reads JSON only where nothing of the text gets lost by it.
import type { Json } from '../../lib/json.ts';

/** Deeper values cannot be written as JSON again: that overflows the stack, at some thousands of levels. */
const DEPTH = 500;

/**
 * The value of `text`; undefined when it is no JSON, or JSON of which a part would be lost: a member that is there
 * twice, a number beyond all numbers. Values nested deeper than 500 levels are not taken either.
 */
export function faithfulJson(text: string): Json | undefined {
  // Most replies are prose: an exception for each of them would cost more than all the rest.
  if (!/^\s*(?:[[{"\d-]|true\b|false\b|null\b)/.test(text)) return undefined;
  let value: Json;
  try {
    value = JSON.parse(text.trim()) as Json;
  } catch {
    return undefined;
  }
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'object' || value === null) return value;
  return membersIn(value, DEPTH) === colonsIn(text) ? value : undefined;
}

/** The members of all objects in `value`; NaN: too deep, or a number is infinite. */
function membersIn(value: Json, depth: number): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === 0) return Number.NaN;
  let count = 0;
  if (Array.isArray(value)) {
    for (const each of value) count += membersIn(each, depth - 1);
    return count;
  }
  const members = value as { readonly [key: string]: Json };
  for (const key of Object.keys(members)) count += 1 + membersIn(members[key]!, depth - 1);
  return count;
}

/** The colons outside of strings: as many as members were written. */
function colonsIn(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === COLON) count++;
    else if (code === QUOTE)
      for (at++; json.charCodeAt(at) !== QUOTE; at++) if (json.charCodeAt(at) === BACKSLASH) at++;
  }
  return count;
}

const COLON = 58;
const QUOTE = 34;
const BACKSLASH = 92;

// Reads JSON only where nothing of the text gets lost by it.
import { colonsIn, isObject, type Json, type Repeated, repeatedKey, jsonOf } from '@echelon/ground';

/** Deeper values cannot be written as JSON again: that overflows the stack, at some thousands of levels. */
const DEPTH = 500;

/** JSON that was read, although not all of it can be trusted. */
export interface ReadJson {
  value: Json;
  /** A member of one of its objects is there twice, and says two things. */
  twice?: Repeated;
  /** A whole number that `value` has only rounded: as it is written, and its offset. */
  rounded?: { written: string; at: number };
}

/** The value of `text`; undefined when it is no JSON, has a number beyond all numbers, or is 500 levels deep. */
export function readJson(text: string): ReadJson | undefined {
  // Most replies are prose: an exception for each of them would cost more than all the rest.
  if (!/^\s*(?:[[{"\d-]|true\b|false\b|null\b)/.test(text)) return undefined;
  const value = jsonOf(text.trim());
  // Prose that begins as JSON does is read as prose.
  if (value === undefined) return undefined;
  const members = membersIn(value, DEPTH);
  if (Number.isNaN(members)) return undefined;
  const twice = members === colonsIn(text) ? undefined : repeatedKey(text);
  const rounded = roundedIn(text);
  return { value, ...(twice && { twice }), ...(rounded && { rounded }) };
}

/** The value of `text`; undefined where `readJson` reads none, or not all of it as it is written. */
export function faithfulJson(text: string): Json | undefined {
  const read = readJson(text);
  return read && !read.twice && !read.rounded ? read.value : undefined;
}

/** The first whole number of a JSON text that is beyond what a number holds exactly (2^53). */
function roundedIn(json: string): ReadJson['rounded'] {
  // The shortest such number has 16 digits; in most texts there are none.
  if (!/\d{16}/.test(json)) return undefined;
  for (const { 0: token, index } of json.matchAll(/"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g))
    if (/^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token))) return { written: token, at: index };
  return undefined;
}

/** The members of all objects in `value`; NaN: too deep, or a number is infinite. */
function membersIn(value: Json, depth: number): number {
  if (typeof value === 'number') return Number.isFinite(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  if (depth === 0) return Number.NaN;
  let count = 0;
  if (isObject(value)) for (const key of Object.keys(value)) count += 1 + membersIn(value[key]!, depth - 1);
  else for (const each of value) count += membersIn(each, depth - 1);
  return count;
}

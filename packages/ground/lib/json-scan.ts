// Facts about a JSON text without building its value. No import: workers of the sandbox load this, too.

const QUOTE = 34;
const BACKSLASH = 92;
const COMMA = 44;
const COLON = 58;
const LIST = 91;
const LIST_END = 93;
const OBJECT = 123;
const OBJECT_END = 125;

/** The offset of the quote that closes the string whose opening quote is at `from`; the text's length: none does. */
function stringEnd(json: string, from: number): number {
  for (let at = from + 1; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) return at;
    if (code === BACKSLASH) at++;
  }
  return json.length;
}

/** 1 for a bracket that opens a list or object, -1 for one that closes it, 0 for every other character. */
function bracketAt(json: string, at: number): -1 | 0 | 1 {
  const code = json.charCodeAt(at);
  if (code === LIST || code === OBJECT) return 1;
  return code === LIST_END || code === OBJECT_END ? -1 : 0;
}

function isQuote(json: string, at: number): boolean {
  return json.charCodeAt(at) === QUOTE;
}

/**
 * The deepest level of lists and objects: 0 for a text or a number, 1 for `[]`. Brackets in strings do not count.
 * Takes any text, JSON or not, in time proportional to it.
 */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < json.length; at++) {
    if (isQuote(json, at)) at = stringEnd(json, at);
    else {
      depth += bracketAt(json, at);
      if (depth > deepest) deepest = depth;
    }
  }
  return deepest;
}

/** Past the bracket that closes the one at `from`; the text's length where none does. */
export function bracketEnd(json: string, from: number): number {
  let depth = 0;
  for (let at = from; at < json.length; at++) {
    if (isQuote(json, at)) at = stringEnd(json, at);
    else {
      depth += bracketAt(json, at);
      if (depth === 0) return at + 1;
    }
  }
  return json.length;
}

/** The colons outside of strings: as many as an object's text, with all in it, has members. */
export const colonsIn = (json: string): number => countOf(json, COLON, COLON);

/** The colons and commas outside of strings: at least as many as the text has members and entries, less one a list. */
export const partsIn = (json: string): number => countOf(json, COLON, COMMA);

/** Counts either of two characters outside of strings. */
function countOf(json: string, one: number, other: number): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) at = stringEnd(json, at);
    else if (code === one || code === other) count++;
  }
  return count;
}

/** A key that one object has twice, with two values; offsets of the two keys. */
export interface Repeated {
  key: string;
  first: number;
  second: number;
}

/** A member of an object: the offsets of its key, and of its value's begin and end (white space included). */
interface Member {
  key: number;
  from: number;
  to: number;
}

/**
 * The first key, by the place where it is repeated, that an object of `json` has twice with values that are written
 * differently. `json` must be JSON. Takes time in proportion to it, or with n log n where objects repeat one another.
 */
export function repeatedKey(json: string): Repeated | undefined {
  type Level = { members?: Map<string, Member>; key?: string; open?: Member | undefined };
  let found: Repeated | undefined;
  const levels: Level[] = [];
  let level: Level = {};
  const words = ({ from, to }: Member) => json.slice(from, to).trim();
  const close = (at: number) => {
    const { members, key, open } = level;
    if (!open || !members || key === undefined) return;
    open.to = at;
    const before = members.get(key);
    if (!before) members.set(key, open);
    else if (words(before) !== words(open) && (!found || open.key < found.second))
      found = { key, first: before.key, second: open.key };
    level.open = undefined;
  };
  let string: [from: number, to: number] | undefined;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      const end = stringEnd(json, at);
      string = [at, end + 1];
      at = end;
    } else if (code === COLON && string) {
      level.key = JSON.parse(json.slice(...string));
      level.open = { key: string[0], from: at + 1, to: at + 1 };
    } else if (code === COMMA) close(at);
    else if (code === OBJECT || code === LIST) {
      levels.push(level);
      level = code === OBJECT ? { members: new Map() } : {};
    } else if (code === OBJECT_END || code === LIST_END) {
      close(at);
      level = levels.pop() ?? {};
    }
  }
  return found;
}

/** The offset of the key `path` leads to from the object at the beginning of `json`; undefined: it has none. */
export function keyAt(json: string, path: readonly string[]): number | undefined {
  let at = json.indexOf('{');
  for (const [depth, wanted] of path.entries()) {
    let next = at < 0 ? -1 : json.indexOf('"', at);
    let found: number | undefined;
    const end = at < 0 ? 0 : bracketEnd(json, at);
    while (found === undefined && next >= 0 && next < end) {
      const keyEnd = stringEnd(json, next) + 1;
      const value = json.indexOf(':', keyEnd) + 1;
      if (JSON.parse(json.slice(next, keyEnd)) === wanted) {
        found = next;
        at = json.indexOf('{', value);
      } else next = json.indexOf('"', valueEnd(json, value));
    }
    if (found === undefined || depth === path.length - 1) return found;
  }
  return undefined;
}

/** Past the value that begins at or behind `from`. */
function valueEnd(json: string, from: number): number {
  let at = from;
  while (/\s/.test(json[at] ?? '')) at++;
  if (isQuote(json, at)) return stringEnd(json, at) + 1;
  if (bracketAt(json, at) === 1) return bracketEnd(json, at);
  while (at < json.length && json[at] !== ',' && bracketAt(json, at) === 0) at++;
  return at;
}

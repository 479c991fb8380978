// What can be told of a JSON text without building what it says. No import: workers of the sandbox load this, too.

const QUOTE = 34;
const BACKSLASH = 92;
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
export function colonsIn(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    if (isQuote(json, at)) at = stringEnd(json, at);
    else if (json[at] === ':') count++;
  }
  return count;
}

/** The colons and commas outside of strings: at least as many as the text has members and entries, less one a list. */
export function partsIn(json: string): number {
  let count = 0;
  for (let at = 0; at < json.length; at++) {
    if (isQuote(json, at)) at = stringEnd(json, at);
    else if (json[at] === ':' || json[at] === ',') count++;
  }
  return count;
}

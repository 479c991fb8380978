// The smallest parts of a tag: names, and blanks.

/** Nothing with a longer name is a tag. */
export const NAME_LIMIT = 64;

/** The offset behind the name that begins at `from`: a letter or `_`, then letters, digits, `_`, `-`. */
export function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (!(isLetter(code) || (at > from && isInner(code)))) break;
  }
  return at;
}

function isLetter(code: number): boolean {
  return ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
}

function isInner(code: number): boolean {
  return (code >= 48 && code <= 57) || code === 45;
}

/** A name that is looked for, with the code of its first letter. */
export interface Known<Name extends string = string> {
  name: Name;
  letter: number;
}

export function known<Name extends string>(name: Name): Known<Name> {
  return { name, letter: name.charCodeAt(0) };
}

/**
 * The one of a few `names` that stands at `start` and ends there as a name does. To hold the text against each costs
 * less than to read a name by its characters and look that up.
 */
export function knownAt<Each extends Known>(
  text: string,
  start: number,
  names: readonly Each[],
): Each | undefined {
  const letter = text.charCodeAt(start);
  for (const each of names) {
    if (each.letter !== letter) continue;
    const end = start + each.name.length;
    const next = text.charCodeAt(end);
    if (!isLetter(next) && !isInner(next) && text.slice(start, end) === each.name) return each;
  }
  return undefined;
}

/** The offset behind the spaces, tabs and line ends that begin at `from`. */
export function endOfBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
  }
  return at;
}

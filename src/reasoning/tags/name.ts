// The smallest parts of a tag: its name, and blanks.

/** Nothing with a longer name is a tag. */
export const NAME_LIMIT = 64;

/** The offset behind the name that begins at `from`: a letter or `_`, then letters, digits, `_`, `-`. */
export function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = (code | 32) >= 97 && (code | 32) <= 122;
    const isInner = (code >= 48 && code <= 57) || code === 45;
    if (!(isLetter || code === 95 || (isInner && at > from))) break;
  }
  return at;
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

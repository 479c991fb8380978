// Whether a text contains another, in linear time whatever the two are.

/** Shorter ones are found by the engine, whose search costs at most the product of the two lengths. */
const long = 32;

/**
 * As `String.includes`, which takes minutes for two texts of a megabyte made for the purpose. Knuth, Morris and Pratt:
 * `border[i]` is the length of the longest beginning of `part` that also ends its first i + 1 characters.
 */
export function includes(text: string, part: string): boolean {
  if (part.length > text.length) return false;
  if (part.length <= long) return text.includes(part);
  const border = new Uint32Array(part.length);
  for (let index = 1, matched = 0; index < part.length; index++) {
    matched = extend(matched, part.charCodeAt(index));
    border[index] = matched;
  }
  for (let index = 0, matched = 0; index < text.length; index++) {
    matched = extend(matched, text.charCodeAt(index));
    if (matched === part.length) return true;
  }
  return false;

  /** How much of `part` is matched once `unit` follows `matched` characters of it. */
  function extend(matched: number, unit: number): number {
    while (matched > 0 && part.charCodeAt(matched) !== unit) matched = border[matched - 1]!;
    return part.charCodeAt(matched) === unit ? matched + 1 : matched;
  }
}

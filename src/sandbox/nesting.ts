// How deep a JSON text is nested, without building what it says.

/** Levels that values from the sandbox may have: whoever walks them later recurses. */
export const NESTING = 500;

/** The deepest level of a valid JSON text: 0 for a text or a number, 1 for `[]`. Linear in the text. */
export function nestingOf(json: string): number {
  let depth = 0;
  let deepest = 0;
  // Strings are taken whole, so that brackets in them do not count.
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}

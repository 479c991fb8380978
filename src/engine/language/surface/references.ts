// Maps characters of a text to their positions in a source that writes some of them as references or escapes.
import type { Text } from '../element.ts';
import type { Position } from '../problem.ts';

/**
 * The text that stands as `raw` at the offset `from`. `reference`, with the flag g, matches what stands for one character;
 * its groups `decimal` and `hex` are the number of that character, where it is written as one.
 */
export function textAt(
  text: string,
  { raw, from, reference }: { raw: string; from: number; reference: RegExp },
  position: (offset: number) => Position,
): Omit<Text, 'kind'> {
  return {
    text,
    at: position(from + Math.max(0, raw.search(/[^ \t\n]/))),
    places: indexes =>
      Array.from(rawOffsets(raw, text, indexes, reference), offset => position(from + offset)),
  };
}

/**
 * Offsets in `raw`, as written in the source, of the characters of `text` with these ascending indexes. The two differ
 * by references such as `&lt;` or `\u{1f600}`, each of which stands for one character.
 */
function* rawOffsets(
  raw: string,
  text: string,
  indexes: readonly number[],
  reference: RegExp,
): Generator<number> {
  if (raw.length === text.length) {
    yield* indexes;
    return;
  }
  let read = 0; // of `text`
  let from = 0; // of `raw`, where `read` stands
  const references = raw.matchAll(reference);
  let next = references.next().value;
  for (const index of indexes) {
    while (next && read + next.index - from < index) {
      const { decimal, hex } = next.groups ?? {};
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
      const size = point > 0xffff ? 2 : 1;
      if (read + next.index - from + size > index) break;
      read += next.index - from + size;
      from = next.index + next[0].length;
      next = references.next().value;
    }
    yield Math.min(from + index - read, next?.index ?? raw.length);
  }
}

// Offsets in a source as places for people.
import type { Position } from './problem.ts';

/**
 * Gives the position of an offset (0 to the length of `text`, whose lines end with \n). Offsets that come in the
 * order of the source, as a parser's do, cost next to nothing; others cost a binary search.
 */
export function positions(text: string, file: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  let line = 0; // of the offset before, counted from 0
  let start = 0;
  let next = starts[1] ?? Number.POSITIVE_INFINITY;
  return offset => {
    if (offset < start || offset >= next) {
      line = lineOf(offset, starts);
      start = starts[line]!;
      next = starts[line + 1] ?? Number.POSITIVE_INFINITY;
    }
    return { file, line: line + 1, column: offset - start + 1 };
  };
}

/** The index of the last start that is not behind the offset. */
function lineOf(offset: number, starts: number[]): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

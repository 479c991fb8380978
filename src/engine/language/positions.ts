// Offsets in a source as places for people.
import type { Position } from './problem.ts';

/** Gives the position of an offset (0 to the length of `text`, whose lines end with \n). */
export function positions(text: string, file: string): (offset: number) => Position {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return offset => {
    const line = lineOf(offset, starts);
    return { file, line: line + 1, column: offset - starts[line]! + 1 };
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

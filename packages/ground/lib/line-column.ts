// Offsets in a text as places for people.

/** From 1; a column counts UTF-16 units, as editors do. */
export interface LineColumn {
  line: number;
  column: number;
}

/** Gives the place of an offset (0 to the length of `text`). Lines end with LF, CRLF or CR. */
export function placesIn(text: string): (offset: number) => LineColumn {
  let starts: number[] | undefined;
  return offset => {
    starts ??= lineStarts(text);
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1 };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  const lineEnd = /\r\n?|\n/g;
  while (lineEnd.test(text)) starts.push(lineEnd.lastIndex);
  return starts;
}

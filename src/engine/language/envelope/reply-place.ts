// Places in a reply, as the model that wrote it is told of them.

/** `line:column` of an offset, both from 1; lines end with LF, CRLF or CR. Costs the text before: for violations only. */
export function placeAt(text: string, offset: number): string {
  let line = 1;
  let start = 0;
  for (const end of text.slice(0, offset).matchAll(/\r\n|\n|\r/g)) {
    line++;
    start = end.index + end[0].length;
  }
  return `${line}:${offset - start + 1}`;
}

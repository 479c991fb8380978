// Bytes of a file or of standard input as text, or the place of the first byte that is no UTF-8.
import { isUtf8 } from 'node:buffer';

export interface NotUtf8 {
  /** Stands after the file's name, and names the byte by its offset from 0. */
  problem: string;
  /** Of that byte, from 1; a column counts UTF-16 units. */
  line: number;
  column: number;
}

/** A byte order mark stays in the text. */
export function textOfBytes(bytes: Buffer): { text: string } | NotUtf8 {
  const text = bytes.toString('utf8');
  if (isUtf8(bytes)) return { text };
  const offset = firstWrong(bytes, Buffer.from(text));
  const before = bytes.toString('utf8', 0, offset).split('\n');
  const value = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
  return {
    problem: `is not UTF-8 text (byte ${offset} (0x${value})); save it as UTF-8`,
    line: before.length,
    column: (before.at(-1) ?? '').length + 1,
  };
}

/** `replaced`: the bytes with U+FFFD in place of what is wrong; they differ within the first of these at the latest. */
function firstWrong(bytes: Buffer, replaced: Buffer): number {
  let at = 0;
  while (bytes[at] === replaced[at]) at++;
  // A sequence that is cut may begin as U+FFFD itself does: back to the first byte of the character.
  while (((replaced[at] ?? 0) & 0xc0) === 0x80) at--;
  return at;
}

// A file that a person named in a call. Links and pipes are read too: whoever names one means it.
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { codeOf } from '@echelon/ground';
import { isUtf8 } from 'node:buffer';

/** `kind` and, of a byte that is no UTF-8, its place. */
export type NotRead = { kind: 'missing' | 'unreadable'; problem: string } | ({ kind: 'bytes' } & NotUtf8);

/** Bytes that are read: what has no end, such as a device, is no file that anybody means. */
const MOST_BYTES = 16 << 20;

/** Milliseconds that a pipe may take to its next bytes. */
const PATIENCE_MS = 5000;

/** Its text; or what is wrong with it, which stands after its name: `not found`, `cannot be read (EACCES)`. */
export function readNamed(file: string): { text: string } | NotRead {
  let bytes: Buffer;
  try {
    bytes = readToEnd(file);
  } catch (error) {
    if (error instanceof RangeError) return { kind: 'unreadable', problem: error.message };
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', problem: 'not found' };
    if (code === 'EAGAIN')
      return { kind: 'unreadable', problem: `is a pipe from which nothing came in ${PATIENCE_MS} ms` };
    if (code === 'EISDIR') return { kind: 'unreadable', problem: 'is a folder; name a file' };
    return { kind: 'unreadable', problem: `cannot be read (${code ?? String(error)})` };
  }
  const read = textOfBytes(bytes);
  return 'text' in read ? read : { kind: 'bytes', ...read };
}

/** Throws RangeError where it has more bytes than are read, and EAGAIN where a pipe takes too long. */
function readToEnd(file: string): Buffer {
  const open = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  const chunks: Buffer[] = [];
  let [length, waited] = [0, 0];
  try {
    for (;;) {
      const chunk = Buffer.allocUnsafe(1 << 16);
      let read: number;
      try {
        read = readSync(open, chunk);
      } catch (error) {
        if (codeOf(error) !== 'EAGAIN' || waited >= PATIENCE_MS) throw error;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
        waited += 10;
        continue;
      }
      if (read === 0) return Buffer.concat(chunks);
      waited = 0;
      chunks.push(chunk.subarray(0, read));
      length += read;
      if (length > MOST_BYTES) throw new RangeError(`has more than ${MOST_BYTES} bytes`);
    }
  } finally {
    closeSync(open);
  }
}

interface NotUtf8 {
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

// A file that a person named in a call. Links and pipes are read too: whoever names one means it.
import { readFileSync } from 'node:fs';
import { type NotUtf8, textOfBytes } from './utf8.ts';

/** `kind` and, of a byte that is no UTF-8, its place. */
export type NotRead = { kind: 'missing' | 'unreadable'; problem: string } | ({ kind: 'bytes' } & NotUtf8);

/** Its text; or what is wrong with it, which stands after its name: `not found`, `cannot be read (EACCES)`. */
export function readNamed(file: string): { text: string } | NotRead {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', problem: 'not found' };
    if (code === 'EISDIR') return { kind: 'unreadable', problem: 'is a folder; name a file' };
    return { kind: 'unreadable', problem: `cannot be read (${code ?? String(error)})` };
  }
  const read = textOfBytes(bytes);
  return 'text' in read ? read : { kind: 'bytes', ...read };
}

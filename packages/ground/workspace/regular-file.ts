// Reads a file that somebody else may have put there: bounded, never through a link at its end, never waiting on a pipe.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { codeOf } from '../lib/message.ts';

/** Largest file that is read or written for a model, in bytes. */
export const maxFileBytes = 1 << 20;

/** Reason for not reading a file. */
export interface FileFault {
  kind: 'missing' | 'folder' | 'irregular' | 'large' | 'unreadable';
  /** Stands after the file's name: `not found`, `is not a regular file`. */
  reason: string;
}

/**
 * The bytes of the regular file at `place`; a fault where there is none, or more than `maxBytes`. Links on the way to it
 * are followed. Blocking: for thousands of small files the way through the thread pool costs three times as much.
 */
export function readRegular(place: string, maxBytes: number): Buffer | FileFault {
  let file: number;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    return faultOf(error);
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile())
      return { kind: stat.isDirectory() ? 'folder' : 'irregular', reason: 'is not a regular file' };
    if (stat.size > maxBytes)
      return { kind: 'large', reason: `has ${stat.size} bytes; at most ${maxBytes} are read` };
    return bytesOf(file, stat.size);
  } catch (error) {
    return faultOf(error);
  } finally {
    closeSync(file);
  }
}

/** As many bytes as it had: one that grows meanwhile is not read on. */
function bytesOf(file: number, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let length = 0;
  while (length < size) {
    const read = readSync(file, bytes, length, size - length, null);
    if (read === 0) break;
    length += read;
  }
  return bytes.subarray(0, length);
}

function faultOf(error: unknown): FileFault {
  const code = codeOf(error);
  // A file where a folder should be: there is nothing below it.
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', reason: 'not found' };
  if (code === 'ELOOP') return { kind: 'irregular', reason: 'is a symbolic link, which is not followed' };
  return { kind: 'unreadable', reason: `cannot be read (${code ?? String(error)})` };
}

// Files of a folder that somebody else may have written, read by their names: bounded, and never through a link.
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readRegular } from '@echelon/ground/workspace';
import type { Problem } from '../language/problem.ts';
import { textOfBytes } from './named-file.ts';

/** More entries than this below one path are a mistake. */
const MOST_ENTRIES = 10_000;

/** A file that is there and is not taken. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused';
  readonly problem: Problem;
  constructor(file: string, reason: string, { line, column } = { line: 1, column: 1 }) {
    super(`${file} ${reason}`);
    this.problem = { file, line, column, severity: 'error', message: reason };
  }
}

/**
 * The text of `path` in `folder`; undefined where there is no such file. Throws FileRefused where it is no regular file,
 * has more than `limit` bytes, is not UTF-8 or cannot be read, an Error where a part of `path` is a symbolic link.
 */
export function readFolderFile(folder: string, path: string, limit: number): string | undefined {
  if (!isThere(folder, path)) return undefined;
  const read = readRegular(join(folder, path), limit);
  if (!Buffer.isBuffer(read)) {
    if (read.kind === 'missing') return undefined;
    throw new FileRefused(path, read.reason);
  }
  const decoded = textOfBytes(read);
  if ('text' in decoded) return decoded.text;
  throw new FileRefused(path, decoded.problem, decoded);
}

/**
 * The paths of the regular files below `path`, which ends with `/`, in their order; none where there is no such folder.
 * Links are left out. Throws an Error where a part of `path` itself is a link, or for more than 10,000 entries.
 */
export function listFolderFiles(folder: string, path: string): string[] {
  const files: string[] = [];
  const open = isThere(folder, path.slice(0, -1), 'folder') ? [path] : [];
  let seen = 0;
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    for (const entry of readdirSync(join(folder, below), { withFileTypes: true })) {
      if (++seen > MOST_ENTRIES) throw new Error(`${path} holds more than ${MOST_ENTRIES} files and folders`);
      if (entry.isDirectory()) open.push(`${below}${entry.name}/`);
      else if (entry.isFile()) files.push(`${below}${entry.name}`);
    }
  }
  return files.sort();
}

function isThere(folder: string, path: string, kind: 'file' | 'folder' = 'file'): boolean {
  const names = path.split('/');
  for (const [at] of names.entries()) {
    const part = names.slice(0, at + 1).join('/');
    const stat = lstatSync(join(folder, part), { throwIfNoEntry: false });
    if (!stat) return false;
    if (stat.isSymbolicLink())
      throw new Error(`${part} is a symbolic link, which is not followed; put the files themselves there`);
    // A file where a folder should be: there is nothing below it.
    if (!stat.isDirectory() && (kind === 'folder' || at < names.length - 1)) return false;
  }
  return true;
}

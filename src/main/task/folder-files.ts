// Files of a folder that somebody else may have written, read by their names: bounded, and never through a link.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** More entries than this below one path are a mistake. */
const MOST_ENTRIES = 10_000;

/**
 * The text of `path` in `folder`; undefined where there is no such file. Throws an Error that names `path` where a part
 * of it is a symbolic link, where it is no regular file, has more than `limit` bytes, or cannot be read.
 */
export function readFolderFile(folder: string, path: string, limit: number): string | undefined {
  if (!isThere(folder, path)) return undefined;
  let file: number;
  try {
    // Never waits on a pipe.
    file = openSync(join(folder, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    throw new Error(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`, { cause: error });
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
    if (stat.size > limit) throw new Error(`${path} has ${stat.size} bytes; at most ${limit} are read`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
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

// The folder that a verb of `echelon task` works on.
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Parsed, textOf } from '../options.ts';

/** Help of --folder where it is only the library that is sought there. */
export const libraryFolder = 'folder whose .github/echelon/ is used (default: here)';

/** The folder that --folder names, absolute (default: here); a sentence in `problems` where there is none. */
export function folderOf(given: Parsed, problems: string[]): string | undefined {
  const named = textOf(given, 'folder');
  const folder = resolve(named ?? '.');
  if (isFolder(folder)) return folder;
  problems.push(`--folder ${named ?? '.'}: there is no such folder`);
  return undefined;
}

/** False also where a part of the path is a file. */
export function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    // Not there, or not to be looked at: no folder to work in.
    return false;
  }
}

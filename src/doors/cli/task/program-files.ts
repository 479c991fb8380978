// The files that a verb of `echelon task` is given: by name, or all programs of a folder.
import { readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { codeOf } from '@echelon/ground';
import { isProgramFile } from '../../../engine/language/surface/surface.ts';
import { isFolder } from './folder.ts';

/** Each program once, in the order given. A path that is not there is a file, and reading it says so. */
export const filesOf = (paths: readonly string[]) => filesLike(isProgramFile, paths, 'no .xml or .task file');

/** The same of other files; `none` is what a folder holds where it has none of them. */
export function filesLike(
  isWanted: (name: string) => boolean,
  paths: readonly string[],
  none: string,
): { files: string[]; problems: string[] } {
  const problems: string[] = [];
  const files = paths.flatMap(path => {
    if (path === '') {
      problems.push('the name of a file or folder is empty');
      return [];
    }
    if (!isFolder(path)) return [normalize(path)];
    const below = filesBelow(path, isWanted, problems);
    if (below.length === 0) problems.push(`${path} holds ${none}`);
    return below;
  });
  return { files: [...new Set(files)], problems };
}

/** The files in and below `folder`, in their order. Links to folders are not followed: they may lead back. */
function filesBelow(folder: string, isWanted: (name: string) => boolean, problems: string[]): string[] {
  const files: string[] = [];
  const open = [folder];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    try {
      for (const entry of readdirSync(below, { withFileTypes: true })) {
        const path = join(below, entry.name);
        if (entry.isDirectory()) {
          if (entry.name !== '.git' && entry.name !== 'node_modules') open.push(path);
        } else if (isWanted(entry.name) && (entry.isFile() || entry.isSymbolicLink())) files.push(path);
      }
    } catch (error) {
      problems.push(`${below}: cannot be read (${codeOf(error)})`);
    }
  }
  return files.sort();
}

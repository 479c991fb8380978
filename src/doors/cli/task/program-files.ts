// The files that a verb of `echelon task` is given: by name, or all programs of a folder.
import { readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { isProgramFile } from '../../../engine/language/surface/surface.ts';
import { codeOf } from '../../../lib/message.ts';
import { isFolder } from './folder.ts';

/** Each file once, in the order given. A path that is not there is a file, and reading it says so. */
export function filesOf(paths: readonly string[]): { files: string[]; problems: string[] } {
  const problems: string[] = [];
  const files = paths.flatMap(path => {
    if (path === '') {
      problems.push('the name of a file or folder is empty');
      return [];
    }
    if (!isFolder(path)) return [normalize(path)];
    const below = programsBelow(path, problems);
    if (below.length === 0) problems.push(`${path} holds no .xml or .task file`);
    return below;
  });
  return { files: [...new Set(files)], problems };
}

/** The programs in and below `folder`, in their order. Links to folders are not followed: they may lead back. */
function programsBelow(folder: string, problems: string[]): string[] {
  const files: string[] = [];
  const open = [folder];
  for (let below = open.pop(); below !== undefined; below = open.pop()) {
    try {
      for (const entry of readdirSync(below, { withFileTypes: true })) {
        const path = join(below, entry.name);
        if (entry.isDirectory()) {
          if (entry.name !== '.git' && entry.name !== 'node_modules') open.push(path);
        } else if (isProgramFile(entry.name) && (entry.isFile() || entry.isSymbolicLink())) files.push(path);
      }
    } catch (error) {
      problems.push(`${below}: cannot be read (${codeOf(error)})`);
    }
  }
  return files.sort();
}

// The files that a verb of `echelon task` is given, or the registered task.
import { existsSync, readdirSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { codeOf, messageOf } from '@echelon/ground';
import { isProgramFile, type Library, parseProgram, readTemplate } from '../../../engine/language.ts';
import { formatProblem, readNamed } from '../../../engine/texts.ts';
import { isFolder } from '../options.ts';

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

/** A file where there is one, else a registered task. `refused`: it was found, and its check says what is wrong. */
export function programNamed(what: string, library: Library) {
  const template = existsSync(what) ? undefined : library.find(what);
  const none = (problem: string) => ({ problems: [problem], refused: false });
  if (!template && !existsSync(what)) {
    if (/[/\\]/.test(what) || isProgramFile(what)) return none(`${what}: not found`);
    return none(`${what}: there is no such file, and ${reasonOf(() => library.get(what))}`);
  }
  const file = template ? { text: template.source } : readNamed(what);
  if ('problem' in file) return none(`${what}: ${file.problem}`);
  const { text } = file;
  const read = template ? readTemplate(template, library) : parseProgram(text, what, library, 'asked for');
  if (read.program) {
    return {
      program: read.program,
      flows: read.flows,
      source: { file: template?.file ?? what, text },
      warnings: read.problems.map(formatProblem),
    };
  }
  const errors = read.problems.filter(({ severity }) => severity === 'error');
  return { problems: errors.map(formatProblem), refused: true };
}

function reasonOf(act: () => unknown): string {
  try {
    act();
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

// `echelon task check <file...>`: every problem of task programs as file:line:column message.
import { globSync, readFileSync, statSync } from 'node:fs';
import { join, normalize } from 'node:path';
import type { Source } from '../../language/library.ts';
import { formatProblem, type Problem } from '../../language/problem.ts';
import { parseProgram } from '../../language/program.ts';
import { print } from '../output.ts';
import { folderOf, libraryFolder } from './setup.ts';
import type { Verb } from './verb.ts';
import { libraryWith } from './library.ts';

export const check: Verb = {
  usage: 'check <file or folder ...> [--folder <folder>] [--json]',
  about: `Checks programs of the task language and prints every problem as file:line:column message. Of a folder, the
.xml files in and below it. ref and call find the tasks of the files given, of .github/echelon/ in the folder that
--folder names (default: here), and of the product.
Exit code 0: no errors; 1: errors; 2: called wrongly.`,
  options: {
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    json: { type: 'boolean', help: 'print one JSON object instead of lines' },
  },
  async run(given) {
    const { positionals, values } = given;
    const problems = [...given.problems];
    if (positionals.length === 0) problems.push('name at least one file or folder to check');
    const folder = folderOf(given, problems);
    const { files, problems: wrong } = filesOf(positionals);
    problems.push(...wrong);
    if (problems.length > 0 || folder === undefined) return { problems };
    const found: Problem[] = [];
    const sources: Source[] = [];
    for (const file of files) {
      const read = readSource(file);
      if ('severity' in read) found.push(read);
      else sources.push(read);
    }
    const around = libraryWith(sources, folder);
    // What is wrong around the files is not theirs: it is told, and does not fail them.
    const ofCaller = new Set(files);
    for (const problem of around.problems)
      if (!ofCaller.has(problem.file)) found.push({ ...problem, severity: 'warning' });
    found.push(...around.twice);
    for (const { file, text } of sources) found.push(...parseProgram(text, file, around.library).problems);

    const errors = found.filter(({ severity }) => severity === 'error').length;
    if (values['json']) await print(JSON.stringify({ files: files.length, errors, problems: found }));
    else if (found.length > 0) await print(found.map(formatProblem).join('\n'));
    if (found.length === 0 && process.stderr.isTTY)
      console.error(`${files.length} ${files.length === 1 ? 'file' : 'files'}, no problems`);
    return errors > 0 ? 1 : 0;
  },
};

/** Each file once, in the order given. A path that is not there is a file, and reading it says so. */
function filesOf(paths: readonly string[]): { files: string[]; problems: string[] } {
  const problems: string[] = [];
  const files = paths.flatMap(path => {
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [normalize(path)];
    const below = globSync('**/*.xml', { cwd: path, exclude: name => name.endsWith('node_modules') });
    if (below.length === 0) problems.push(`${path} holds no .xml file`);
    return below.sort().map(file => join(path, file));
  });
  return { files: [...new Set(files)], problems };
}

function readSource(file: string): Source | Problem {
  try {
    return { file, text: readFileSync(file, 'utf8') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const message = code === 'ENOENT' ? 'not found' : `cannot be read (${code ?? String(error)})`;
    return { severity: 'error', file, line: 1, column: 1, message };
  }
}

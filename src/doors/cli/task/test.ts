// `echelon task test <file or folder...>`: programs played with the replies of their cases, and what is not as expected.
import { formatProblem, type Problem, readNamed } from '../../../engine/texts.ts';
import { type Library, parseProgram } from '../../../engine/language.ts';
import { playCase, type PlayedCase, together } from '../../../engine/parts.ts';
import { libraryWith } from '../../folder-library.ts';
import { runnable } from '../../../engine/engine.ts';
import { interruption } from '../../interrupt.ts';
import { oneLine } from '../../progress.ts';
import { readFolder } from '../../task-setup.ts';
import { folderOf, isFolder, libraryFolder, textOf } from '../options.ts';
import { print } from '../output.ts';
import { type CaseFile, caseFilesOf, type FiledCase, isCaseFile, readCaseFile } from './case-files.ts';
import { filesLike } from './program-files.ts';
import type { Command } from '../command.ts';

/** Cases that are played side by side: each is short, and one that runs JavaScript has a thread of its own. */
const SIDE_BY_SIDE = 4;

export const test: Command = {
  usage: 'echelon task test <file or folder ...> [options]',
  about: `Plays programs with the replies of their cases, and prints differences as file:line:column message. Cases of note.xml or
note.task are in note.test.json or note.test.yaml beside it. A folder means its case files at any depth, except in .git and
node_modules. No model is called and no command is run.
Exit code 0: all as expected; 1: differences; 2: wrong call, or no case; 130: Ctrl-C.`,
  options: {
    filter: { type: 'string', value: 'text', help: 'plays only cases with this in their name' },
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    json: { type: 'boolean', help: 'print JSON instead of lines' },
    debug: { type: 'boolean', help: 'stack traces' },
  },
  takes: { missing: 'name at least one program, case file or folder', many: true },
  async run(given) {
    const { problems } = given;
    const folder = folderOf(given, problems);
    const files = caseFiles(given.positionals, problems).map(readCaseFile);
    const filter = textOf(given, 'filter') ?? '';
    const chosen = files.flatMap(file => {
      const cases = file.cases.filter(({ name }) => name.includes(filter));
      return cases.length > 0 || file.problems.length > 0 ? [{ ...file, cases }] : [];
    });
    if (problems.length === 0 && chosen.length === 0) problems.push(`no case has ${filter} in its name`);
    const { around, problems: wrong } = readFolder(folder);
    problems.push(...wrong.map(({ message, at }) => (at ? formatProblem(at) : message)));
    if (problems.length > 0 || folder === undefined || !around) return { problems };

    const signal = interruption();
    const { library } = libraryWith(sourcesOf(chosen), folder);
    const { models, modelRows, settings, reasoning } = around;
    const surroundings = { models, modelRows, settings, reasoning };
    const work = chosen.flatMap(file => toPlay(file, library));
    const played = await together(
      work,
      async (each, _at, apart): Promise<Told> => {
        if ('problems' in each) return { ...each, calls: 0, cost_usd: 0 };
        const { file, one, program, library } = each;
        const done = await playCase(program, one.given, { ...surroundings, library, signal: apart.signal });
        return { ...done, file, name: one.name, problems: done.problems.map(one.problem) };
      },
      { signal, ledger: undefined },
      { limit: SIDE_BY_SIDE },
    );
    return await tell(played, given.values['json'] === true);
  },
};

/** Result of a case; `name` is absent if its file could not be played at all. */
interface Told extends Omit<PlayedCase, 'problems'> {
  file: string;
  name?: string;
  problems: Problem[];
}

function caseFiles(paths: readonly string[], problems: string[]): string[] {
  const named = paths.flatMap(path => {
    const found = isFolder(path) ? [path] : caseFilesOf(path);
    if (!('problem' in found)) return found;
    problems.push(found.problem);
    return [];
  });
  const { files, problems: wrong } = filesLike(
    isCaseFile,
    named,
    'no case file (name.test.json or name.test.yaml)',
  );
  problems.push(...wrong);
  return files;
}

/** The programs, for the refs and calls of each other. */
const sourcesOf = (files: readonly CaseFile[]) =>
  [...new Set(files.map(({ program }) => program))].flatMap(file => {
    const read = readNamed(file);
    return 'text' in read ? [{ file, text: read.text }] : [];
  });

type ToPlay =
  | { file: string; one: FiledCase; program: Parameters<typeof playCase>[0]; library: Library }
  | { file: string; problems: Problem[] };

/** The cases of a file with their program, or what is wrong with either of both. */
function toPlay({ file, program: path, cases, problems }: CaseFile, around: Library): ToPlay[] {
  if (problems.length > 0) return [{ file, problems }];
  const read = readNamed(path);
  if ('problem' in read) {
    const message = `the program ${path}, which its cases are of: ${read.problem}`;
    return [{ file, problems: [{ severity: 'error', file, line: 1, column: 1, message }] }];
  }
  const parsed = parseProgram(read.text, path, around, 'asked for');
  if (!parsed.program)
    return [{ file, problems: parsed.problems.filter(({ severity }) => severity === 'error') }];
  const { program, library } = runnable(parsed.program, { file: path, text: read.text }, around);
  return cases.map(one => ({ file, one, program, library }));
}

async function tell(played: readonly Told[], json: boolean): Promise<number> {
  const failed = played.filter(({ problems }) => problems.length > 0);
  if (json) {
    const cases = played.map(({ problems, ...each }) => ({
      ...each,
      passed: problems.length === 0,
      problems,
    }));
    await print(JSON.stringify({ cases, passed: played.length - failed.length, failed: failed.length }));
  } else if (failed.length > 0) {
    const lines = failed.flatMap(({ name, problems }) =>
      problems.map(each => formatProblem({ ...each, message: `${name ? `${name}: ` : ''}${each.message}` })),
    );
    await print(lines.map(oneLine).join('\n'));
  }
  const count = `${played.length} ${played.length === 1 ? 'case' : 'cases'}`;
  console.error(
    failed.length > 0 ? `${count}, ${failed.length} not as expected` : `${count}, all as expected`,
  );
  return failed.length > 0 ? 1 : 0;
}

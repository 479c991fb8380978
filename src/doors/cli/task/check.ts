// `echelon task check <file...>`: every problem of task programs as file:line:column message.
import { resolve } from 'node:path';
import { masker, shortened } from '@echelon/ground';
import { type FurtherTools, noFurtherTools, parseProgram, type Source } from '../../../engine/language.ts';
import { formatProblem, type NotRead, type Problem, readNamed } from '../../../engine/texts.ts';
import { print } from '../output.ts';
import { filesOf } from './program-files.ts';
import { folderOf, libraryFolder } from '../options.ts';
import type { Command } from '../command.ts';
import { type McpServers, modelProblems, openServers, secretsOfServers } from '../../../engine/engine.ts';
import { libraryWith } from '../../folder-library.ts';
import { secretsOf } from '../../../engine/models/provider-keys.ts';
import { readFolder } from '../../task-setup.ts';
import { interruption } from '../../interrupt.ts';
import { forTerminal, oneLine } from '../../progress.ts';
import type { Settings } from '../../settings.ts';
import { mcpOption, serversOf } from './setup.ts';

export const check: Command = {
  usage: 'echelon task check <file or folder ...> [--folder <folder>] [--mcp <file>] [--json]',
  about: `Checks programs and prints every problem as file:line:column message. A folder means its .xml and .task files at any depth,
except in .git and node_modules. ref and call find the given files, .github/echelon/ of the folder, and the product's
tasks. With --mcp the servers are started, and their tools listed on stderr.
Exit code 0: no errors; 1: errors; 2: wrong call, or a missing file.`,
  options: {
    folder: { type: 'string', value: 'folder', help: libraryFolder },
    mcp: mcpOption,
    json: { type: 'boolean', help: 'print JSON instead of lines' },
  },
  takes: { missing: 'name at least one file or folder to check', many: true },
  async run(given, settings) {
    const { positionals, values, problems } = given;
    const folder = folderOf(given, problems);
    const servers = serversOf(given, problems);
    const { files, problems: wrong } = filesOf(positionals);
    problems.push(...wrong);
    if (problems.length > 0 || folder === undefined) return { problems };
    const unread: Problem[] = [];
    const sources: Source[] = [];
    for (const file of files) {
      const read = readNamed(file);
      if ('text' in read) sources.push({ file, text: read.text });
      else if (read.kind === 'missing') problems.push(`${file}: ${read.problem}`);
      else unread.push(unreadOf(file, read));
    }
    if (problems.length > 0) return { problems };
    const tools = await listTools(servers, settings);
    const all = [...unread, ...problemsOf(sources, files, folder, tools)];
    // A template of the folder that was given is read as both.
    const found = [...new Map(all.map(problem => [formatProblem(problem), problem])).values()];
    const errors = found.filter(({ severity }) => severity === 'error').length;
    if (values['json']) await print(JSON.stringify({ files: files.length, errors, problems: found }));
    else if (found.length > 0) await print(forTerminal(found.map(formatProblem).join('\n')));
    if (found.length === 0)
      console.error(`${files.length} ${files.length === 1 ? 'program' : 'programs'}, no problem`);
    return errors > 0 ? 1 : 0;
  },
};

/** Prints the servers' tools, a line each. Throws an Error if a server cannot be used. */
async function listTools(servers: McpServers, { path, home, providers }: Settings): Promise<FurtherTools> {
  if (Object.keys(servers).length === 0) return noFurtherTools;
  const mask = masker([...secretsOf(providers), ...secretsOfServers(servers)]);
  const say = (line: string) => console.error(mask(oneLine(line)));
  const source = openServers(servers, { path, home, mask, onNote: say });
  try {
    const tools = await source.tools(interruption());
    for (const { name, readOnly, description } of tools)
      say(`${name}${readOnly ? ' (only reads)' : ''}: ${shortened(description, 120)}`);
    return { names: tools.map(({ name }) => name), servers: [] };
  } finally {
    await source.close();
  }
}

/** Of the programs, and of the folder's templates around them. */
function problemsOf(
  sources: readonly Source[],
  files: readonly string[],
  folder: string,
  tools: FurtherTools,
): Problem[] {
  const around = libraryWith(sources, folder, { tools });
  const given = new Map(files.map(file => [resolve(file), file]));
  // Problems of other files are reported, and do not fail the given ones.
  const beside = around.problems.filter(({ file }) => !given.has(resolve(folder, file)));
  const { around: setup, problems: wrong } = readFolder(folder);
  // Of a configuration that cannot be read nobody knows which models there are; of templates it is told below.
  if (!setup) for (const { message } of wrong) console.error(oneLine(message));
  const programs = sources.flatMap(({ file, text }) => {
    const read = parseProgram(text, file, around.library, 'asked for');
    if (!read.program || !setup) return read.problems;
    return [...read.problems, ...modelProblems(read.program, setup.models, setup.modelRows)];
  });
  const together = around.together.flatMap(problem => {
    const file = given.get(resolve(folder, problem.file));
    return file === undefined ? [] : [{ ...problem, file }];
  });
  const place = ({ file, line, column }: Problem) => `${file}:${line}:${column}`;
  const isAnError = new Set(together.map(place));
  return [
    ...beside.map(problem => ({ ...problem, severity: 'warning' as const })),
    ...together,
    ...around.twice.filter(problem => !isAnError.has(place(problem))),
    ...programs,
  ];
}

/** Said at the place of the byte, or at the file's beginning. */
function unreadOf(file: string, read: NotRead): Problem {
  const { line, column } = read.kind === 'bytes' ? read : { line: 1, column: 1 };
  return { severity: 'error', file, line, column, message: read.problem };
}

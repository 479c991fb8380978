// Shared by the file tools of a work tree and of a commit: git grep, glob matching, and answers of a bounded length.
// Patterns come from a model: neither may hang the process.
import { setImmediate } from 'node:timers/promises';
import { type Effort, readGlob } from '@echelon/ground';
import { git, GitError, type GitOptions } from '@echelon/ground/workspace';
import { ToolRefusal } from '../../language/tool.ts';

/** Longest answer of a tool, in characters. */
export const maxAnswer = 50_000;
/** Longest line of a search result, in characters. */
const maxLine = 400;
/** Time for one search. */
const searchMs = 5000;
/** Limit of matching one glob with the names of all files, and between two turns of the event loop. */
const mostEffort = 50_000_000;
const effortOfTurn = 500_000;

/**
 * Searches with a Perl regular expression (an extended one where git was built without PCRE). `scope` are the
 * arguments of git grep that say where: `--untracked`, or a commit. Answers `path:line: text` lines.
 */
export async function searchFiles(
  pattern: string,
  scope: { flags: string[]; commit?: string; path?: string },
  options: GitOptions,
  signal: AbortSignal,
): Promise<string> {
  // No argument of a program can hold one.
  if (pattern.includes('\0'))
    throw new ToolRefusal('search: the pattern holds a NUL character, which no text has');
  const timeout = AbortSignal.timeout(searchMs);
  const both = AbortSignal.any([signal, timeout]);
  const args = ['grep', '-I', '-n', '-z', '--no-color', '--full-name', (await hasPerl()) ? '-P' : '-E'];
  args.push(...scope.flags, '-e', pattern, ...(scope.commit ? [scope.commit] : []), '--', scope.path ?? '.');
  let found: string;
  try {
    found = await git(args, { ...options, signal: both, maxBytes: 4 * maxAnswer, cut: true });
  } catch (error) {
    if (timeout.aborted && !signal.aborted)
      throw new ToolRefusal(
        `search: took longer than ${searchMs / 1000} s; make the pattern simpler or name a path`,
      );
    if (!(error instanceof GitError)) throw error;
    if (error.exitCode !== 1)
      throw new ToolRefusal(`search: ${error.stderr.trim() || 'not a regular expression'}`);
    return 'no matches';
  }
  const prefix = scope.commit ? `${scope.commit}:` : '';
  const lines = found.split('\n').flatMap(line => {
    const [path, number, text] = line.split('\0');
    if (path === undefined || number === undefined || text === undefined) return [];
    const short = text.length > maxLine ? `${text.slice(0, maxLine)} [...]` : text;
    return [`${path.slice(prefix.length)}:${number}: ${short}`];
  });
  return boundedLines(lines, 'matches');
}

let perl: Promise<boolean> | undefined;

function hasPerl(): Promise<boolean> {
  // Any folder will do: matches or none, git that lacks PCRE ends otherwise.
  perl ??= git(['grep', '--no-index', '-P', '-q', '-e', 'x', '--', '.'], { cwd: import.meta.dirname }).then(
    () => true,
    error => error instanceof GitError && error.exitCode === 1,
  );
  return perl;
}

/** The files below `path` that match the glob (relative to `path`; without a slash: the file name at any depth). */
export async function matchFiles(
  files: string[],
  path: string | undefined,
  pattern: string | undefined,
): Promise<string[]> {
  const prefix = path === undefined || path === '.' ? '' : `${path}/`;
  const below = files.filter(file => file.startsWith(prefix) || file === path);
  const wanted = below.filter(file => !file.split('/').includes('node_modules'));
  if (pattern === undefined) return wanted;
  if (pattern.length > 500) throw new ToolRefusal('list_files: the pattern is longer than 500 characters');
  const glob = readGlob(pattern.endsWith('/') ? `${pattern}**` : pattern);
  if (!glob)
    throw new ToolRefusal(
      'list_files: the pattern cannot be matched; it may hold *, **, ?, {a,b}, [a-z] and [!a]',
    );
  const kept: string[] = [];
  let effort: Effort = { left: effortOfTurn };
  let spent = 0;
  for (const file of wanted) {
    const name = file.slice(prefix.length) || file;
    if (glob.matches(pattern.includes('/') ? name : name.slice(name.lastIndexOf('/') + 1), effort))
      kept.push(file);
    if (effort.left > 0) continue;
    spent += effortOfTurn - effort.left;
    if (spent > mostEffort)
      throw new ToolRefusal('list_files: the pattern is too costly to match; use fewer wildcards');
    effort = { left: effortOfTurn };
    await setImmediate();
  }
  return kept;
}

/** The beginning of a text, with a note of what is left out. */
export const cut = (text: string, max = maxAnswer): string =>
  text.length <= max
    ? text
    : `${text.slice(0, max).toWellFormed()}\n[${text.length - max} characters are left out; ask for less]`;

/** The lines that fit into an answer, with a note of how many are left out. */
export function boundedLines(lines: string[], what: string): string {
  if (lines.length === 0) return `no ${what}`;
  let length = 0;
  const fits = lines.findIndex(line => (length += line.length + 1) > maxAnswer);
  if (fits < 0) return lines.join('\n');
  return `${lines.slice(0, fits).join('\n')}\n[${lines.length - fits} or more ${what} are left out; ask for less]`;
}

/** The bytes of a file as text; refuses what is not UTF-8 text. */
export function decodeText(path: string, bytes: Uint8Array): string {
  if (bytes.subarray(0, 8000).includes(0)) throw new ToolRefusal(`${path} is a binary file`);
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolRefusal(`${path} is not UTF-8 text`);
  }
}

/** Of a file: `excerpt` of it, each line behind its number and a tab. */
export const numberedExcerpt = (text: string, offset?: number, limit?: number): string =>
  excerpt(text, offset, limit, (line, number) => `${number}\t${line}`);

/**
 * `limit` lines from line `offset` (the first is 1), as many as fit, with a note of what is left out. `shown` is how a
 * line with its number is shown.
 */
export function excerpt(
  text: string,
  offset = 1,
  limit = Number.POSITIVE_INFINITY,
  shown = (line: string, _number: number) => line,
): string {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (offset > lines.length && offset > 1)
    throw new ToolRefusal(`there are ${lines.length} lines, there is no line ${offset}`);
  const kept: string[] = [];
  let length = 0;
  for (const [at, whole] of lines.slice(offset - 1, offset - 1 + limit).entries()) {
    const line = shown(whole, offset + at);
    if ((length += line.length + 1) > maxAnswer) break;
    kept.push(line);
  }
  const last = offset - 1 + kept.length;
  if (kept.length === 0 && lines.length > 0)
    return `${shown(lines[offset - 1]!, offset).slice(0, maxAnswer)}\n[line ${offset} has ${lines[offset - 1]!.length} characters, the rest of it is left out]`;
  if (offset === 1 && last === lines.length) return `${kept.join('\n')}${text.endsWith('\n') ? '\n' : ''}`;
  const more = last < lines.length ? `; go on with offset ${last + 1}` : '';
  return `${kept.join('\n')}\n[lines ${offset} to ${last} of ${lines.length}${more}]`;
}

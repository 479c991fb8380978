// The file tools and the shell of a checkout, for a model: confined to the work tree.
import { lstat, mkdir, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Checkout, type CommandResult, git, type TimeLimit } from '@echelon/ground/workspace';
import { bindTool, shellTime, type Tool, ToolRefusal } from '../../language/tool.ts';
import { withoutNoise } from '../../language/trim.ts';
import { placeOf, readRegularFile, treePath, writeRegularFile } from './resolve-in-tree.ts';
import {
  boundedLines,
  decodeText,
  excerpt,
  numberedExcerpt,
  matchFiles,
  maxAnswer,
  searchFiles,
} from './search.ts';

/**
 * read_file, write_file, edit_file, delete_file, list_files and search on a checkout. list_files and search leave out
 * what git ignores.
 */
export function editTools({ tree, gitDir }: Pick<Checkout, 'tree' | 'gitDir'>): Tool[] {
  /** Target of a path to be changed. */
  const writablePlace = async (path: string, options: { link?: boolean } = {}) => {
    const place = await placeOf(tree, path, options);
    if (place === (await placeOf(tree, '.')))
      throw new ToolRefusal('the path is the root of the checkout; name a file');
    return place;
  };
  const readText = (place: string, path: string) => decodeText(path, readRegularFile(place, path));

  return [
    bindTool('read_file', async ({ path, offset, limit }) =>
      numberedExcerpt(readText(await placeOf(tree, path), treePath(path)), offset, limit),
    ),
    bindTool('write_file', async ({ path, content }) => {
      const place = await writablePlace(path);
      await mkdir(dirname(place), { recursive: true }).catch((error: NodeJS.ErrnoException) => {
        throw new ToolRefusal(`the folder of ${path} cannot be made (${error.code}): a part of it is a file`);
      });
      await writeRegularFile(place, path, content);
      return `wrote ${treePath(path)} (${Buffer.byteLength(content)} bytes)`;
    }),
    bindTool('edit_file', async ({ path, old_text, insert_line = 0, new_text }) => {
      const place = await writablePlace(path);
      const text = readText(place, path);
      const edited =
        old_text === undefined
          ? insertAfter(path, text, insert_line, new_text)
          : replaceOnce(path, text, old_text, new_text);
      await writeRegularFile(place, path, edited.text);
      return `edited ${treePath(path)} at line ${edited.line}`;
    }),
    bindTool('delete_file', async ({ path }) => {
      const place = await writablePlace(path, { link: true });
      const stat = await lstat(place).catch(() => undefined);
      if (!stat) throw new ToolRefusal(`there is no file ${path}`);
      if (stat.isDirectory()) throw new ToolRefusal(`${path} is a folder; delete its files`);
      await unlink(place);
      return `deleted ${treePath(path)}`;
    }),
    bindTool('list_files', async ({ path, pattern }, signal) => {
      const below = path === undefined ? undefined : treePath(path);
      const files = await filesOf({ gitDir, workTree: tree, cwd: tree, signal });
      return boundedLines(await matchFiles(files, below, pattern), 'files');
    }),
    bindTool('search', async ({ pattern, path }, signal) => {
      const flags = ['--untracked', '--exclude-standard'];
      const where = path === undefined ? { flags } : { flags, path: treePath(path) };
      return searchFiles(pattern, where, { gitDir, workTree: tree, cwd: tree }, signal);
    }),
  ];
}

/** As much of a text file as an answer holds, without numbers. Throws ToolRefusal where it is none, or not in `tree`. */
export const fileText = async (tree: string, path: string): Promise<string> =>
  excerpt(decodeText(treePath(path), readRegularFile(await placeOf(tree, path), path)));

async function filesOf(where: { gitDir: string; workTree: string; cwd: string; signal: AbortSignal }) {
  const list = async (...flags: string[]) =>
    (await git(['ls-files', '-z', ...flags], where)).split('\0').filter(Boolean);
  const gone = new Set(await list('--deleted'));
  const there = await list('--cached', '--others', '--exclude-standard', '--deduplicate');
  return there.filter(file => !gone.has(file)).sort();
}

const askForMore = `ask for up to ${shellTime.longest} s with timeout_s`;

/** The shell tool: `run` carries a command out (runCommand with everything else settled). */
export function shellTool(
  run: (command: string, time: TimeLimit, signal: AbortSignal) => Promise<CommandResult>,
): Tool {
  return bindTool('shell', async ({ command, timeout_s }, signal) => {
    const time = { ms: (timeout_s ?? shellTime.default) * 1000, more: askForMore };
    const result = await run(command, time, signal);
    const end = result.end ?? `exit code ${result.exit_code}`;
    const part = (name: string, text: string) =>
      text === '' ? '' : `\n${name}:\n${cutMiddle(withoutNoise(text), maxAnswer / 2)}`;
    return `${end}${part('stdout', result.stdout)}${part('stderr', result.stderr)}`;
  });
}

function cutMiddle(text: string, max: number): string {
  if (text.length <= max) return text;
  const head = Math.floor(max / 4);
  return `${text.slice(0, head)}\n[... ${text.length - max} characters are left out here ...]\n${text.slice(head - max)}`;
}

/**
 * `text` with `by` in place of `wanted`, and the line of it, from 1. A \n of `wanted` stands for \r\n too, unless the text
 * is found as it stands; `by` gets the line ends of what it replaces, or of the file where that is within a line.
 * Throws ToolRefusal where `wanted` does not occur exactly once.
 */
function replaceOnce(path: string, text: string, wanted: string, by: string): { text: string; line: number } {
  const [place, second] = placesOf(text, wanted);
  if (!place)
    throw new ToolRefusal(`old_text does not occur in ${path}; read the file and copy the text exactly`);
  if (second)
    throw new ToolRefusal(
      `old_text occurs more than once in ${path}; add the lines around it until it occurs once`,
    );
  const { start, end } = place;
  const replaced = text.slice(start, end);
  const isCrlf = replaced.includes('\n') ? replaced.includes('\r\n') : hasMostlyCrlf(text);
  const put = isCrlf ? by.replaceAll(/\r?\n/g, '\r\n') : by;
  return {
    text: text.slice(0, start) + put + text.slice(end),
    line: text.slice(0, start).split('\n').length,
  };
}

/**
 * `text` with `by` as whole lines after `line` (0: before the first), and the line where they begin, from 1. They end as
 * the file's lines do. Throws ToolRefusal where there is no such line.
 */
function insertAfter(path: string, text: string, line: number, by: string): { text: string; line: number } {
  const lines = text.split(/(?<=\n)/);
  if (text === '') lines.pop();
  if (line > lines.length)
    throw new ToolRefusal(`${path} has ${lines.length} lines, there is no line ${line} to insert after`);
  const newline = hasMostlyCrlf(text) ? '\r\n' : '\n';
  const before = lines.slice(0, line).join('');
  const opened = before === '' || before.endsWith('\n') ? '' : newline;
  const closed = by.endsWith('\n') ? by : `${by}\n`;
  const put = opened + closed.replaceAll(/\r?\n/g, newline);
  return { text: before + put + lines.slice(line).join(''), line: line + 1 };
}

/** At most two. */
function placesOf(text: string, wanted: string) {
  const asItStands = startsOf(text, wanted)
    .filter(start => !(wanted.startsWith('\n') && text[start - 1] === '\r'))
    .map(start => ({ start, end: start + wanted.length }));
  if (asItStands.length > 0 || !wanted.includes('\n') || !text.includes('\r\n')) return asItStands;
  return startsOf(text.replaceAll('\r\n', '\n'), wanted).map(start => ({
    start: withReturns(text, start),
    end: withReturns(text, start + wanted.length),
  }));
}

function startsOf(text: string, wanted: string): number[] {
  const first = text.indexOf(wanted);
  return first < 0 ? [] : [first, text.indexOf(wanted, first + 1)].filter(at => at >= 0);
}

/** The index in `text` of what has index `at` once each \r\n is \n. */
function withReturns(text: string, at: number): number {
  let dropped = 0;
  for (
    let next = text.indexOf('\r\n');
    next >= 0 && next - dropped < at;
    next = text.indexOf('\r\n', next + 1)
  )
    dropped++;
  return at + dropped;
}

const hasMostlyCrlf = (text: string) => 2 * text.split('\r\n').length > text.split('\n').length + 1;

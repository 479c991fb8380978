// Reads the commands out of a comment.
import { nearest, shortened, slipOf } from '@echelon/ground';
import { packedSize } from '@echelon/ground/journal';
import type { PlainComment } from '../github/comments.ts';
import type { Misfit } from './command.ts';
import { isIntricate, MAX_MARKS, slashLines } from './plain-lines.ts';
import { type CommandName, table } from './table.ts';

/** Parsed line: its command, and beside name and line (from 1) the row's parsed arguments. */
export interface GivenCommand {
  name: CommandName;
  line: number;
}

/** A line that is meant for us and cannot be read. */
export interface CommandProblem {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  message: string;
  /** The place in the line, with a second line whose caret stands under the column. */
  excerpt: string;
  /** The command that may have been meant: its name or beginning, `/approve`. */
  nearest?: string;
  /** A bare word that is nearly a command of ours, and may be another bot's: it counts where a run is. */
  bare?: true;
}

/** A comment of a person. It is parsed once, where it comes in: by a webhook, an event file, or a thread that is read. */
export interface Spoken extends Pick<PlainComment, 'id' | 'body' | 'author' | 'createdAt'>, ParsedComment {}

export interface ParsedComment {
  commands: readonly GivenCommand[];
  problems: readonly CommandProblem[];
}

/** Commands of one comment that are read; nobody needs more, and each may cost calls. */
const MAX_COMMANDS = 20;

export function spoken<Comment extends { body: string }>(comment: Comment): Comment & ParsedComment {
  const { commands, problems } = parseCommands(comment.body);
  return { ...comment, commands: commands.slice(0, MAX_COMMANDS), problems };
}

const commandNames = table.map(({ name }) => name);

/** Columns of a line that an excerpt shows. */
const excerptWidth = 72;

/**
 * All commands and problems of a comment, in the order of their lines. A command is a whole line whose first
 * character but white space is `/`, and that is plain text of a paragraph (`slashLines`). Linear in the length of the
 * comment. Of an intricate one nothing is read, which is a problem where it has a line that looks like a command.
 */
export function parseCommands(body: string): { commands: GivenCommand[]; problems: CommandProblem[] } {
  if (isIntricate(body)) return { commands: [], problems: tooIntricate(body) };
  const commands: GivenCommand[] = [];
  const problems: CommandProblem[] = [];
  const ours = slashLines(body).filter(({ text }) => readLine(text) !== undefined);
  const rows = body.split(/\r\n?|\n/);
  for (const [at, { number, text }] of ours.entries()) {
    const below = rows.slice(number, ours[at + 1] && ours[at + 1]!.number - 1);
    const read = readLine(text, below.join('\n').trim());
    if (read === undefined) continue;
    if ('name' in read) commands.push({ ...read, line: number });
    else
      problems.push({
        line: number,
        column: read.at + 1,
        message: read.wrong,
        excerpt: excerptOf(text, read.at),
        ...(read.nearest === undefined ? {} : { nearest: read.nearest }),
        ...(read.bare && { bare: true }),
      });
  }
  return { commands, problems };
}

function tooIntricate(body: string): CommandProblem[] {
  const found = /^[ \t]*\/[a-z]/im.exec(body);
  if (!found) return [];
  const before = body.slice(0, found.index);
  const [line = ''] = body.slice(found.index, found.index + LOOKED_AT).split(/\r\n?|\n/);
  if (readLine(line) === undefined) return [];
  return [
    {
      line: before.split('\n').length,
      column: 1,
      message: `the comment has more Markdown around it than is read (${MAX_MARKS} marks and lines); write the command in a comment of its own`,
      excerpt: excerptOf(line, 0),
    },
  ];
}

/** Characters of the record that a command's entry may take; one of an eighth of it takes less, however badly it packs. */
const MAX_PACKED = 63_500;

/** Characters of a line that is only looked at. */
const LOOKED_AT = 1000;

type Wrong = Misfit & Pick<CommandProblem, 'bare'>;

function readLine(line: string, below = ''): Omit<GivenCommand, 'line'> | Wrong | undefined {
  const found = /^\s*\/(\S+)/.exec(line);
  if (!found) return undefined;
  let end = found[0].length;
  let word = found[1]!;
  const addressed = word.toLowerCase() === 'echelon';
  if (addressed) {
    const next = /^\s+(\S+)/.exec(line.slice(end));
    if (!next) return { wrong: 'a command is missing, such as /echelon status', at: line.trimEnd().length };
    end += next[0].length;
    word = next[1]!;
  }
  const row = table.find(({ name }) => name === word.toLowerCase());
  if (!row) {
    const unknown = { wrong: `"${shortened(word, 40)}" is not a command`, at: end - word.length };
    if (addressed) {
      const [near] = nearest(word.replace(/^\//, ''), commandNames);
      return { ...unknown, nearest: near && `/${near}` };
    }
    // A path, or a word with marks within it, is no slip of somebody who types a command.
    const meant = /^[a-z]+[.!,;:]?$/i.test(word) ? slipOf(word, commandNames) : undefined;
    return meant === undefined ? undefined : { ...unknown, nearest: `/${meant}`, bare: true };
  }
  const after = line.slice(end);
  const rest = after.trim();
  const said = row.parse(rest, below);
  const entry = { at: 1_700_000_000_000, id: 'c1-1', name: row.name, t: 'signal', value: said };
  if (rest.length + below.length > MAX_PACKED / 8 && packedSize([entry]) > MAX_PACKED)
    return { wrong: 'it is too long for the record: say it in fewer words', at: end };
  if (!isMisfit(said)) return { name: row.name, ...said };
  const at = rest === '' ? line.trimEnd().length : end + (after.length - after.trimStart().length) + said.at;
  return { wrong: `${said.wrong} (usage: ${row.usage})`, at, ...(said.nearest && { nearest: said.nearest }) };
}

const isMisfit = (said: object): said is Misfit => 'wrong' in said;

function excerptOf(line: string, at: number): string {
  const from = at > excerptWidth - 12 ? at - excerptWidth / 2 : 0;
  // One column for each character, or the caret would stand elsewhere.
  const shown = line
    .slice(from, from + excerptWidth)
    .toWellFormed()
    .replace(/[\s\p{C}]/gu, ' ')
    .trimEnd();
  return `${shown}\n${' '.repeat(at - from)}^`;
}

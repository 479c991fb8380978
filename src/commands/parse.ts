// Reads the commands out of a comment.
import { inlineCode, type MarkdownLine, markdownLines } from '../lib/markdown.ts';
import { nearest } from '../lib/nearest.ts';
import { commandNames, type Said, table } from './table.ts';

export type { CommandName } from './table.ts';

/** `line` counts from 1. */
export type Command = Said & { line: number };

/** A line that is meant for us and cannot be read. */
export interface CommandProblem {
  /** From 1. */
  line: number;
  /** From 1, in UTF-16 units. */
  column: number;
  message: string;
  /** The place in the line, with a second line whose caret stands under the column. */
  excerpt: string;
  /** What may have been meant: a command's name or its beginning, `/approve`. */
  nearest?: string;
}

/** Columns of a line that an excerpt shows. */
const excerptWidth = 72;

/**
 * All commands and problems of a comment, in the order of their lines. A command is a whole line whose first
 * character but white space is `/`. Quotes, code (fenced, indented by four columns, inline) and HTML comments are
 * not read; nor is a line that a stray `<!--` and a later `-->` enclose. Linear in the length of the comment.
 */
export function parseCommands(body: string): { commands: Command[]; problems: CommandProblem[] } {
  const commands: Command[] = [];
  const problems: CommandProblem[] = [];
  for (const { number, text } of visibleLines(body)) {
    const read = readLine(text);
    if (read === undefined) continue;
    if ('name' in read) commands.push({ ...read, line: number });
    else
      problems.push({
        line: number,
        column: read.at + 1,
        message: read.wrong,
        excerpt: excerptOf(text, read.at),
        ...(read.nearest === undefined ? {} : { nearest: read.nearest }),
      });
  }
  return { commands, problems };
}

interface Wrong {
  wrong: string;
  at: number;
  nearest?: string | undefined;
}

function readLine(line: string): Said | Wrong | undefined {
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
    if (!addressed) return undefined;
    const near = nearest(word.replace(/^\//, ''), commandNames)[0];
    return {
      wrong: `"${shorten(word)}" is not a command`,
      at: end - word.length,
      nearest: near && `/${near}`,
    };
  }
  const after = line.slice(end);
  const rest = after.trim();
  const said = row.parse(rest);
  if ('name' in said) return said;
  const at = rest === '' ? line.trimEnd().length : end + (after.length - after.trimStart().length) + said.at;
  return { wrong: `${said.wrong} (usage: ${row.usage})`, at, nearest: said.nearest ?? `/${row.name}` };
}

function shorten(word: string): string {
  return word.length > 40 ? `${word.slice(0, 39).toWellFormed()}…` : word;
}

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

function* visibleLines(body: string): Generator<MarkdownLine> {
  const { lines } = markdownLines(body, { html: true });
  const hidden = hiddenParts(body, lines);
  let next = 0;
  for (const line of lines) {
    if (line.kind !== 'text') continue;
    const start = line.start + line.text.length - line.text.trimStart().length;
    while (next < hidden.length && hidden[next]![1] <= start) next += 1;
    if (next < hidden.length && hidden[next]![0] <= start) continue;
    yield line;
  }
}

/** Inline code and HTML comments within paragraphs, as spans of the body in rising order of their ends. */
function hiddenParts(body: string, lines: readonly MarkdownLine[]): [number, number][] {
  const hidden: [number, number][] = [];
  let found: number | undefined;
  /** The first `-->` from an offset on; offsets come in rising order, so that each is looked for once. */
  const closeAfter = (offset: number) => {
    if (found === undefined || (found >= 0 && found < offset)) found = body.indexOf('-->', offset);
    return found;
  };
  for (const [start, end] of paragraphs(lines)) {
    const text = body.slice(start, end);
    const { spans } = inlineCode(text);
    let span = 0;
    let open = text.indexOf('<!--');
    for (const [from, to] of spans) hidden.push([start + from, start + to]);
    while (open >= 0) {
      while (span < spans.length && spans[span]![1] <= open) span += 1;
      const inCode = span < spans.length && spans[span]![0] <= open;
      const close = inCode ? -1 : closeAfter(start + open + 2);
      if (close >= 0) hidden.push([start + open, close + 3]);
      open = text.indexOf('<!--', open + 4);
    }
  }
  return merged(hidden);
}

function* paragraphs(lines: readonly MarkdownLine[]): Generator<[start: number, end: number]> {
  let start: number | undefined;
  let end = 0;
  for (const line of lines) {
    if (start !== undefined && (line.kind !== 'text' || line.begins)) {
      yield [start, end];
      start = undefined;
    }
    if (line.kind !== 'text') continue;
    start ??= line.start;
    end = line.start + line.text.length;
  }
  if (start !== undefined) yield [start, end];
}

function merged(spans: [number, number][]): [number, number][] {
  spans.sort((a, b) => a[0] - b[0]);
  const whole: [number, number][] = [];
  for (const [from, to] of spans) {
    const last = whole.at(-1);
    if (last && from < last[1]) last[1] = Math.max(last[1], to);
    else whole.push([from, to]);
  }
  return whole;
}

// Finds the lines of a Markdown text that are prose, quotes or code, and the inline code in a line: as much
// of CommonMark's block structure as posting foreign text and finding a reply's parts need. Linear in the text.

export type LineKind = 'text' | 'quote' | 'fenced' | 'indented' | 'blank';

export interface MarkdownLine {
  /** From 1. */
  number: number;
  /** Offset of the line's first character in the text. */
  start: number;
  /** Without its line end. */
  text: string;
  kind: LineKind;
  /** The fence that opens, closes or holds this line, when it stands at the first column of the document. */
  outermost: boolean;
  /** The line begins a block of its own (a list item, a heading, a rule), so no inline code reaches into it. */
  begins: boolean;
}

export interface Fence {
  mark: string;
  /** The column at which the contents of the list item begin that holds it; 0: none does. */
  indent: number;
  /** The number of the line that opens it. */
  line: number;
}

/** A line that opens fenced code. */
export interface FenceLine {
  /** The run of backticks or tildes. */
  mark: string;
  /** The info string, as written: `json`, for example. */
  info: string;
}

const LF = 10;
const CR = 13;
const marker = /^([-*+]|\d{1,9}[.)])([ \t]+|$)/;
const fenceStart = /^ {0,3}(`{3,}|~{3,})(.*)$/s;
const bare = /^[ \t]*$/;
/** Headings and rules: blocks of one line. */
const oneLine = /^(?:#{1,6}(?=\s|$)|=+[ \t]*$|(?:[-_*][ \t]*){3,}$)/;

/** Lines end with LF, CRLF or CR. HTML is ordinary text. `open` is the fence that the end of the text leaves open. */
export function markdownLines(body: string): { lines: MarkdownLine[]; open: Fence | undefined } {
  const lines: MarkdownLine[] = [];
  /** Columns at which the contents of the list items around the present line begin. */
  const items: number[] = [];
  let fence: (Fence & { outermost: boolean }) | undefined;
  let number = 0;
  let begins = true;
  for (const { start, text } of splitLines(body)) {
    number += 1;
    const say = (kind: LineKind, outermost = false) => {
      lines.push({ number, start, text, kind, outermost, begins });
      begins = kind !== 'text';
    };
    let { rest, column } = afterIndent(text, 0, 0);
    if (rest === '') {
      say(fence ? 'fenced' : 'blank', fence?.outermost);
      continue;
    }
    while (column < (items.at(-1) ?? 0)) {
      items.pop();
      // A list item that ends takes its fence with it.
      if (fence && fence.indent > (items.at(-1) ?? 0) && column < fence.indent) fence = undefined;
    }
    const inner = () => column - (items.at(-1) ?? 0);
    if (fence) {
      say('fenced', fence.outermost);
      if (inner() < 4 && closesFence(rest, fence)) fence = undefined;
      continue;
    }
    if (inner() >= 4) {
      say('indented');
      continue;
    }
    const depth = items.length;
    ({ rest, column } = intoItems(rest, column, items));
    begins ||= items.length > depth;
    const opened = fenceAt(rest);
    if (rest.startsWith('>')) say('quote');
    else if (opened) {
      const outermost = items.length === 0 && column === 0;
      fence = { mark: opened.mark, indent: items.at(-1) ?? 0, line: number, outermost };
      say('fenced', outermost);
    } else if (oneLine.test(rest)) {
      begins = true;
      say('text');
      begins = true;
    } else say('text');
  }
  return { lines, open: fence && { mark: fence.mark, indent: fence.indent, line: fence.line } };
}

/** Goes into the list items that begin a line, onto `items`; answers what stands in the innermost one, and its column. */
function intoItems(line: string, at: number, items: number[]): { rest: string; column: number } {
  let [rest, column] = [line, at];
  for (let item = marker.exec(rest); item && column - (items.at(-1) ?? 0) < 4; item = marker.exec(rest)) {
    const width = item[1]!.length;
    const next = afterIndent(rest, width, column + width);
    // Five or more columns after the marker: the item begins with indented code, one column in.
    const gap = next.column - column - width;
    items.push(next.rest === '' || gap > 4 ? column + width + 1 : next.column);
    ({ rest, column } = next);
    if (rest === '' || gap > 4 || items.length > 100) break;
  }
  return { rest, column };
}

/**
 * The fence that `line` (without its end) opens: three or more backticks or tildes behind at most three spaces, and
 * behind backticks no further one on that line. https://spec.commonmark.org/0.31.2/#fenced-code-blocks
 */
export function fenceAt(line: string): FenceLine | undefined {
  const [, mark, info] = fenceStart.exec(line) ?? [];
  if (mark === undefined || info === undefined) return undefined;
  return mark.startsWith('`') && info.includes('`') ? undefined : { mark, info };
}

/**
 * True if `line` closes the fence `open`: at least as many of the same character, behind at most three spaces, and
 * nothing behind them but spaces and tabs. What holds a line that only looks like it is still code.
 */
export function closesFence(line: string, open: { readonly mark: string }): boolean {
  const fence = fenceAt(line);
  return !!fence && fence.mark.startsWith(open.mark) && bare.test(fence.info);
}

/** Start and end (exclusive) of the inline code in a text without blank lines, the backticks included. */
export function inlineCode(text: string): { spans: [start: number, end: number][]; unmatched: number[] } {
  const spans: [number, number][] = [];
  /** Offsets of backticks that open nothing. */
  const unmatched: number[] = [];
  const runs = [...text.matchAll(/`+/g)].map(run => ({ at: run.index, length: run[0].length }));
  const byLength = Map.groupBy(runs, run => run.length);
  const tried = new Map<number, number>();
  const closing = (length: number, after: number) => {
    const same = byLength.get(length) ?? [];
    let next = tried.get(length) ?? 0;
    while (next < same.length && same[next]!.at < after) next += 1;
    tried.set(length, next);
    return same[next];
  };
  let covered = 0;
  for (const run of runs) {
    if (run.at < covered) continue;
    let { at, length } = run;
    if (isEscaped(text, at, covered)) {
      at += 1;
      length -= 1;
      if (length === 0) continue;
    }
    const close = closing(length, run.at + run.length);
    if (close) {
      covered = close.at + length;
      spans.push([at, covered]);
    } else for (let tick = at; tick < at + length; tick += 1) unmatched.push(tick);
  }
  return { spans, unmatched };
}

function isEscaped(text: string, at: number, from: number): boolean {
  let slashes = 0;
  while (at - 1 - slashes >= from && text[at - 1 - slashes] === '\\') slashes += 1;
  return slashes % 2 === 1;
}

/** The lines of a text, each without its end (LF, CRLF or CR) and with its offset. */
export function* splitLines(body: string): Generator<{ start: number; text: string }> {
  let start = 0;
  // Not by a regular expression: a text of line ends only would make a match of each.
  for (let at = 0; at < body.length; at += 1) {
    const code = body.charCodeAt(at);
    if (code !== LF && code !== CR) continue;
    yield { start, text: body.slice(start, at) };
    if (code === CR && body.charCodeAt(at + 1) === LF) at += 1;
    start = at + 1;
  }
  yield { start, text: body.slice(start) };
}

/** The text after white space, and its column; a tab leads to the next multiple of four. */
function afterIndent(text: string, from: number, column: number): { rest: string; column: number } {
  let at = from;
  for (; at < text.length; at += 1) {
    if (text[at] === ' ') column += 1;
    else if (text[at] === '\t') column += 4 - (column % 4);
    else break;
  }
  const rest = text.slice(at);
  return { rest: rest.trim() === '' ? '' : rest, column };
}

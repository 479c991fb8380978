// Reads S-expressions: a source as parentheses, words, texts and comments, each with its offset.

export type Token =
  | { kind: '(' | ')'; at: number }
  /** Of an attribute, without its colon. */
  | { kind: 'key'; at: number; word: string }
  | { kind: 'word'; at: number; word: string }
  /** `raw`, at the offset `from`, is what stands between its quotes. */
  | { kind: 'text'; at: number; text: string; raw: string; from: number }
  /** Text behind semicolons that are below each other, the first in `column` (from 0). */
  | { kind: 'comment'; at: number; lines: string[]; column: number; end: number };

export interface Tokens {
  tokens: readonly Token[];
  /** Nothing behind the last token could be made sense of; that has been reported. */
  isCut: boolean;
  /** It is cut since the source ends within a text. */
  isOpen?: boolean;
}

type OffsetReport = (offset: number, message: string) => void;

/** Escape sequences in a text between single quotation marks; `"""` texts have none. */
export const escaped = /\\(?:u\{(?<hex>[\da-fA-F]{1,6})\}|.)/gsu;

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '"': '"', '\\': '\\' };

/** Characters that a program may not contain. XML excludes the same ones, so each surface can be written as the other. */
const foreign = /[^\t\n\r\x20-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]+/gu;

/** A word ends at white space, a parenthesis, a text or a comment. */
const word = /[^ \t\n()";]+/y;

const lineEnd = /\n|$/g;

const long = '"""';

/** From the offset `from` on. `source` has line ends of \n only. */
export function tokensOf(source: string, report: OffsetReport, from = 0): Tokens {
  for (const { 0: run, index } of from > 0 ? [] : source.matchAll(foreign))
    report(index, `${codeOf(run)} is a character that a program cannot hold: leave it out`);
  const tokens: Token[] = [];
  for (let at = from; at < source.length; ) {
    const char = source[at]!;
    if (char === '(' || char === ')') {
      tokens.push({ kind: char, at });
      at++;
    } else if (char === ';') at = readComment(source, at, tokens);
    else if (char === '"') {
      const read = readText(source, at, report);
      if (typeof read === 'boolean') return { tokens, isCut: true, isOpen: read };
      tokens.push(read.token);
      at = read.end;
    } else if (char === ' ' || char === '\t' || char === '\n') at++;
    else {
      word.lastIndex = at;
      const found = word.exec(source)![0];
      tokens.push(
        found.startsWith(':') ? { kind: 'key', at, word: found.slice(1) } : { kind: 'word', at, word: found },
      );
      at += found.length;
    }
  }
  return { tokens, isCut: false };
}

/** One right below another goes on with it. */
function readComment(source: string, at: number, tokens: Token[]): number {
  lineEnd.lastIndex = at;
  const end = lineEnd.exec(source)!.index;
  const line = source.slice(at, end).replace(/^;+/, '');
  const last = tokens.at(-1);
  const column = at - source.lastIndexOf('\n', at) - 1;
  const isBelow = last?.kind === 'comment' && last.column === column && last.end === at - column - 1;
  if (isBelow && /^[ \t]*$/.test(source.slice(last.end + 1, at))) {
    last.lines.push(line);
    last.end = end;
  } else tokens.push({ kind: 'comment', at, lines: [line], column, end });
  return end;
}

/** The text that begins at `at`, and where it ends; else whether that is still to come. */
function readText(source: string, at: number, report: OffsetReport): { token: Token; end: number } | boolean {
  const quotes = source.startsWith(long, at) ? long : '"';
  const from = at + quotes.length;
  const closing = quotes === long ? source.indexOf(long, from) : closingQuote(source, from);
  if (closing < 0) {
    report(at, `the text that begins here is not closed with ${quotes}`);
    return true;
  }
  const end = closing + quotes.length;
  const raw = source.slice(from, closing);
  if (!/[ \t\n();]|^$/.test(source.charAt(end))) {
    if (quotes === '"' && raw.includes('\n'))
      report(at, `the text that begins here is not closed with ": it would end within a line further down`);
    else report(closing, `a text ends here, and nothing parts it from what follows: ${remedies[quotes]}`);
    return false;
  }
  const text = quotes === long ? raw : unescaped(raw, (index, message) => report(from + index, message));
  return { token: { kind: 'text', at, text, raw, from }, end };
}

const remedies = { '"': 'a " within it is \\"', [long]: `one with ${long} within it stands between " and "` };

function closingQuote(source: string, from: number): number {
  const stop = /["\\]/g;
  stop.lastIndex = from;
  for (let found = stop.exec(source); found; found = stop.exec(source)) {
    if (found[0] === '"') return found.index;
    stop.lastIndex = found.index + 2;
  }
  return -1;
}

function unescaped(raw: string, report: OffsetReport): string {
  if (!raw.includes('\\')) return raw;
  return raw.replace(escaped, (whole: string, hex: string | undefined, index: number) => {
    if (hex === undefined) {
      const char = escapes[whole.slice(1)];
      if (char === undefined) report(index, `there is no ${whole}: write \\\\ for a backslash`);
      return char ?? whole;
    }
    const point = Number.parseInt(hex, 16);
    const char = point > 0x10ffff ? '' : String.fromCodePoint(point);
    if (char === '' || foreign.test(char)) report(index, `${whole} is no character that a program can hold`);
    foreign.lastIndex = 0;
    return char;
  });
}

/** Of its first character, for a message: `U+00A0`. */
export const codeOf = (text: string): string =>
  `U+${text.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

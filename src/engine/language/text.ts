// Text of a program with its placeholders: `{{name}}` and `{{name.field}}`.
import type { Position } from './problem.ts';

export interface Placeholder {
  /** As written between the braces, without white space. */
  name: string;
  at: Position;
}

export interface TemplateText {
  parts: (string | Placeholder)[];
  at: Position;
}

const placeholder = /\{\{[^\S\n]*[A-Za-z_][\w-]*(?:\.[\w-]+)*[^\S\n]*\}\}/g;

/** A name that can be written between braces, and so can be bound. */
export const bindable = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** Splits `text` at its placeholders. `braces` tells where the nth `{{` stands; without it all are at `at`. */
export function template(text: string, at: Position, braces: readonly Position[] = []): TemplateText {
  const first = text.indexOf('{{');
  if (first < 0) return { parts: text === '' ? [] : [text], at };
  const parts: (string | Placeholder)[] = [];
  let from = 0;
  let pair = 0; // how many {{ stand before the match
  placeholder.lastIndex = first;
  while (placeholder.test(text)) {
    const end = placeholder.lastIndex;
    const begin = text.lastIndexOf('{{', end - 1 - '}}'.length); // no brace stands in a name
    if (begin > from) {
      const before = text.slice(from, begin);
      for (let brace = before.indexOf('{{'); brace >= 0; brace = before.indexOf('{{', brace + 2)) pair++;
      parts.push(before);
    }
    parts.push({ name: text.slice(begin + 2, end - 2).trim(), at: braces[pair] ?? at });
    pair++;
    from = end;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { parts: parts.slice(), at }; // a list that grew keeps room for more, and this one is kept
}

/** The placeholders of a template, in order. */
export function placeholders(text: TemplateText): Placeholder[] {
  return text.parts.filter(part => typeof part !== 'string');
}

/**
 * The longest name that `path` begins with and that `find` knows, what `find` gives for it, and the field behind it.
 * Names may themselves have dots: with `a.b` bound, `a.b.c` reads the field `c` of it, even where `a` is bound, too.
 */
export function longestBound<T>(
  path: string,
  find: (name: string) => T | undefined,
): { name: string; bound: T; field: string | undefined } | undefined {
  const whole = find(path);
  if (whole !== undefined) return { name: path, bound: whole, field: undefined };
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    const bound = find(name);
    if (bound !== undefined) return { name, bound, field: path.slice(dot + 1) };
  }
  return undefined;
}

/**
 * Takes away what only the layout of the document added: blank lines at both ends, white space at the end, and
 * the indentation that all lines share (the first line counts only when it stands on a line of its own).
 */
export function dedent(text: string): string {
  if (!text.includes('\n')) return text.trim();
  const body = text.trimEnd();
  let shared = Number.POSITIVE_INFINITY;
  let first = -1; // where the first line begins that is not blank
  for (let from = 0, end = 0; end < body.length; from = end + 1) {
    end = lineEnd(body, from);
    const begin = afterIndent(body, from, end);
    if (begin === end) continue;
    if (first < 0) first = from;
    if (from > 0) shared = Math.min(shared, begin - from);
  }
  if (first < 0) return '';
  const lines: string[] = [];
  for (let from = first, end = 0; end < body.length; from = end + 1) {
    end = lineEnd(body, from);
    const begin = afterIndent(body, from, end);
    lines.push(body.slice(begin === end || from === 0 ? begin : from + shared, end));
  }
  return lines.length === 1 ? lines[0]! : lines.join('\n');
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** Where the white space ends with which the line from `from` to `end` begins. */
function afterIndent(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isSpace(text.charCodeAt(at))) at++;
  return at;
}

const TAB = 9;
const SPACE = 32;

function isSpace(code: number): boolean {
  if (code === SPACE || code === TAB) return true;
  return (code < SPACE || code > 126) && /\s/.test(String.fromCharCode(code));
}

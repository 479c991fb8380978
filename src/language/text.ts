// Text of a program with its placeholders: `{{name}}` and `{{name.field}}`.
import type { Position } from './problem.ts';

export interface Placeholder {
  /** As written between the braces, without white space. */
  name: string;
  at: Position;
}

export interface Template {
  parts: (string | Placeholder)[];
  at: Position;
}

const placeholder = /\{\{[^\S\n]*([A-Za-z_][\w-]*(?:\.[\w-]+)*)[^\S\n]*\}\}/g;

/** A name that can be written between braces, and so can be bound. */
export const bindable = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** Splits `text` at its placeholders. `braces` tells where the nth `{{` stands; without it all are at `at`. */
export function template(text: string, at: Position, braces: Position[] = []): Template {
  const parts: (string | Placeholder)[] = [];
  let from = 0;
  let pair = 0; // how many {{ stand before the match
  for (const match of text.matchAll(placeholder)) {
    const before = text.slice(from, match.index);
    if (before !== '') parts.push(before);
    pair += before.split('{{').length - 1;
    parts.push({ name: match[1]!, at: braces[pair] ?? at });
    pair++;
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(text.slice(from));
  return { parts, at };
}

/** The placeholders of a template, in order. */
export function placeholders(text: Template): Placeholder[] {
  return text.parts.filter(part => typeof part !== 'string');
}

/**
 * Takes away what only the layout of the document added: blank lines at both ends, white space at the end, and
 * the indentation that all lines share (the first line counts only when it stands on a line of its own).
 */
export function dedent(text: string): string {
  const lines = text.trimEnd().split('\n');
  const inline = lines[0]!.trim() !== '';
  while (lines.length > 1 && lines[0]!.trim() === '') lines.shift();
  let shared = Number.POSITIVE_INFINITY;
  for (const [index, line] of lines.entries())
    if (line.trim() !== '' && !(inline && index === 0)) shared = Math.min(shared, line.search(/\S/));
  return lines
    .map((line, index) => {
      if (line.trim() === '') return '';
      return inline && index === 0 ? line.trimStart() : line.slice(shared);
    })
    .join('\n');
}

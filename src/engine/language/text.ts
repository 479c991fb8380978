// Text of a program with its placeholders: `{{name}}`, `{{name.field}}`, `{{name.list[0].field}}`.
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

const placeholder = /\{\{[^\S\n]*[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,9}\])*[^\S\n]*\}\}/g;

/** A name that can be written between braces, and so can be bound. */
export const bindable = /^[A-Za-z_][\w-]*(?:\.[\w-]+)*$/;

/** Pattern of a readable path: a name, and a way into its value. */
export const readable = /^[A-Za-z_][\w-]*(?:\.[\w-]+|\[\d{1,9}\])*$/;

/** True if `read` is `name` itself or a path into it. */
export const readsFrom = (read: string, name: string): boolean =>
  read === name || read.startsWith(`${name}.`) || read.startsWith(`${name}[`);

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

/** The placeholder that a text consists of, whose value goes on as it is: a number stays a number. */
export function passedOn({ parts }: TemplateText): Placeholder | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only !== 'string' ? only : undefined;
}

/** Steps into a value: the name of a member, the place of an element from 0. */
export type Steps = readonly (string | number)[];

/**
 * The longest name that `path` begins with and that `find` knows, what `find` gives for it, and the steps behind it.
 * Names may themselves have dots: with `a.b` bound, `a.b.c` reads the field `c` of it, even where `a` is bound, too.
 */
export function longestBound<T>(
  path: string,
  find: (name: string) => T | undefined,
): { name: string; bound: T; steps: Steps } | undefined {
  const whole = find(path);
  if (whole !== undefined) return { name: path, bound: whole, steps: noSteps };
  for (let end = lastStep(path, path.length); end > 0; end = lastStep(path, end)) {
    const name = path.slice(0, end);
    const bound = find(name);
    if (bound !== undefined) return { name, bound, steps: stepsIn(path.slice(end)) };
  }
  return undefined;
}

const noSteps: Steps = [];

/** Offset of the last step before `end`. */
const lastStep = (path: string, end: number): number =>
  Math.max(path.lastIndexOf('.', end - 1), path.lastIndexOf('[', end - 1));

/** `.a[0].b` -> `['a', 0, 'b']` */
const stepsIn = (path: string): Steps =>
  Array.from(path.matchAll(/\.([\w-]+)|\[(\d+)\]/g), ([, member, place]) => member ?? Number(place));

/**
 * Takes away what only the layout of the document added: blank lines at both ends, white space at the end, and
 * the indentation that all lines share (the first line counts only when it stands on a line of its own).
 */
export function dedent(text: string): string {
  if (!text.includes('\n')) return text.trim();
  const lines = text.trimEnd().split('\n');
  const indents = lines.map(line => line.search(/\S/));
  const first = indents.findIndex(indent => indent >= 0);
  if (first < 0) return '';
  const shared = indents.reduce(
    (least, indent, index) => (index === 0 || indent < 0 ? least : Math.min(least, indent)),
    Number.POSITIVE_INFINITY,
  );
  const begins = indents.map((indent, index) => (index === 0 || indent < 0 ? indent : shared));
  return lines
    .slice(first)
    .map((line, index) => (begins[first + index]! < 0 ? '' : line.slice(begins[first + index])))
    .join('\n');
}

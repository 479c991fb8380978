// The attributes of an opening tag, and its end.
import type { Fault } from './fault.ts';
import { endOfBlanks, endOfName, known, type Known, knownAt, NAME_LIMIT } from './name.ts';
import { attributeNames, type TagName, tagNames } from './table.ts';

/** Without a prototype: names come from a model. */
export type Attributes = Readonly<Record<string, string>>;

export interface Whole {
  kind: 'whole';
  tag: TagName;
  attributes: Attributes;
  /** Their bits; see `bitsOf`. */
  seen: number;
  closesItself: boolean;
  end: number;
}

export type AttributesRead =
  | Whole
  | { kind: 'fault'; fault: Fault }
  /** The text ends within the tag; it cannot become whole before `wanted` appears. */
  | { kind: 'cut'; fault: Fault; wanted: string };

/**
 * Reads attributes from `from`, the end of the tag's name, to behind `>}}`. An attribute is `name="value"` or
 * `name='value'`, with blanks before it; a value is taken as it stands (there are no escapes) and may hold line
 * ends, and tags as text. A name alone has the value `true`. The first fault ends the reading.
 */
export function readAttributes(text: string, from: number, tag: TagName): AttributesRead {
  if (text.startsWith('>}}', from))
    return { kind: 'whole', tag, attributes: noAttributes, seen: 0, closesItself: false, end: from + 3 };
  const names = knownAttributes.get(tag)!;
  const attributes: Record<string, string> = new Bare();
  let seen = 0;
  let at = from;
  for (;;) {
    const start = endOfBlanks(text, at);
    if (text.startsWith('>}}', start))
      return { kind: 'whole', tag, attributes, seen, closesItself: false, end: start + 3 };
    if (text.charCodeAt(start) === SLASH && text.startsWith('>}}', start + 1))
      return { kind: 'whole', tag, attributes, seen, closesItself: true, end: start + 4 };
    const found = knownAt(text, start, names);
    const end = found ? start + found.name.length : endOfName(text, start);
    if (end === start && !isBeginning(text, start, '>}}') && !isBeginning(text, start, '/>}}'))
      return faulty(
        start,
        `${characterAt(text, start)} in the tag ${tag}: an attribute, "/>}}" or ">}}" belongs here`,
      );
    if (end === text.length || end === start)
      return cut(start, `the tag ${tag} does not end: ">}}" is missing`, '>}}');
    if (start === at) {
      const isEscaped = text[start - 2] === '\\';
      const message = isEscaped
        ? 'there are no escapes in values: put one with " in it between single quotes'
        : `a space is missing before this attribute of ${tag}`;
      return faulty(start, message);
    }
    if (!found) {
      const name = text.slice(start, Math.min(end, start + NAME_LIMIT));
      return faulty(start, `${tag} has no attribute "${name}"`, {
        name,
        known: names.map(each => each.name),
      });
    }
    const { name, bit } = found;
    if ((seen & bit) !== 0) return faulty(start, `${tag} has the attribute ${name} twice`);
    seen |= bit;

    const equals = endOfBlanks(text, end);
    if (text[equals] !== '=') {
      attributes[name] = 'true';
      at = end;
      continue;
    }
    const open = endOfBlanks(text, equals + 1);
    const mark = text[open];
    if (mark === undefined) return cut(open, `the attribute ${name} of ${tag} has no value`, '>}}');
    if (mark !== '"' && mark !== "'")
      return faulty(open, `the value of ${name} must stand in quotes: ${name}="..."`);
    const close = text.indexOf(mark, open + 1);
    if (close < 0) return cut(open, `the value of ${name} does not end: ${mark} is missing`, mark);
    attributes[name] = text.slice(open + 1, close);
    at = close + 1;
  }
}

interface KnownAttribute extends Known {
  /** Its own among the less than 32 of its tag. */
  bit: number;
}

const knownAttributes: ReadonlyMap<TagName, readonly KnownAttribute[]> = new Map(
  tagNames.map(tag => [
    tag,
    [...attributeNames(tag).keys()].map((name, index) => ({ ...known(name), bit: 1 << index })),
  ]),
);

/** Numbers tell which attributes a tag has: to look for each among the attributes costs far more. */
export function bitsOf(tag: TagName, names: readonly string[]): number {
  return knownAttributes
    .get(tag)!
    .reduce((bits, { name, bit }) => (names.includes(name) ? bits | bit : bits), 0);
}

const SLASH = 47;

/** An object without inherited names; unlike one made by Object.create(null) it stays fast. */
class Bare {
  [name: string]: string;
}
Object.setPrototypeOf(Bare.prototype, null);
Reflect.deleteProperty(Bare.prototype, 'constructor');

const noAttributes: Attributes = Object.freeze(new Bare());

function faulty(offset: number, message: string, unknown?: Fault['unknown']): AttributesRead {
  return { kind: 'fault', fault: { offset, message, ...(unknown && { unknown }) } };
}

function cut(offset: number, message: string, wanted: string): AttributesRead {
  return { kind: 'cut', fault: { offset, message }, wanted };
}

function characterAt(text: string, at: number): string {
  return JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0));
}

/** Whether the text ends at `from` or within the `wanted` that begins there. */
export function isBeginning(text: string, from: number, wanted: string): boolean {
  return text.length - from < wanted.length && wanted.startsWith(text.slice(from));
}

// The attributes of an opening tag, and its end.
import type { Fault } from './fault.ts';
import { endOfBlanks, endOfName, NAME_LIMIT } from './name.ts';
import { attributeNames, type TagName } from './table.ts';

/** Without a prototype: names come from a model. */
export type Attributes = Readonly<Record<string, string>>;

export type AttributesRead =
  | { kind: 'whole'; attributes: Attributes; closesItself: boolean; end: number }
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
    return { kind: 'whole', attributes: noAttributes, closesItself: false, end: from + 3 };
  const known = attributeNames(tag);
  const attributes: Record<string, string> = new Bare();
  let at = from;
  for (;;) {
    const start = endOfBlanks(text, at);
    const end = endOfName(text, start);
    if (end === start) {
      if (text.startsWith('>}}', start))
        return { kind: 'whole', attributes, closesItself: false, end: start + 3 };
      if (text.startsWith('/>}}', start))
        return { kind: 'whole', attributes, closesItself: true, end: start + 4 };
      if (!isBeginning(text, start, '>}}') && !isBeginning(text, start, '/>}}'))
        return faulty(
          start,
          `${characterAt(text, start)} in the tag ${tag}: an attribute, "/>}}" or ">}}" belongs here`,
        );
    }
    if (end === text.length || end === start)
      return cut(start, `the tag ${tag} does not end: ">}}" is missing`, '>}}');
    if (start === at) {
      const isEscaped = text[start - 2] === '\\';
      const message = isEscaped
        ? 'there are no escapes in values: put one with " in it between single quotes'
        : `a space is missing before this attribute of ${tag}`;
      return faulty(start, message);
    }
    const written = text.slice(start, Math.min(end, start + NAME_LIMIT));
    const name = known.get(written);
    if (name === undefined)
      return faulty(start, `${tag} has no attribute "${written}"`, {
        name: written,
        known: [...known.keys()],
      });
    if (attributes[name] !== undefined) return faulty(start, `${tag} has the attribute ${name} twice`);

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

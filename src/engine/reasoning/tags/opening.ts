// One opening tag: its name and attributes from `{{<` to `>}}`, and what is wrong with it.
import type { Fields } from '../operations/fields.ts';
import { operations, type TagForm, type TagName } from '../operations/table.ts';
import { attributeNames, formOf, isNearTag, operationTags, tagNamed } from './forms.ts';

/** An error in a tag, before its line is known. */
export interface Fault {
  message: string;
  offset: number;
  /** A name that is not known, and those that are: the nearest one is added to the message. */
  unknown?: { name: string; known: Iterable<string> };
}

/** An unreadable tag. A readable one has `fault: undefined`. */
type Faulty = { fault: Fault };

export type Opening = {
  name: string;
  end: number;
  /** `none`: it closes itself. `lost`: nobody can tell where it ends, and reading goes on behind its name. */
  body: 'follows' | 'none' | 'lost';
} & (Faulty | { fault: undefined; tag: TagName; attributes: Fields });

/** Nothing with a longer name is a tag. */
const NAME_LIMIT = 64;

/**
 * Reads the opening tag at `open`; undefined where it is text. So is an unknown name, unless it is near to a known one
 * and its tag is whole, and a `vaultref`, since it does something in bodies only. A faulty tag ends at the first `>}}`
 * before the next tag: quotes in it mean nothing.
 */
export function readOpening(text: string, open: number, tools: ReadonlySet<string>): Opening | undefined {
  const nameStart = endOfBlanks(text, open + 3);
  const nameEnd = endOfName(text, nameStart);
  const name = nameIn(text, nameStart, nameEnd);
  const own = tools.has(name) ? 'tool' : undefined;
  const tag = tagNamed(name) ?? own;
  const isSpaced = nameStart > open + 3;
  if (tag === 'vaultref' || (!tag && (isSpaced || !isNearTag(name)))) return undefined;

  let fault: Fault;
  if (isSpaced) fault = { offset: open, message: `no space may stand before the name: write {{<${name}` };
  else if (!tag)
    fault = {
      offset: open,
      message: `there is no tag "${name}" (the tags: ${operationTags.join(', ')})`,
      unknown: { name, known: operationTags },
    };
  else {
    const read = readAttributes(text, nameEnd, tag);
    if (!read.fault) {
      const { fault: none, closesItself, end } = read;
      const attributes = tag === own ? { ...read.attributes, name } : read.attributes;
      return { fault: none, name, end, body: closesItself ? 'none' : 'follows', tag, attributes };
    }
    fault = read.fault;
  }

  const next = text.indexOf('{{<', nameEnd);
  const length = text.slice(nameEnd, next < 0 ? undefined : next).indexOf('>}}');
  if (length >= 0) {
    const end = nameEnd + length;
    if (fault.offset > end) fault = { offset: open, message: `a quote is missing in the tag ${name}` };
    return { fault, name, end: end + 3, body: text[end - 1] === '/' ? 'none' : 'follows' };
  }
  if (!tag) return undefined;
  fault = { offset: open, message: `the tag ${name} does not end: ">}}" is missing` };
  return { fault, name, end: nameEnd, body: 'lost' };
}

/**
 * Reads attributes from `from`, the end of the tag's name, to behind `>}}`. An attribute is `name="value"` or
 * `name='value'`, with blanks before it; a value is taken as it stands (there are no escapes) and may hold line
 * ends, and tags as text. A name alone has the value `true`. The first fault ends the reading.
 */
export function readAttributes(
  text: string,
  from: number,
  tag: TagName,
): Faulty | { fault: undefined; attributes: Fields; closesItself: boolean; end: number } {
  const known = attributeNames(tag);
  const attributes: Record<string, string> = Object.create(null);
  for (let at = from; ; ) {
    const start = endOfBlanks(text, at);
    if (text.startsWith('>}}', start))
      return { fault: undefined, attributes, closesItself: false, end: start + 3 };
    if (text.startsWith('/>}}', start))
      return { fault: undefined, attributes, closesItself: true, end: start + 4 };
    const end = endOfName(text, start);
    if (end === text.length || end === start || start === at)
      return faulty(start, whyNoAttribute(text, start, end, tag));
    const name = nameIn(text, start, end);
    if (!known.has(name)) return faulty(start, `${tag} has no attribute "${name}"`, { name, known });
    if (attributes[name] !== undefined) return faulty(start, `${tag} has the attribute ${name} twice`);

    const read = readValue(text, end, name, tag);
    if (read.fault) return read;
    attributes[name] = read.value;
    at = read.end;
  }
}

const faulty = (offset: number, message: string, unknown?: Fault['unknown']): Faulty => ({
  fault: { offset, message, ...(unknown && { unknown }) },
});

/** Returns the reason that no attribute begins at `start`; the possible name there ends at `end`. */
function whyNoAttribute(text: string, start: number, end: number, tag: TagName): string {
  if (end === text.length) return `the tag ${tag} does not end: ">}}" is missing`;
  if (end > start)
    return text[start - 2] === '\\'
      ? 'there are no escapes in values: put one with " in it between single quotes'
      : `a space is missing before this attribute of ${tag}`;
  const found = JSON.stringify(String.fromCodePoint(text.codePointAt(start) ?? 0));
  return `${found} in the tag ${tag}: an attribute, "/>}}" or ">}}" belongs here`;
}

/** Reads the value of the attribute whose name ends at `from`. */
function readValue(
  text: string,
  from: number,
  name: string,
  tag: TagName,
): Faulty | { fault: undefined; value: string; end: number } {
  const equals = endOfBlanks(text, from);
  if (text[equals] !== '=') return { fault: undefined, value: 'true', end: from };
  const open = endOfBlanks(text, equals + 1);
  const mark = text[open];
  if (mark === undefined) return faulty(open, `the attribute ${name} of ${tag} has no value`);
  if (mark !== '"' && mark !== "'")
    return faulty(open, `the value of ${name} must stand in quotes: ${name}="..."`);
  const close = text.indexOf(mark, open + 1);
  if (close < 0) return faulty(open, `the value of ${name} does not end: ${mark} is missing`);
  return { fault: undefined, value: text.slice(open + 1, close), end: close + 1 };
}

/** The form of a block (its body undefined when it closes itself), or why it has none; `offset` is its start. */
export function formFor(
  { tag, attributes }: { tag: TagName; attributes: Fields },
  body: string | undefined,
  offset: number,
): Faulty | { fault: undefined; form: TagForm } {
  const form = formOf(tag, attributes);
  if (!form) {
    const known = operations[tag].forms.flatMap(each => each.action ?? []);
    const name = attributes['action'] ?? '';
    const message = `${tag} has no action ${JSON.stringify(name.slice(0, 64))} (its actions: ${known.join(', ')})`;
    return faulty(offset, message, { name, known });
  }
  for (const name of attributeNames(tag))
    if (name !== 'action' && attributes[name] !== undefined && !form.attributes[name])
      return faulty(offset, `${called(tag, form)} takes no attribute ${name}`);
  const { presence, field } = form.body;
  if (body === undefined && presence === 'required')
    return faulty(offset, `${called(tag, form)} needs a body: {{<${tag} ...>}} body {{</${tag}>}}`);
  if (body !== undefined && presence === 'none' && /\S/.test(body))
    return faulty(offset, `${called(tag, form)} takes no body: end the tag with "/>}}"`);
  if (body !== undefined && field !== undefined && attributes[field] !== undefined)
    return faulty(offset, `${tag} has its ${field} twice: as an attribute and as its body`);
  return { fault: undefined, form };
}

function called(tag: TagName, { action }: TagForm): string {
  return action === undefined ? tag : `${tag} with action="${action}"`;
}

/** The offset behind the name that begins at `from`: a letter or `_`, then letters, digits, `_`, `-`. */
export function endOfName(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const isLetter = ((code | 32) >= 97 && (code | 32) <= 122) || code === 95;
    const isInner = (code >= 48 && code <= 57) || code === 45;
    if (!isLetter && (at === from || !isInner)) break;
  }
  return at;
}

/** Of a longer name than any tag's only so much that it is known to be one. */
export const nameIn = (text: string, start: number, end: number) =>
  text.slice(start, Math.min(end, start + NAME_LIMIT + 1));

/** The offset behind the spaces, tabs and line ends that begin at `from`. */
function endOfBlanks(text: string, from: number): number {
  let at = from;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) break;
  }
  return at;
}

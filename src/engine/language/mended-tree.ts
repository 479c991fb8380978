// The tree of a source that may have problems, and a report of each: slow, since most sources are read without it.
import { SaxesParser } from 'saxes';
import {
  type Attribute,
  beginOf,
  type Element,
  holdsElements,
  isBlank,
  rawOffsets,
  type Text,
} from './element.ts';
import type { Position, Report } from './problem.ts';
import { type Mended, mend } from './wellformed.ts';

/** A tree, as far as it could be made out. */
export interface MendedTree {
  root: Element | undefined;
  /** The elements whose end is not known, from the inside out; empty where the source was read to its end. */
  unfinished: readonly Element[];
}

/**
 * The tree, as far as it can be made out; reports every way in which `text` is not well-formed XML. Its lines end
 * with \n; `position` gives their places.
 */
export function mendedTree(text: string, position: (offset: number) => Position, report: Report): MendedTree {
  const malformed: Report = (at, message, kind = 'syntax') => report(at, message, kind);
  const mended = mend(
    text,
    (offset, message, kind) => malformed(position(offset), message, kind),
    offset => `${position(offset).line}:${position(offset).column}`,
  );
  const tree = build(mended, offset => position(mended.original(offset)), malformed);
  if (!tree.root && mended.cut === undefined)
    malformed(position(0), 'the program is empty: it needs a <task> element');
  return tree;
}

/** Its children are still to come. */
interface OpenElement extends Element {
  children: (Element | Text)[];
}

function build(
  { text: source, cut = source.length + 1 }: Mended,
  position: (offset: number) => Position,
  report: Report,
): MendedTree {
  const parser = new SaxesParser({ position: true });
  const open: OpenElement[] = [];
  const unfinished: Element[] = [];
  let root: Element | undefined;
  let roots = 0;
  let cursor = 0; // the end of the markup before the text that is being read
  let attributes = new Map<string, Attribute>();

  const addText = (text: string, from: number, to: number) => {
    const raw = source.slice(from, to);
    const places = (indexes: readonly number[]) =>
      Array.from(rawOffsets(raw, text, indexes), offset => position(from + offset));
    const at = position(from + beginOf(raw));
    const parent = open.at(-1);
    if (parent) parent.children.push({ kind: 'text', text, at, places });
    else if (!isBlank(text)) report(position(from + beginOf(text)), 'text outside of the root element');
  };
  parser.on('opentagstart', () => {
    cursor = parser.position;
    attributes = new Map();
  });
  parser.on('attribute', ({ name, value }) => {
    const from = source.indexOf(name, cursor);
    cursor = parser.position;
    if (attributes.has(name)) report(position(from), `duplicate attribute ${name}`);
    else attributes.set(name, { value, at: position(from) });
  });
  parser.on('opentag', ({ name }) => {
    cursor = parser.position;
    const at = position(source.lastIndexOf('<', cursor - 1));
    const element: OpenElement = { kind: 'element', name, at, attributes, children: [] };
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else if (++roots === 1) root = element;
    else report(at, `a program has one root element; <${name}> is a second one`);
    open.push(element);
  });
  parser.on('closetag', () => {
    cursor = parser.position;
    const closed = open.pop();
    if (closed && cursor > cut) unfinished.push(closed);
    if (closed && holdsElements(closed.children))
      closed.children = closed.children.filter(child => child.kind === 'element');
  });
  parser.on('text', value => {
    const end = Math.max(cursor, source.lastIndexOf('<', parser.position - 1));
    addText(value, cursor, end);
    cursor = end;
  });
  parser.on('cdata', value => {
    addText(value, cursor + '<![CDATA['.length, parser.position - ']]>'.length);
    cursor = parser.position;
  });
  // saxes tells of a comment before its >.
  parser.on('comment', () => (cursor = parser.position + (source[parser.position] === '>' ? 1 : 0)));
  parser.on('processinginstruction', () => (cursor = parser.position));
  parser.on('xmldecl', () => (cursor = parser.position));
  parser.on('error', error => {
    const message = error.message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (!root && message === 'unexpected end') return; // the program is empty
    if (Object.hasOwn(reportedElsewhere, message) || message.startsWith('duplicate attribute')) return;
    const { words, back = 1 } = saxesMessages[message] ?? { words: message };
    report(position(Math.max(0, parser.position - back)), words);
  });
  parser.write(source).close();
  return { root, unfinished };
}

/** What saxes says and this file says better. */
const reportedElsewhere: Record<string, true> = {
  'text data outside of root node': true,
  'documents may contain only one root': true,
  'document must contain a root element': true,
};

/**
 * saxes' message -> the words of this product, and how many characters before the parser's place the problem is
 * (1 when absent). Other messages are passed on as they are.
 */
const saxesMessages: Record<string, { words: string; back?: number }> = {
  'attribute without value': { words: 'an attribute without a value: write name="value"' },
  'unquoted attribute value': { words: 'an attribute value without quotes: write name="value"' },
  'no whitespace between attributes': { words: 'a space is missing between two attributes' },
  'disallowed character': { words: 'a character that XML does not allow' },
  'disallowed character in attribute name': { words: 'a character that an attribute name cannot have' },
  'malformed comment': { words: '-- is not allowed inside a comment', back: 3 },
  'malformed character entity': { words: 'a character reference that names no character' },
  'the string "]]>" is disallowed in char data': {
    words: ']]> is not allowed in text: write ]]&gt;',
    back: 3,
  },
  'forward-slash in opening tag not followed by >': { words: 'a / that does not end the tag' },
};

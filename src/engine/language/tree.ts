// A program's source as a tree of elements and text, and a report of every way in which it is no well-formed XML.
import { SaxesParser } from 'saxes';
import { placesIn } from '../../lib/line-column.ts';
import { type Attribute, type Element, isBlank, type Text } from './element.ts';
import type { Position, Report } from './problem.ts';
import { type Mended, mend } from './wellformed.ts';

/** Characters. A larger source is refused before it is looked at. */
export const SOURCE_LIMIT = 1_048_576;

/** A tree, as far as it could be made out. */
interface Tree {
  root: Element | undefined;
  /** The elements whose end is not known, from the inside out; empty where the source was read to its end. */
  unfinished: readonly Element[];
}

/** The tree, as far as it can be made out; reports every way in which the source is not well-formed XML. */
export function readTree(source: string, file: string, report: Report): Tree {
  if (source.length > SOURCE_LIMIT) {
    const message = `the program has ${source.length} characters; at most ${SOURCE_LIMIT} are read`;
    report({ file, line: 1, column: 1 }, message);
    return { root: undefined, unfinished: [] };
  }
  const text = normalized(source);
  const place = placesIn(text);
  const position = (offset: number): Position => ({ file, ...place(offset) });
  const malformed: Report = (at, message, kind = 'syntax') => report(at, message, kind);
  const mended = mend(
    text,
    (offset, message, kind) => malformed(position(offset), message, kind),
    offset => `${position(offset).line}:${position(offset).column}`,
  );
  const tree = new TreeParser(mended, position, malformed).tree();
  if (!tree.root && mended.cut === undefined)
    malformed(position(0), 'the program is empty: it needs a <task> element');
  return tree;
}

/** Without a byte order mark; every line ends with \n. */
function normalized(source: string): string {
  const text = source.startsWith('\uFEFF') ? source.slice(1) : source;
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

/** Its children are still to come. */
interface OpenElement extends Element {
  children: (Element | Text)[];
  comments?: { before: string[]; atEnd: string[] };
}

/**
 * Makes the tree of a mended source. A parser of its own kind, rather than one with functions around it: beside its own
 * fields V8 keeps those of saxes where they are found fast, with so many handlers set on it from outside as in a
 * dictionary, and it then takes five times as long.
 */
class TreeParser extends SaxesParser {
  readonly #source: string;
  /** Elements that end behind it are unfinished. */
  readonly #cut: number;
  readonly #position: (offset: number) => Position;
  readonly #report: Report;
  readonly #open: OpenElement[] = [];
  readonly #tree: Tree & { unfinished: Element[] } = { root: undefined, unfinished: [] };
  #roots = 0;
  /** The end of the markup before the text that is being read. */
  #cursor = 0;
  #attributes = new Map<string, Attribute>();
  /** Comments since the last tag. */
  #comments: string[] = [];

  constructor(mended: Mended, position: (offset: number) => Position, report: Report) {
    super({ position: true });
    this.#source = mended.text;
    this.#cut = mended.cut ?? mended.text.length + 1;
    this.#position = offset => position(mended.original(offset));
    this.#report = report;
    const toHere = () => {
      this.#cursor = this.position;
    };
    this.on('opentagstart', () => {
      toHere();
      this.#attributes = new Map();
    });
    this.on('attribute', ({ name, value }) => this.#addAttribute(name, value));
    this.on('opentag', ({ name }) => this.#openElement(name));
    this.on('closetag', () => this.#closeElement());
    this.on('text', value => {
      const end = Math.max(this.#cursor, this.#source.lastIndexOf('<', this.position - 1));
      this.#addText(value, this.#cursor, end);
      this.#cursor = end;
    });
    this.on('cdata', value => {
      this.#addText(value, this.#cursor + '<![CDATA['.length, this.position - ']]>'.length);
      toHere();
    });
    // saxes tells of a comment before its >.
    this.on('comment', words => {
      this.#comments.push(words);
      this.#cursor = this.position + (this.#source[this.position] === '>' ? 1 : 0);
    });
    this.on('processinginstruction', toHere);
    this.on('xmldecl', toHere);
    this.on('error', error => this.#addProblem(error.message));
  }

  tree(): Tree {
    this.write(this.#source).close();
    return this.#tree;
  }

  #addText(text: string, from: number, to: number): void {
    const raw = this.#source.slice(from, to);
    const places = (indexes: readonly number[]) =>
      Array.from(rawOffsets(raw, text, indexes), offset => this.#position(from + offset));
    const at = this.#position(from + beginOf(raw));
    const parent = this.#open.at(-1);
    if (parent) parent.children.push({ kind: 'text', text, at, places });
    else if (!isBlank(text))
      this.#report(this.#position(from + beginOf(text)), 'text outside of the root element');
  }

  #addAttribute(name: string, value: string): void {
    const at = this.#position(this.#source.indexOf(name, this.#cursor));
    this.#cursor = this.position;
    if (this.#attributes.has(name)) this.#report(at, `duplicate attribute ${name}`);
    else this.#attributes.set(name, { value, at });
  }

  #openElement(name: string): void {
    this.#cursor = this.position;
    const at = this.#position(this.#source.lastIndexOf('<', this.#cursor - 1));
    const element: OpenElement = { kind: 'element', name, at, attributes: this.#attributes, children: [] };
    if (this.#comments.length > 0) element.comments = { before: this.#comments.splice(0), atEnd: [] };
    const parent = this.#open.at(-1);
    if (parent) parent.children.push(element);
    else if (++this.#roots === 1) this.#tree.root = element;
    else this.#report(at, `a program has one root element; <${name}> is a second one`);
    this.#open.push(element);
  }

  #closeElement(): void {
    this.#cursor = this.position;
    const closed = this.#open.pop();
    if (!closed) return;
    if (this.#comments.length > 0)
      closed.comments = { before: [], ...closed.comments, atEnd: this.#comments.splice(0) };
    if (this.#cursor > this.#cut) this.#tree.unfinished.push(closed);
    if (holdsElements(closed.children))
      closed.children = closed.children.filter(child => child.kind === 'element');
  }

  #addProblem(said: string): void {
    const message = said.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (!this.#tree.root && message === 'unexpected end') return; // the program is empty
    if (Object.hasOwn(reportedElsewhere, message) || message.startsWith('duplicate attribute')) return;
    const { words, back = 1 } = saxesMessages[message] ?? { words: message };
    this.#report(this.#position(Math.max(0, this.position - back)), words);
  }
}

/** Whether these are elements with nothing but white space between them. */
function holdsElements(nodes: readonly (Element | Text)[]): boolean {
  return (
    nodes.some(node => node.kind === 'element') &&
    nodes.every(node => node.kind === 'element' || isBlank(node.text))
  );
}

/** The offset of the first character that is no white space of XML; 0 where there is none. */
const beginOf = (text: string): number => Math.max(0, text.search(/[^ \t\n]/));

/**
 * Where in `raw`, as it stands in the source, the characters of `text` with these ascending indexes stand. The two
 * differ by references such as `&lt;` and `&#123;`, each of which stands for one character.
 */
function* rawOffsets(raw: string, text: string, indexes: readonly number[]): Generator<number> {
  if (raw.length === text.length) {
    yield* indexes;
    return;
  }
  const reference = /&(?:#(\d+)|#x([\da-fA-F]+)|\w+);/g;
  let read = 0; // of `text`
  let from = 0; // of `raw`, where `read` stands
  let next = reference.exec(raw);
  for (const index of indexes) {
    while (next && read + next.index - from < index) {
      const [whole, decimal, hex] = next;
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : 0;
      const size = point > 0xffff ? 2 : 1;
      if (read + next.index - from + size > index) break;
      read += next.index - from + size;
      from = next.index + whole.length;
      next = reference.exec(raw);
    }
    yield Math.min(from + index - read, next?.index ?? raw.length);
  }
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

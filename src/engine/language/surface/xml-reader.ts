// Reads XML: a program's source as a tree of elements and text.
import { SaxesParser } from 'saxes';
import type { Attribute } from '../element.ts';
import type { Position, Report } from '../problem.ts';
import { textAt } from './references.ts';
import { type Tree, TreeBuilder } from './tree-builder.ts';
import { type Mended, Mender } from './wellformed.ts';
import { fromXmlComment } from './xml-printer.ts';

/** `position` gives the place of an offset in `source`. */
export function readXml(source: string, position: (offset: number) => Position, report: Report): Tree {
  const mender = new Mender(
    source,
    (offset, message, kind) => report(position(offset), message, kind),
    offset => `${position(offset).line}:${position(offset).column}`,
  );
  return new TreeParser(mender.mended(), position, report).tree();
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
  readonly #builder: TreeBuilder;
  /** The end of the markup before the text that is being read. */
  #cursor = 0;
  #attributes = new Map<string, Attribute>();
  /** Behind the end of an element, where that is the last markup. */
  #closed: number | undefined;

  constructor(mended: Mended, position: (offset: number) => Position, report: Report) {
    super({ position: true });
    this.#source = mended.text;
    this.#cut = mended.cut ?? mended.text.length + 1;
    this.#position = offset => position(mended.original(offset));
    this.#report = report;
    this.#builder = new TreeBuilder(report);
    const toHere = () => {
      this.#cursor = this.position;
    };
    this.on('opentagstart', () => {
      toHere();
      this.#attributes = new Map();
    });
    this.on('attribute', ({ name, value }) => this.#addAttribute(name, value));
    this.on('opentag', ({ name }) => {
      toHere();
      this.#closed = undefined;
      const at = this.#position(this.#source.lastIndexOf('<', this.#cursor - 1));
      this.#builder.open(name, at, this.#attributes);
    });
    this.on('closetag', () => {
      toHere();
      this.#closed = this.#cursor;
      this.#builder.close(this.#cursor <= this.#cut);
    });
    this.on('text', value => {
      const markup = this.#source.lastIndexOf('<', this.position - 1);
      const end = markup < this.#cursor ? this.position : markup;
      this.#addText(value, this.#cursor, end);
      this.#cursor = end;
    });
    this.on('cdata', value => {
      this.#addText(value, this.#cursor + '<![CDATA['.length, this.position - ']]>'.length);
      toHere();
    });
    // saxes tells of a comment before its >.
    this.on('comment', words => {
      const end = this.position + (this.#source[this.position] === '>' ? 1 : 0);
      this.#builder.comment(fromXmlComment(words), this.#lineBehindElement(end));
      this.#cursor = end;
      this.#closed = undefined;
    });
    this.on('processinginstruction', toHere);
    this.on('xmldecl', toHere);
    this.on('error', error => this.#addProblem(error.message));
  }

  tree(): Tree {
    this.write(this.#source).close();
    return this.#builder.tree(this.#cut <= this.#source.length);
  }

  #addText(text: string, from: number, to: number): void {
    const raw = this.#source.slice(from, to);
    this.#builder.text(textAt(text, { raw, from, reference }, this.#position));
  }

  /** The line of the comment from the cursor to `end`, where the end of an element stands before it and nothing behind it. */
  #lineBehindElement(end: number): number | undefined {
    restOfLine.lastIndex = end;
    if (this.#closed === undefined || !restOfLine.test(this.#source)) return undefined;
    const between = this.#source.slice(this.#closed, this.#cursor);
    return /^[ \t]*$/.test(between) ? this.#position(this.#cursor).line : undefined;
  }

  #addAttribute(name: string, value: string): void {
    const at = this.#position(this.#source.indexOf(name, this.#cursor));
    this.#cursor = this.position;
    if (this.#attributes.has(name)) this.#report(at, `duplicate attribute ${name}`);
    else this.#attributes.set(name, { value, at });
  }

  #addProblem(said: string): void {
    const message = said.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
    if (!this.#builder.hasRoot && message === 'unexpected end') return; // the program is empty
    if (Object.hasOwn(reportedElsewhere, message) || message.startsWith('duplicate attribute')) return;
    const { words, back = 1 } = saxesMessages[message] ?? { words: message };
    this.#report(this.#position(Math.max(0, this.position - back)), words);
  }
}

const restOfLine = /[ \t]*(?:\n|$)/y;

/** References of one character, outside of CDATA sections, in which & has no meaning. */
const reference = /&(?:#(?<decimal>\d+)|#x(?<hex>[\da-fA-F]+)|\w+);/g;

/** Errors of saxes that this file reports better itself. */
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

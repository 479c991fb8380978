// Reads S-expressions: a program's source as the tree of elements and text that its XML would have.
//
//   program = element
//   element = "(" tag [name] { ":" attribute value } { element | text } ")"
//   text    = "..." with \" \\ \n \t \r \u{1f600}, or """...""" as it stands, or a number, true, false
//   value   = a word, or a text
//   comment = ";" to the end of the line
import type { Attribute } from '../element.ts';
import type { Position, Report } from '../problem.ts';
import { textAt } from './references.ts';
import { codeOf, escaped, type Token, tokensOf } from './s-expression-tokens.ts';
import { DEPTH_LIMIT, tooDeep, type Tree, TreeBuilder } from './tree-builder.ts';
import { xmlName } from './wellformed.ts';

/** The elements that have a name: a word that stands in them is it. */
export const named: ReadonlySet<string> = new Set([
  'task',
  'cond',
  'let',
  'call',
  'step',
  'input',
  'output',
  'parameter',
  'param',
  'arg',
  'bind',
]);

/** A number or a boolean, which is a text without quotes. */
export const literal = /^(?:-?\d+(?:\.\d+)?|true|false)$/;

/** `position` gives the place of an offset in `source`, which has line ends of \n only. */
export function readSExpressions(
  source: string,
  position: (offset: number) => Position,
  report: Report,
): Tree {
  return new Reader(source, position, report).tree();
}

interface Open {
  name: string;
  at: number;
  attributes: Map<string, Attribute>;
}

class Reader {
  readonly #source: string;
  readonly #position: (offset: number) => Position;
  readonly #report: (offset: number, message: string, kind?: 'error') => void;
  readonly #builder: TreeBuilder;
  readonly #tokens: readonly Token[];
  /** The tokens break off; or the reader has, at something of which nothing could be made. */
  #isCut: boolean;
  /** Number of ) that the source lacks; negative if it has too many. */
  #missing = 0;
  readonly #open: Open[] = [];
  #next = 0;
  /** Behind the last token that is neither a ) nor a comment. */
  readonly #ends: number;
  /** Behind the last word that should stand in quotes. */
  #unquoted = 0;

  constructor(source: string, position: (offset: number) => Position, report: Report) {
    this.#source = source;
    this.#position = position;
    this.#report = (offset, message, kind) => report(position(offset), message, kind);
    this.#builder = new TreeBuilder(report);
    const { tokens, isCut } = tokensOf(source, this.#report);
    this.#tokens = tokens;
    this.#isCut = isCut;
    this.#ends = tokens.findLastIndex(({ kind }) => kind !== ')' && kind !== 'comment') + 1;
    if (!isCut) for (const { kind } of tokens) this.#missing += kind === '(' ? 1 : kind === ')' ? -1 : 0;
  }

  tree(): Tree {
    for (let token = this.#take(); token; token = this.#take())
      if (!this.#read(token)) {
        this.#isCut = true;
        break;
      }
    if (!this.#isCut) for (const open of this.#open) this.#reportOpen(open, 'at the end');
    return this.#builder.tree(this.#isCut);
  }

  #take(): Token | undefined {
    return this.#tokens[this.#next++];
  }

  /** False if nothing can be made of the rest. */
  #read(token: Token): boolean {
    switch (token.kind) {
      case '(':
        return this.#readBegin(token.at);
      case ')':
        this.#readEnd(token.at);
        return true;
      case 'key':
        this.#readAttribute(token);
        return true;
      case 'word':
        this.#readWord(token);
        return true;
      case 'text':
        this.#builder.text(textAt(token.text, { ...token, reference: escaped }, this.#position));
        return true;
      case 'comment':
        // As below an empty line, so that the first line's indentation counts as the others' does.
        this.#builder.comment(`\n${token.lines.join('\n')}`, this.#lineBehindElement(token.at));
        return true;
    }
  }

  /** The line of a comment at `at` that the end of an element stands before. */
  #lineBehindElement(at: number): number | undefined {
    return this.#tokens[this.#next - 2]?.kind === ')' ? this.#position(at).line : undefined;
  }

  #readBegin(at: number): boolean {
    const tag = this.#take();
    if (tag?.kind !== 'word') {
      this.#report(
        at,
        'the name of an element follows a (, as in (description "..."); a ( of a text stands in its quotes',
      );
      return false;
    }
    const name = this.#nameOf(tag.word, tag.at);
    if (name === '') return false;
    if (this.#missing > 0) this.#closeByLayout(at);
    const attributes = new Map<string, Attribute>();
    this.#open.push({ name, at, attributes });
    this.#builder.open(name, this.#position(at), attributes);
    if (this.#open.length <= DEPTH_LIMIT) return true;
    this.#report(at, tooDeep, 'error');
    return false;
  }

  #readEnd(at: number): void {
    const [root, inner] = this.#open;
    if (!root) {
      this.#report(at, ') closes nothing that is open');
      return;
    }
    const isSurplus = this.#missing < 0 && !inner && this.#next < this.#ends;
    if (isSurplus) {
      this.#missing++;
      this.#report(at, `one ) too many: it closes <${root.name}>, and more follows`);
    } else this.#close();
  }

  #close(): void {
    this.#open.pop();
    this.#builder.close();
  }

  /**
   * Places a missing ) by the layout: an element that begins a line at `at`, no further in than an element that is
   * itself further in than its parent, follows that element.
   */
  #closeByLayout(at: number): void {
    const { line, column } = this.#position(at);
    if (!/^[ \t]*$/.test(this.#source.slice(at - column + 1, at))) return;
    for (let inner = this.#open.at(-1); inner && this.#missing > 0; inner = this.#open.at(-1)) {
      const around = this.#open.at(-2);
      const stands = this.#position(inner.at);
      if (!around || column > stands.column || stands.column <= this.#position(around.at).column) return;
      this.#reportOpen(inner, `before line ${line}`);
      this.#missing--;
      this.#close();
    }
  }

  #reportOpen({ name, at }: Open, where: string): void {
    this.#report(
      at,
      `<${name}> is not closed: expected ) for the ( at line ${this.#position(at).line}, ${where}`,
    );
  }

  #readAttribute({ word, at }: { word: string; at: number }): void {
    const name = this.#nameOf(word, at + 1);
    const value = this.#tokens[this.#next];
    if (value?.kind !== 'word' && value?.kind !== 'text') {
      this.#report(at, `the attribute ${word} has no value: write :${word} "..."`);
      return;
    }
    this.#next++;
    this.#setAttribute(
      name,
      { value: value.kind === 'word' ? value.word : value.text, at: this.#position(at) },
      at,
    );
  }

  #setAttribute(name: string, attribute: Attribute, at: number): void {
    const attributes = this.#open.at(-1)?.attributes;
    if (!attributes) this.#report(at, 'an attribute outside of the root element');
    else if (name === '') return;
    else if (attributes.has(name)) this.#report(at, `duplicate attribute ${name}`);
    else attributes.set(name, attribute);
  }

  #readWord({ word, at }: { word: string; at: number }): void {
    const element = this.#open.at(-1);
    if (element && !literal.test(word)) {
      if (named.has(element.name) && !element.attributes.has('name')) {
        element.attributes.set('name', { value: word, at: this.#position(at) });
        return;
      }
      // Of words in a row the first says it for all.
      const isFirst = this.#unquoted < this.#next - 1;
      this.#unquoted = this.#next;
      if (!isFirst) return;
      this.#report(at, `a text stands in quotes: "${shortened(word)}"`);
    }
    this.#builder.text(textAt(word, { raw: word, from: at, reference: escaped }, this.#position));
  }

  /** The part of `word` that can be a name. The rest is reported. */
  #nameOf(word: string, at: number): string {
    const name = beginsName.exec(word)?.[0] ?? '';
    if (name !== word || name === '')
      this.#report(
        at,
        `"${shortened(word)}" cannot name an element or an attribute${oddity(word.slice(name.length))}`,
      );
    return name;
  }
}

const beginsName = new RegExp(`^${xmlName}`, 'u');

/** Describes the first invalid character of a name if it may be invisible. */
const oddity = (rest: string): string => (/^[^\x20-\x7e]/.test(rest) ? `: it has ${codeOf(rest)}` : '');

/** For a message. */
const shortened = (word: string): string => (word.length > 60 ? `${word.slice(0, 60)}…` : word);

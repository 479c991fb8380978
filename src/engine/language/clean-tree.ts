// Reads a source with nothing wrong in it, in one pass. It knows the plain part of XML only and reports nothing:
// in the least doubt it gives up, and tree.ts reads the source again, slowly and with all its problems.
import { CleanAttribute, CleanAttributes, CleanElement, CleanText } from './clean-nodes.ts';
import { type Attributes, type Element, holdsElements, type Text } from './element.ts';
import type { Position } from './problem.ts';
import { DEPTH_LIMIT } from './wellformed.ts';

const declaration = /<\?xml version="1\.0"(?: encoding="[Uu][Tt][Ff]-8")?\?>/y;

/** Characters that XML 1.0 does not have; lone surrogates, too, are none. */
const notXml = /[\0-\x08\x0b-\x1f\ufffe\uffff]/;

const references: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** Attributes of one tag: they are searched in a row. No element of the language has half as many. */
const ATTRIBUTE_LIMIT = 16;

/** Shared by the elements that have none. */
const noAttributes: Attributes = new Map();

const TAB = 9;
const LINE_END = 10;
const SPACE = 32;
const EXCLAMATION = 33;
const QUOTE = 34;
const AMPERSAND = 38;
const APOSTROPHE = 39;
const SLASH = 47;
const LESS = 60;
const EQUALS = 61;
const GREATER = 62;

/** By character code: 2 for what a name can begin with, 1 for what it can have besides. */
const nameCodes = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  const char = String.fromCharCode(code);
  nameCodes[code] = /[A-Za-z_:]/.test(char) ? 2 : /[\w:.-]/.test(char) ? 1 : 0;
}

/**
 * The tree of `source`, whose lines end with \n, with its places by `position`. Undefined when anything is wrong
 * with it, and also for some rare things that are well-formed: names beyond ASCII, references by number, XML 1.1,
 * more than 16 attributes in a tag.
 */
export function cleanTree(source: string, position: (offset: number) => Position): Element | undefined {
  return source.isWellFormed() && !notXml.test(source) ? new Scanner(source, position).tree() : undefined;
}

class Scanner {
  readonly #source: string;
  readonly #position: (offset: number) => Position;
  /** How far the source has been read. */
  #at = 0;
  readonly #open: CleanElement[] = [];
  /** Where the children of each open element begin in `#nodes`. */
  readonly #begins: number[] = [];
  /** What was read of the children of all open elements. A number: the white space that begins there. */
  readonly #nodes: (Element | Text | number)[] = [];
  /** How many of `#nodes` count: it is not made shorter, so as not to be allocated again and again. */
  #used = 0;
  /** The names read last, each at its hash: a program has few, and many of each. */
  readonly #names: string[] = new Array<string>(256).fill('');

  constructor(source: string, position: (offset: number) => Position) {
    this.#source = source;
    this.#position = position;
  }

  tree(): Element | undefined {
    const source = this.#source;
    declaration.lastIndex = 0;
    if (declaration.test(source)) this.#at = declaration.lastIndex;
    let root: Element | undefined;
    for (;;) {
      const next = source.indexOf('<', this.#at);
      if (!this.#readText(next < 0 ? source.length : next)) return undefined;
      if (next < 0) return this.#open.length === 0 ? root : undefined;
      const kind = source.charCodeAt(next + 1);
      if (kind === SLASH) {
        if (!this.#readClosing(next)) return undefined;
      } else if (kind === EXCLAMATION) {
        if (!this.#readComment(next) && !this.#readSection(next)) return undefined;
      } else {
        if (root && this.#open.length === 0) return undefined;
        const element = this.#readOpening(next);
        if (!element) return undefined;
        root ??= element;
      }
    }
  }

  // Each of these reads what begins at `from`, and gives nothing when it is not that or in doubt.

  /** The text up to `end`. */
  #readText(end: number): boolean {
    const from = this.#at;
    if (from === end) return true;
    const inside = this.#open.length > 0;
    if (this.#afterSpace(from) === end) {
      if (inside) this.#nodes[this.#used++] = from;
      return true;
    }
    const raw = this.#source.slice(from, end);
    const text = unescaped(raw);
    if (!inside || text === undefined || raw.includes(']]>')) return false;
    this.#nodes[this.#used++] = this.#textNode(from, end, text);
    return true;
  }

  #readClosing(from: number): boolean {
    const element = this.#open.pop();
    if (!element || !this.#source.startsWith(element.name, from + 2)) return false;
    const end = this.#afterSpace(from + 2 + element.name.length);
    if (this.#source.charCodeAt(end) !== GREATER) return false;
    const begin = this.#begins.pop()!;
    if (this.#used > begin) element.children = this.#children(begin);
    this.#used = begin;
    this.#at = end + 1;
    return true;
  }

  /** -- may stand at the end of a comment only. */
  #readComment(from: number): boolean {
    if (!this.#source.startsWith('<!--', from)) return false;
    const end = this.#source.indexOf('--', from + 4);
    if (end < 0 || this.#source.charCodeAt(end + 2) !== GREATER) return false;
    this.#at = end + 3;
    return true;
  }

  #readSection(from: number): boolean {
    if (this.#open.length === 0 || !this.#source.startsWith('<![CDATA[', from)) return false;
    const end = this.#source.indexOf(']]>', from + 9);
    if (end < 0) return false;
    this.#nodes[this.#used++] = this.#textNode(from + 9, end);
    this.#at = end + 3;
    return true;
  }

  #readOpening(from: number): Element | undefined {
    const source = this.#source;
    let at = this.#afterName(from + 1);
    if (at < 0) return undefined;
    const name = this.#name(from + 1, at);
    let attributes: CleanAttributes | undefined;
    for (;;) {
      const begin = this.#afterSpace(at);
      const code = source.charCodeAt(begin);
      if (code === GREATER || code === SLASH) {
        at = begin;
        break;
      }
      const attribute = begin > at ? this.#readAttribute(begin) : undefined;
      if (!attribute) return undefined;
      if (!attributes) attributes = new CleanAttributes(attribute);
      else if (attributes.has(attribute.name) || attributes.size === ATTRIBUTE_LIMIT) return undefined;
      else attributes.add(attribute);
      at = this.#at;
    }
    const element = new CleanElement(name, attributes ?? noAttributes, this.#position, from);
    this.#nodes[this.#used++] = element;
    if (source.charCodeAt(at) === SLASH) at++;
    else if (this.#open.push(element) > DEPTH_LIMIT) return undefined;
    else this.#begins.push(this.#used);
    this.#at = at + 1;
    return source.charCodeAt(at) === GREATER ? element : undefined;
  }

  #readAttribute(from: number): CleanAttribute | undefined {
    const source = this.#source;
    const nameEnd = this.#afterName(from);
    if (nameEnd < 0) return undefined;
    const sign = this.#afterSpace(nameEnd);
    if (source.charCodeAt(sign) !== EQUALS) return undefined;
    const begin = this.#afterSpace(sign + 1);
    const quote = source.charCodeAt(begin);
    if (quote !== QUOTE && quote !== APOSTROPHE) return undefined;
    let asWritten = true;
    let end = begin + 1;
    for (; end < source.length; end++) {
      const code = source.charCodeAt(end);
      if (code === quote || code === LESS) break;
      if (code === AMPERSAND || code === TAB || code === LINE_END) asWritten = false;
    }
    if (source.charCodeAt(end) !== quote) return undefined;
    const raw = source.slice(begin + 1, end);
    const value = asWritten ? raw : unescaped(raw.replace(/[\t\n]/g, ' '));
    if (value === undefined) return undefined;
    this.#at = end + 1;
    return new CleanAttribute(this.#name(from, nameEnd), value, this.#position, from);
  }

  /** Past the white space at `at`; `at` itself where there is none. */
  #afterSpace(at: number): number {
    const source = this.#source;
    for (; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code !== SPACE && code !== LINE_END && code !== TAB) break;
    }
    return at;
  }

  /** Past the name at `at`; -1 where there is none. */
  #afterName(at: number): number {
    const source = this.#source;
    const from = at;
    for (; at < source.length; at++) {
      const code = source.charCodeAt(at);
      if (code >= 128 || nameCodes[code]! < (at === from ? 2 : 1)) break;
    }
    return at === from ? -1 : at;
  }

  #name(from: number, to: number): string {
    const source = this.#source;
    const hash = (source.charCodeAt(from) * 5 + source.charCodeAt(to - 1) * 31 + (to - from) * 7) & 255;
    const known = this.#names[hash]!;
    if (known.length === to - from && source.startsWith(known, from)) return known;
    return (this.#names[hash] = source.slice(from, to));
  }

  /** The source from `from` to `to`; `text`, where it reads otherwise. */
  #textNode(from: number, to: number, text?: string): CleanText {
    const raw = this.#source.slice(from, to);
    return new CleanText(text ?? raw, raw, this.#position, from);
  }

  /** The nodes from `begin` on. White space between elements never becomes a text. */
  #children(begin: number): readonly (Element | Text)[] {
    const nodes = this.#nodes;
    if (!holdsElements(nodes, begin, this.#used)) {
      for (let index = begin; index < this.#used; index++) {
        const node = nodes[index]!;
        if (typeof node === 'number') nodes[index] = this.#textNode(node, this.#afterSpace(node));
      }
      return nodes.slice(begin, this.#used) as (Element | Text)[];
    }
    let end = begin;
    for (let index = begin; index < this.#used; index++) {
      const node = nodes[index]!;
      if (typeof node !== 'number' && node.kind === 'element') nodes[end++] = node;
    }
    return nodes.slice(begin, end) as Element[];
  }
}

/** With its references resolved; undefined when one of them is none of the five of XML. */
function unescaped(raw: string): string | undefined {
  let resolved = '';
  let from = 0;
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
    const end = raw.indexOf(';', at);
    const char = end < 0 ? undefined : references.get(raw.slice(at + 1, end));
    if (char === undefined) return undefined;
    resolved += raw.slice(from, at) + char;
    from = end + 1;
  }
  return from === 0 ? raw : resolved + raw.slice(from);
}

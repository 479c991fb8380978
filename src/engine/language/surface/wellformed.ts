// Finds what keeps a source from being well-formed XML and mends it, so that one pass can report everything.
// The mended text is for the parser only: a source with a problem never becomes a program.
import { nearest } from '@echelon/ground';
import type { ProblemKind } from '../problem.ts';
import { DEPTH_LIMIT, tooDeep } from './tree-builder.ts';

interface Edit {
  at: number;
  remove: number;
  insert: string;
}

export interface Mended {
  text: string;
  /** Offset in `text` -> offset in the source. */
  original: (offset: number) => number;
  /**
   * Offset in `text` at which reading stopped, because nothing after it made sense (this has been reported); only the
   * closing tags of open elements follow. Undefined: the whole text was read.
   */
  cut: number | undefined;
}

/** Characters with which XML lets a name begin, and those it may have besides. */
const nameStart =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F' +
  '\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const nameRest = '\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040';

const closing = /<\/([^\s<>/]*)\s*>/y;
/** Pattern (flag u) of the name of an element or an attribute. */
export const xmlName = `[${nameStart}][${nameStart}${nameRest}]*`;

const opening = new RegExp(`<(${xmlName})`, 'uy');
const ampersand = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-fA-F]{1,6});)(\w{1,40};)?/g;

/** The declaration at the begin of a source, with the encoding that it names. */
const declaredEncoding = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([^"'?>]*)["']/d;

type OffsetReport = (offset: number, message: string, kind?: ProblemKind) => void;

type Tag = { name: string; at: number };

/** `place` words an offset as line:column for use inside a message. `open`: the tags before a piece of a source. */
export class Mender {
  readonly #source: string;
  readonly #report: OffsetReport;
  readonly #place: (offset: number) => string;
  readonly #edits: Edit[] = [];
  /** The tags that are open, from the outside in. */
  readonly #open: Tag[];

  constructor(source: string, report: OffsetReport, place: (offset: number) => string, open: Tag[] = []) {
    this.#source = source;
    this.#open = open;
    this.#report = report;
    this.#place = place;
  }

  mended(): Mended {
    this.#readEncoding();
    const source = this.#source;
    for (let at: number | undefined = 0; at !== undefined; ) {
      const next = source.indexOf('<', at);
      this.#mendAmpersands(at, next < 0 ? source.length : next);
      if (next < 0) return this.#done(true);
      at = this.#readMarkup(next);
      if (at === undefined || this.#open.length <= DEPTH_LIMIT) continue;
      this.#report(next, tooDeep, 'error');
      at = this.#cutFrom(at);
    }
    return this.#done(false);
  }

  /** Of whole lines. `end`: where what they break off begins, to be read again with more behind it. */
  passed(): { end: number; hasTags: boolean } {
    const source = this.#source;
    let hasTags = false;
    for (let at = 0; ; ) {
      const next = source.indexOf('<', at);
      if (next < 0) return { end: source.length, hasTags };
      const depth = this.#open.length;
      const end = source.includes('>', next) ? this.#readMarkup(next) : undefined;
      if (end === undefined || end === source.length) {
        this.#open.length = depth;
        return { end: next, hasTags };
      }
      hasTags ||= !/[!?]/.test(source.charAt(next + 1));
      at = end;
    }
  }

  #edit(at: number, remove: number, insert: string): void {
    this.#edits.push({ at, remove, insert });
  }

  /** Takes away all from `from` on, since nothing behind it can be made sense of. */
  #cutFrom(from: number): undefined {
    this.#edit(from, this.#source.length - from, '');
  }

  #readEncoding(): void {
    const declared = declaredEncoding.exec(this.#source);
    if (declared && declared[1]!.toLowerCase() !== 'utf-8')
      this.#report(
        declared.indices![1]![0],
        `a program is read as UTF-8, not as "${declared[1]!.slice(0, 60)}": save it as UTF-8, and leave the encoding out`,
      );
  }

  #mendAmpersands(from: number, to: number): void {
    for (const match of this.#source.slice(from, to).matchAll(ampersand)) {
      this.#report(
        from + match.index,
        match[1] === undefined ? 'a bare &: write &amp;' : `unknown entity &${match[1]} write &amp;`,
      );
      this.#edit(from + match.index + 1, 0, 'amp;');
    }
  }

  #done(whole: boolean): Mended {
    let added = 0;
    for (const { name, at } of this.#open.reverse()) {
      if (whole) this.#report(at, `<${name}> is not closed`);
      const insert = `</${name}>`;
      this.#edit(this.#source.length, 0, insert);
      added += insert.length;
    }
    const mended = apply(this.#source, this.#edits);
    return { ...mended, cut: whole ? undefined : mended.text.length - added };
  }

  /** Reads what the < at `from` begins. Where it ends; undefined: what is behind it was cut off. */
  #readMarkup(from: number): number | undefined {
    const source = this.#source;
    const section = sections.find(([start]) => source.startsWith(start, from));
    if (section) return this.#readSection(section, from);
    if (source.startsWith('<!', from)) {
      this.#report(from, 'declarations such as DOCTYPE are not allowed', 'error');
      const end = declarationEnd(source, from);
      this.#edit(from, end - from, '');
      return end;
    }
    closing.lastIndex = from;
    const close = closing.exec(source);
    if (close) {
      this.#closeTag(close[1]!, from, close[0].length);
      return from + close[0].length;
    }
    opening.lastIndex = from;
    const name = opening.exec(source)?.[1];
    if (name !== undefined) return this.#openTag(name, from);
    this.#report(from, 'a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>');
    this.#edit(from, 1, '&lt;');
    return from + 1;
  }

  #readSection([start, end, what]: Section, from: number): number | undefined {
    const source = this.#source;
    const closed = source.indexOf(end, from + start.length);
    if (closed < 0) {
      this.#report(from, `${what} is not closed with ${end}`);
      return this.#cutFrom(from);
    }
    const past = closed + end.length;
    if (start !== '<?') return past;
    if (!(from === 0 && source.startsWith('<?xml ')))
      this.#report(from, 'processing instructions are not allowed', 'error');
    if (from > 0) this.#edit(from, past - from, '');
    return past;
  }

  #openTag(name: string, from: number): number | undefined {
    const end = this.#tagEnd(name, from);
    if (end === undefined) return undefined;
    this.#mendAmpersands(from, end);
    if (this.#source.endsWith('/>', end)) return end;
    this.#open.push({ name, at: from });
    return end;
  }

  #closeTag(name: string, from: number, length: number): void {
    const open = this.#open;
    const top = open.at(-1);
    const index = open.findLastIndex(each => each.name === name);
    if (index >= 0) {
      for (const left of open.splice(index + 1).reverse()) {
        this.#report(
          left.at,
          `<${left.name}> is not closed (</${name}> at ${this.#place(from)} closes the <${name}> around it)`,
        );
        this.#edit(from, 0, `</${left.name}>`);
      }
      open.pop();
    } else if (top && nearest(name, [top.name]).length > 0) {
      this.#report(
        top.at,
        `<${top.name}> is not closed: </${name}> at ${this.#place(from)} does not match it`,
      );
      this.#edit(from, length, `</${top.name}>`);
      open.pop();
    } else {
      this.#report(from, `</${name}> closes nothing that is open`);
      this.#edit(from, length, '');
    }
  }

  /** The end of the tag that begins at `from`; quotes are followed so that a > in a value does not end it. */
  #tagEnd(name: string, from: number): number | undefined {
    const source = this.#source;
    let i = from + 1 + name.length;
    for (; i < source.length; i++) {
      const char = source[i]!;
      if (char === '>') return i + 1;
      if (char === '<') break;
      if (char !== '"' && char !== "'") continue;
      const value = this.#valueEnd(char, i);
      if (value === undefined) return this.#cutFrom(from);
      if (value.isEarly) return value.at + 1;
      i = value.at;
    }
    this.#report(from, `the tag <${name} is not closed with >`);
    this.#edit(i, 0, '>');
    return i;
  }

  /** End of the value that `quote` at `from` begins. `isEarly`: the quote is missing, so it ends at the > of its tag. */
  #valueEnd(quote: string, from: number): { at: number; isEarly: boolean } | undefined {
    const source = this.#source;
    let early = -1; // the first > inside the quotes: most likely the end of the tag when a quote is missing
    let i = from + 1;
    for (; i < source.length && source[i] !== quote; i++) {
      if (source[i] === '>' && early < 0) early = i;
      if (source[i] !== '<') continue;
      if (early >= 0) {
        this.#report(from, `the attribute value that begins here is not closed with ${quote}`);
        this.#edit(early, 0, quote);
        return { at: early, isEarly: true };
      }
      this.#report(i, 'a bare < in an attribute value: write &lt;');
      this.#edit(i, 1, '&lt;');
    }
    if (i < source.length) return { at: i, isEarly: false };
    this.#report(from, `the attribute value that begins here is not closed with ${quote}`);
    return undefined;
  }
}

type Section = readonly [start: string, end: string, what: string];

const sections: readonly Section[] = [
  ['<!--', '-->', 'the comment'],
  ['<![CDATA[', ']]>', 'the CDATA section'],
  ['<?', '?>', 'the processing instruction'],
];

/** Past the > that ends a declaration; one inside [ ] (an internal subset) does not. */
function declarationEnd(source: string, from: number): number {
  let depth = 0;
  for (let i = from; i < source.length; i++) {
    if (source[i] === '[') depth++;
    else if (source[i] === ']') depth--;
    else if (source[i] === '>' && depth <= 0) return i + 1;
  }
  return source.length;
}

function apply(source: string, edits: Edit[]): { text: string; original: (offset: number) => number } {
  if (edits.length === 0) return { text: source, original: offset => offset };
  edits.sort((a, b) => a.at - b.at); // stable: edits at one place stay in the order they were made
  const pieces: string[] = [];
  // From `text` on, an offset stands for `source` (inside an insertion) or runs along with it.
  const marks: { text: number; source: number; inserted: boolean }[] = [];
  let from = 0;
  let length = 0;
  for (const edit of edits) {
    if (edit.at < from) continue;
    pieces.push(source.slice(from, edit.at), edit.insert);
    length += edit.at - from;
    marks.push({ text: length, source: edit.at, inserted: true });
    length += edit.insert.length;
    from = edit.at + edit.remove;
    marks.push({ text: length, source: from, inserted: false });
  }
  pieces.push(source.slice(from));
  return {
    text: pieces.join(''),
    original: offset => {
      const mark = marks.findLast(each => each.text <= offset);
      if (!mark) return offset;
      return mark.inserted ? mark.source : mark.source + offset - mark.text;
    },
  };
}

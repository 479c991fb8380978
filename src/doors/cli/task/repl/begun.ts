// Whether an entry that was begun is whole: scans its lines as they come, each once, without reading what they mean.

import { begunSurface, type Surface } from '../../../../engine/language/surface/surface.ts';

/** Takes the lines of an entry in their order. */
interface Scan {
  add(line: string): void;
  /** Nothing is open any more. What is wrong in it is for its reader: it ends no entry, whose rest would be run by itself. */
  isWhole(): boolean;
}

/** The surface of a program, by the first text that is not blank; undefined: it begins none. */
export function surfaceBegun(begin: string): Surface | undefined {
  const surface = begunSurface(begin);
  return surface === 'task' && !isSExpression(begin) ? undefined : surface;
}

/** For what begins so. */
export function scanOf(begin: string): Scan {
  const surface = surfaceBegun(begin);
  if (surface === 'xml') return new XmlScan();
  return surface === 'task' ? new BracketScan(';', '"') : new BracketScan(undefined, "'");
}

/** An expression may begin with a bracket, too: behind that of a program stands a word of the language. */
const isSExpression = (begin: string): boolean =>
  begin.startsWith(';') || /^\(\s*(?:task|cond|let|call)(?![\w-])(?!\s*[=!<>&|.[])/.test(begin);

/** Markup that holds anything up to its end. */
const sections: readonly (readonly [begin: string, end: string])[] = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
];

class XmlScan implements Scan {
  readonly #open: string[] = [];
  #hasRoot = false;
  /** The end of the section, or the quote, that is open. */
  #until: string | undefined;
  #isInTag = false;

  isWhole(): boolean {
    return this.#hasRoot && this.#open.length === 0 && !this.#isInTag && this.#until === undefined;
  }

  add(line: string): void {
    for (let at: number = 0; at < line.length; ) {
      if (this.#until !== undefined) at = this.#passed(line, at, this.#until);
      else if (this.#isInTag) at = this.#inTag(line, at);
      else at = this.#inText(line, at);
    }
  }

  #passed(line: string, from: number, end: string): number {
    const found = line.indexOf(end, from);
    if (found < 0) return line.length;
    this.#until = undefined;
    return found + end.length;
  }

  #inTag(line: string, from: number): number {
    const found = /["'>]/g;
    found.lastIndex = from;
    const [mark] = found.exec(line) ?? [];
    if (mark === undefined) return line.length;
    if (mark !== '>') this.#until = mark;
    else {
      this.#isInTag = false;
      if (line[found.lastIndex - 2] === '/') this.#open.pop();
    }
    return found.lastIndex;
  }

  #inText(line: string, from: number): number {
    const at = line.indexOf('<', from);
    if (at < 0) return line.length;
    const section = sections.find(([begin]) => line.startsWith(begin, at));
    if (section) {
      this.#until = section[1];
      return at + section[0].length;
    }
    const tag = /<(\/?)([^\s<>/"'=]+)/y;
    tag.lastIndex = at;
    const [whole = '', slash, name = ''] = tag.exec(line) ?? [];
    if (slash === '/') this.#close(name);
    else if (name !== '') {
      this.#open.push(name);
      this.#hasRoot = true;
      this.#isInTag = true;
    }
    return at + Math.max(1, whole.length);
  }

  /** An end closes what is open in its element, too; one of nothing that is open closes nothing. */
  #close(name: string): void {
    const at = this.#open.lastIndexOf(name);
    if (at >= 0) this.#open.length = at;
    this.#hasRoot = true;
  }
}

class BracketScan implements Scan {
  readonly #comment: string | undefined;
  readonly #quote: string;
  #depth = 0;
  #hasBegun = false;
  #until: string | undefined;

  constructor(comment: string | undefined, quote: string) {
    this.#comment = comment;
    this.#quote = quote;
  }

  isWhole(): boolean {
    return this.#hasBegun && this.#depth <= 0 && this.#until === undefined;
  }

  add(line: string): void {
    for (let at = 0; at < line.length; ) {
      if (this.#until !== undefined) {
        at = this.#passed(line, at, this.#until);
        continue;
      }
      const mark = line[at] ?? '';
      if (mark === this.#comment) return;
      if (mark.trim() !== '') this.#hasBegun = true;
      if (mark === '(' || mark === '[') this.#depth++;
      else if (mark === ')' || mark === ']') this.#depth--;
      else if (mark === this.#quote) this.#until = line.startsWith('"""', at) ? '"""' : mark;
      at += this.#until?.length ?? 1;
    }
    // A text of an expression ends on its line: an apostrophe in prose begins none.
    if (this.#quote === "'") this.#until = undefined;
  }

  #passed(line: string, from: number, end: string): number {
    for (let at = from; at < line.length; at++) {
      if (end === '"' && line[at] === '\\') at++;
      else if (line.startsWith(end, at)) {
        this.#until = undefined;
        return at + end.length;
      }
    }
    return line.length;
  }
}

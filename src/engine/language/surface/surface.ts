// The two ways to write a program: XML and S-expressions, how they are told apart, and when one that comes is whole.
import { tokensOf } from './s-expression-tokens.ts';
import { Mender } from './wellformed.ts';

/** `task`: S-expressions, after the ending of their files. */
export const surfaces = ['xml', 'task'] as const;
export type Surface = (typeof surfaces)[number];

/** True if a file of this name holds a program. Folders are searched by it. */
export const isProgramFile = (file: string): boolean => /\.(?:xml|task)$/.test(file);

/** Surface of a source that begins like a program; undefined if it does not. */
export function begunSurface(source: string): Surface | undefined {
  const begin = /\S/.exec(source)?.[0];
  if (begin === '<') return 'xml';
  return begin === '(' || begin === ';' ? 'task' : undefined;
}

/** By what the source begins with; where that says nothing by the name of its file. */
export const surfaceOf = (source: string, file = ''): Surface =>
  begunSurface(source) ?? (file.endsWith('.task') ? 'task' : 'xml');

/** Constructs that may continue on the next line: their beginning, and the pattern of a line that may end them. */
const brokenOff: readonly (readonly [begin: string, end: RegExp])[] = [
  ['<!--', /-->/],
  ['<![CDATA[', /\]\]>/],
  ['<', />/],
  ['"""', /"""/],
  ['"', /(?<!\\)(?:\\\\)*"/],
];

/** A source whose lines come: the readers say what of it is open. Each line is read once. */
export class BegunSource {
  #surface: Surface | undefined;
  /** Unfinished construct at the end of the lines so far, which is read again with the lines that may end it. */
  #rest = '';
  #mayEnd: RegExp | undefined;
  #hasBegun = false;
  readonly #tags: { name: string; at: number }[] = [];
  #depth = 0;

  /** True if the source is complete with these lines. A fault never ends it: the rest would run as a program of its own. */
  endsWith(lines: string): boolean {
    this.#surface ??= surfaceOf(lines);
    this.#rest += `${lines}\n`;
    if (this.#mayEnd?.test(lines) === false) return false;
    this.#rest = this.#rest.slice(this.#surface === 'xml' ? this.#readTags() : this.#readParentheses());
    this.#mayEnd = brokenOff.find(([begin]) => this.#rest.startsWith(begin))?.[1];
    return this.#rest === '' && this.#hasBegun && this.#tags.length === 0 && this.#depth <= 0;
  }

  #readTags(): number {
    // Faults are reported later, once the whole source is read.
    const { end, hasTags } = new Mender(this.#rest, String, String, this.#tags).passed();
    this.#hasBegun ||= hasTags;
    return end;
  }

  /** Goes on behind a text that is wrong, from its quote on. */
  #readParentheses(): number {
    let stop = -1;
    for (;;) {
      const { tokens, isCut, isOpen } = tokensOf(this.#rest, at => (stop = at), stop + 1);
      for (const { kind } of tokens) {
        if (kind === '(') this.#depth++;
        else if (kind === ')') this.#depth--;
        if (kind !== 'comment') this.#hasBegun = true;
      }
      if (!isCut) return this.#rest.length;
      if (isOpen) return stop;
    }
  }
}

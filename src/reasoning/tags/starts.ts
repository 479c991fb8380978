// Where in a text a tag may begin: at the beginning of a line, or behind another tag there.

/** What is known at the first character of a text. */
export interface StartState {
  /** Whether a line begins there. */
  begins: boolean;
  /** Whether nothing but blanks stands between the last tag of its line and that character. */
  follows: boolean;
}

/**
 * A tag begins behind at most three spaces of a line, or behind the end of another one and any blanks. So what is
 * quoted by `>`, stands in inline code or is told within a sentence is no tag. Offsets never get smaller.
 */
export class Starts {
  readonly #text: string;
  readonly #begins: boolean;
  /** Behind the blanks that follow the last tag. */
  #behind: number;

  constructor(text: string, { begins, follows }: StartState) {
    this.#text = text;
    this.#begins = begins;
    this.#behind = follows ? endOfSpaces(text, 0) : -1;
  }

  /** Whether a tag may begin at `offset`, where a `{{<` stands. */
  at(offset: number): boolean {
    if (offset === this.#behind) return true;
    const text = this.#text;
    let start = offset;
    while (start > 0 && offset - start < 3 && text.charCodeAt(start - 1) === SPACE) start--;
    if (start === 0) return this.#begins;
    const before = text.charCodeAt(start - 1);
    return before === LF || before === CR;
  }

  /** A tag ends at `offset`. */
  tagEnds(offset: number): void {
    this.#behind = endOfSpaces(this.#text, offset);
  }

  /** Whether only blanks stand between the last tag and `offset`, which is behind it. */
  follows(offset: number): boolean {
    return offset <= this.#behind;
  }
}

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;

function endOfSpaces(text: string, from: number): number {
  let at = from;
  while (text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) at++;
  return at;
}

// Where in a text a tag may begin: anywhere but in a quote and in inline code.

/** What is known at the first character of a text. */
export interface StartState {
  /** Whether a line begins there. */
  begins: boolean;
  /** Whether it stands in a line that began as a quote. */
  quoted: boolean;
  /** Whether inline code is open there. */
  code: boolean;
  /** Whether a backtick stands before it, whose run goes on. */
  tick: boolean;
}

/** Within a line, in prose. */
export const inProse: StartState = { begins: false, quoted: false, code: false, tick: false };

/**
 * A line that begins with `>` behind at most three spaces is a quote. Inline code is open behind an odd number of
 * backtick runs since the line or, on its line, the last tag ended. What a reply quotes in these ways does nothing.
 * Offsets never get smaller.
 */
export class Starts {
  readonly #text: string;
  /** Up to here the text was looked at; the state is that of this offset. */
  #from = 0;
  #state: StartState;

  constructor(text: string, state: StartState) {
    this.#text = text;
    this.#state = state;
  }

  /** Whether a tag may begin at `offset`. */
  at(offset: number): boolean {
    const { quoted, code } = this.stateAt(offset);
    return !quoted && !code;
  }

  stateAt(offset: number): StartState {
    const text = this.#text;
    let start = offset;
    while (start > this.#from && !isLineEnd(text.charCodeAt(start - 1))) start--;
    const begins = start > this.#from || this.#state.begins;
    let { quoted, code } = this.#state;
    if (begins) {
      quoted = isQuote(text, start);
      code = false;
    }
    let tick = start === 0 ? this.#state.tick : text.charCodeAt(start - 1) === BACKTICK;
    for (let at = start; at < offset; at++) {
      const isTick = text.charCodeAt(at) === BACKTICK;
      if (isTick && !tick) code = !code;
      tick = isTick;
    }
    this.#from = offset;
    this.#state = { begins: begins && start === offset, quoted, code, tick };
    return this.#state;
  }

  /** A tag ends at `offset`: what follows on its line is prose. */
  tagEnds(offset: number): void {
    this.#from = offset;
    this.#state = inProse;
  }
}

const LF = 10;
const CR = 13;
const SPACE = 32;
const QUOTE = 62;
const BACKTICK = 96;

const isLineEnd = (code: number) => code === LF || code === CR;

function isQuote(text: string, lineStart: number): boolean {
  let at = lineStart;
  while (at - lineStart < 3 && text.charCodeAt(at) === SPACE) at++;
  return text.charCodeAt(at) === QUOTE;
}

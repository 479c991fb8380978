// Which offsets of a text stand in fenced code. Looks at a text only as far as it is asked, and jumps from one
// run of backticks or tildes to the next.
import { finder } from './finder.ts';

/** What is known at the first character of a text. */
export interface FenceState {
  /** The fence that is open there. */
  fence: { mark: string; length: number } | undefined;
  /** Whether a line begins there. */
  begins: boolean;
}

/** An offset from which a text is read again when more of it has come, and the state there. */
export interface FenceRest {
  offset: number;
  state: FenceState;
}

/**
 * A fence is opened by a line of three or more backticks or tildes after at most three spaces (behind backticks
 * no further backtick on that line), and closed by a line of at least as many of the same and nothing else, or by
 * the end of the text. Offsets that are asked for never get smaller.
 */
export class Fences {
  readonly #text: string;
  readonly #isWhole: boolean;
  readonly #backticks: (from: number) => number;
  readonly #tildes: (from: number) => number;
  #fence: FenceState['fence'];
  #begins: boolean;
  /** Up to here the state is known; a line begins here when `#begins` says so. */
  #from = 0;
  /** No marks that could begin or end a fence stand between `#from` and here: most tags need no search. */
  #clear = 0;

  /** With `isWhole: false` more text may come, and the last line may not be decided yet. */
  constructor(text: string, isWhole: boolean, state: FenceState) {
    this.#text = text;
    this.#isWhole = isWhole;
    this.#fence = state.fence;
    this.#begins = state.begins;
    this.#backticks = finder(text, '```');
    this.#tildes = finder(text, '~~~');
  }

  /** Whether `offset` is in fenced code, or where the line begins that must be whole before anyone can tell. */
  at(offset: number): boolean | { undecided: FenceRest } {
    const start = this.#advance(offset);
    if (start === undefined) return this.#fence !== undefined;
    return { undecided: { offset: start, state: { fence: this.#fence, begins: true } } };
  }

  /** What stands before `offset` was a tag: nothing in it opens a fence. */
  skipTo(offset: number): void {
    if (offset > this.#from) this.#moveTo(offset);
  }

  /** The offset from which the end of the text is needed to read on, the state there, and what must come before. */
  rest(): FenceRest & { wanted: string } {
    const text = this.#text;
    const undecided = this.#advance(text.length);
    let start = undecided ?? text.length;
    if (undecided === undefined)
      while (start > this.#from && text.length - start <= SHORT && !isLineEnd(text.charCodeAt(start - 1)))
        start--;
    const begins = this.#beginsAt(start);
    // Within a line only the beginning of `{{<` is worth keeping.
    const offset = begins ? start : Math.max(this.#from, text.length - 2);
    const wanted = undecided === undefined ? '>}}' : '\n';
    return { offset, state: { fence: this.#fence, begins }, wanted };
  }

  /** Brings the state to `to`; answers the start of a line that cannot be decided. */
  #advance(to: number): number | undefined {
    if (to <= this.#clear) return undefined;
    const text = this.#text;
    for (;;) {
      const run = this.#nextRun();
      this.#clear = run;
      if (run >= to) return undefined;
      const mark = text[run]!;
      let end = run;
      while (text[end] === mark) end++;
      const start = this.#lineStart(run);
      if (start < 0) {
        this.#moveTo(end);
        continue;
      }
      const line = restOfLine(text, end);
      if (line.end === text.length && !this.#isWhole) return start;
      const fence = this.#fence;
      if (!fence) {
        if (mark === '~' || !line.hasBacktick) this.#fence = { mark, length: end - run };
      } else if (line.isBlank && end - run >= fence.length) this.#fence = undefined;
      this.#moveTo(line.end);
    }
  }

  #moveTo(offset: number): void {
    this.#from = offset;
    this.#begins = false;
  }

  /** The next three marks that could begin a fence or, in one, end it. */
  #nextRun(): number {
    const fence = this.#fence;
    if (fence) return fence.mark === '~' ? this.#tildes(this.#from) : this.#backticks(this.#from);
    return Math.min(this.#backticks(this.#from), this.#tildes(this.#from));
  }

  /** The start of the line that begins with at most three spaces and then `run`, or -1. */
  #lineStart(run: number): number {
    let start = run;
    while (start > this.#from && run - start < 3 && this.#text[start - 1] === ' ') start--;
    return this.#beginsAt(start) ? start : -1;
  }

  #beginsAt(offset: number): boolean {
    return offset > this.#from ? isLineEnd(this.#text.charCodeAt(offset - 1)) : this.#begins;
  }
}

/** A longer line that begins no fence yet will not begin one: three spaces and two marks. */
const SHORT = 5;

function restOfLine(text: string, from: number): { end: number; hasBacktick: boolean; isBlank: boolean } {
  let hasBacktick = false;
  let isBlank = true;
  let end = from;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (isLineEnd(code)) break;
    if (code === 96) hasBacktick = true;
    if (code !== 32 && code !== 9) isBlank = false;
  }
  return { end, hasBacktick, isBlank };
}

function isLineEnd(code: number): boolean {
  return code === 10 || code === 13;
}

// Finds offsets of a text that are prose, where a tag is a tag: all but code, quotes, comments and thoughts. It reads
// the text only near the requested offsets, and between them from one run of three marks to the next.

/**
 * A fence is opened by a line of three or more backticks or tildes after at most three spaces (behind backticks no
 * further backtick on that line), and closed by a line of at least as many of the same and nothing else, or by the end
 * of the text. A line that begins with `>` behind at most three spaces is a quote. Inline code is open behind an odd
 * number of backtick runs since the line or, on its line, the last tag began. A line behind four spaces or a tab is code
 * where the line before it is blank, or is one, too. `<!-- -->` and `<think> </think>` hide what is between them.
 * Offsets never get smaller.
 */
export class Prose {
  readonly #text: string;
  /** Next run of each kind of three marks, at or behind `#fencesTo`. */
  readonly #runs = { '`': -1, '~': -1 };
  #fence: { mark: Mark; length: number; start: number } | undefined;
  /** Up to here fences are known. */
  #fencesTo = 0;
  /** Up to here lines are known; the next three are of the line at this offset. */
  #linesTo = 0;
  #isQuote: boolean;
  #isIndented: boolean;
  #isCode = false;
  /** Delimiters that hide text, with their next positions at or behind `#hiddenTo`. */
  readonly #hiding = [
    { from: '<!--', to: '-->', open: -1, close: -1 },
    { from: '<think>', to: '</think>', open: -1, close: -1 },
  ] satisfies [unknown, unknown];
  /** Up to here comments and thoughts are known. */
  #hiddenTo = 0;

  constructor(text: string) {
    this.#text = text;
    this.#isQuote = isQuote(text, 0);
    this.#isIndented = isIndented(text, 0);
  }

  /** True if a tag may begin at `offset`. */
  has(offset: number): boolean {
    return this.placeOf(offset) === 'prose';
  }

  /** In what `offset` stands. */
  placeOf(offset: number): 'prose' | 'quote' | 'code' | 'fence' {
    this.#readLine(offset);
    if (this.#isFenced(offset)) return 'fence';
    if (this.#isQuote || this.#isHidden(offset)) return 'quote';
    return this.#isCode || this.#isIndented ? 'code' : 'prose';
  }

  /** Start of the fence that is open at `offset`; infinity without one. */
  openFence(offset: number): number {
    return this.#isFenced(offset) && this.#fence ? this.#fence.start : Number.POSITIVE_INFINITY;
  }

  /** Skips a tag that ends at `offset`: nothing in it opens anything, and the line continues as prose. */
  skipTo(offset: number): void {
    this.#fencesTo = offset;
    this.#linesTo = offset;
    this.#hiddenTo = offset;
    this.#isQuote = false;
    this.#isIndented = false;
    this.#isCode = false;
  }

  #readLine(offset: number): void {
    const text = this.#text;
    let start = offset;
    while (start > this.#linesTo && !isLineEnd(text.charCodeAt(start - 1))) start--;
    if (start > this.#linesTo) {
      this.#isQuote = isQuote(text, start);
      this.#isCode = false;
      this.#isIndented = isIndented(text, start);
    }
    for (let at = start; at < offset; at++)
      if (text.charCodeAt(at) === BACKTICK && text.charCodeAt(at - 1) !== BACKTICK)
        this.#isCode = !this.#isCode;
    this.#linesTo = offset;
  }

  #isHidden(offset: number): boolean {
    for (;;) {
      for (const each of this.#hiding) {
        if (each.open < this.#hiddenTo) each.open = this.#find(each.from, this.#hiddenTo);
        if (each.close < each.open) each.close = this.#find(each.to, each.open);
        // One that never ends hides nothing.
        if (each.close === Number.POSITIVE_INFINITY) each.open = each.close;
      }
      const [one, other] = this.#hiding;
      const first = one.open < other.open ? one : other;
      if (first.open >= offset) return false;
      if (first.close >= offset) return true;
      this.#hiddenTo = first.close;
    }
  }

  #find(mark: string, from: number): number {
    const found = this.#text.indexOf(mark, from);
    return found < 0 ? Number.POSITIVE_INFINITY : found;
  }

  #isFenced(offset: number): boolean {
    const text = this.#text;
    for (;;) {
      const mark = this.#nextMark();
      const run = this.#runOf(mark);
      if (run >= offset) return this.#fence !== undefined;
      let end = run + 3;
      while (text[end] === mark) end++;
      this.#fencesTo = end;
      if (!beginsLine(text, run)) continue;
      LINE.lastIndex = end;
      const rest = LINE.exec(text)?.[0] ?? '';
      this.#fencesTo += rest.length;
      if (!this.#fence) {
        if (mark === '~' || !rest.includes('`')) this.#fence = { mark, length: end - run, start: run };
      } else if (end - run >= this.#fence.length && !/[^ \t]/.test(rest)) this.#fence = undefined;
    }
  }

  /** Of which the next three could begin a fence or, in one, end it. */
  #nextMark(): Mark {
    if (this.#fence) return this.#fence.mark;
    return this.#runOf('`') < this.#runOf('~') ? '`' : '~';
  }

  #runOf(mark: Mark): number {
    if (this.#runs[mark] < this.#fencesTo) {
      const found = this.#text.indexOf(mark.repeat(3), this.#fencesTo);
      this.#runs[mark] = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.#runs[mark];
  }
}

type Mark = '`' | '~';
const BACKTICK = 96;
const LINE = /[^\r\n]*/y;

const isLineEnd = (code: number) => code === 10 || code === 13;

function isQuote(text: string, lineStart: number): boolean {
  let at = lineStart;
  while (at - lineStart < 3 && text[at] === ' ') at++;
  return text[at] === '>';
}

/** True if at most three spaces precede `run` on its line. */
function beginsLine(text: string, run: number): boolean {
  let start = run;
  while (run - start < 3 && text[start - 1] === ' ') start--;
  return start === 0 || isLineEnd(text.charCodeAt(start - 1));
}

const INDENT = /^(?: {4}|\t)/;

/** True if the line is code by its indentation: behind a blank line, or behind another indented line. */
function isIndented(text: string, lineStart: number): boolean {
  if (!INDENT.test(text.slice(lineStart, lineStart + 4))) return false;
  const end = lineStart - (text.startsWith('\r\n', lineStart - 2) ? 2 : 1);
  let start = end;
  while (start > 0 && !isLineEnd(text.charCodeAt(start - 1))) start--;
  return lineStart === 0 || INDENT.test(text.slice(start, end)) || text.slice(start, end).trim() === '';
}

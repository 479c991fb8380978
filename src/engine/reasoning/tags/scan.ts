// The tags of a model's reply, in order, with what is wrong with the others.
import { type Attributes, isBeginning } from './attributes.ts';
import { closings } from './closings.ts';
import { type Fault, placed, type TagProblem } from './fault.ts';
import { Fences, type FenceState } from './fences.ts';
import { finder } from './finder.ts';
import { formFault, isPlain } from './form.ts';
import { endOfName, NAME_LIMIT } from './name.ts';
import { isNearTag } from './near.ts';
import { type Opening, readOpening } from './opening.ts';
import { inProse, Starts, type StartState } from './starts.ts';
import { type TagName, tagNamed } from './table.ts';

export interface TagBlock {
  tag: TagName;
  /** The names are those of the tag's form; which of them are required, and their values, is not checked here. */
  attributes: Attributes;
  /**
   * The characters between the tags without one line end at the beginning and one at the end; undefined when the
   * tag closes itself.
   */
  body: string | undefined;
  /** Offset of the opening tag. */
  start: number;
  /** Offset behind the block. */
  end: number;
}

/**
 * The blocks of `text` in order. Tags in a quote, in inline or fenced code, and in a block's body are text (see
 * Starts), and so is a `vaultref` outside of a body. A block ends at the
 * first closing tag of its name, wherever that stands. Each faulty block is one problem: it is left out whole when it
 * has a closing tag; else reading goes on behind its opening tag, or, if that has no end either, at the next `{{<`.
 * Linear in the text, whatever it holds.
 */
export function scanTags(text: string): { blocks: TagBlock[]; problems: TagProblem[] } {
  const scanner = new Scanner();
  const { blocks } = scanner.read(text, true);
  return { blocks, problems: scanner.problems(text) };
}

/** What of a piece is read again, from `offset` in it: nothing can be said before `wanted` has come. */
interface Rest {
  offset: number;
  wanted: string;
}

type ReadState = FenceState & StartState;

/** The state at a tag that is read again. */
const tagBegins: ReadState = { fence: undefined, ...inProse };

/** Reads a text in pieces; each begins with what the one before left unread. */
export class Scanner {
  /** Offset of the piece in the whole text. */
  #base = 0;
  #state: ReadState = { ...tagBegins, begins: true };
  readonly #faults: Fault[] = [];
  /** Names of faulty tags whose closing tag, should one come, is no second problem. */
  readonly #orphaned = new Set<string>();

  /** The blocks that end in this piece. */
  read(text: string, isLast: boolean): { blocks: TagBlock[]; rest: Rest } {
    const blocks: TagBlock[] = [];
    const fences = new Fences(text, isLast, this.#state);
    const starts = new Starts(text, this.#state);
    let unread = this.#readTags(text, isLast, fences, starts, blocks);
    if (!unread) {
      const { offset, state, wanted } = fences.rest();
      // The beginning of a line may lie before what was asked of `starts`, and needs nothing of it.
      const start = state.begins ? inProse : starts.stateAt(offset);
      unread = { offset, state: { ...start, ...state }, wanted };
    }
    const { offset, state, wanted } = unread;
    this.#base += offset;
    this.#state = state;
    return { blocks, rest: { offset, wanted } };
  }

  /** What was wrong, with places in the whole text. */
  problems(whole: string): TagProblem[] {
    return placed(whole, this.#faults);
  }

  /** Answers where a tag or a fence begins that cannot be read yet. */
  #readTags(
    text: string,
    isLast: boolean,
    fences: Fences,
    starts: Starts,
    blocks: TagBlock[],
  ): (Rest & { state: ReadState }) | undefined {
    const marks = { open: finder(text, '{{<'), end: finder(text, '>}}') };
    const nextClosing = closings(text);
    for (let at = 0; ; ) {
      const open = marks.open(at);
      if (open === Number.POSITIVE_INFINITY) return undefined;
      if (!starts.at(open)) {
        at = open + 3;
        continue;
      }
      const code = fences.at(open);
      if (typeof code === 'object') {
        const { offset, state } = code.undecided;
        return { offset, state: { ...inProse, ...state }, wanted: '\n' };
      }
      if (code) {
        at = open + 3;
        continue;
      }
      if (text[open + 3] === '/') {
        const closing = this.#readClosing(text, open, isLast);
        if (!closing) return { offset: open, state: tagBegins, wanted: '>}}' };
        at = closing.end;
        fences.skipTo(at);
        if (closing.isTag) starts.tagEnds(at);
        continue;
      }
      const opening = readOpening(text, open, isLast, marks);
      if (opening.kind === 'cut') return { offset: open, state: tagBegins, wanted: opening.wanted };
      at = opening.end;
      if (opening.kind === 'text') continue;
      if (opening.kind === 'endless') {
        this.#report(opening.fault);
        this.#orphaned.add(opening.name);
        starts.tagEnds(at);
        continue;
      }
      const name = opening.kind === 'whole' ? opening.tag : opening.name;
      const close = opening.closesItself ? at : nextClosing(name, at);
      if (close === Number.POSITIVE_INFINITY && !isLast)
        return { offset: open, state: tagBegins, wanted: `{{</${name}>}}` };
      fences.skipTo(at);
      if (close === Number.POSITIVE_INFINITY) {
        this.#report(opening.kind === 'faulty' ? opening.fault : unclosed(name, open));
        this.#orphaned.add(name);
        starts.tagEnds(at);
        continue;
      }
      const body = opening.closesItself ? undefined : trimmed(text, at, close);
      if (body !== undefined) at = close + name.length + '{{</>}}'.length;
      fences.skipTo(at);
      starts.tagEnds(at);
      this.#finish(opening, body, open, at, blocks);
    }
  }

  #finish(
    opening: Opening & { kind: 'whole' | 'faulty' },
    body: string | undefined,
    open: number,
    close: number,
    blocks: TagBlock[],
  ): void {
    if (opening.kind === 'faulty') {
      this.#report(opening.fault);
      return;
    }
    const { tag, attributes, seen } = opening;
    const fault = isPlain(tag, seen, body !== undefined) ? undefined : formFault(opening, body, open);
    if (fault) this.#report(fault);
    else blocks.push({ tag, attributes, body, start: this.#base + open, end: this.#base + close });
  }

  /** A closing tag that no block ends with. Undefined when more must come; `end`: the offset to go on from. */
  #readClosing(text: string, open: number, isLast: boolean): { isTag: boolean; end: number } | undefined {
    const end = endOfName(text, open + 4);
    if (!isLast && isBeginning(text, end, '>}}')) return undefined;
    const name = text.slice(open + 4, Math.min(end, open + 5 + NAME_LIMIT));
    const isWhole = text.startsWith('>}}', end) && name !== '' && name.length <= NAME_LIMIT;
    const isKnown = tagNamed(name) !== undefined;
    if (name === 'vaultref' || !(isKnown || (isWhole && isNearTag(name)))) return { isTag: false, end };
    if (!this.#orphaned.delete(name)) {
      const message = isWhole
        ? `{{</${name}>}} closes nothing: no {{<${name}>}} is open before it`
        : `the closing tag of ${name} is malformed: write {{</${name}>}}`;
      this.#report({ offset: open, message });
    }
    return { isTag: true, end: isWhole ? end + 3 : end };
  }

  /** Takes a fault whose offset is one of the present piece. */
  #report(fault: Fault): void {
    this.#faults.push({ ...fault, offset: this.#base + fault.offset });
  }
}

function unclosed(name: string, offset: number): Fault {
  return { offset, message: `{{<${name} ...>}} is never closed: {{</${name}>}} is missing` };
}

/** What stands from `from` to `to`, without one line end at the beginning and one at the end. */
function trimmed(text: string, from: number, to: number): string {
  let start = from;
  if (text.charCodeAt(start) === CR && text.charCodeAt(start + 1) === LF) start += 2;
  else if (text.charCodeAt(start) === LF) start++;
  let end = to;
  if (text.charCodeAt(end - 1) === LF) end -= text.charCodeAt(end - 2) === CR ? 2 : 1;
  return start < end ? text.slice(start, end) : '';
}

const LF = 10;
const CR = 13;

// The tags of a model's reply, in order, with what is wrong with the others.
import { didYouMean, type LineColumn, placesIn } from '@echelon/ground';
import type { Fields } from '../operations/fields.ts';
import type { TagName } from '../operations/table.ts';
import { isNearTag, tagNamed } from './forms.ts';
import { endOfName, type Fault, formFor, nameIn, type Opening, readOpening } from './opening.ts';
import { Prose } from './prose.ts';

export interface TagBlock {
  tag: TagName;
  /** The names are those of the tag's form; which of them are required, and their values, is not checked here. */
  attributes: Fields;
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

export interface TagProblem extends LineColumn {
  message: string;
  /** In UTF-16 units. */
  offset: number;
}

/**
 * The blocks of `text` in order. Tags outside of prose (see Prose) and in a block's body are text, and so is a
 * `vaultref` outside of a body. A tag with the name of one of `tools` is a `tool` of that name. A block ends at the first closing tag of its name, wherever that stands. Each faulty
 * block is one problem: it is left out whole when it has a closing tag; else reading goes on behind its opening tag,
 * or, if that has no end either, at the next `{{<`. Linear in the text, whatever it holds.
 */
export function scanTags(
  text: string,
  tools: readonly string[] = [],
): { blocks: TagBlock[]; problems: TagProblem[] } {
  const reader = new Reader(text, new Set(tools));
  const prose = new Prose(text);
  for (let open = text.indexOf('{{<'); open >= 0; ) {
    const before = reader.blocks.length;
    const end = prose.has(open) ? reader.read(open) : undefined;
    // In straight quotes it is named, not used.
    if (end !== undefined && /["']/.test(text[open - 1] ?? '') && text[end] === text[open - 1])
      reader.blocks.length = before;
    if (end !== undefined) prose.skipTo(end);
    open = text.indexOf('{{<', end ?? open + 3);
  }
  return { blocks: reader.blocks, problems: placed(text, reader.faults) };
}

class Reader {
  readonly blocks: TagBlock[] = [];
  readonly faults: Fault[] = [];
  readonly #text: string;
  #closings: Closings | undefined;
  /** Names of faulty tags whose closing tag, should one come, is no second problem. */
  readonly #orphaned = new Set<string>();

  readonly #tools: ReadonlySet<string>;

  constructor(text: string, tools: ReadonlySet<string>) {
    this.#text = text;
    this.#tools = tools;
  }

  /** Reads the tag at `open`, its block with it; answers where it ends, or undefined where it is text. */
  read(open: number): number | undefined {
    if (this.#text[open + 3] === '/') return this.#readClosing(open);
    const opening = readOpening(this.#text, open, this.#tools);
    return opening && this.#readBlock(opening, open);
  }

  #readBlock(opening: Opening, open: number): number {
    const { name, end, body } = opening;
    if (body === 'none') {
      this.#finish(opening, undefined, open, end);
      return end;
    }
    this.#closings ??= new Closings(this.#text);
    const close = body === 'lost' ? undefined : this.#closings.next(name, end);
    if (close === undefined) {
      const message = `{{<${name} ...>}} is never closed: {{</${name}>}} is missing`;
      this.faults.push(opening.fault ?? { offset: open, message });
      this.#orphaned.add(name);
      return end;
    }
    const blockEnd = close + name.length + '{{</>}}'.length;
    this.#finish(opening, trimmed(this.#text, end, close), open, blockEnd);
    return blockEnd;
  }

  #finish(opening: Opening, body: string | undefined, start: number, end: number): void {
    if (opening.fault) {
      this.faults.push(opening.fault);
      return;
    }
    const { tag, attributes } = opening;
    const { fault } = formFor(opening, body, start);
    if (fault) this.faults.push(fault);
    else this.blocks.push({ tag, attributes, body, start, end });
  }

  /** A closing tag that no block ends with. */
  #readClosing(open: number): number | undefined {
    const text = this.#text;
    const end = endOfName(text, open + 4);
    const name = nameIn(text, open + 4, end);
    const isWhole = text.startsWith('>}}', end);
    const isKnown = tagNamed(name) !== undefined || this.#tools.has(name);
    if (name === 'vaultref' || !(isKnown || (isWhole && isNearTag(name)))) return undefined;
    if (!this.#orphaned.delete(name)) {
      const message = isWhole
        ? `{{</${name}>}} closes nothing: no {{<${name}>}} is open before it`
        : `the closing tag of ${name} is malformed: write {{</${name}>}}`;
      this.faults.push({ offset: open, message });
    }
    return isWhole ? end + 3 : end;
  }
}

/**
 * The closing tags of a text by name. One sweep for all names together: a search for each opening tag would read the
 * rest of the text once for each tag that is never closed.
 */
class Closings {
  readonly #byName = new Map<string, { offsets: number[]; next: number }>();

  constructor(text: string) {
    for (let open = text.indexOf('{{</'); open >= 0; open = text.indexOf('{{</', open + 4)) {
      const end = endOfName(text, open + 4);
      if (!text.startsWith('>}}', end)) continue;
      const name = nameIn(text, open + 4, end);
      const known = this.#byName.get(name);
      if (known) known.offsets.push(open);
      else this.#byName.set(name, { offsets: [open], next: 0 });
    }
  }

  /** The first offset of `{{</name>}}` that is at least `from`, which never gets smaller. */
  next(name: string, from: number): number | undefined {
    const known = this.#byName.get(name);
    if (!known) return undefined;
    while ((known.offsets[known.next] ?? from) < from) known.next++;
    return known.offsets[known.next];
  }
}

/** Text from `from` to `to`, without one line end at the beginning and one at the end. */
function trimmed(text: string, from: number, to: number): string {
  const start = from + (text[from] === '\n' ? 1 : text.startsWith('\r\n', from) ? 2 : 0);
  const end = to - (text[to - 1] !== '\n' ? 0 : text[to - 2] === '\r' ? 2 : 1);
  return start < end ? text.slice(start, end) : '';
}

/** After so many unknown names no nearest one is looked for: that costs more than all the rest of scanning. */
const SUGGESTIONS = 100;

/** The faults with their places in `text`. */
export function placed(text: string, faults: readonly Fault[]): TagProblem[] {
  if (faults.length === 0) return [];
  const place = placesIn(text);
  let suggestions = 0;
  return faults.map(({ message, offset, unknown }) => {
    const hint = unknown && suggestions++ < SUGGESTIONS ? didYouMean(unknown.name, unknown.known) : '';
    return { message: message + hint, offset, ...place(offset) };
  });
}

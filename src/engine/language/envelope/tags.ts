// The lenient reading of an envelope whose tags do not balance: where each of its parts ends. A model seldom escapes
// the code it quotes, so what stands between the tags is never parsed: a part ends where what follows is another part
// or the end. All is found in passes that never go back, so that a hostile reply takes no longer than a good one.

import { type Part, type PartName, pastSection, type Structure } from './balanced.ts';

/** The opening tag of a part. */
interface Opening {
  name: PartName;
  from: number;
  to: number;
  /** Where the tag before it ended. */
  after: number;
  /** As written; undefined: the tag lacks its `>`, and only ends what is before it. */
  attributes: string | undefined;
  selfClosing: boolean;
}

interface Closing {
  from: number;
  to: number;
}

/** Where the text of a part ends, and where its closing tag does. */
interface End {
  text: number;
  tag: number;
  isClosed: boolean;
}

/** What is known of the tags of one name. */
interface Kind {
  name: PartName;
  /** How many of its openings want a closing. */
  openings: number;
  closings: Closing[];
  /** Those that another part or the end follows. */
  followed: Closing[];
  nextClosing: number;
  nextFollowed: number;
}

const pattern =
  /<(?:(!--|!\[CDATA\[)|\/(content|output|notes|criteria)\s*>|(content|output|notes|criteria)(?=[\s/>])(?:((?:\s[^<>]*?)?)(\/?)>)?)/g;

/**
 * The parts of the envelope whose inside is `text` from `from` to `to`; `declared` are the names of the outputs that
 * were asked for. What a comment or CDATA holds is no part.
 */
export function lenientParts(
  text: string,
  from: number,
  to: number,
  declared: readonly string[],
): Pick<Structure, 'parts' | 'between'> {
  const parts: Part[] = [];
  const between: [number, number][] = [];
  const tags = new Tags(text.slice(from, to), declared);
  let at = 0;
  for (const tag of tags.openings) {
    if (tag.from < at || tag.attributes === undefined) continue;
    between.push([from + at, from + tag.from]);
    const end = tags.endOf(tag);
    at = end.tag;
    const { name, attributes } = tag;
    const place = { at: from + tag.from, from: from + tag.to, to: from + end.text };
    parts.push({ name, attributes, ...place, isClosed: end.isClosed });
  }
  between.push([from + at, to]);
  return { parts, between };
}

/** The tags of the parts in an envelope. Ask for the ends in the order of the openings, though not for each. */
class Tags {
  /** In order, those inside other parts too. */
  readonly openings: Opening[] = [];
  readonly #inner: string;
  readonly #declared: readonly string[];
  readonly #kinds: Kind[] = [];
  #nextOpening = 0;
  #nextStart = 0;

  /** `declared` are the names of the outputs that were asked for. */
  constructor(inner: string, declared: readonly string[]) {
    this.#inner = inner;
    this.#declared = declared;
    let after = 0;
    let closing: Closing | undefined;
    let closed: Kind | undefined;
    /** Of comments and of CDATA: whether the text may still hold an end of one. */
    const mayEnd: Record<string, boolean> = {};
    pattern.lastIndex = 0;
    for (let match = pattern.exec(inner); match; match = pattern.exec(inner)) {
      const from = match.index;
      const to = pattern.lastIndex;
      const section = match[1];
      if (section !== undefined) {
        const past = mayEnd[section] === false ? undefined : pastSection(inner, section, from);
        mayEnd[section] = past !== undefined;
        pattern.lastIndex = past ?? to;
      } else if (match[2] !== undefined) {
        closing = { from, to };
        closed = this.#kind(match[2] as PartName);
        closed.closings.push(closing);
      } else {
        if (closing && isBlank(inner, after, from)) closed?.followed.push(closing);
        closing = undefined;
        const name = match[3] as PartName;
        const selfClosing = match[5] === '/';
        this.openings.push({ name, from, to, after, attributes: match[4], selfClosing });
        if (match[4] !== undefined && !selfClosing) this.#kind(name).openings++;
      }
      if (section === undefined) after = to;
    }
    if (closing && isBlank(inner, after, inner.length)) closed?.followed.push(closing);
  }

  endOf(opening: Opening): End {
    if (opening.selfClosing) return { text: opening.to, tag: opening.to, isClosed: true };
    const kind = this.#kind(opening.name);
    while (isBefore(kind.closings[kind.nextClosing], opening.to)) kind.nextClosing++;
    while (isBefore(kind.followed[kind.nextFollowed], opening.to)) kind.nextFollowed++;
    const first = kind.closings[kind.nextClosing];
    const followed = kind.followed[kind.nextFollowed];
    while (isBefore(this.openings[this.#nextOpening], opening.to)) this.#nextOpening++;
    const inside = this.openings[this.#nextOpening];
    const closing =
      followed && (!inside || followed.from < inside.from)
        ? followed
        : this.#closingOver(this.#startAfter(opening.to), first, followed, kind);
    if (closing) return { text: closing.from, tag: closing.to, isClosed: true };
    const start = this.#startAfter(opening.to);
    return { text: start, tag: start, isClosed: false };
  }

  /** Which closing ends a part, when another part may start at `start`. */
  #closingOver(start: number, first: Closing | undefined, followed: Closing | undefined, kind: Kind) {
    if (followed && followed.from < start) return followed;
    if (first && first.from < start) return first;
    // What starts within this part is quoted in it, unless a closing is missing somewhere.
    return kind.closings.length >= kind.openings ? (followed ?? first) : undefined;
  }

  /** Where the next part may start even if the one before it was not closed. */
  #startAfter(from: number): number {
    for (; this.#nextStart < this.openings.length; this.#nextStart++) {
      const opening = this.openings[this.#nextStart]!;
      if (opening.from >= from && this.#isStart(opening)) return opening.from;
    }
    return this.#inner.length;
  }

  /** It begins its line, or opens an output that was asked for. */
  #isStart({ from, after, attributes }: Opening): boolean {
    const before = this.#inner.slice(after, from);
    const lineEnd = before.lastIndexOf('\n');
    if (lineEnd >= 0 && before.slice(lineEnd).trim() === '') return true;
    const name = attributes && /^\s+name\s*=\s*["']?([\w-]+)["']?\s*$/.exec(attributes)?.[1];
    return !!name && this.#declared.includes(name);
  }

  #kind(name: PartName): Kind {
    // There are four at most.
    for (const kind of this.#kinds) if (kind.name === name) return kind;
    const kind = { name, openings: 0, closings: [], followed: [], nextClosing: 0, nextFollowed: 0 };
    this.#kinds.push(kind);
    return kind;
  }
}

function isBefore(place: { from: number } | undefined, at: number): boolean {
  return place !== undefined && place.from < at;
}

function isBlank(text: string, from: number, to: number): boolean {
  return from === to || text.slice(from, to).trim() === '';
}

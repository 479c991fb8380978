// The lenient reading of an envelope whose tags do not balance: where each of its parts ends. A model seldom escapes
// the code it quotes, so what stands between the tags is never parsed: a part ends where what follows is another part
// or the end. The tags are collected in one pass, and searched by halves: a hostile reply takes no longer than a good one.

import { type Part, type PartName, pastSection, type Structure } from './balanced.ts';

/** A tag, from and to. */
interface Tag {
  from: number;
  to: number;
}

/** The opening tag of a part. */
interface Opening extends Tag {
  name: PartName;
  /** As written; undefined: the tag lacks its `>`, and only ends what is before it. */
  attributes: string | undefined;
  selfClosing: boolean;
  /** Whether a part starts here even if the one before it was not closed. */
  isStart: boolean;
}

/** The tags of one name. */
interface Kind {
  /** How many of its openings want a closing. */
  openings: number;
  closings: Tag[];
  /** The closings that another part or the end follows. */
  followed: Tag[];
}

/** The tags of the parts in an envelope, in order, those inside other parts too. */
interface Tags {
  openings: Opening[];
  starts: Opening[];
  kinds: Record<PartName, Kind>;
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
  const tags = tagsIn(text.slice(from, to), declared);
  let at = 0;
  for (const tag of tags.openings) {
    if (tag.from < at || tag.attributes === undefined) continue;
    between.push([from + at, from + tag.from]);
    const { name, attributes } = tag;
    const closing = tag.selfClosing ? { from: tag.to, to: tag.to } : closingOf(tag, tags);
    const start = firstFrom(tags.starts, tag.to)?.from ?? to - from;
    at = closing?.to ?? start;
    const place = { at: from + tag.from, from: from + tag.to, to: from + (closing?.from ?? start) };
    parts.push({ name, attributes, ...place, isClosed: closing !== undefined });
  }
  between.push([from + at, to]);
  return { parts, between };
}

/** The closing tag that ends a part; undefined: it ends where the next one starts. */
function closingOf(opening: Opening, { starts, kinds }: Tags): Tag | undefined {
  const kind = kinds[opening.name];
  const first = firstFrom(kind.closings, opening.to);
  const followed = firstFrom(kind.followed, opening.to);
  const start = firstFrom(starts, opening.to);
  for (const closing of [followed, first])
    if (closing && (!start || closing.from < start.from)) return closing;
  // What starts within this part is quoted in it, unless a closing is missing somewhere.
  return kind.closings.length >= kind.openings ? (followed ?? first) : undefined;
}

function tagsIn(inner: string, declared: readonly string[]): Tags {
  const kind = (): Kind => ({ openings: 0, closings: [], followed: [] });
  const kinds = { content: kind(), output: kind(), notes: kind(), criteria: kind() };
  const openings: Opening[] = [];
  let after = 0; // where the tag before ended
  let closing: (Tag & { name: PartName }) | undefined; // the tag before, where it is one
  const endClosing = (to: number) => {
    if (closing && inner.slice(after, to).trim() === '') kinds[closing.name].followed.push(closing);
    closing = undefined;
  };
  /** Of comments and of CDATA: whether the text may still hold an end of one. */
  const mayEnd: Record<string, boolean> = {};
  pattern.lastIndex = 0;
  for (let match = pattern.exec(inner); match; match = pattern.exec(inner)) {
    const from = match.index;
    const to = pattern.lastIndex;
    const [, section, closed, opened, attributes, slash] = match;
    if (section !== undefined) {
      const past = mayEnd[section] === false ? undefined : pastSection(inner, section, from);
      mayEnd[section] = past !== undefined;
      pattern.lastIndex = past ?? to;
      continue;
    }
    if (closed !== undefined) {
      closing = { name: closed as PartName, from, to };
      kinds[closing.name].closings.push(closing);
    } else {
      endClosing(from);
      const name = opened as PartName;
      const selfClosing = slash === '/';
      const isStart = beginsLine(inner.slice(after, from)) || opensOneOf(declared, attributes);
      openings.push({ name, from, to, attributes, selfClosing, isStart });
      if (attributes !== undefined && !selfClosing) kinds[name].openings++;
    }
    after = to;
  }
  endClosing(inner.length);
  return { openings, starts: openings.filter(({ isStart }) => isStart), kinds };
}

/** Whether what stands between the tag before and an opening begins a line for it. */
function beginsLine(before: string): boolean {
  const lineEnd = before.lastIndexOf('\n');
  return lineEnd >= 0 && before.slice(lineEnd).trim() === '';
}

function opensOneOf(declared: readonly string[], attributes: string | undefined): boolean {
  const name = attributes && /^\s+name\s*=\s*["']?([\w-]+)["']?\s*$/.exec(attributes)?.[1];
  return !!name && declared.includes(name);
}

/** The first of `tags`, which stand in order, that begins at `at` or behind it. */
function firstFrom<T extends Tag>(tags: readonly T[], at: number): T | undefined {
  let low = 0;
  let high = tags.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tags[middle]!.from < at) low = middle + 1;
    else high = middle;
  }
  return tags[low];
}

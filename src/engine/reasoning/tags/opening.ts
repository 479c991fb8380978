// An opening tag, from its `{{<` to its `>}}`.
import { readAttributes, type Whole } from './attributes.ts';
import type { Fault } from './fault.ts';
import { endOfBlanks, endOfName, known, knownAt, NAME_LIMIT } from './name.ts';
import { isNearTag, operationTags } from './near.ts';
import { tagNames } from './table.ts';

export type Opening =
  | Whole
  /** Its end is the first `>}}`: quotes in a faulty tag mean nothing. */
  | { kind: 'faulty'; name: string; fault: Fault; closesItself: boolean; end: number }
  /** No `>}}` before the next `{{<`; reading goes on at `end`. */
  | { kind: 'endless'; name: string; fault: Fault; end: number }
  /** No tag at all. */
  | { kind: 'text'; end: number }
  /** More text may come, and nothing can be said before `wanted` is in it. */
  | { kind: 'cut'; wanted: string };

/** Where the next `{{<` and `>}}` of the text are; asked with growing offsets. */
export interface Marks {
  open: (from: number) => number;
  end: (from: number) => number;
}

/**
 * Reads the opening tag at `open`. An unknown name is text, unless it is near to a known one and its tag is whole; a
 * `vaultref` is, too, since it does something in bodies only.
 */
export function readOpening(text: string, open: number, isLast: boolean, marks: Marks): Opening {
  const nameStart = endOfBlanks(text, open + 3);
  const tag = knownAt(text, nameStart, knownTags)?.name;
  const nameEnd = tag ? nameStart + tag.length : endOfName(text, nameStart);
  if (nameEnd === text.length && !isLast) return { kind: 'cut', wanted: '>}}' };
  const length = nameEnd - nameStart;
  if (length === 0 || length > NAME_LIMIT) return { kind: 'text', end: open + 3 };
  const name = tag ?? text.slice(nameStart, nameEnd);
  const isSpaced = nameStart > open + 3;
  if (name === 'vaultref' || (!tag && (isSpaced || !isNearTag(name)))) return { kind: 'text', end: nameEnd };

  let fault: Fault;
  if (isSpaced) fault = { offset: open, message: `no space may stand before the name: write {{<${name}` };
  else if (!tag) fault = unknownTag(name, open);
  else {
    const read = readAttributes(text, nameEnd, tag);
    if (read.kind === 'whole') return read;
    if (read.kind === 'cut' && !isLast) return { kind: 'cut', wanted: read.wanted };
    fault = read.fault;
  }

  const end = marks.end(nameEnd);
  const next = marks.open(nameEnd);
  if (end < next) {
    if (fault.offset > end) fault = { offset: open, message: `a quote is missing in the tag ${name}` };
    return { kind: 'faulty', name, fault, closesItself: text[end - 1] === '/', end: end + 3 };
  }
  if (next === Number.POSITIVE_INFINITY && !isLast) return { kind: 'cut', wanted: '>}}' };
  if (!tag) return { kind: 'text', end: nameEnd };
  fault = { offset: open, message: `the tag ${name} does not end: ">}}" is missing` };
  return { kind: 'endless', name, fault, end: nameEnd };
}

const knownTags = tagNames.map(known);
const listed = operationTags.join(', ');

function unknownTag(name: string, offset: number): Fault {
  return {
    offset,
    message: `there is no tag "${name}" (the tags: ${listed})`,
    unknown: { name, known: operationTags },
  };
}

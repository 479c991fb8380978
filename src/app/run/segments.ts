// A record as a chain of segments: how large one may be, and what becomes of it when entries are added.
import type { Entry, RunIdentity } from '../../journal/journal.ts';
import { live } from '../../journal/journal.ts';
import { encodeSegment, segmentDigest } from '../../journal/codec.ts';
import { MAX_BODY } from '../comments/neutral.ts';

/** Characters of an open segment past which it is closed; with the board it stays under GitHub's 65,536. */
const CLOSE_AT = 55_000;
/** The same for its bytes before they are packed: a reader stops at 1 MB. */
const CLOSE_PLAIN_AT = 700_000;

export interface Segments {
  /** Number of the open segment, from 1. */
  seq: number;
  /** Digest of the one before. */
  prev: string;
  closed: Entry[];
  open: Entry[];
}

export const noSegments = (): Segments => ({ seq: 1, prev: '-', closed: [], open: [] });

export const entriesOf = ({ closed, open }: Segments): Entry[] => live([...closed, ...open]);

export const isLasting = ({ t }: Entry) => t !== 'checkpoint';

/** What writes segments of one run. */
export interface SegmentWriter {
  encode(at: Pick<Segments, 'seq' | 'prev'>, entries: readonly Entry[]): string;
  /** Encoded, where it is no more than a segment is to hold. */
  fitting(at: Pick<Segments, 'seq' | 'prev'>, entries: readonly Entry[]): string | undefined;
  /** Throws where no segment can hold the entries. */
  checkSize(at: Pick<Segments, 'seq' | 'prev'>, entries: readonly Entry[]): void;
}

export function segmentWriter(identity: RunIdentity, keys: readonly Uint8Array[]): SegmentWriter {
  const encode: SegmentWriter['encode'] = ({ seq, prev }, entries) =>
    encodeSegment({ identity, seq, prev, entries: live(entries) }, keys);
  return {
    encode,
    fitting(at, entries) {
      if (Buffer.byteLength(JSON.stringify(live(entries))) > CLOSE_PLAIN_AT) return undefined;
      const encoded = encode(at, entries);
      return encoded.length <= CLOSE_AT ? encoded : undefined;
    },
    checkSize(at, entries) {
      const size = encode(at, entries).length;
      if (size > MAX_BODY - 1000)
        throw new Error(`a step's result is too large for the record (${size} characters packed)`);
    },
  };
}

/** What is to be written, by its number, and how the chain stands then. */
export interface Laid {
  written: Map<number, string>;
  next: Segments;
}

/** Entries laid into a chain of which each segment may be written again as long as it is the last. */
export function lay(writer: SegmentWriter, now: Segments, batch: readonly Entry[]): Laid {
  const whole = layOpen(writer, now, batch);
  if (whole) return whole;
  // A checkpoint is an aid: where it does not fit beside what is open it is left out, and closes nothing.
  const rest = { ...now, open: now.open.filter(isLasting) };
  const entries = batch.filter(isLasting);
  return entries.length === 0 ? { written: new Map(), next: rest } : layLasting(writer, rest, entries);
}

function layOpen(writer: SegmentWriter, now: Segments, entries: readonly Entry[]): Laid | undefined {
  const open = [...now.open, ...entries];
  const encoded = writer.fitting(now, open);
  return encoded === undefined
    ? undefined
    : { written: new Map([[now.seq, encoded]]), next: { ...now, open } };
}

function layLasting(writer: SegmentWriter, now: Segments, entries: readonly Entry[]): Laid {
  const beside = layOpen(writer, now, entries);
  if (beside) return beside;
  // A batch that is too large for one segment goes on in the next one.
  if (entries.length > 1 && writer.fitting(now, entries) === undefined) {
    const half = Math.ceil(entries.length / 2);
    const first = layLasting(writer, now, entries.slice(0, half));
    const second = layLasting(writer, first.next, entries.slice(half));
    return { written: new Map([...first.written, ...second.written]), next: second.next };
  }
  // Before anything is closed for it: what no segment can hold.
  writer.checkSize(now, entries);
  if (now.open.length === 0)
    return {
      written: new Map([[now.seq, writer.encode(now, entries)]]),
      next: { ...now, open: [...entries] },
    };
  const full = writer.encode(now, now.open);
  const next = {
    seq: now.seq + 1,
    prev: segmentDigest(full),
    closed: [...now.closed, ...now.open],
    open: [...entries],
  };
  return {
    written: new Map([
      [now.seq, full],
      [next.seq, writer.encode(next, entries)],
    ]),
    next,
  };
}

// A record as a chain of segments, and how large a segment may be.
import { encodeSegment, type Entry, live, type RunIdentity } from '@echelon/ground/journal';
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

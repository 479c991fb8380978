// A segment of a record as one hidden comment: packed, chained, and authenticated before it is unpacked.
import { present } from '../lib/present.ts';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { z } from 'zod';
import { canonical } from '../lib/json.ts';
import { type Entry, EntrySchema, type RunIdentity } from './journal.ts';

/** Format of the record. A reader takes this version; a newer one is left alone and named. */
const RECORD_VERSION = 2;
/** Unpacked size a segment may have: a bound against decompression bombs (bytes). */
const MAX_INFLATED = 1 << 20;

export interface Segment {
  identity: RunIdentity;
  /** Place in the chain, from 1. */
  seq: number;
  /** Digest of the segment before (hex, 32 characters), or `-` for the first. */
  prev: string;
  entries: Entry[];
}

const pattern =
  /<!-- echelon:record v=(\d{1,6}) run=([a-z0-9]{1,32}) seq=(\d{1,9}) prev=(-|[0-9a-f]{32}) mac=([A-Za-z0-9+/]{43}=)\r?\n([A-Za-z0-9+/=\s]*) -->/g;

/** The record cannot be read as it stands; `kind` says how it is to be met. */
export class RecordError extends Error {
  readonly kind: 'newer' | 'forged' | 'broken';
  constructor(kind: 'newer' | 'forged' | 'broken', message: string) {
    super(message);
    this.kind = kind;
  }
}

function mac(
  key: Uint8Array,
  version: number,
  identity: RunIdentity,
  seq: number,
  prev: string,
  payload: string,
) {
  const head = [version, identity.repository, identity.issue, identity.run, seq, prev].join('|');
  return createHmac('sha256', key).update(`${head}|${payload}`).digest();
}

/**
 * The segment as an HTML comment. `keys`: the newest first; it signs. Standard base64 has no `-`, so it cannot end the
 * comment. Throws an Error where no reader would unpack it.
 */
export function encodeSegment(segment: Segment, keys: readonly Uint8Array[]): string {
  const { identity, seq, prev } = segment;
  const plain = canonical(segment.entries);
  const bytes = Buffer.byteLength(plain);
  if (bytes > MAX_INFLATED)
    throw new Error(
      `a segment is too large for the record (${bytes} bytes; a reader stops at ${MAX_INFLATED})`,
    );
  const payload = pack(plain);
  const sum = mac(firstKey(keys), RECORD_VERSION, identity, seq, prev, payload).toString('base64');
  return `<!-- echelon:record v=${RECORD_VERSION} run=${identity.run} seq=${seq} prev=${prev} mac=${sum}\n${payload} -->`;
}

/**
 * The id of a run (8 hex digits): the same for the same trigger, and known beforehand only to who has the key, so
 * that nobody can take its branches first.
 */
export function runId(
  where: Pick<RunIdentity, 'repository' | 'issue'>,
  trigger: number,
  keys: readonly Uint8Array[],
) {
  const text = canonical(['run', where.repository, where.issue, trigger]);
  return createHmac('sha256', firstKey(keys)).update(text).digest('hex').slice(0, 8);
}

/** Characters that a value takes in a segment. */
export function packedSize(value: unknown): number {
  return pack(canonical(value)).length;
}

function pack(text: string): string {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
  };
  return brotliCompressSync(text, { params }).toString('base64');
}

/** Digest that the next segment names as `prev`. */
export function segmentDigest(encoded: string): string {
  return createHash('sha256').update(encoded.replace(/\s+/g, ' ')).digest('hex').slice(0, 32);
}

/**
 * The segment in a comment's body, or undefined where there is none. Verifies before it inflates.
 * Throws RecordError: `newer` version, `forged` (no key fits, or more than one segment), `broken` payload.
 */
export function decodeSegment(
  body: string,
  place: Pick<RunIdentity, 'repository' | 'issue'>,
  keys: readonly Uint8Array[],
): { segment: Segment; encoded: string } | undefined {
  const found = [...body.matchAll(pattern)];
  const match = found[0];
  if (!match) return undefined;
  if (found.length > 1) throw new RecordError('forged', 'the comment holds more than one record');
  const [encoded, version, run = '', seqText, prev = '-', sum = '', text = ''] = match;
  if (Number(version) > RECORD_VERSION)
    throw new RecordError(
      'newer',
      `the record has version ${version}; this version of Echelon reads ${RECORD_VERSION}`,
    );
  const identity = { ...place, run };
  const seq = Number(seqText);
  const payload = text.replace(/\s+/g, '');
  const given = Buffer.from(sum, 'base64');
  const fits = keys.some(key => {
    const expected = mac(key, Number(version), identity, seq, prev, payload);
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
  if (!fits)
    throw new RecordError('forged', 'the record was not written by this installation, or was changed');
  try {
    const plain = brotliDecompressSync(Buffer.from(payload, 'base64'), { maxOutputLength: MAX_INFLATED });
    const segment = {
      identity,
      seq,
      prev,
      entries: z.array(EntrySchema).parse(JSON.parse(plain.toString('utf8'))),
    };
    return { segment, encoded };
  } catch (cause) {
    throw new RecordError('broken', `the record cannot be unpacked: ${String(cause).slice(0, 200)}`);
  }
}

const firstKey = (keys: readonly Uint8Array[]): Uint8Array =>
  present(keys[0], 'the key that signs the record');

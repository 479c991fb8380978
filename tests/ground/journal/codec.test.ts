// A segment of the record: what goes in comes out, and nothing else is taken for one.
import { createHmac } from 'node:crypto';
import { brotliCompressSync, constants } from 'node:zlib';
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { canonical, type Json } from '../../../packages/ground/lib/json.ts';
import {
  decodeSegment,
  encodeSegment,
  RecordError,
  runId,
  type Segment,
  segmentDigest,
} from '../../../packages/ground/journal/codec.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { expectLinear } from '../../cpu-time.ts';

const key = new TextEncoder().encode('a key that is 32 characters long');
const other = new TextEncoder().encode('another that is 32 characters lo');
const identity = { repository: 7, issue: 3, run: 'abc123' };
const entries: Entry[] = [
  { t: 'intent', key: 'issue/1/create' },
  { t: 'step', key: 'issue/1/create', result: { number: 12 }, at: 1_795_000_000_000 },
  { t: 'signal', id: 'c5-1', name: 'approve', value: { by: 'wanda', comment: 5 }, at: 1_795_000_000_001 },
];
const segment: Segment = { identity, seq: 1, prev: '-', entries };

/** Version of records written today. */
const RECORD_VERSION = 2;

function read(body: string, place = { repository: 7, issue: 3 }, keys = [key]): Segment | string {
  try {
    return decodeSegment(body, place, keys)?.segment ?? 'none';
  } catch (error) {
    if (error instanceof RecordError) return error.kind;
    throw error;
  }
}

/** A segment around any payload, signed as the product signs. */
function forge(payload: Buffer, version = RECORD_VERSION): string {
  const text = payload.toString('base64');
  const mac = createHmac('sha256', key).update(`${version}|7|3|abc123|1|-|${text}`).digest('base64');
  return `<!-- echelon:record v=${version} run=abc123 seq=1 prev=- mac=${mac}\n${text} -->`;
}

const fast = (bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;
// NaN, Infinity and -0 have no place in JSON, so a journal cannot hold them.
const at = fc.integer({ min: 0, max: 2 ** 45 });
const entry: fc.Arbitrary<Entry> = fc.oneof(
  fc.record({ t: fc.constant('intent' as const), key: fc.string() }),
  fc.record({ t: fc.constant('step' as const), key: fc.string(), result: json, at }),
  fc.record({ t: fc.constant('signal' as const), id: fc.string(), name: fc.string(), value: json, at }),
);

test('what goes in comes out, with any text before and after it', () => {
  fc.assert(
    fc.property(
      fc.array(entry, { maxLength: 20 }),
      fc.integer({ min: 1, max: 999_999 }),
      fc.constantFrom('-', '0123456789abcdef0123456789abcdef'),
      fc.string({ unit: 'grapheme', maxLength: 50 }),
      (list, seq, prev, around) => {
        const one = { identity, seq, prev, entries: list };
        const encoded = encodeSegment(one, [key]);
        const found = decodeSegment(`${around}\n\n${encoded}\n${around}`, identity, [key]);
        expect(canonical(found?.segment)).toBe(canonical(one));
        expect(found?.encoded).toBe(encoded);
      },
    ),
    { numRuns: 200 },
  );
});

test('more than a reader would unpack is not written', () => {
  const holding = (length: number): Segment => ({
    ...segment,
    entries: [{ t: 'step', key: 'k', result: 'a '.repeat(length / 2), at: 1 }],
  });
  const most = (1 << 20) - 100;
  expect(read(encodeSegment(holding(most), [key]))).toEqual(holding(most));
  expect(() => encodeSegment(holding(1 << 20), [key])).toThrow('too large for the record');
});

test('the comment it is in cannot be ended from within', () => {
  fc.assert(
    fc.property(fc.array(entry, { maxLength: 20 }), list => {
      const inside = encodeSegment({ ...segment, entries: list }, [key]).slice(4, -3);
      expect(inside).not.toMatch(/--/);
    }),
  );
});

describe('a changed segment', () => {
  const encoded = encodeSegment(segment, [key]);

  test('no change of one bit leaves one that is taken', () => {
    const bytes = Buffer.from(encoded, 'latin1');
    for (const index of bytes.keys())
      for (const bit of [1, 2, 4, 8, 16, 32, 64, 128]) {
        const changed = Buffer.from(bytes);
        changed[index]! ^= bit;
        const result = read(changed.toString('latin1'));
        // White space within the payload is not part of it.
        if (typeof result !== 'string') expect(JSON.stringify(result)).toBe(JSON.stringify(segment));
      }
  });

  test('no missing or doubled character leaves one that is taken', () => {
    for (let index = 0; index < encoded.length; index++) {
      const without = read(encoded.slice(0, index) + encoded.slice(index + 1));
      const doubled = read(encoded.slice(0, index) + encoded[index] + encoded.slice(index));
      for (const result of [without, doubled])
        if (typeof result !== 'string') expect(JSON.stringify(result)).toBe(JSON.stringify(segment));
    }
  });

  test('any cut leaves none', () => {
    for (let length = 0; length < encoded.length; length++)
      expect(read(encoded.slice(0, length))).toBe('none');
  });
});

test.for<[name: string, body: string, place: { repository: number; issue: number }, result: string]>([
  ['no segment', 'A comment like others.', identity, 'none'],
  ['another issue', encodeSegment(segment, [key]), { repository: 7, issue: 4 }, 'forged'],
  ['another repository', encodeSegment(segment, [key]), { repository: 8, issue: 3 }, 'forged'],
  ['another run', encodeSegment(segment, [key]).replace('run=abc123', 'run=abc124'), identity, 'forged'],
  ['another place in the chain', encodeSegment(segment, [key]).replace('seq=1', 'seq=2'), identity, 'forged'],
  [
    'another segment before it',
    encodeSegment(segment, [key]).replace('prev=-', `prev=${'0'.repeat(32)}`),
    identity,
    'forged',
  ],
  ['another key', encodeSegment(segment, [other]), identity, 'forged'],
  ['two segments', encodeSegment(segment, [key]).repeat(2), identity, 'forged'],
  [
    'a good and a forged one',
    encodeSegment(segment, [key]) + encodeSegment(segment, [other]),
    identity,
    'forged',
  ],
  ['a newer version, signed', forge(brotliCompressSync('[]'), RECORD_VERSION + 1), identity, 'newer'],
  [
    'a newer version, not signed',
    encodeSegment(segment, [other]).replace(`v=${RECORD_VERSION}`, 'v=999999'),
    identity,
    'newer',
  ],
  ['what does not unpack', forge(Buffer.from('not brotli')), identity, 'broken'],
  ['nothing', forge(Buffer.alloc(0)), identity, 'broken'],
  ['a bomb of 64 MB', forge(fast(Buffer.alloc(1 << 26, '[]'))), identity, 'broken'],
  ['no JSON', forge(brotliCompressSync('hello')), identity, 'broken'],
  ['no list', forge(brotliCompressSync('{}')), identity, 'broken'],
  ['an entry of no kind', forge(brotliCompressSync('[{"t":"x"}]')), identity, 'broken'],
  [
    'an entry with one key more',
    forge(brotliCompressSync('[{"t":"intent","key":"a","by":"b"}]')),
    identity,
    'broken',
  ],
])('%s', ([, body, place, result]) => {
  expect(read(body, place)).toBe(result);
});

test('keys that turn: the newest signs, all are taken', () => {
  const old = encodeSegment(segment, [key]);
  expect(read(old, identity, [other, key])).toEqual(segment);
  expect(read(encodeSegment(segment, [other, key]), identity, [other])).toEqual(segment);
});

test('without a key nothing is signed, and nothing is taken', () => {
  expect(() => encodeSegment(segment, [])).toThrow('the key that signs the record');
  expect(read(encodeSegment(segment, [key]), identity, [])).toBe('forged');
});

test('line ends that GitHub or a person’s editor changed do not matter', () => {
  const encoded = encodeSegment(segment, [key]);
  const windows = encoded.replaceAll('\n', '\r\n');
  expect(read(windows)).toEqual(segment);
  expect(segmentDigest(windows)).toBe(segmentDigest(encoded));
});

test('a long comment that is almost a segment is refused in a time that grows with it', () => {
  const almost = (size: number) =>
    `<!-- echelon:record v=1 run=abc seq=1 prev=- mac=${'A'.repeat(43)}=\n${'A'.repeat(size)}`;
  const begun = (size: number) => '<!-- echelon:record v=1 run=a seq=1 prev=- mac='.repeat(size / 47);
  for (const make of [almost, begun]) {
    expect(read(make(65_000))).toBe('none');
    expectLinear(text => read(text), make, 65_000);
  }
});

test('the id of a run cannot be told from what everybody sees, and is the same for the same trigger', () => {
  const where = { repository: 7, issue: 3 };
  const id = runId(where, 12, [key]);
  expect(id).toMatch(/^[0-9a-f]{8}$/);
  expect(runId(where, 12, [key])).toBe(id);
  expect(runId(where, 12, [other])).not.toBe(id);
  expect(runId(where, 13, [key])).not.toBe(id);
});

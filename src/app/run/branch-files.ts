// The files of a record's branch: its head, and its segments, each like one of a comment.
import { z } from 'zod';
import { decodeSegment, RecordError, segmentDigest } from '../../journal/codec.ts';
import type { RunIdentity } from '../../journal/journal.ts';
import { Lease } from './lease.ts';
import { noSegments, type Segments } from './segments.ts';

/** Format of the files. A newer one is left alone. */
const VERSION = 1;
const headFile = 'record.json';
const segmentFile = (seq: number) => `segment-${seq}`;

/** What the head says: whose record it is, how many commits and segments it has, and who goes on with the run. */
const Head = z.strictObject({
  version: z.literal(VERSION),
  run: z.string().regex(/^[a-z0-9]{1,32}$/),
  /** One more with each commit, over all runs of the issue. */
  commit: z.int().min(1),
  segments: z.int().min(1),
  lease: Lease.nullable(),
});
export type Head = Omit<z.infer<typeof Head>, 'version'>;

export type Files = ReadonlyMap<string, string | undefined>;

/** What a commit writes: the head, and the segments that are new or have changed, by their number. */
export function filesOf(head: Head, segments: ReadonlyMap<number, string>): Map<string, string> {
  const files = new Map([...segments].map(([seq, text]) => [segmentFile(seq), text]));
  return files.set(headFile, `${JSON.stringify({ version: VERSION, ...head })}\n`);
}

/** Throws RecordError. */
export function readHead(files: Files): Head {
  let head: unknown;
  try {
    head = JSON.parse(files.get(headFile) ?? '');
  } catch {
    throw new RecordError('broken', `${headFile} is missing, or cannot be read`);
  }
  const { version } = z.object({ version: z.number() }).catch({ version: 0 }).parse(head);
  if (version > VERSION)
    throw new RecordError(
      'newer',
      `the record has version ${version}; this version of Echelon reads ${VERSION}`,
    );
  const read = Head.safeParse(head);
  if (!read.success) throw new RecordError('broken', `${headFile} cannot be read`);
  return read.data;
}

/** The segments that the head tells of, each following the one before. Throws RecordError. */
export function readSegments(
  files: Files,
  { run, segments }: Head,
  where: Pick<RunIdentity, 'repository' | 'issue'>,
  keys: readonly Uint8Array[],
): Segments {
  let chain = noSegments();
  for (let seq = 1; seq <= segments; seq++) {
    const found = decodeSegment(files.get(segmentFile(seq)) ?? '', where, keys);
    const { segment } = found ?? {};
    if (!found || segment?.identity.run !== run || segment.seq !== seq || segment.prev !== chain.prev)
      throw new RecordError('broken', `part ${seq} of the record is missing`);
    const closed = [...chain.closed, ...chain.open];
    chain = { seq, prev: chain.prev, closed, open: segment.entries };
    if (seq < segments) chain.prev = segmentDigest(found.encoded);
  }
  return chain;
}

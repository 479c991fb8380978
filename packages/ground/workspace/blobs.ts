// Reads blobs of a repository by their ids: all of them with one git.
import { type GitOptions, git, gitBytes } from './git.ts';

const lines = (oids: readonly string[]) => oids.map(oid => `${oid}\n`).join('');

/** Bytes of each blob; one that is not there is left out. Throws GitError. */
export async function blobSizes(
  oids: readonly string[],
  options: GitOptions,
): Promise<ReadonlyMap<string, number>> {
  if (oids.length === 0) return new Map();
  const answer = await git(['cat-file', '--batch-check'], { ...options, input: lines(oids) });
  return new Map([...answer.matchAll(/^(\w+) blob (\d+)$/gm)].map(([, oid, size]) => [oid!, Number(size)]));
}

/** The contents of blobs that have `bytes` together; one that is not there is left out. Throws GitError. */
export async function readBlobs(
  oids: readonly string[],
  bytes: number,
  options: GitOptions,
): Promise<ReadonlyMap<string, Buffer>> {
  if (oids.length === 0) return new Map();
  const maxBytes = bytes + 200 * oids.length;
  return new Map(
    blobsIn(await gitBytes(['cat-file', '--batch'], { ...options, input: lines(oids), maxBytes })),
  );
}

/** So many bytes of files are held at once, or one file. */
const heldBytes = 8 << 20;

/** The first of the blobs, as many as may be held. */
export function together(oids: readonly string[], sizes: ReadonlyMap<string, number>) {
  let bytes = 0;
  const end = oids.findIndex((oid, at) => (bytes += sizes.get(oid) ?? 0) > heldBytes && at > 0);
  return { oids: end < 0 ? oids : oids.slice(0, end), bytes };
}

/** Parses the output of `cat-file --batch`: `<id> <type> <size>`, the bytes, a line end; or `<id> missing`. */
function* blobsIn(answer: Buffer): Generator<[string, Buffer]> {
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(0x0a, at);
    const [id, type, size] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    if (type === 'blob') yield [id!, answer.subarray(at, at + Number(size))];
    at += Number(size) + 1;
  }
}

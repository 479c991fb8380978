// Writes zip files, from disk to disk.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ZipFile } from 'yazl';

export interface ZipSource {
  /** Path in the zip, with slashes. */
  name: string;
  /** The bytes; read once, when its turn comes. Throwing ends the whole. */
  chunks: () => AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** The first day there is: an artifact of the same files is the same bytes. */
const first = { mtime: new Date(1980, 0, 1), forceDosTimestamp: true };

/** Writes a zip to `path` and gives its size and SHA-256. */
export async function writeZip(
  path: string,
  sources: readonly ZipSource[],
  compressionLevel = 6,
): Promise<{ size: number; sha256: string }> {
  const zip = new ZipFile();
  const failed = new AbortController();
  zip.on('error', (error: unknown) => failed.abort(error));
  for (const { name, chunks } of sources)
    zip.addReadStreamLazy(name, { ...first, mode: 0o100644, compressionLevel }, give => {
      const bytes = Readable.from(chunks());
      bytes.on('error', error => failed.abort(error));
      give(undefined, bytes);
    });
  zip.end();
  const hash = createHash('sha256');
  let size = 0;
  const counted = async function* (all: AsyncIterable<Buffer | string>) {
    for await (const bytes of all) {
      hash.update(bytes);
      size += bytes.length;
      yield bytes;
    }
  };
  const target = createWriteStream(path, { mode: 0o600 });
  await pipeline(zip.outputStream, counted, target, { signal: failed.signal }).catch((error: unknown) => {
    throw failed.signal.reason ?? error;
  });
  return { size, sha256: hash.digest('hex') };
}

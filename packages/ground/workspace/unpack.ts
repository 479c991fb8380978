// Unpacks an archive that nobody can vouch for: bounded, into one folder, regular files only.
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Entry, fromBufferPromise } from 'yauzl';
import { messageOf } from '../lib/message.ts';

/** The archive cannot be used: what is wrong with it. */
class ArchiveRefused extends Error {}

export interface ArchiveLimits {
  /** With the folders that it names. */
  files: number;
  /** Bytes of all files together, unpacked. */
  bytes: number;
}

/**
 * Writes the files of a zip archive below `folder`. A name that leads out, a link, and more than the limits allow are
 * refused; what was written by then stays. Throws ArchiveRefused.
 */
export async function unpack(archive: Buffer, folder: string, limits: ArchiveLimits): Promise<void> {
  const zip = await fromBufferPromise(archive, { strictFileNames: true }).catch(refuse);
  try {
    let files = 0;
    let bytes = 0;
    // The library holds each file to the size that the archive's directory tells, and refuses `..` and absolute names.
    for await (const entry of zip.eachEntry()) {
      files += 1;
      if (files > limits.files) throw new ArchiveRefused(`it holds more than ${limits.files} files`);
      if (entry.fileName.endsWith('/')) continue;
      bytes += entry.uncompressedSize;
      if (bytes > limits.bytes) throw new ArchiveRefused(`it holds more than ${limits.bytes} bytes`);
      if (isLink(entry)) throw new ArchiveRefused(`${entry.fileName} is a link`);
      const content = await buffer(await zip.openReadStreamPromise(entry));
      const path = join(folder, entry.fileName);
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, content, { mode: 0o600, flag: 'wx' });
    }
  } catch (error) {
    if (error instanceof ArchiveRefused) throw error;
    refuse(error);
  } finally {
    zip.close();
  }
}

function refuse(error: unknown): never {
  throw new ArchiveRefused(`it cannot be unpacked: ${messageOf(error)}`, { cause: error });
}

/** Type of file in the upper half of what Unix writes: a symbolic link. */
const isLink = ({ externalFileAttributes }: Entry) =>
  ((externalFileAttributes >>> 16) & 0o170000) === 0o120000;

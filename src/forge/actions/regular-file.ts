// Reads what a step may have put where the runner looks: no pipe that never ends, no link to elsewhere, no size without end.
import { constants, type FileHandle, open } from 'node:fs/promises';
import { codeOf } from '../../lib/message.ts';

/** The text of a regular file; undefined where there is none. Throws for a link, a folder, a pipe, and for more bytes than `most`. */
export async function readText(path: string, most: number): Promise<string | undefined> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    if (codeOf(error) === 'ELOOP') throw new Error('It is a link, which is not followed.', { cause: error });
    throw error;
  }
  try {
    const { size } = await file.stat().then(stat => {
      if (!stat.isFile()) throw new Error('It is not a regular file.');
      return stat;
    });
    if (size > most) throw new Error(`It holds ${size} bytes; at most ${most} are read.`);
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await file.read(bytes, 0, size, 0);
    return bytes
      .subarray(0, bytesRead)
      .toString('utf8')
      .replace(/^\ufeff/, '');
  } finally {
    await file.close();
  }
}

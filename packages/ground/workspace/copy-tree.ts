// Copies a folder that hostile code may have written: no link of it is followed, and no file is shared with the copy.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { systemPath } from '../lib/system-path.ts';
import { messageOf } from '../lib/message.ts';

/**
 * On a file system that knows it the copy shares the disk's blocks until either side changes them. Hard links would
 * share the files themselves: who writes into one writes into both.
 */
const options = process.platform === 'darwin' ? ['-Rpc'] : ['-a', '--reflink=auto'];

/** Copies what is in `from` into the folder `to`, with times and permissions. Throws an Error where not all can be copied. */
export async function copyInto(from: string, to: string): Promise<void> {
  const args = [...options, '--', `${from}/.`, to];
  await promisify(execFile)('cp', args, { env: { PATH: systemPath, LC_ALL: 'C' } }).catch(
    (error: unknown) => {
      throw new Error(`${from} cannot be copied: ${messageOf(error).slice(0, 500)}`, { cause: error });
    },
  );
}

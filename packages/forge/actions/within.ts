// Where a path of a job really lies: its steps may have put links anywhere on the way.
import { realpath } from 'node:fs/promises';
import { dirname, sep } from 'node:path';
import { codeOf } from '@echelon/ground';

/** Both without links and relative parts. */
export const isWithin = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(folder === sep ? sep : `${folder}${sep}`);

/** The real path of a folder, or of the nearest above it that there is: where one that is made would come to lie. */
export async function placeOf(folder: string): Promise<string> {
  try {
    return await realpath(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    return placeOf(dirname(folder));
  }
}

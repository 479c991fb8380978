// Who this process is to others that write the same records: known by its folder, so that it goes on at once after a restart.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name in the folder's file `holder`; made up where there is none. One process at a time has the folder. */
export function holderOf(folder: string): string {
  const file = join(folder, 'holder');
  mkdirSync(folder, { recursive: true });
  try {
    writeFileSync(file, randomUUID(), { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  return readFileSync(file, 'utf8').slice(0, 100);
}

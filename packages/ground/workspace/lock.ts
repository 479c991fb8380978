// A lock that one process at a time holds, also among containers that share the folder's volume.
import { DatabaseSync } from 'node:sqlite';

/** Another process, or this one, has it. */
export class InUse extends Error {
  override readonly name = 'InUse';
  /** `what` is in the message as the user knows it. */
  constructor(what: string) {
    super(`${what} is in use by another process; wait for it or end it, or name another`);
  }
}

/** SQLITE_BUSY, https://www.sqlite.org/rescode.html */
const BUSY = 5;

/**
 * Takes the lock of the file `path`, makes the file where there is none, and returns the function that gives the lock up.
 * Throws InUse where another process has it, and what the file system throws.
 *
 * Node has no call for file locks, so SQLite's is used: a POSIX lock of the kernel, which does not depend on process
 * ids and ends with its process (https://www.sqlite.org/lockingv3.html). The empty file stays: to remove it could
 * leave two processes with a lock each, one of them on the file that was removed.
 */
export function lock(path: string, what: string): () => void {
  const file = new DatabaseSync(path, { timeout: 0 });
  try {
    file.exec('PRAGMA journal_mode = OFF; BEGIN EXCLUSIVE');
  } catch (error) {
    file.close();
    throw (error as { errcode?: number } | null)?.errcode === BUSY ? new InUse(what) : error;
  }
  return () => file.close();
}

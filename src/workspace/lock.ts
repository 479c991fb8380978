// A lock file: one process at a time has what it stands for. A lock whose process is dead is taken over.
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beganAt } from './process-start.ts';
import { codeOf } from '../lib/message.ts';

/** Another process, or this one, has it. */
export class InUse extends Error {
  override readonly name = 'InUse';
  /** `what` is in the message as the user knows it. */
  constructor(what: string, pid: number) {
    super(`${what} is in use by process ${pid}; wait for it or end it, or name another`);
  }
}

/**
 * Makes the file `path`, which says who holds the lock, and answers how it is given up. Throws InUse where a living
 * process holds it, and what the file system throws. Processes that do not see each other (two machines on one
 * folder, two containers) are not told apart from dead ones.
 */
export function lock(path: string, what: string): () => void {
  const mine = JSON.stringify({ pid: process.pid, began: beganAt(process.pid) });
  const own = `${path}-${process.pid}`;
  // Whole or not at all, and only where there is none: a link fails where the name is taken.
  writeFileSync(own, mine, { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(own, path);
        return () => {
          if (textOf(path) === mine) rmSync(path, { force: true });
        };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const found = textOf(path);
      const holder = holderIn(found);
      if (holder !== undefined) throw new InUse(what, holder);
      if (found !== undefined) remove(path, found, what);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/**
 * Removes the lock while it holds `stale`. One process does so at a time: else a slow one could remove the lock of
 * another that has just taken it over. Throws InUse where another is about to.
 */
function remove(path: string, stale: string, what: string): void {
  const done = lock(`${path}-takeover`, what);
  try {
    if (textOf(path) === stale) rmSync(path, { force: true });
  } finally {
    done();
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The process that a lock names, while it lives. */
function holderIn(text: string | undefined): number | undefined {
  const [, pid, began] = /^\{"pid":(\d+),"began":(?:"(\w+)"|null)\}$/.exec(text ?? '') ?? [];
  if (pid === undefined) return undefined;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if (codeOf(error) === 'ESRCH') return undefined;
  }
  // The number may have gone to another process since: its start time tells them apart.
  return beganAt(Number(pid)) === (began ?? null) ? Number(pid) : undefined;
}

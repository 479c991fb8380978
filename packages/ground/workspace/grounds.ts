// The grounds of a repository: what one command installed, kept in folders by what it depends on, for many checkouts.
import { mkdir, readdir, rename, stat, utimes } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Clock, HOUR_MS } from '../lib/clock.ts';
import { systemPath } from '../lib/system-path.ts';
import type { Ground } from './checkout.ts';
import { InUse, lock } from './lock.ts';
import { clear, removeTree } from './remove-tree.ts';

export interface Grounds {
  /** Folder of all of them; each is in a folder named by its key. */
  folder: string;
  clock: Pick<Clock, 'now' | 'sleep'>;
  /** KiB that they may take together; default: 10 GiB. */
  most?: number;
}

const MOST_KIB = 10 << 20;
/** Another process makes the one that is wanted: how often is looked whether it is done (milliseconds). */
const WAIT_MS = 200;
/** A copy that began an hour ago is finished (milliseconds). */
const COPIED_MS = HOUR_MS;
/** One that is being made; a process that died may have left it. */
const MAKING = '.making';

/**
 * The ground of `key`, a file name. Where there is none, `make` fills `tree` and `home` in the folder it is given,
 * which takes its place when all of it is there; of several who ask at once one makes it. Throws what `make` throws,
 * and the signal's reason.
 */
export async function openGround(
  grounds: Grounds,
  key: string,
  make: (folder: string) => Promise<void>,
  signal: AbortSignal,
): Promise<Ground> {
  const { folder, clock } = grounds;
  const place = join(folder, key);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    if (await touch(place, clock)) return { tree: join(place, 'tree'), home: join(place, 'home') };
    const unlock = tryLock(place);
    if (!unlock) {
      await clock.sleep(WAIT_MS, signal);
      continue;
    }
    try {
      if (await touch(place, clock)) continue;
      const making = place + MAKING;
      await clear(folder, [key + MAKING]);
      await mkdir(making, { mode: 0o700 });
      await make(making).catch(async (error: unknown) => {
        await clear(folder, [key + MAKING]);
        throw error;
      });
      await rename(making, place);
      await touch(place, clock);
      await sweepGrounds(grounds);
    } finally {
      unlock();
    }
  }
}

/** True if the folder holds one. */
export const hasGround = async (folder: string): Promise<boolean> =>
  (await readdir(folder).catch(() => [])).some(isKey);

/** Notes that it is used now; false where there is none. */
async function touch(place: string, clock: Pick<Clock, 'now'>): Promise<boolean> {
  const now = clock.now() / 1000;
  return await utimes(place, now, now).then(
    () => true,
    () => false,
  );
}

function tryLock(place: string): (() => void) | undefined {
  try {
    return lock(`${place}.lock.db`, 'what jobs start from');
  } catch (error) {
    if (error instanceof InUse) return undefined;
    throw error;
  }
}

/**
 * Removes those that were used longest ago until the rest fits, and what processes left that died making one. Those
 * that somebody may be copying stay.
 */
async function sweepGrounds({ folder, clock, most = MOST_KIB }: Grounds): Promise<void> {
  const found = await Promise.all(
    (await readdir(folder)).filter(isKey).map(async key => {
      const place = join(folder, key);
      return { key, used: (await stat(place)).mtimeMs, size: await sizeOf(place) };
    }),
  );
  let size = 0;
  for (const { key, used, size: own } of found.sort((a, b) => b.used - a.used)) {
    size += own;
    if (size > most && clock.now() - used > COPIED_MS) await clear(folder, [key]);
  }
  for (const name of await readdir(folder)) {
    if (!name.endsWith(MAKING)) continue;
    const place = join(folder, name.slice(0, -MAKING.length));
    const unlock = tryLock(place);
    if (!unlock) continue;
    try {
      await removeTree(join(folder, name));
    } finally {
      unlock();
    }
  }
}

/** KiB; what cannot be read counts for nothing. */
async function sizeOf(place: string): Promise<number> {
  const env = { PATH: systemPath, LC_ALL: 'C' };
  const found = await promisify(execFile)('du', ['-sk', '--', place], { env }).catch(
    (error: unknown) => error,
  );
  const { stdout } = Object(found) as { stdout?: unknown };
  return Number.parseInt(String(stdout ?? '0'), 10) || 0;
}

const isKey = (name: string) => /^[0-9a-f]+$/.test(name);

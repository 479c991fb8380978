// Opens the memory of a repository: its index, made when it is first asked for, and the texts of its files.
import { race } from '@echelon/ground';
import { folderSource, type Mirror, mirrorSource, type RepositorySource } from '@echelon/ground/workspace';
import { canBeShown } from '../tasks/memory/choose.ts';
import { type GivenEntry, readGiven, saveGiven } from '../tasks/memory/given-index.ts';
import type { GlobalIndex } from '../tasks/memory/global-index.ts';
import type { Memory } from '../tasks/memory/memory.ts';
import { refreshIndex } from '../tasks/memory/refresh.ts';

/** Source of the memory: a folder as it is now, or a commit of a mirror. */
export type Remembered =
  | {
      folder: string;
      /** The git directory, for a work tree that has none inside. */
      gitDir?: string;
    }
  | { mirror: Pick<Mirror, 'path' | 'listFiles'>; commit: string };

export interface MemoryOptions {
  /** The file in which the index is kept between runs; null: nowhere. Default: as the sources say. */
  cache?: string | null;
  /** Ends the making of the index, whoever waits for it. */
  signal?: AbortSignal;
  /** Gets what was unusual and did no harm, one sentence each. */
  onNote?: (note: string) => void;
}

/** A memory whose index can be given, too. */
export interface KeptMemory extends Memory {
  /**
   * Replaces the index, in the file that keeps it as well: all of it or nothing. Whoever reads it meanwhile gets the one
   * before or the one after. Updates and refreshes are done one after another. Throws as `readGiven` and `saveGiven` do.
   */
  update(entries: readonly GivenEntry[], signal: AbortSignal): Promise<void>;
}

/**
 * Nothing is read before the first question. Those who ask at the same time wait for one index; a failure to make it
 * is thrown to all of them and not kept. `index` and `refresh` throw what the source does: no such folder, GitError.
 */
export function openMemory(of: Remembered, { onNote, ...options }: MemoryOptions = {}): KeptMemory {
  let source: Promise<RepositorySource> | undefined;
  let index: Promise<GlobalIndex> | undefined;

  const open = (): Promise<RepositorySource> => {
    source ??= sourceOf(of, options).catch((error: unknown) => {
      source = undefined;
      throw error;
    });
    return source;
  };
  /** The index that was being made, or is there: the next one is made of it, and after it. */
  const settled = async () => await index?.catch(() => undefined);
  const build = (): Promise<GlobalIndex> => {
    const before = settled();
    const made = open()
      .then(async opened => refreshIndex(opened, await before))
      .then(({ index, notes }) => {
        for (const note of notes) onNote?.(note);
        return index;
      });
    keep(made);
    return made;
  };
  /** Those who wait for it are thrown its failure; the next one who asks has another try. */
  const keep = (next: Promise<GlobalIndex>): void => {
    index = next;
    next.catch(() => {
      if (index === next) index = undefined;
    });
  };
  const current = (): Promise<GlobalIndex> => index ?? build();

  return {
    index: signal => race(current(), signal),
    async refresh(signal) {
      await race(build(), signal);
    },
    async update(entries, signal) {
      const given = readGiven(entries);
      const before = current();
      const made = race(before, signal).then(async () => saveGiven(given, await open(), signal));
      keep(made.catch(() => before));
      await made;
    },
    async read(path, signal) {
      const entries = await race(current(), signal);
      const entry = entries.find(each => each.path === path);
      if (!entry || !canBeShown(entry)) return undefined;
      const [text] = await race(
        open().then(opened => opened.read([entry])),
        signal,
      );
      // A folder's file may be another one than when it was described.
      return text?.includes('\0') ? undefined : text;
    },
  };
}

async function sourceOf(of: Remembered, options: Pick<MemoryOptions, 'cache' | 'signal'>) {
  if ('mirror' in of) return mirrorSource(of.mirror, of.commit, options);
  const { folder, gitDir } = of;
  return await folderSource(folder, { ...options, ...(gitDir !== undefined && { gitDir }) });
}

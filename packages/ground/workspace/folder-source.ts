// The files of a work tree or of a plain folder, as the memory index takes them.
import { createHash } from 'node:crypto';
import { lstatSync, realpathSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Listed, repositoryOf, trackedAndNew } from './git-listing.ts';
import { cacheAt } from './index-cache.ts';
import { pathFault } from './paths.ts';
import { maxFileBytes, readRegular } from './regular-file.ts';
import {
  cacheName,
  type IndexedFile,
  isIndexed,
  mostFiles,
  type RepositorySource,
} from './repository-index.ts';

/** Milliseconds for which the event loop may be held. */
const holdMs = 10;

interface FolderOptions {
  /** The git directory, for a tree that has none inside; default: as git finds it. */
  gitDir?: string;
  /**
   * The file in which the index is kept; null: nowhere. Default: `echelon-index.json` in the git directory; of a
   * plain folder, and of a folder inside a repository, nowhere.
   */
  cache?: string | null;
  signal?: AbortSignal;
}

/**
 * A folder as it is now. In a git work tree: the tracked files and the new ones that git does not ignore; elsewhere
 * all but `.git` and `node_modules`. Symbolic links and submodules are left out, and so are names that no file tool
 * takes. Throws when there is no such folder, or no git; the signal's reason.
 */
export async function folderSource(folder: string, options: FolderOptions = {}): Promise<RepositorySource> {
  const { signal } = options;
  const given = resolve(folder);
  // Told in the next line, with what to do.
  const root = await realpath(given).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory())
    throw new Error(`there is no folder ${given}; give the folder of a repository`);
  const repository = await repositoryOf(root, options);
  const ownCache = repository?.top === root ? join(repository.gitDir, cacheName) : null;
  const cache = options.cache === undefined ? ownCache : options.cache && resolve(options.cache);
  const isCache = (place: string) => cache !== null && place.startsWith(cache);
  return {
    async list() {
      const tracked = repository && (await trackedAndNew(root, repository, signal));
      // Git lists nothing of a folder that it ignores, such as a build's; asked for by name, it is read all the same.
      const listed =
        tracked && (tracked.size > 0 || repository.top === root) ? tracked : await walk(root, signal);
      const usable = [...listed]
        .filter(([path]) => isIndexed(path) && !isCache(join(root, path)))
        .sort(([a], [b]) => (a < b ? -1 : 1));
      const isReal = realFolders();
      // Each with its size, and a digest where git had none.
      const files = await each(usable.slice(0, mostFiles), signal, ([path, staged]): IndexedFile[] => {
        const place = join(root, path);
        const bytes = isReal(dirname(place)) ? sizeOf(place) : undefined;
        if (bytes === undefined) return [];
        if (staged !== undefined) return [{ path, digest: staged, bytes }];
        if (bytes > maxFileBytes) return [{ path, digest: `bytes:${bytes}`, bytes }];
        const content = contentOf(place, isReal);
        if (!content) return [];
        // The name that git gives a blob.
        const hash = createHash(repository?.hash ?? 'sha1').update(`blob ${content.length}\0`);
        return [{ path, digest: hash.update(content).digest('hex'), bytes: content.length }];
      });
      return { files: files.flat(), isComplete: usable.length <= mostFiles };
    },
    read(files) {
      const isReal = realFolders();
      return each(files, signal, ({ path }) => contentOf(join(root, path), isReal)?.toString('utf8'));
    },
    ...cacheAt(cache),
  };
}

/** All files of a plain folder, in the order of their names. One more than `mostFiles` at most. */
async function walk(root: string, signal: AbortSignal | undefined): Promise<Listed> {
  const listed: Listed = new Map();
  const visit = async (folder: string) => {
    signal?.throwIfAborted();
    // A folder that cannot be read is left out.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (listed.size > mostFiles) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) listed.set(path, undefined);
      else if (entry.isDirectory() && entry.name !== 'node_modules' && !pathFault(path)) await visit(path);
    }
  };
  await visit('');
  return listed;
}

/** The size of a regular file; undefined for anything else. */
function sizeOf(place: string): number | undefined {
  try {
    const found = lstatSync(place);
    return found.isFile() ? found.size : undefined;
  } catch {
    // Gone or not to be looked at: no regular file.
    return undefined;
  }
}

/** Tells whether a folder is where its path says: no symbolic link on the way leads elsewhere. Asked once each. */
function realFolders(): (folder: string) => boolean {
  const folders = new Map<string, boolean>();
  return folder => {
    let isReal = folders.get(folder);
    if (isReal === undefined) {
      try {
        // Some file systems keep names in another normal form than git.
        isReal = realpathSync.native(folder).normalize() === folder.normalize();
      } catch {
        // Gone or not to be looked at: nothing in it is read.
        isReal = false;
      }
      folders.set(folder, isReal);
    }
    return isReal;
  };
}

/** The bytes of a regular file of at most 1 MB; undefined when it is gone, elsewhere, too large or unreadable. */
function contentOf(place: string, isReal: (folder: string) => boolean): Buffer | undefined {
  if (!isReal(dirname(place))) return undefined;
  const read = readRegular(place, maxFileBytes);
  return Buffer.isBuffer(read) ? read : undefined;
}

/** Maps in order. Others get their turn, and the signal is looked at, every `holdMs`. */
async function each<T, R>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = [];
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > holdMs) {
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
    results.push(work(item));
  }
  return results;
}

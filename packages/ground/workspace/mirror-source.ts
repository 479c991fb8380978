// The files of a commit of a mirror, as the memory index takes them.
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { readBlobs } from './blobs.ts';
import { cacheAt } from './index-cache.ts';
import type { Mirror } from './mirror.ts';
import { maxFileBytes } from './regular-file.ts';
import {
  cacheName,
  type IndexedFile,
  isIndexed,
  mostFiles,
  type RepositorySource,
} from './repository-index.ts';

/**
 * A commit (an object id) of a mirror, without a checkout. Kept in the mirror's folder unless `cache` is null.
 * Throws GitError, or the signal's reason.
 */
export function mirrorSource(
  mirror: Pick<Mirror, 'path' | 'listFiles'>,
  commit: string,
  { cache = join(mirror.path, cacheName), signal }: { cache?: string | null; signal?: AbortSignal } = {},
): RepositorySource {
  const read = (files: readonly IndexedFile[]) => {
    const small = files.filter(file => file.bytes <= maxFileBytes);
    const bytes = small.reduce((sum, file) => sum + file.bytes, 0);
    const oids = small.map(file => file.digest);
    return readBlobs(oids, bytes, { gitDir: mirror.path, ...(signal && { signal }) });
  };
  /** Files that are asked for side by side are read by one git. */
  let next: { asked: IndexedFile[]; blobs: ReturnType<typeof read> } | undefined;
  return {
    async list() {
      const files = (await mirror.listFiles(commit))
        .filter(file => file.mode.startsWith('10') && isIndexed(file.path))
        .map(({ path, oid, size }) => ({ path, digest: oid, bytes: size }));
      return { files: files.slice(0, mostFiles), isComplete: files.length <= mostFiles };
    },
    async read(files) {
      if (!next) {
        const asked: IndexedFile[] = [];
        const blobs = setImmediate().then(() => {
          next = undefined;
          return read(asked);
        });
        next = { asked, blobs };
      }
      const { asked, blobs } = next;
      for (const file of files) asked.push(file);
      const found = await blobs;
      return files.map(file => found.get(file.digest)?.toString('utf8'));
    },
    ...cacheAt(cache),
  };
}

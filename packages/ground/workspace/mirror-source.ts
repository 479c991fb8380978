// The files of a commit of a mirror, as the memory index takes them.
import { join } from 'node:path';
import { cacheAt } from './index-cache.ts';
import type { Mirror } from './mirror.ts';
import { objectsIn } from './object-reader.ts';
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
  const read = async ({ digest, bytes }: IndexedFile) =>
    bytes > maxFileBytes ? undefined : await objectsIn(mirror.path).ask('contents', digest);
  return {
    async list() {
      const files = (await mirror.listFiles(commit))
        .filter(file => file.mode.startsWith('10') && isIndexed(file.path))
        .map(({ path, oid, size }) => ({ path, digest: oid, bytes: size }));
      return { files: files.slice(0, mostFiles), isComplete: files.length <= mostFiles };
    },
    async read(files) {
      signal?.throwIfAborted();
      const found = await Promise.all(files.map(read));
      return found.map(each => each?.bytes.toString('utf8'));
    },
    ...cacheAt(cache),
  };
}

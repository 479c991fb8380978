// The files of a commit of a mirror, as the memory index takes them.
import { join } from 'node:path';
import { gitBytes } from './git.ts';
import { cacheAt } from './index-cache.ts';
import type { Mirror } from './mirror.ts';
import { maxFileBytes } from './regular-file.ts';
import { cacheName, isIndexed, mostFiles, type RepositorySource } from './repository-index.ts';

/**
 * A commit (an object id) of a mirror, without a checkout. Kept in the mirror's folder unless `cache` is null.
 * Throws GitError, or the signal's reason.
 */
export function mirrorSource(
  mirror: Pick<Mirror, 'path' | 'listFiles'>,
  commit: string,
  { cache = join(mirror.path, cacheName), signal }: { cache?: string | null; signal?: AbortSignal } = {},
): RepositorySource {
  return {
    async list() {
      const files = (await mirror.listFiles(commit))
        .filter(file => file.mode.startsWith('10') && isIndexed(file.path))
        .map(({ path, oid, size }) => ({ path, digest: oid, bytes: size }));
      return { files: files.slice(0, mostFiles), isComplete: files.length <= mostFiles };
    },
    async read(files) {
      const small = files.filter(file => file.bytes <= maxFileBytes);
      const bytes = small.reduce((sum, file) => sum + file.bytes + 200, 1000);
      const input = small.map(file => `${file.digest}\n`).join('');
      const answer = await gitBytes(['cat-file', '--batch'], {
        ...{ gitDir: mirror.path, input, maxBytes: bytes },
        ...(signal && { signal }),
      });
      const texts = new Map(blobs(answer));
      return files.map(file => texts.get(file.digest));
    },
    ...cacheAt(cache),
  };
}

/** What `cat-file --batch` answers: a line `<id> <type> <size>`, the bytes, a line end; or `<id> missing`. */
function* blobs(answer: Buffer): Generator<[string, string]> {
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(0x0a, at);
    const [id, type, size] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    if (type === 'blob') yield [id!, answer.toString('utf8', at, at + Number(size))];
    at += Number(size) + 1;
  }
}

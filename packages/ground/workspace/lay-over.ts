// Some of what changed from one tree to another, laid over the first: with no work tree, so that no file of it is read.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type GitOptions, git } from './git.ts';
import { rawChanges } from './git-listing.ts';

export type LaidOver = Awaited<ReturnType<typeof layOver>>;

/** Lays those changes from the tree `from` to the tree `to` over `from` whose path is `wanted`. Throws GitError. */
export async function layOver(
  gitDir: string,
  { from, to }: { from: string; to: string },
  wanted: (path: string) => boolean,
  signal: AbortSignal,
) {
  const index = join(gitDir, `index.laid-${process.hrtime.bigint()}`);
  const options: GitOptions = { gitDir, env: { GIT_INDEX_FILE: index }, signal };
  try {
    const changes = (await rawChanges(['diff-tree', '-r', from, to], options)).filter(({ path }) =>
      wanted(path),
    );
    const paths = Map.groupBy(changes, ({ newMode }) => newMode === '000000');
    const pathsOf = (gone: boolean) => (paths.get(gone) ?? []).map(({ path }) => path);
    const input = changes.map(({ newMode, newOid, path }) => `${newMode} ${newOid}\t${path}\0`).join('');
    await git(['read-tree', from], options);
    // A file in the way of a folder, or a folder in the way of a file, is removed.
    await git(['update-index', '-z', '--replace', '--index-info'], { ...options, input });
    return {
      /** Object id of the tree that has these changes and no others. */
      tree: (await git(['write-tree'], options)).trim(),
      /** Paths of them that are there now, and that are there no more: a file that was renamed is one of each. */
      laid: pathsOf(false),
      removed: pathsOf(true),
    };
  } finally {
    await rm(index, { force: true });
  }
}

// Brings a work tree back to the files that were stored of it. What git ignores stays: caches and installed
// dependencies, which would take minutes to make again.
import { chmod, lstat, mkdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type GitOptions, git } from './git.ts';
import { copyInto } from './copy-tree.ts';
import { clear, removeTree } from './remove-tree.ts';

interface Files {
  gitDir: string;
  tree: string;
  isStill(oid: string, signal: AbortSignal): Promise<boolean>;
  writeTree(signal: AbortSignal): Promise<string>;
}

export interface Stored {
  /** Object id of the tree. */
  oid: string;
  /** An index of it, with what git knows of the files as they were. */
  index: string;
  /** True if the commands made a repository of their own in the work tree. */
  ownGit: boolean;
}

/** Files that say what git sees, or how: where they are ignored, or are git's own, cleaning leaves them. */
const ofGit = ['.git', '.gitignore', '.gitattributes'];

/**
 * Restores the checkout from `stored`. The work tree is made again if its files differ from the stored ones, or if git
 * cannot read it; its ignored files then come from `ground`.
 */
export async function restore(
  checkout: Files,
  stored: Stored,
  ground: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { gitDir, tree } = checkout;
  const options = (index: string): GitOptions => ({
    ...{ gitDir, workTree: tree, cwd: tree, env: { GIT_INDEX_FILE: index }, signal },
  });
  const reset = (index: string) => git(['read-tree', '--reset', '-u', stored.oid], options(index));
  const inPlace = async () => {
    // Git would follow a link in its place, and clean what it leads to.
    if (!(await lstat(tree)).isDirectory()) return false;
    // Too much to be looked at: not the same.
    const same = await checkout.isStill(stored.oid, signal).catch(() => false);
    if (!same) await reset(stored.index);
    const files = (await git(['ls-files', '-z'], options(stored.index))).split('\0').filter(Boolean);
    const isTidy = await tidy(tree, files, stored.ownGit);
    const cleaned = await git(['clean', '-ffd'], options(stored.index));
    return (same && isTidy && cleaned === '') || (await checkout.writeTree(signal)) === stored.oid;
  };
  // The tree is made anew below, so the reason does not matter.
  if (await inPlace().catch(() => false)) return;
  signal.throwIfAborted();
  await clear(dirname(tree), ['tree']);
  await mkdir(tree);
  if (ground !== undefined) await copyInto(ground, tree);
  const anew = `${stored.index}.anew`;
  await reset(anew).finally(() => rm(anew, { force: true }));
}

/**
 * Gives files and folders of the tree back to their owner, whose permissions git does not compare, and takes what is
 * git's own and none of the tree out of its folders. Answers whether there was nothing to take out.
 */
async function tidy(tree: string, files: readonly string[], ownGit: boolean): Promise<boolean> {
  let isTidy = true;
  const known = new Set(files);
  const folders = new Set(['.']);
  for (const file of files) {
    await permit(join(tree, file));
    for (let at = dirname(file); !folders.has(at); at = dirname(at)) folders.add(at);
  }
  for (const folder of folders) {
    await permit(join(tree, folder));
    for (const name of ofGit) {
      const path = join(folder, name);
      if (known.has(path) || (path === '.git' && ownGit)) continue;
      // Not there: nothing to remove.
      if (!(await lstat(join(tree, path)).catch(() => undefined))) continue;
      await removeTree(join(tree, path));
      isTidy = false;
    }
  }
  return isTidy;
}

async function permit(path: string): Promise<void> {
  const stat = await lstat(path);
  const open = stat.isDirectory() ? 0o700 : 0o600;
  if (stat.isSymbolicLink() || (stat.mode & (0o7000 | open)) === open) return;
  await chmod(path, stat.isDirectory() || stat.mode & 0o100 ? 0o755 : 0o644);
}

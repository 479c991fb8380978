// The changes of an earlier checkout of the same commit, put into a fresh one.
import type { Checkout } from './checkout.ts';
import { allocationLimit } from './apply-bundle.ts';
import { readBundle } from './bundle.ts';
import { GitError, git } from './git.ts';
import { bundleLimits } from './index-changes.ts';

/**
 * Applies the bundle in `folder` to a checkout that nothing has touched yet. False where it cannot be read, is of
 * another commit, or does not make the tree that it names: the checkout is then not to be used.
 */
export async function restoreChanges(
  checkout: Checkout,
  folder: string,
  signal: AbortSignal,
): Promise<boolean> {
  const bundle = await readBundle(folder, bundleLimits.patchBytes);
  if ('reason' in bundle || bundle.manifest.base !== checkout.base) return false;
  const { gitDir, tree: workTree } = checkout;
  try {
    // Git itself refuses paths that lead out of the tree, and `.git` in any spelling.
    await git(['apply', '--index', '--binary', '--whitespace=nowarn', '-'], {
      ...{ gitDir, workTree, cwd: workTree, signal },
      env: { GIT_ALLOC_LIMIT: allocationLimit },
      input: bundle.patch,
    });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof GitError) return false;
    throw error;
  }
  return (await checkout.writeTree(signal)) === bundle.manifest.tree;
}

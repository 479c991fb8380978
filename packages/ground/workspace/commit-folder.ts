// A commit of the files of a folder, in a mirror: with no commit before it, and on no branch yet.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from './git.ts';
import type { CommitFields } from './commit-fields.ts';
import type { Mirror } from './mirror.ts';

/** Everything below `folder` is in it, whatever is ignored elsewhere; the folder holds no repository. Answers the commit. */
export async function commitFolder(mirror: Mirror, folder: string, fields: CommitFields): Promise<string> {
  const index = join(mirror.path, `index-${randomUUID()}`);
  const options = { gitDir: mirror.path, workTree: folder, cwd: folder, env: { GIT_INDEX_FILE: index } };
  try {
    await git(['add', '--all', '--force', '.'], options);
    const tree = (await git(['write-tree'], options)).trim();
    return await mirror.commitTree({ ...fields, tree, parents: [] });
  } finally {
    await rm(index, { force: true });
  }
}

/** Writes the files of a commit into `folder`, which is there. `repository`: a git directory that has it. */
export async function layOut(repository: string, commit: string, folder: string): Promise<void> {
  const index = join(folder, `.index-${randomUUID()}`);
  const options = { gitDir: repository, workTree: folder, cwd: folder, env: { GIT_INDEX_FILE: index } };
  try {
    await git(['read-tree', commit], options);
    await git(['checkout-index', '--all'], options);
  } finally {
    await rm(index, { force: true });
  }
}

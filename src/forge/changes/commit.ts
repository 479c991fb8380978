// Makes a commit on a branch from changed files, without a work tree.
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Signature, writeCommit } from '../commits.ts';
import type { Core } from '../core.ts';
import { ApiError } from '../errors.ts';
import { git, repositoryFolder, tryGit } from '../git.ts';
import type { Repository } from '../store/repositories.ts';
import type { By } from './emit.ts';
import { noCommit, settleRefs } from './refs.ts';

export interface FileEdit {
  path: string;
  /** null deletes the file. */
  content: Buffer | null;
}

export interface NewCommit {
  branch: string;
  /** The commit the branch must stand on; undefined for the first commit of an empty repository. */
  head: string | undefined;
  author: Signature;
  message: string;
  changes: FileEdit[];
  /** The forge vouches for its author, as GitHub does by its own signature. */
  signed?: boolean;
}

/** A path inside the tree, as git takes it. */
function checkPath(path: string): void {
  const parts = path.split('/');
  const bad =
    path === '' ||
    path.includes('\0') ||
    parts.some(part => ['', '.', '..'].includes(part) || /^\.git$/i.test(part));
  if (bad) throw new ApiError(422, `path is malformed: ${JSON.stringify(path)}`);
}

/** Commits and moves the branch, with all that follows. 409 when the branch moved meanwhile. Returns the commit. */
export async function commitChanges(
  core: Core,
  by: By,
  repository: Repository,
  { branch, head, author, message, changes, signed }: NewCommit,
): Promise<string> {
  const folder = repositoryFolder(core, repository);
  for (const { path } of changes) checkPath(path);
  const tree = await editTree(folder, head, changes);
  const parents = head === undefined ? [] : [head];
  const sha = await writeCommit(folder, { tree, parents, author, committer: author, message });
  const { code } = await tryGit(folder, ['update-ref', `refs/heads/${branch}`, sha, head ?? noCommit]);
  if (code !== 0) throw new ApiError(409, `${branch} moved while it was being written to`);
  if (signed) core.db.insert('signed_commits', { repository_id: repository.id, sha });
  await settleRefs(core, repository, by);
  return sha;
}

/** The tree of a commit with these files changed. A file keeps its mode. */
async function editTree(folder: string, head: string | undefined, changes: FileEdit[]): Promise<string> {
  const index = join(folder, `index-${randomUUID()}`);
  const variables = { GIT_INDEX_FILE: index };
  try {
    if (head !== undefined) await git(folder, ['read-tree', head], { variables });
    const lines: string[] = [];
    for (const { path, content } of changes) {
      const entry = await git(folder, ['ls-files', '--stage', '-z', '--', `:(literal)${path}`], {
        variables,
      });
      if (content === null) {
        if (entry === '') throw new ApiError(422, `${path} does not exist`);
        lines.push(`0 ${noCommit}\t${path}`);
        continue;
      }
      const blob = await git(folder, ['hash-object', '-w', '--stdin'], { input: content });
      lines.push(`${entry.split(' ')[0] || '100644'} ${blob}\t${path}`);
    }
    await git(folder, ['update-index', '-z', '--add', '--index-info'], {
      variables,
      input: lines.map(line => `${line}\0`).join(''),
    });
    return await git(folder, ['write-tree'], { variables });
  } finally {
    rmSync(index, { force: true });
  }
}

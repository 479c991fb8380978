// Makes a commit on a branch from changed files, without a work tree.
import { type Signature, writeCommit } from '../commits.ts';
import type { Core } from '../core.ts';
import { ApiError } from '../errors.ts';
import { repositoryFolder, tryGit } from '../git.ts';
import type { Repository } from '../store/repositories.ts';
import type { By } from './emit.ts';
import { checkPath, editTree, type TreeEdit, writeBlob } from './edit-tree.ts';
import { noCommit, settleRefs } from './refs.ts';
import { checkRules } from './rules.ts';
import { signCommit } from '../store/signed-commits.ts';

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

/** Commits and moves the branch, with all that follows. 409 when the branch moved meanwhile. Returns the commit. */
export async function commitChanges(
  core: Core,
  by: By,
  repository: Repository,
  { branch, head, author, message, changes, signed }: NewCommit,
): Promise<string> {
  const folder = repositoryFolder(core, repository);
  for (const { path } of changes) checkPath(path);
  const edits: TreeEdit[] = [];
  // A file keeps its mode.
  for (const { path, content } of changes)
    edits.push({ path, entry: content && { sha: await writeBlob(folder, content), mode: undefined } });
  const tree = await editTree(folder, head, edits);
  const parents = head === undefined ? [] : [head];
  const sha = await writeCommit(folder, { tree, parents, author, committer: author, message });
  if (signed) signCommit(core, repository, sha);
  const move = { name: `refs/heads/${branch}`, before: head ?? noCommit, after: sha };
  await checkRules(core, repository, move, 409);
  const { code } = await tryGit(folder, ['update-ref', move.name, sha, move.before]);
  if (code !== 0) throw new ApiError(409, `${branch} moved while it was being written to`);
  await settleRefs(core, repository, by);
  return sha;
}

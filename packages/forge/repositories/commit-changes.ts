// Makes trees and commits from changed files, in an index of their own and without a work tree.
import { type Signature, writeCommit } from './commits.ts';
import { ApiError } from '../errors.ts';
import { git, repositoryFolder, tryGit, writeObject } from './git.ts';
import { signCommit } from './repository-rows.ts';
import type { Act } from '../emit.ts';
import { noCommit, settleRefs } from './refs.ts';
import { checkRules } from './rules.ts';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';

/** New content of a path; null removes the file or folder. */
export interface TreeEdit {
  path: string;
  /** `mode` undefined: as it was, or a plain file. */
  entry: { sha: string; mode: string | undefined } | null;
}

/** A path inside the tree, as git takes it. */
export function checkPath(path: string): void {
  const parts = path.split('/');
  const bad =
    path === '' ||
    path.includes('\0') ||
    parts.some(part => ['', '.', '..'].includes(part) || /^\.git$/i.test(part));
  if (bad) throw new ApiError(422, `path is malformed: ${JSON.stringify(path)}`);
}

/** The tree that `base` (a commit or tree; undefined: nothing) is after these edits. 422 for one that cannot be made. */
export async function editTree(
  folder: string,
  base: string | undefined,
  edits: readonly TreeEdit[],
): Promise<string> {
  const variables = { GIT_INDEX_FILE: join(folder, `index-${randomUUID()}`) };
  try {
    if (base !== undefined) await git(folder, ['read-tree', base], { variables });
    const lines: string[] = [];
    for (const { path, entry } of edits) {
      const plain = entry !== null && entry.mode !== undefined;
      // The old content is not needed for a path that is replaced as a whole.
      const listed = plain
        ? ''
        : await git(folder, ['ls-files', '--stage', '-z', '--', `:(literal)${path}`], { variables });
      const before = listed.split('\0').filter(Boolean);
      if (entry) lines.push(`${entry.mode ?? (before[0]?.split(' ')[0] || '100644')} ${entry.sha}\t${path}`);
      else if (before.length === 0) throw new ApiError(422, `${path} does not exist`);
      else lines.push(...before.map(each => `0 ${noCommit}\t${each.slice(each.indexOf('\t') + 1)}`));
    }
    await git(folder, ['update-index', '-z', '--add', '--replace', '--index-info'], {
      variables,
      input: lines.map(line => `${line}\0`).join(''),
    });
    return await git(folder, ['write-tree'], { variables });
  } finally {
    rmSync(variables.GIT_INDEX_FILE, { force: true });
  }
}

export const writeBlob = (folder: string, content: string | Buffer): Promise<string> =>
  writeObject(folder, 'blob', typeof content === 'string' ? Buffer.from(content) : content);

interface FileEdit {
  path: string;
  /** null deletes the file. */
  content: Buffer | null;
}

interface NewCommit {
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
  act: Act,
  { branch, head, author, message, changes, signed }: NewCommit,
): Promise<string> {
  const { core, repository } = act;
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
  await settleRefs(act);
  return sha;
}

// Changes of pull requests: following their branches, merging.
import { changedLines, distance, isAncestor, mergeBase } from '../repositories/commits.ts';
import { type Core, now } from '../core.ts';
import { git, repositoryFolder, tryGit } from '../repositories/git.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import { closedPullsFrom, getPull, openPullsOn, type Pull, type ReviewComment } from './pull-rows.ts';
import { findRef, type Repository } from '../repositories/repository-rows.ts';
import { type Act, recordEvent } from '../emit.ts';
import { closeIssue, emitIssue, touch } from '../issues/issue-changes.ts';

/** A change as the header of a hunk without context has it: lines of the old file, and how many came for them. */
interface Change {
  /** The first of them; where none is replaced, the line behind which others came. */
  start: number;
  count: number;
  came: number;
}

/** Changed line ranges of a file; undefined where that cannot be said line by line. */
async function changesOf(
  folder: string,
  before: string,
  after: string,
  path: string,
): Promise<Change[] | undefined> {
  const range = ['diff', '-U0', '--no-renames', before, after, '--', path];
  const { code, stdout } = await tryGit(folder, ['--literal-pathspecs', ...range]);
  const text = stdout.toString();
  if (code !== 0 || /^Binary files /m.test(text)) return undefined;
  return [...text.matchAll(/^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/gm)].map(
    ([, start, count = '1', came = '1']) => ({
      start: Number(start),
      count: Number(count),
      came: Number(came),
    }),
  );
}

/** By how much these lines moved; undefined when one of them, or what stands between them, changed. */
function movedBy(changes: readonly Change[], first: number, last: number): number | undefined {
  let moved = 0;
  for (const { start, count, came } of changes) {
    // Changes after the last line move nothing.
    if (count === 0 ? start >= last : start > last) continue;
    if (count === 0 ? start >= first : start + count > first) return undefined;
    moved += came - count;
  }
  return moved;
}

/** `pull` as it was, before its head moved to `after`. Lines of the base stay where they are. */
async function followLines(core: Core, repository: Repository, pull: Pull, after: string): Promise<void> {
  const comments = core.db.all<ReviewComment & { line: number }>(
    "SELECT * FROM review_comments WHERE pull_id = ? AND side = 'RIGHT' AND line IS NOT NULL",
    pull.id,
  );
  const folder = repositoryFolder(core, repository);
  for (const [path, own] of Map.groupBy(comments, comment => comment.path)) {
    const changes = await changesOf(folder, pull.head_sha, after, path);
    for (const { id, line, start_line, commit_id, ...comment } of own) {
      const by = changes && movedBy(changes, start_line ?? line, line);
      const isMoved = comment.original_commit_id !== null;
      core.db.update('review_comments', id, {
        ...(!isMoved && {
          original_line: line,
          original_start_line: start_line,
          original_commit_id: commit_id,
        }),
        ...(by === undefined
          ? { line: null, start_line: null, position: null }
          : { line: line + by, start_line: start_line === null ? null : start_line + by, commit_id: after }),
      });
    }
  }
}

export const branchHead = (core: Core, repository: Repository, branch: string): string | undefined =>
  findRef(core, repository.id, `refs/heads/${branch}`)?.sha;

/** Start of a pull request's own changes: the common ancestor, or the base if there is none. */
export const startOf = async (folder: string, base: string, head: string): Promise<string> =>
  (await mergeBase(folder, base, head)) ?? base;

/** Size of the change between two commits, and whether they have an ancestor in common. */
export async function measure(folder: string, base: string, head: string) {
  const common = await mergeBase(folder, base, head);
  const [{ ahead }, lines] = await Promise.all([
    distance(folder, base, head),
    changedLines(folder, common ?? base, head),
  ]);
  return { isRelated: common !== undefined, size: { commits: ahead, ...lines } };
}

/** The ref under which git finds the pull request's head, with the branch or without. */
export const keepHead = (folder: string, number: number, sha: string) =>
  git(folder, ['update-ref', `refs/pull/${number}/head`, sha]);

/** Brings head, base and size up to date with the branches. */
export async function refreshPull(core: Core, repository: Repository, pull: Pull): Promise<void> {
  const folder = repositoryFolder(core, repository);
  const head = branchHead(core, repository, pull.head_ref) ?? pull.head_sha;
  const base = branchHead(core, repository, pull.base_ref) ?? pull.base_sha;
  const { size } = await measure(folder, base, head);
  core.db.update('pulls', pull.id, { head_sha: head, base_sha: base, ...size });
  await keepHead(folder, getIssue(core, pull.issue_id).number, head);
}

/** Marks as merged and closes. `commit` is what the base branch got. */
export function markMerged(act: Act, issue: Issue, commit: string): void {
  const { core, by } = act;
  core.db.update('pulls', getPull(core, issue.id).id, {
    merged_at: now(core),
    merged_by: by.user.id,
    merge_sha: commit,
  });
  recordEvent(act, issue, 'merged', {}, commit);
  closeIssue(act, issue, null, commit);
}

/**
 * Updates the open pull requests of a branch that moved. As head: they get the new commits, and are closed if the
 * branch is deleted. As base: they are closed if the branch is deleted, and merged if it now contains their head.
 */
export async function followBranch(
  act: Act,
  move: { branch: string; before: string; after: string },
): Promise<void> {
  const { core, repository } = act;
  const gone = /^0+$/.test(move.after);
  const folder = repositoryFolder(core, repository);
  if (gone)
    for (const pull of closedPullsFrom(core, repository.id, move.branch, move.before))
      recordEvent(act, getIssue(core, pull.issue_id), 'head_ref_deleted');
  for (const pull of openPullsOn(core, repository.id, move.branch)) {
    const issue = getIssue(core, pull.issue_id);
    if (gone) {
      recordEvent(act, issue, pull.head_ref === move.branch ? 'head_ref_deleted' : 'base_ref_deleted');
      closeIssue(act, issue, null);
    } else if (pull.head_ref === move.branch) {
      if (pull.head_sha === move.after) continue;
      await refreshPull(core, repository, pull);
      await followLines(core, repository, pull, move.after);
      touch(core, issue);
      if (!(await isAncestor(folder, pull.head_sha, move.after)))
        recordEvent(act, issue, 'head_ref_force_pushed', {}, move.after);
      emitIssue(act, issue, 'synchronize', () => ({ before: pull.head_sha, after: move.after }));
    } else if (await isAncestor(folder, pull.head_sha, move.after)) {
      markMerged(act, issue, move.after);
    }
  }
}

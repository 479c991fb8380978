// Merges a pull request in the bare repository: merge commit, squash or rebase.
import {
  isAncestor,
  mergedTree,
  readCommit,
  readCommits,
  type Signature,
  writeCommit,
} from '../repositories/commits.ts';
import { type Core, now } from '../core.ts';
import { ApiError } from '../errors.ts';
import { repositoryFolder, tryGit } from '../repositories/git.ts';
import type { Issue } from '../issues/issue-rows.ts';
import { getPull, type Pull } from './pull-rows.ts';
import { type Repository, signCommit } from '../repositories/repository-rows.ts';
import type { User } from '../apps/users.ts';
import type { Act } from '../emit.ts';
import { branchHead, markMerged } from './pull-changes.ts';
import { closeNamedIssues, settleRefs } from '../repositories/refs.ts';
import { checkRules } from '../repositories/rules.ts';

interface MergeRequest {
  method: 'merge' | 'squash' | 'rebase';
  /** The head the caller saw; another one is 409. */
  sha: string | undefined;
  title: string | undefined;
  message: string | undefined;
}

/** The signature of commits that a user makes through the API. */
export const signatureOf = (core: Core, user: User): Signature => ({
  name: user.name ?? user.login,
  email: `${user.id}+${user.login}@users.noreply.github.com`,
  date: now(core),
});

/**
 * Merges a commit into a branch by a merge commit, and answers that; `conflict` where git cannot, `moved` where the
 * branch no longer stands at `ours`.
 */
export async function mergeInto(
  act: Act,
  { branch, ours, theirs, message }: { branch: string; ours: string; theirs: string; message: string },
): Promise<{ sha: string } | 'conflict' | 'moved'> {
  const { core, by, repository } = act;
  const folder = repositoryFolder(core, repository);
  const tree = await mergedTree(folder, ours, theirs);
  if (tree === undefined) return 'conflict';
  const author = signatureOf(core, by.user);
  const sha = await writeCommit(folder, {
    tree,
    parents: [ours, theirs],
    author,
    committer: committerFor(author),
    message,
  });
  signCommit(core, repository, sha);
  const name = `refs/heads/${branch}`;
  await checkRules(core, repository, { name, before: ours, after: sha });
  const { code } = await tryGit(folder, ['update-ref', name, sha, ours]);
  if (code !== 0) return 'moved';
  await settleRefs(act);
  return { sha };
}

/** Commits that the API makes are GitHub's own. */
const committerFor = (author: Signature): Signature => ({
  ...author,
  name: 'GitHub',
  email: 'noreply@github.com',
});

/** Brings the head of an open pull request up to date with its base. 422 when that cannot be. */
export async function updateBranch(act: Act, issue: Issue, expected: string | undefined): Promise<void> {
  const { core, repository } = act;
  const pull = getPull(core, issue.id);
  const head = branchHead(core, repository, pull.head_ref);
  const base = branchHead(core, repository, pull.base_ref);
  if (issue.state !== 'open' || head === undefined || base === undefined)
    throw new ApiError(422, 'The pull request is not open, or a branch of it is gone.');
  if (expected !== undefined && expected !== head)
    throw new ApiError(422, "expected head sha didn't match current head ref.");
  if (await isAncestor(repositoryFolder(core, repository), base, head))
    throw new ApiError(422, 'There are no new commits on the base branch.');
  const outcome = await mergeInto(act, {
    branch: pull.head_ref,
    ours: head,
    theirs: base,
    message: `Merge branch '${pull.base_ref}' into ${pull.head_ref}`,
  });
  if (outcome === 'conflict') throw new ApiError(422, 'merge conflict between base and head');
  if (outcome === 'moved') throw new ApiError(422, "expected head sha didn't match current head ref.");
}

const notMergeable = () => new ApiError(405, 'Pull Request is not mergeable');

/** Merges and returns the new head of the base branch. 405 when it cannot be merged, 409 when the head moved. */
export async function mergePull(act: Act, issue: Issue, pull: Pull, request: MergeRequest): Promise<string> {
  const { core, repository } = act;
  if (issue.state !== 'open') throw notMergeable();
  if (pull.draft) throw new ApiError(405, 'Pull Request is still a draft');
  if (request.sha !== undefined && request.sha !== pull.head_sha)
    throw new ApiError(409, 'Head branch was modified. Review and try the merge again.');
  const folder = repositoryFolder(core, repository);
  const base = branchHead(core, repository, pull.base_ref);
  if (base === undefined) throw notMergeable();
  const after = await mergeCommit(act, issue, pull, base, request);
  const name = `refs/heads/${pull.base_ref}`;
  await checkRules(core, repository, { name, before: base, after, merges: true }, 405);
  const { code } = await tryGit(folder, ['update-ref', name, after, base]);
  if (code !== 0) throw new ApiError(409, 'Base branch was modified. Review and try the merge again.');
  markMerged(act, issue, after);
  if (pull.base_ref === repository.default_branch) closeNamedIssues(act, issue.body ?? '', after);
  await settleRefs(act);
  return after;
}

async function mergeCommit(
  { core, by, repository }: Act,
  issue: Issue,
  pull: Pull,
  base: string,
  { method, title, message }: MergeRequest,
): Promise<string> {
  const folder = repositoryFolder(core, repository);
  const author = signatureOf(core, by.user);
  const committer = committerFor(author);
  if (method === 'rebase') return rebase(folder, base, pull.head_sha, author);
  const tree = await mergedTree(folder, base, pull.head_sha);
  if (tree === undefined) throw notMergeable();
  const usual = mergeText(repository, issue, pull, method);
  const parents = method === 'merge' ? [base, pull.head_sha] : [base];
  const text = `${title ?? usual.headline}\n\n${message ?? usual.body}`.trimEnd();
  const sha = await writeCommit(folder, { tree, parents, author, committer, message: text });
  signCommit(core, repository, sha);
  return sha;
}

/** Default message of a merge's commit; a rebase keeps the messages there are. */
export function mergeText(
  { owner }: Repository,
  issue: Issue,
  pull: Pull,
  method: MergeRequest['method'],
): { headline: string; body: string } {
  switch (method) {
    case 'merge':
      return {
        headline: `Merge pull request #${issue.number} from ${owner}/${pull.head_ref}`,
        body: issue.title,
      };
    case 'squash':
      return { headline: `${issue.title} (#${issue.number})`, body: issue.body ?? '' };
    case 'rebase':
      return { headline: '', body: '' };
  }
}

/** Puts the head's own commits on top of the base, one by one. */
async function rebase(folder: string, base: string, head: string, committer: Signature): Promise<string> {
  let tip = base;
  for (const commit of await readCommits(folder, ['--reverse', '--no-merges', `${base}..${head}`, '--'])) {
    const [parent] = commit.parents;
    if (parent === undefined) throw notMergeable();
    // A stand-in with the tip's tree and the commit's parent makes that parent the merge base: git's
    // three-way merge then applies exactly this commit's change.
    const { tree } = await readCommit(folder, tip);
    const standIn = await writeCommit(folder, {
      tree,
      parents: [parent],
      author: committer,
      committer,
      message: 'stand-in',
    });
    const merged = await mergedTree(folder, standIn, commit.sha);
    if (merged === undefined) throw notMergeable();
    tip = await writeCommit(folder, {
      tree: merged,
      parents: [tip],
      author: commit.author,
      committer,
      message: commit.message,
    });
  }
  return tip;
}

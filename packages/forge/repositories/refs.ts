// Effects of moved branches and tags: the push event, pull requests, closing words.
import { type GitCommit, isAncestor, readCommits } from './commits.ts';
import { type Core, now } from '../core.ts';
import { readRefs, repositoryFolder } from './git.ts';
import { simpleCommit } from './commit-json.ts';
import { repositoryPage } from './repository-json.ts';
import type { Move } from './rules.ts';
import { findRef, type Ref, refsUnder, type Repository } from './repository-rows.ts';
import { issuesClosedBy } from '../issues/closing-words.ts';
import { type Act, emit, listening } from '../emit.ts';
import { closeIssue } from '../issues/issue-changes.ts';
import { followBranch } from '../pulls/pull-changes.ts';

export const noCommit = '0'.repeat(40);

/**
 * Compares the repository's refs with those last seen and does what GitHub does for each that moved. Called after
 * every push and every change of a ref, whoever made it; a second call finds nothing to do.
 */
export async function settleRefs(act: Act): Promise<void> {
  const { core, repository } = act;
  for (const move of record(core, repository)) {
    const branch = /^refs\/heads\/(.+)$/.exec(move.name)?.[1];
    if (branch === undefined && !move.name.startsWith('refs/tags/')) continue;
    core.db.update('repositories', repository.id, { pushed_at: now(core) });
    const isDefault = branch === repository.default_branch;
    const heard = listening(core, repository, 'push');
    const commits = branch === undefined ? [] : await newCommits(core, repository, move);
    if (heard) {
      const part = await pushPart(act, move, commits);
      emit(act, 'push', null, () => part);
    }
    if (branch === undefined) continue;
    await followBranch(act, { branch, before: move.before, after: move.after });
    if (isDefault) for (const commit of commits) closeNamedIssues(act, commit.message, commit.sha);
  }
}

/** Takes the refs as they are for known, without events: a repository that was just added. */
export function record(core: Core, repository: Repository): Move[] {
  const current = readRefs(repositoryFolder(core, repository));
  for (const name of current.keys()) if (name.startsWith('refs/pull/')) current.delete(name);
  const known = new Map(refsUnder(core, repository.id, 'refs/').map((ref: Ref) => [ref.name, ref.sha]));
  const moves: Move[] = [];
  for (const name of new Set([...known.keys(), ...current.keys()])) {
    const before = known.get(name) ?? noCommit;
    const after = current.get(name) ?? noCommit;
    if (before !== after) moves.push({ name, before, after });
  }
  for (const { name, after } of moves) {
    core.db.remove('refs', { repository_id: repository.id, name });
    if (after !== noCommit) core.db.insert('refs', { repository_id: repository.id, name, sha: after });
  }
  return moves;
}

/** GitHub lists at most this many commits of a push. */
const commitsInPush = 20;

async function newCommits(core: Core, repository: Repository, move: Move): Promise<GitCommit[]> {
  if (move.after === noCommit) return [];
  // A new branch brings what no other branch has; here: what the default branch has not.
  const base =
    move.before !== noCommit
      ? move.before
      : findRef(core, repository.id, `refs/heads/${repository.default_branch}`)?.sha;
  const exclude = base && base !== move.after ? [`^${base}`] : base ? [`^${move.after}`] : [];
  const folder = repositoryFolder(core, repository);
  return (await readCommits(folder, [`-${commitsInPush}`, move.after, ...exclude, '--'])).reverse();
}

/** Payload of a push event for the move of a branch or tag. */
async function pushPart(
  { core, by, repository }: Act,
  { name, before, after }: Move,
  commits: GitCommit[],
): Promise<Record<string, unknown>> {
  const folder = repositoryFolder(core, repository);
  const page = repositoryPage(core.own ?? core, repository);
  const both = before !== noCommit && after !== noCommit;
  const forced = both && !(await isAncestor(folder, before, after));
  const shown = commits.map(commit => ({
    ...simpleCommit(commit),
    distinct: true,
    url: `${page}/commit/${commit.sha}`,
  }));
  return {
    ref: name,
    before,
    after,
    created: before === noCommit,
    deleted: after === noCommit,
    forced,
    base_ref: null,
    compare: `${page}/compare/${before.slice(0, 12)}...${after.slice(0, 12)}`,
    commits: shown,
    head_commit: shown.at(-1) ?? null,
    pusher: { name: by.user.login, email: `${by.user.login}@users.noreply.github.com` },
  };
}

/** Closes the open issues of this repository that a text names with a closing word. */
export function closeNamedIssues(act: Act, text: string, commit: string | null): void {
  const { core, repository } = act;
  for (const issue of issuesClosedBy(core, repository, text))
    if (issue.state === 'open') closeIssue(act, issue, 'completed', commit);
}

// Pull requests: list, open, read as JSON or diff, edit, files, commits, merge.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { branchOf, changePull, createPull, isMergeable } from './edit-pull.ts';
import { mergePull } from './merge.ts';
import { startOf } from './pull-changes.ts';
import { changedFiles, diffText, readCommits } from '../repositories/commits.ts';
import { notFound } from '../errors.ts';
import { push } from '../repositories/commit-routes.ts';
import { git } from '../repositories/git.ts';
import { pageOfAll, pageOfIssues } from '../page.ts';
import { commitJson, fileJson } from '../repositories/commit-json.ts';
import { pullJson, simplePull } from './pull-json.ts';
import { created, ok, parse, type RepositoryCall, read, write } from '../route.ts';
import * as where from '../issues/issue-conditions.ts';
import { findIssue, type Issue } from '../issues/issue-rows.ts';
import { getPull, type Pull } from './pull-rows.ts';

export const pullsRead = ['pull_requests:read'];
export const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };

const newPull = z.object({
  title: z.string(),
  body: z.string().nullish(),
  head: z.string(),
  base: z.string(),
  draft: z.boolean().default(false),
});
const pullChange = z.object({
  title: z.string().optional(),
  body: z.string().nullish(),
  state: z.enum(['open', 'closed']).optional(),
  base: z.string().optional(),
});
const mergeRequest = z.object({
  sha: z.string().optional(),
  merge_method: z.enum(['merge', 'squash', 'rebase']).default('merge'),
  commit_title: z.string().optional(),
  commit_message: z.string().optional(),
});

/** The pull request of the path's number. */
export function pullOf(call: RepositoryCall): { issue: Issue; pull: Pull } {
  const issue = findIssue(call.core, call.repository.id, Number(call.params['pull_number']));
  if (!issue?.is_pull) throw notFound();
  return { issue, pull: getPull(call.core, issue.id) };
}

function listPulls(call: RepositoryCall) {
  const { core, repository, query } = call;
  const wanted = [where.inRepository(repository.id), where.isPull];
  const state = query.get('state') ?? 'open';
  if (state !== 'all') wanted.push(state === 'closed' ? where.not(where.isOpen) : where.isOpen);
  const head = query.get('head');
  // GitHub passes over a head without an owner.
  if (head?.includes(':')) wanted.push(where.hasHead(branchOf(repository, head) ?? ''));
  const base = query.get('base');
  if (base) wanted.push(where.hasBase(base));
  const order = where.issueOrder(query.get('sort'), query.get('direction'));
  return pageOfIssues(call, where.all(wanted), order, issue => simplePull(core, repository, issue));
}

/** The full form, with what git says about merging an open one. */
async function whole({ core, repository }: RepositoryCall, issue: Issue) {
  return pullJson(core, repository, issue, await isMergeable(core, repository, issue));
}

async function showPull(call: RepositoryCall) {
  const { issue, pull } = pullOf(call);
  const form = /\.(diff|patch)\b/.exec(call.accept)?.[1];
  if (form === undefined) return ok(await whole(call, issue));
  const start = await startOf(call.folder, pull.base_sha, pull.head_sha);
  const body =
    form === 'diff'
      ? await diffText(call.folder, start, pull.head_sha)
      : await git(call.folder, ['format-patch', '--stdout', `${start}..${pull.head_sha}`, '--']);
  return {
    status: 200,
    body: `${body}\n`,
    headers: { 'content-type': `application/vnd.github.${form}; charset=utf-8` },
  };
}

export const pullRoutes = [
  read('/pulls', pullsRead, listPulls),
  write('POST', '/pulls', anyone, async call =>
    created(await whole(call, await createPull(call, parse(call, 'PullRequest', newPull)))),
  ),
  read('/pulls/{pull_number}', pullsRead, showPull),
  write('PATCH', '/pulls/{pull_number}', anyone, async call => {
    const { issue } = pullOf(call);
    return ok(await whole(call, await changePull(call, issue, parse(call, 'PullRequest', pullChange))));
  }),
  read('/pulls/{pull_number}/files', pullsRead, async call => {
    const { pull } = pullOf(call);
    const start = await startOf(call.folder, pull.base_sha, pull.head_sha);
    const files = await changedFiles(call.folder, start, pull.head_sha);
    return pageOfAll(call, files, file => fileJson(call.core, call.repository, pull.head_sha, file));
  }),
  read('/pulls/{pull_number}/commits', pullsRead, async call => {
    const { pull } = pullOf(call);
    const start = await startOf(call.folder, pull.base_sha, pull.head_sha);
    const commits = await readCommits(call.folder, ['--reverse', `${start}..${pull.head_sha}`, '--']);
    return pageOfAll(call, commits, commit => commitJson(call.core, call.repository, commit));
  }),
  write('PUT', '/pulls/{pull_number}/merge', push, async call => {
    const { issue, pull } = pullOf(call);
    const input = parse(call, 'PullRequest', mergeRequest);
    const sha = await mergePull(call, issue, pull, {
      method: input.merge_method,
      sha: input.sha,
      title: input.commit_title,
      message: input.commit_message,
    });
    return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
  }),
];

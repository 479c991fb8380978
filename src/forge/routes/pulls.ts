// Pull requests: list, open, read as JSON or diff, edit, files, commits, merge.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { editText, emitIssue, closeIssue, reopenIssue } from '../changes/issues.ts';
import { mergePull } from '../changes/merge.ts';
import { branchHead, measure, openPull, refreshPull, startOf } from '../changes/pulls.ts';
import { changedFiles, diffText, mergedTree, readCommits } from '../commits.ts';
import type { Value } from '../database.ts';
import { forbidden, invalid, invalidField, notFound } from '../errors.ts';
import { git } from '../git.ts';
import { page, pageOf } from '../page.ts';
import { commitJson, fileJson } from '../render/commit.ts';
import { pullJson, simplePull } from '../render/pull.ts';
import {
  type Answer,
  created,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { actionsAppId } from '../store/actions-app.ts';
import { findIssue, getIssue, type Issue } from '../store/issues.ts';
import { getPull, type Pull } from '../store/pulls.ts';
import { authorOrTriage, checkLength } from './issue-input.ts';

export const pullsRead = ['pull_requests:read'];
const merger: Need = { role: 'write', scopes: ['contents:write'] };
const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };

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

/** The branch behind `branch` or `owner:branch`; the forge has no forks, so another owner has none. */
function branchOf(call: RepositoryCall, text: string): string | undefined {
  const [owner, ...rest] = text.split(':');
  if (rest.length === 0) return text;
  return owner?.toLowerCase() === call.repository.owner.toLowerCase() ? rest.join(':') : undefined;
}

function listPulls(call: RepositoryCall): Answer {
  const { core, repository, query } = call;
  const conditions = ['i.repository_id = ?'];
  const values: Value[] = [repository.id];
  const state = query.get('state') ?? 'open';
  if (state !== 'all') {
    conditions.push('i.state = ?');
    values.push(state);
  }
  const head = query.get('head');
  // GitHub passes over a head without an owner.
  if (head?.includes(':')) {
    conditions.push('p.head_ref = ?');
    values.push(branchOf(call, head) ?? '');
  }
  const base = query.get('base');
  if (base) {
    conditions.push('p.base_ref = ?');
    values.push(base);
  }
  const by = query.get('sort') === 'updated' ? 'i.updated_at' : 'i.created_at';
  const direction = query.get('direction') === 'asc' ? 'ASC' : 'DESC';
  const from = `issues i JOIN pulls p ON p.issue_id = i.id WHERE ${conditions.join(' AND ')}`;
  return page(call, core.db.count(from, ...values), (limit, offset) =>
    core.db
      .all<Issue>(
        `SELECT i.* FROM ${from} ORDER BY ${by} ${direction}, i.id ${direction} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map(issue => simplePull(core, repository, issue)),
  );
}

async function createPull(call: WriteCall): Promise<Answer> {
  const { core, repository } = call;
  const input = parse(call, 'PullRequest', newPull);
  if (call.by.app?.id === actionsAppId && repository.actions_open_pulls === 0)
    throw forbidden('GitHub Actions is not permitted to create or approve pull requests.');
  if (input.title.trim() === '') throw invalidField('PullRequest', 'title', 'missing_field');
  checkLength('PullRequest', input.body);
  const head = branchOf(call, input.head);
  const headSha = head === undefined ? undefined : branchHead(core, repository, head);
  if (head === undefined || headSha === undefined) throw invalidField('PullRequest', 'head', 'invalid');
  const baseSha = branchHead(core, repository, input.base);
  if (baseSha === undefined) throw invalidField('PullRequest', 'base', 'invalid');
  const { isRelated, size } = await measure(call.folder, baseSha, headSha);
  if (size.commits === 0) throw invalid('PullRequest', `No commits between ${input.base} and ${head}`);
  if (!isRelated)
    throw invalid('PullRequest', `The ${head} branch has no history in common with ${input.base}`);
  const twin = core.db.count(
    `issues i JOIN pulls p ON p.issue_id = i.id
     WHERE p.repository_id = ? AND i.state = 'open' AND p.head_ref = ? AND p.base_ref = ?`,
    repository.id,
    head,
    input.base,
  );
  if (twin > 0)
    throw invalid('PullRequest', `A pull request already exists for ${repository.owner}:${head}.`);
  const issue = await openPull(
    core,
    call.by,
    repository,
    { ...input, body: input.body ?? null, head },
    { head_sha: headSha, base_sha: baseSha, ...size },
  );
  return created(await whole(call, issue));
}

/** The full form, with what git says about merging an open one. */
async function whole(call: RepositoryCall, given: Issue) {
  const issue = getIssue(call.core, given.id);
  const pull = getPull(call.core, issue.id);
  const base = branchHead(call.core, call.repository, pull.base_ref) ?? pull.base_sha;
  const open = issue.state === 'open';
  const tree = open ? await mergedTree(call.folder, base, pull.head_sha) : undefined;
  return pullJson(call.core, call.repository, issue, open ? tree !== undefined : null);
}

async function showPull(call: RepositoryCall): Promise<Answer> {
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

async function changePull(call: WriteCall): Promise<Answer> {
  const { core, by, repository } = call;
  const { issue, pull } = pullOf(call);
  authorOrTriage(call, issue.author_id);
  const input = parse(call, 'PullRequest', pullChange);
  checkLength('PullRequest', input.body);
  const changes: Record<string, unknown> = editText(core, by, issue, {
    title: input.title,
    body: input.body,
  });
  if (input.base !== undefined && input.base !== pull.base_ref) {
    const sha = branchHead(core, repository, input.base);
    if (sha === undefined) throw invalidField('PullRequest', 'base', 'invalid');
    core.db.update('pulls', pull.id, { base_ref: input.base, base_sha: sha });
    await refreshPull(core, repository, getPull(core, issue.id));
    changes['base'] = { ref: { from: pull.base_ref }, sha: { from: pull.base_sha } };
  }
  if (Object.keys(changes).length > 0) emitIssue(core, by, issue, 'edited', () => ({ changes }));
  if (input.state === 'closed' && issue.state === 'open') closeIssue(core, by, issue, null);
  if (input.state === 'open' && issue.state === 'closed') {
    if (pull.merged_at !== null || branchHead(core, repository, pull.head_ref) === undefined)
      throw invalid('PullRequest', 'state cannot be changed. The pull request cannot be reopened.', 'state');
    await refreshPull(core, repository, pull);
    reopenIssue(core, by, issue);
  }
  return ok(await whole(call, issue));
}

export const pullRoutes: Route[] = [
  read('/pulls', pullsRead, listPulls),
  write('POST', '/pulls', anyone, createPull),
  read('/pulls/{pull_number}', pullsRead, showPull),
  write('PATCH', '/pulls/{pull_number}', anyone, changePull),
  read('/pulls/{pull_number}/files', pullsRead, async call => {
    const { pull } = pullOf(call);
    const start = await startOf(call.folder, pull.base_sha, pull.head_sha);
    const files = await changedFiles(call.folder, start, pull.head_sha);
    return pageOf(
      call,
      files.map(file => fileJson(call.core, call.repository, pull.head_sha, file)),
    );
  }),
  read('/pulls/{pull_number}/commits', pullsRead, async call => {
    const { pull } = pullOf(call);
    const start = await startOf(call.folder, pull.base_sha, pull.head_sha);
    const commits = await readCommits(call.folder, ['--reverse', `${start}..${pull.head_sha}`, '--']);
    return pageOf(
      call,
      commits.map(commit => commitJson(call.core, call.repository, commit)),
    );
  }),
  read('/pulls/{pull_number}/merge', pullsRead, call => {
    if (pullOf(call).pull.merged_at === null) throw notFound();
    return { status: 204 };
  }),
  write('PUT', '/pulls/{pull_number}/merge', merger, async call => {
    const { issue, pull } = pullOf(call);
    const input = parse(call, 'PullRequest', mergeRequest);
    const sha = await mergePull(call.core, call.by, call.repository, issue, pull, {
      method: input.merge_method,
      sha: input.sha,
      title: input.commit_title,
      message: input.commit_message,
    });
    return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
  }),
];

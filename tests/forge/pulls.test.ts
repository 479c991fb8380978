// Pull requests: opening, following their branches, diffs, reviews, merging.
import { describe, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, openTestForge, refusal, type TestForge } from './fixture.ts';

async function withPull(options: { draft?: boolean; body?: string } = {}) {
  const t = await openTestForge();
  const { data } = await t
    .as('wanda')
    .pulls.create({ ...at, title: 'Turn round', head: 'feature', base: 'main', ...options });
  return Object.assign(t, { pull: data, pull_number: data.number });
}

const sum = (t: TestForge) => t.as('sam').repos.getContent({ ...at, path: 'src/sum.js' });

describe('opening', () => {
  test('shows what it brings', async () => {
    await using t = await withPull({ draft: true, body: 'Text' });
    expect(t.pull).toMatchObject({
      state: 'open',
      draft: true,
      body: 'Text',
      mergeable: true,
      mergeable_state: 'draft',
      merged: false,
      commits: 1,
      additions: 1,
      deletions: 1,
      changed_files: 1,
      head: { label: 'olga:feature', ref: 'feature' },
      base: { ref: 'main' },
      user: { login: 'wanda' },
    });
    const { data: files } = await t.as('sam').pulls.listFiles({ ...at, pull_number: t.pull_number });
    expect(files.map(({ filename, status }) => [filename, status])).toEqual([['src/sum.js', 'modified']]);
    const { data: commits } = await t.as('sam').pulls.listCommits({ ...at, pull_number: t.pull_number });
    expect(commits.map(each => each.commit.message)).toEqual(['Turn it round']);
  });

  test('gives its diff and patch as text', async () => {
    await using t = await withPull();
    const as = async (format: string) =>
      String(
        (await t.as('sam').pulls.get({ ...at, pull_number: t.pull_number, mediaType: { format } })).data,
      );
    expect(await as('diff')).toMatch(
      /^diff --git a\/src\/sum.js b\/src\/sum.js\n[\s\S]*\n-export[\s\S]*\n\+export/,
    );
    expect(await as('patch')).toMatch(/^From [\da-f]{40} [\s\S]*Subject: \[PATCH\] Turn it round/);
  });

  test.each<[string, object, string]>([
    ['one exists', {}, 'A pull request already exists for olga:feature.'],
    ['there are no commits', { head: 'main' }, 'No commits between main and main'],
    ['the head is unknown', { head: 'none' }, 'head invalid'],
    ["the head is another owner's", { head: 'sam:feature' }, 'head invalid'],
    ['the base is unknown', { base: 'none' }, 'base invalid'],
    ['the title is empty', { title: '' }, 'title missing_field'],
    ['the body is too long', { body: 'x'.repeat(65_537) }, 'body is too long (maximum is 65536 characters)'],
  ])('is refused where %s', async (_name, change, message) => {
    await using t = await withPull();
    const asked = { ...at, title: 'x', head: 'feature', base: 'main', ...change };
    const { status, data } = await refusal(t.as('wanda').pulls.create(asked));
    const [error] = (data as { errors: { message?: string; field?: string; code?: string }[] }).errors;
    expect([status, error?.message ?? `${error?.field} ${error?.code}`]).toEqual([422, message]);
  });

  test('lists are filtered by head, base and state', async () => {
    await using t = await withPull();
    const list = async (query: object) => (await t.as('sam').pulls.list({ ...at, ...query })).data.length;
    expect([
      await list({ head: 'olga:feature' }),
      await list({ head: 'olga:other' }),
      await list({ head: 'sam:feature' }),
      await list({ base: 'main' }),
      await list({ base: 'other' }),
      await list({ state: 'closed' }),
    ]).toEqual([1, 0, 0, 1, 0, 0]);
  });
});

describe('following', () => {
  test('a push brings the new head, size and ref', async () => {
    await using t = await withPull();
    const clone = await t.clone('wanda');
    await git(clone, ['checkout', '--quiet', 'feature']);
    const sha = await commit(clone, { 'new.txt': 'a\nb\n' }, 'More');
    await git(clone, ['push', '--quiet']);
    const { data } = await t.as('sam').pulls.get({ ...at, pull_number: t.pull_number });
    expect(data).toMatchObject({ head: { sha }, commits: 2, additions: 3, changed_files: 2 });
    expect(await git(clone, ['ls-remote', 'origin', `refs/pull/${t.pull_number}/head`])).toContain(sha);
  });

  test('it closes with its branch and cannot be reopened without it', async () => {
    await using t = await withPull();
    await t.as('wanda').git.deleteRef({ ...at, ref: 'heads/feature' });
    const { data } = await t.as('sam').pulls.get({ ...at, pull_number: t.pull_number });
    expect([data.state, data.merged]).toEqual(['closed', false]);
    const number = { pull_number: t.pull_number, issue_number: t.pull_number };
    for (const { update } of [t.as('wanda').pulls, t.as('wanda').issues])
      expect((await refusal(update({ ...at, ...number, state: 'open' }))).status).toBe(422);
  });

  test('a base that comes to hold its head has merged it', async () => {
    await using t = await withPull();
    await t.as('wanda').git.updateRef({ ...at, ref: 'heads/main', sha: t.pull.head.sha });
    const { data } = await t.as('sam').pulls.get({ ...at, pull_number: t.pull_number });
    expect([data.state, data.merged, data.merged_by?.login]).toEqual(['closed', true, 'wanda']);
  });

  test('closing words in a commit close issues', async () => {
    await using t = await openTestForge();
    for (const title of ['one', 'two', 'three']) await t.as('olga').issues.create({ ...at, title });
    const clone = await t.clone('olga');
    await commit(
      clone,
      { 'x.txt': 'x' },
      'Work\n\nFixes #1, resolves: olga/work#2; see #3, closes sam/work#3',
    );
    await git(clone, ['push', '--quiet']);
    const { data } = await t.as('olga').issues.listForRepo({ ...at, state: 'closed' });
    expect(data.map(({ number, state_reason }) => [number, state_reason])).toEqual([
      [2, 'completed'],
      [1, 'completed'],
    ]);
  });
});

describe('merging', () => {
  test.each<['merge' | 'squash' | 'rebase', string, number]>([
    ['merge', 'Merge pull request #2 from olga/feature\n\nTurn round', 2],
    ['squash', 'Turn round (#2)\n\nCloses #1', 1],
    ['rebase', 'Turn it round', 1],
  ])('by %s', async (merge_method, message, parents) => {
    await using t = await openTestForge();
    await t.as('olga').issues.create({ ...at, title: 'To be closed' });
    const pull = { ...at, title: 'Turn round', head: 'feature', base: 'main', body: 'Closes #1' };
    const { data } = await t.as('wanda').pulls.create(pull);
    const clone = await t.clone('olga');
    await commit(clone, { 'other.txt': 'meanwhile\n' }, 'Meanwhile');
    await git(clone, ['push', '--quiet']);
    const merged = await t.as('wanda').pulls.merge({ ...at, pull_number: data.number, merge_method });
    const { data: head } = await t.as('sam').repos.getCommit({ ...at, ref: 'main' });
    expect([head.sha, head.commit.message, head.parents.length]).toEqual([merged.data.sha, message, parents]);
    expect(head.author).toMatchObject({ login: merge_method === 'rebase' ? 'olga' : 'wanda' });
    await git(clone, ['pull', '--quiet']);
    expect(await git(clone, ['show', 'HEAD:src/sum.js'])).toContain('b + a');
    expect(await git(clone, ['show', 'HEAD:other.txt'])).toBe('meanwhile');
    const { data: issue } = await t.as('sam').issues.get({ ...at, issue_number: 1 });
    expect([issue.state, issue.state_reason]).toEqual(['closed', 'completed']);
    const { data: after } = await t.as('sam').pulls.get({ ...at, pull_number: data.number });
    expect(after).toMatchObject({ merged: true, state: 'closed', merge_commit_sha: merged.data.sha });
    const again = t.as('wanda').pulls.merge({ ...at, pull_number: data.number });
    expect((await refusal(again)).status).toBe(405);
  });

  test.each<[string, string, object, number, RegExp]>([
    ['a draft', 'wanda', {}, 405, /draft/],
    ['by a stranger', 'sam', {}, 403, /write access/],
    ['at another head', 'wanda', { sha: '1'.repeat(40) }, 409, /Head branch was modified/],
  ])('of %s is refused', async (name, login, request, status, message) => {
    await using t = await withPull({ draft: name === 'a draft' });
    const call = t.as(login).pulls.merge({ ...at, pull_number: t.pull_number, ...request });
    expect(await refusal(call)).toMatchObject({ status, message: expect.stringMatching(message) });
  });

  test.each(['merge', 'squash', 'rebase'] as const)('a conflict is refused by %s', async merge_method => {
    await using t = await withPull();
    const clone = await t.clone('olga');
    await commit(clone, { 'src/sum.js': 'export const sum = () => 0;\n' }, 'Clash');
    await git(clone, ['push', '--quiet']);
    const before = (await sum(t)).data;
    const { data } = await t.as('wanda').pulls.get({ ...at, pull_number: t.pull_number });
    expect([data.mergeable, data.mergeable_state]).toEqual([false, 'dirty']);
    const call = t.as('wanda').pulls.merge({ ...at, pull_number: t.pull_number, merge_method });
    expect(await refusal(call)).toMatchObject({ status: 405, message: 'Pull Request is not mergeable' });
    expect((await sum(t)).data).toEqual(before);
  });
});

describe('reviews', () => {
  test('hold comments on lines, and others answer them', async () => {
    await using t = await withPull();
    const place = { ...at, pull_number: t.pull_number };
    await t.requestReview('wanda', t.pull_number, 'tom');
    const { data: review } = await t.as('tom').pulls.createReview({
      ...place,
      event: 'REQUEST_CHANGES',
      body: 'Not yet',
      comments: [{ path: 'src/sum.js', line: 1, body: 'Why?' }],
    });
    expect([review.state, review.user?.login]).toEqual(['CHANGES_REQUESTED', 'tom']);
    const { data: comments } = await t.as('sam').pulls.listReviewComments(place);
    expect(comments).toMatchObject([
      { path: 'src/sum.js', line: 1, side: 'RIGHT', pull_request_review_id: review.id },
    ]);
    expect(comments[0]?.diff_hunk).toBe(
      '@@ -1 +1 @@\n-export const sum = (a, b) => a + b;\n+export const sum = (a, b) => b + a;',
    );
    const first = comments[0]?.id ?? 0;
    await t.as('wanda').pulls.createReplyForReviewComment({ ...place, comment_id: first, body: 'Because' });
    const { data: all } = await t.as('sam').pulls.listReviewComments(place);
    expect(all.map(({ body, in_reply_to_id }) => [body, in_reply_to_id])).toEqual([
      ['Why?', undefined],
      ['Because', first],
    ]);
    const { data: pull } = await t.as('sam').pulls.get(place);
    expect([pull.requested_reviewers, pull.review_comments]).toEqual([[], 2]);
  });

  test.each<[string, string, object]>([
    ["approving one's own", 'wanda', { event: 'APPROVE' }],
    [
      'a line the diff has not',
      'tom',
      { event: 'COMMENT', comments: [{ path: 'src/sum.js', line: 99, body: 'x' }] },
    ],
    [
      'a file the diff has not',
      'tom',
      { event: 'COMMENT', comments: [{ path: 'README.md', line: 1, body: 'x' }] },
    ],
    ['changes without a word', 'tom', { event: 'REQUEST_CHANGES' }],
    ['one that would stay pending', 'tom', { body: 'Hm' }],
  ])('%s is refused, and leaves nothing', async (_name, login, review) => {
    await using t = await withPull();
    const place = { ...at, pull_number: t.pull_number };
    expect((await refusal(t.as(login).pulls.createReview({ ...place, ...review }))).status).toBe(422);
    expect((await t.as(login).pulls.listReviews(place)).data).toEqual([]);
  });
});

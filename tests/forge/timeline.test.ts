// What happened to issues and pull requests, as Octokit reads it back.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../../src/forge/git.ts';
import { at, commit, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
let clone: string;
beforeAll(async () => {
  t = await openTestForge();
  clone = await t.clone('olga');
  await t.forge.addRepository({ owner: 'olga', name: 'hidden', from: clone, private: true });
});
afterAll(() => t[Symbol.asyncDispose]());

const open = async (title: string, body = '', repo = at.repo) =>
  (await t.as('olga').issues.create({ owner: at.owner, repo, title, body })).data.number;
const timelineOf = async (issue_number: number, login: string | null = 'olga') =>
  (await t.as(login).issues.listEventsForTimeline({ ...at, issue_number, per_page: 100 })).data;
const names = async (issue_number: number, login: string | null = 'olga') =>
  (await timelineOf(issue_number, login)).map(({ event }) => event);

describe('an issue', () => {
  test('tells what was done and said', async () => {
    const issue_number = await open('Much happens');
    const olga = t.as('olga').issues;
    const number = { ...at, issue_number };
    await olga.addLabels({ ...number, labels: ['bug'] });
    await olga.removeLabel({ ...number, name: 'bug' });
    await olga.addAssignees({ ...number, assignees: ['wanda'] });
    await olga.update({ ...number, title: 'Renamed' });
    await olga.lock({ ...number, lock_reason: 'resolved' });
    const { data: said } = await olga.createComment({ ...number, body: 'Said' });
    const { data: lost } = await olga.createComment({ ...number, body: 'Lost' });
    await olga.deleteComment({ ...at, comment_id: lost.id });
    await olga.update({ ...number, state: 'closed', state_reason: 'not_planned' });
    await olga.update({ ...number, state: 'open' });
    const done = ['labeled', 'unlabeled', 'assigned', 'renamed', 'locked', 'comment_deleted'];
    const timeline = await timelineOf(issue_number);
    expect(timeline.map(({ event }) => event).sort()).toEqual(
      ['commented', ...done, 'closed', 'reopened'].sort(),
    );
    const entry = (name: string) => timeline.find(({ event }) => event === name);
    expect(entry('commented')).toMatchObject({ id: said.id, body: 'Said', actor: { login: 'olga' } });
    expect(entry('renamed')).toMatchObject({ rename: { from: 'Much happens', to: 'Renamed' } });
    expect(entry('closed')).toMatchObject({ state_reason: 'not_planned', commit_id: null });
    expect(entry('assigned')).toMatchObject({ assignee: { login: 'wanda' } });
    const { data: events } = await olga.listEvents(number);
    expect(events.map(({ event }) => event)).toEqual([...done, 'closed', 'reopened']);
  });

  test('tells which sub-issues it got, and what they are now', async () => {
    const parent = await open('Parent');
    const child = (await t.as('olga').issues.create({ ...at, title: 'Child' })).data;
    await t.as('olga').issues.addSubIssue({ ...at, issue_number: parent, sub_issue_id: child.id });
    await t.as('olga').issues.update({ ...at, issue_number: child.number, title: 'Grown' });
    expect(await timelineOf(parent)).toMatchObject([
      { event: 'sub_issue_added', sub_issue: { number: child.number, title: 'Grown', state: 'open' } },
    ]);
    expect((await timelineOf(child.number))[0]).toMatchObject({
      event: 'parent_issue_added',
      parent_issue: { number: parent, repository: { full_name: 'olga/work' } },
    });
  });

  test('comes in pages that lead on', async () => {
    const issue_number = await open('Long');
    for (const body of ['a', 'b', 'c'])
      await t.as('olga').issues.createComment({ ...at, issue_number, body });
    const paged = { ...at, issue_number, per_page: 2 };
    const all = await t.as('olga').paginate(t.as('olga').issues.listEventsForTimeline, paged);
    expect(all.map(entry => 'body' in entry && entry.body)).toEqual(['a', 'b', 'c']);
    const { data } = await t.as('olga').issues.listEventsForTimeline({ ...paged, page: 1_000_000_000 });
    expect(data).toEqual([]);
  });
});

describe('the issues that a text names', () => {
  test.each<[what: string, text: (number: number) => string, heard: boolean]>([
    ['a number', n => `See #${n}.`, true],
    ['the old way', n => `GH-${n}`, true],
    ['with the repository', n => `(OLGA/work#${n})`, true],
    ['the address of its page', n => `${t.forge.url}/olga/work/issues/${n}`, true],
    ['a list', n => `- #${n}\n- #${n}`, true],
    ['another repository', n => `other/work#${n}`, false],
    ['a word that goes on', n => `#${n}th a#${n} &#${n}; /#${n}`, false],
    ['code', n => `\`#${n}\` and\n\`\`\`\n#${n}\n\`\`\`\n~~~\n#${n}\n~~~`, false],
    ['behind a mark that ends nothing', n => `\`\` #${n}`, true],
    ['a comment', n => `<!-- #${n} -->`, false],
    ['a number that none has', () => '#999999999 #99999999999', false],
  ])('%s', async (_what, text, heard) => {
    const number = await open('Named');
    const from = await open('Names it', text(number));
    const found = await timelineOf(number);
    expect(found).toMatchObject(
      heard ? [{ event: 'cross-referenced', source: { type: 'issue', issue: { number: from } } }] : [],
    );
    expect((await t.as('olga').issues.listEvents({ ...at, issue_number: number })).data).toEqual([]);
  });

  test('hear once of the same issue, whether it says so in a comment or an edit', async () => {
    const number = await open('Named');
    const from = await open('Itself', 'nothing yet');
    await t.as('olga').issues.createComment({ ...at, issue_number: from, body: `#${number} #${from}` });
    await t.as('olga').issues.update({ ...at, issue_number: from, body: `#${number}` });
    expect([await names(number), await names(from)]).toEqual([['cross-referenced'], ['commented']]);
  });

  test('hear of a repository that the reader may not know only where he may', async () => {
    const number = await open('Named');
    const hidden = await open('Secret plan', `olga/work#${number}`, 'hidden');
    expect([await names(number), await names(number, 'sam'), await names(number, null)]).toEqual([
      ['cross-referenced'],
      [],
      [],
    ]);
    // Who may not know it tells it nothing either.
    await t.as('sam').issues.create({ ...at, title: 'Guess', body: `olga/hidden#${hidden}` });
    const asked = { owner: at.owner, repo: 'hidden', issue_number: hidden };
    expect((await t.as('olga').issues.listEventsForTimeline(asked)).data).toEqual([]);
    expect((await refusal(t.as('sam').issues.listEventsForTimeline(asked))).status).toBe(404);
  });

  test.each([
    ['marks', Array.from({ length: 350 }, (_each, n) => '`'.repeat(n)).join(' ')],
    ['comments that do not end', '<!--'.repeat(16_000)],
    ['numbers', '#1 '.repeat(20_000)],
    ['slashes', 'a/'.repeat(30_000)],
    ['addresses', 'SITE/a/b'.repeat(2000)],
    ['one long address', `SITE/${'a'.repeat(60_000)}`],
  ])('a text full of %s is no burden', async (_what, body) => {
    const before = performance.now();
    await open('Hostile', body.replaceAll('SITE', t.forge.url));
    expect(performance.now() - before).toBeLessThan(1500);
  });
});

test('a pull request tells of its commits, its reviews, its merge and the end of its branch', async () => {
  const fixed = await open('To be fixed');
  await git(clone, ['checkout', '--quiet', '-b', 'topic', 'origin/main']);
  const first = await commit(clone, { 'one.txt': 'one\n' }, `Do it\n\nFixes #${fixed}`);
  await git(clone, ['push', '--quiet', 'origin', 'topic']);
  const body = { ...at, title: 'Topic', head: 'topic', base: 'main', draft: true };
  const { number, node_id } = (await t.as('olga').pulls.create(body)).data;
  await t
    .as('olga')
    .graphql(
      `mutation { markPullRequestReadyForReview(input: {pullRequestId: "${node_id}"}) { pullRequest { id } } }`,
    );
  await t.as('olga').pulls.requestReviewers({ ...at, pull_number: number, reviewers: ['wanda'] });
  await git(clone, ['commit', '--quiet', '--amend', '--message', `Do it well, see #${fixed}`]);
  await git(clone, ['push', '--quiet', '--force', 'origin', 'topic']);
  const second = await git(clone, ['rev-parse', 'HEAD']);
  const review = { ...at, pull_number: number, event: 'APPROVE', body: 'Good' } as const;
  await t.as('wanda').pulls.createReview(review);
  await t.as('olga').pulls.merge({ ...at, pull_number: number });
  await t.as('olga').git.deleteRef({ ...at, ref: 'heads/topic' });
  const timeline = await timelineOf(number);
  expect(timeline.map(({ event }) => event).sort()).toEqual(
    [
      'committed',
      'ready_for_review',
      'review_requested',
      'head_ref_force_pushed',
      'reviewed',
      'merged',
      'closed',
      // By the merge commit, whose message names it.
      'referenced',
      'head_ref_deleted',
    ].sort(),
  );
  const entry = (name: string) => timeline.find(({ event }) => event === name);
  expect(entry('committed')).toMatchObject({ sha: second, message: `Do it well, see #${fixed}` });
  expect(entry('reviewed')).toMatchObject({ state: 'approved', user: { login: 'wanda' }, body: 'Good' });
  const told = (await timelineOf(fixed)).map(item => [item.event, 'commit_id' in item && item.commit_id]);
  expect(told).toEqual([
    ['referenced', first],
    ['referenced', second],
  ]);
});

test('a review is changed by its author, dismissed by who may write, and withdrawn while it is pending', async () => {
  await git(clone, ['checkout', '--quiet', '-B', 'reviewed', 'origin/main']);
  await commit(clone, { 'reviewed.txt': 'x\n' }, 'Work');
  await git(clone, ['push', '--quiet', 'origin', 'reviewed']);
  const { data } = await t.as('olga').pulls.create({ ...at, title: 'P', head: 'reviewed', base: 'main' });
  const pull = { ...at, pull_number: data.number };
  const { data: given } = await t.as('tom').pulls.createReview({ ...pull, event: 'APPROVE', body: 'Good' });
  const review = { ...pull, review_id: given.id };
  const { updateReview, deletePendingReview, dismissReview } = t.as('tom').pulls;
  expect((await updateReview({ ...review, body: 'Very good' })).data.body).toBe('Very good');
  const change = t.as('wanda').pulls.updateReview({ ...review, body: 'Bad' });
  expect((await refusal(change)).status).toBe(403);
  expect((await refusal(updateReview({ ...review, body: ' ' }))).status).toBe(422);
  expect((await refusal(deletePendingReview(review))).status).toBe(422);
  expect((await refusal(dismissReview({ ...review, message: 'x' }))).status).toBe(403);
  const dismiss = (message: string) => t.as('wanda').pulls.dismissReview({ ...review, message });
  expect((await refusal(dismiss(' '))).status).toBe(422);
  expect((await dismiss('Too fast')).data).toMatchObject({ state: 'DISMISSED', body: 'Very good' });
  expect((await refusal(dismiss('Again'))).status).toBe(422);
  const comments = [{ path: 'reviewed.txt', line: 1, body: 'Here' }];
  const { data: begun } = await t.as('tom').pulls.createReview({ ...pull, comments });
  const mine = { ...pull, review_id: begun.id };
  expect((await refusal(t.as('wanda').pulls.deletePendingReview(mine))).status).toBe(404);
  await deletePendingReview(mine);
  expect((await refusal(t.as('tom').pulls.getReview(mine))).status).toBe(404);
  const timeline = await timelineOf(data.number);
  expect(timeline.find(({ event }) => event === 'review_dismissed')).toMatchObject({
    actor: { login: 'wanda' },
    dismissed_review: { state: 'approved', review_id: given.id, dismissal_message: 'Too fast' },
  });
});

test('the events of a repository are the newest first, each with its issue', async () => {
  const issue_number = await open('Last');
  await t.as('olga').issues.addLabels({ ...at, issue_number, labels: ['late'] });
  const { data } = await t.as('sam').issues.listEventsForRepo({ ...at, per_page: 1 });
  expect(data).toMatchObject([{ event: 'labeled', issue: { number: issue_number } }]);
  const { data: one } = await t.as('sam').issues.getEvent({ ...at, event_id: data[0]?.id ?? 0 });
  expect(one).toEqual(data[0]);
});

test.each([0, -1, 1.5, 6_000_000_000, 99_999_999_999_999])('there is no event %d', async event_id => {
  expect((await refusal(t.as('olga').issues.getEvent({ ...at, event_id }))).status).toBe(404);
});

test('an event of another repository, and a mention, are not found by their ids', async () => {
  const hidden = await open('Elsewhere', '', 'hidden');
  const there = { owner: at.owner, repo: 'hidden', issue_number: hidden };
  await t.as('olga').issues.addLabels({ ...there, labels: ['x'] });
  const { data } = await t.as('olga').issues.listEvents(there);
  expect((await refusal(t.as('olga').issues.getEvent({ ...at, event_id: data[0]?.id ?? 0 }))).status).toBe(
    404,
  );
});

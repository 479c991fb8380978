// Events of issues and pull requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, openTestForge, type TestForge } from './fixture.ts';

let t: TestForge;
let clone: string;
beforeAll(async () => {
  t = await openTestForge();
  clone = await t.clone('olga');
});
afterAll(() => t[Symbol.asyncDispose]());

const open = async (title: string) => (await t.as('olga').issues.create({ ...at, title })).data.number;
const eventsOf = async (issue_number: number) =>
  (await t.as('olga').issues.listEvents({ ...at, issue_number, per_page: 100 })).data;

describe('an issue', () => {
  test('tells what was done', async () => {
    const issue_number = await open('Much happens');
    const olga = t.as('olga').issues;
    const number = { ...at, issue_number };
    await olga.addLabels({ ...number, labels: ['bug'] });
    await olga.removeLabel({ ...number, name: 'bug' });
    await olga.addAssignees({ ...number, assignees: ['wanda'] });
    await olga.update({ ...number, title: 'Renamed' });
    await olga.lock({ ...number, lock_reason: 'resolved' });
    const { data: lost } = await olga.createComment({ ...number, body: 'Lost' });
    await olga.deleteComment({ ...at, comment_id: lost.id });
    await olga.update({ ...number, state: 'closed', state_reason: 'not_planned' });
    await olga.update({ ...number, state: 'open' });
    const done = ['labeled', 'unlabeled', 'assigned', 'renamed', 'locked', 'comment_deleted'];
    const events = await eventsOf(issue_number);
    expect(events.map(({ event }) => event)).toEqual([...done, 'closed', 'reopened']);
    const entry = (name: string) => events.find(({ event }) => event === name);
    expect(entry('renamed')).toMatchObject({ rename: { from: 'Much happens', to: 'Renamed' } });
    expect(entry('closed')).toMatchObject({ state_reason: 'not_planned', commit_id: null });
    expect(entry('assigned')).toMatchObject({ assignee: { login: 'wanda' } });
  });

  test('tells which sub-issues it got, and what they are now', async () => {
    const parent = await open('Parent');
    const child = (await t.as('olga').issues.create({ ...at, title: 'Child' })).data;
    await t.as('olga').issues.addSubIssue({ ...at, issue_number: parent, sub_issue_id: child.id });
    await t.as('olga').issues.update({ ...at, issue_number: child.number, title: 'Grown' });
    expect(await eventsOf(parent)).toMatchObject([
      { event: 'sub_issue_added', sub_issue: { number: child.number, title: 'Grown', state: 'open' } },
    ]);
    expect((await eventsOf(child.number))[0]).toMatchObject({
      event: 'parent_issue_added',
      parent_issue: { number: parent, repository: { full_name: 'olga/work' } },
    });
  });
});

test('a pull request tells of its head, its merge and the end of its branch', async () => {
  await git(clone, ['checkout', '--quiet', '-b', 'topic', 'origin/main']);
  await commit(clone, { 'one.txt': 'one\n' }, 'Do it');
  await git(clone, ['push', '--quiet', 'origin', 'topic']);
  const body = { ...at, title: 'Topic', head: 'topic', base: 'main', draft: true };
  const { number, node_id } = (await t.as('olga').pulls.create(body)).data;
  await t
    .as('olga')
    .graphql(
      `mutation { markPullRequestReadyForReview(input: {pullRequestId: "${node_id}"}) { pullRequest { id } } }`,
    );
  await t.requestReview('olga', number, 'wanda');
  await git(clone, ['commit', '--quiet', '--amend', '--message', 'Do it well']);
  await git(clone, ['push', '--quiet', '--force', 'origin', 'topic']);
  const review = { ...at, pull_number: number, event: 'APPROVE', body: 'Good' } as const;
  await t.as('wanda').pulls.createReview(review);
  await t.as('olga').pulls.merge({ ...at, pull_number: number });
  await t.as('olga').git.deleteRef({ ...at, ref: 'heads/topic' });
  const events = await eventsOf(number);
  expect(events.map(({ event }) => event).sort()).toEqual(
    [
      'ready_for_review',
      'review_requested',
      'head_ref_force_pushed',
      'merged',
      'closed',
      'head_ref_deleted',
    ].sort(),
  );
});

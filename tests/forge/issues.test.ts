// Issues, comments, labels, reactions, sub-issues, as Octokit sees them.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
});
afterAll(() => t[Symbol.asyncDispose]());

const longest = 65_536;
const open = async (title = 'An issue', login = 'olga') =>
  (await t.as(login).issues.create({ ...at, title, body: 'Text' })).data;

describe('issues', () => {
  test('a number of their own kind, unlike their id', async () => {
    const first = await open();
    const second = await open();
    expect(second.number).toBe(first.number + 1);
    expect(first.id).toBeGreaterThan(1_000_000);
    expect((await refusal(t.as('olga').issues.get({ ...at, issue_number: first.id }))).status).toBe(404);
  });

  test('are closed and reopened with their reason', async () => {
    const { number: issue_number } = await open();
    const change = async (state: 'open' | 'closed', state_reason?: 'not_planned') =>
      (
        await t
          .as('olga')
          .issues.update({ ...at, issue_number, state, ...(state_reason && { state_reason }) })
      ).data;
    const closed = await change('closed', 'not_planned');
    expect([closed.state, closed.state_reason, closed.closed_by?.login]).toEqual([
      'closed',
      'not_planned',
      'olga',
    ]);
    expect(closed.closed_at).not.toBeNull();
    const opened = await change('open');
    expect([opened.state, opened.state_reason, opened.closed_at]).toEqual(['open', 'reopened', null]);
    const { data: events } = await t.as('olga').issues.listEvents({ ...at, issue_number });
    expect(events.map(({ event, actor }) => [event, actor?.login])).toEqual([
      ['closed', 'olga'],
      ['reopened', 'olga'],
    ]);
  });

  test('tell who labelled, renamed and assigned them', async () => {
    const { number: issue_number } = await open();
    await t.as('tom').issues.addLabels({ ...at, issue_number, labels: ['bug', 'bug'] });
    await t.as('wanda').issues.removeLabel({ ...at, issue_number, name: 'BUG' });
    await t.as('olga').issues.addAssignees({ ...at, issue_number, assignees: ['wanda'] });
    await t.as('olga').issues.update({ ...at, issue_number, title: 'Renamed' });
    const { data } = await t.as('olga').issues.listEvents({ ...at, issue_number });
    expect(data.map(({ event, actor }) => [event, actor?.login])).toEqual([
      ['labeled', 'tom'],
      ['unlabeled', 'wanda'],
      ['assigned', 'olga'],
      ['renamed', 'olga'],
    ]);
    expect(data[0]).toMatchObject({ label: { name: 'bug', color: 'ededed' } });
    expect(data[2]).toMatchObject({ assignee: { login: 'wanda' }, assigner: { login: 'olga' } });
  });

  test('labels and assignees of a stranger are dropped in silence', async () => {
    const asked = { ...at, title: 'x', labels: ['stolen'], assignees: ['sam'] };
    const { data } = await t.as('sam').issues.create(asked);
    expect([data.labels, data.assignees]).toEqual([[], []]);
    const { data: own } = await t.as('sam').issues.update({ ...at, issue_number: data.number, title: 'y' });
    expect(own.title).toBe('y');
  });

  test.each<[string, string, Record<string, unknown>, number, object]>([
    ['no title', 'olga', {}, 422, { errors: [{ resource: 'Issue', field: 'title', code: 'missing_field' }] }],
    ['an empty title', 'olga', { title: ' ' }, 422, { errors: [{ field: 'title', code: 'missing_field' }] }],
    [
      'a body that is no text',
      'olga',
      { title: 'x', body: 1 },
      422,
      { errors: [{ field: 'body', code: 'invalid' }] },
    ],
    [
      'a body too long',
      'olga',
      { title: 'x', body: 'x'.repeat(longest + 1) },
      422,
      { errors: [{ message: 'body is too long (maximum is 65536 characters)' }] },
    ],
    [
      'an unknown assignee',
      'olga',
      { title: 'x', assignees: ['nobody'] },
      422,
      { errors: [{ field: 'assignees' }] },
    ],
  ])('%s is refused', async (_name, login, body, status, data) => {
    const before = (await t.as('olga').issues.listForRepo({ ...at, state: 'all' })).data.length;
    const answer = await refusal(
      t.as(login).request('POST /repos/{owner}/{repo}/issues', { ...at, ...body } as never),
    );
    expect(answer).toMatchObject({
      status,
      data: { message: 'Validation Failed', status: String(status), ...data },
    });
    expect((await t.as('olga').issues.listForRepo({ ...at, state: 'all' })).data.length).toBe(before);
  });

  test('a body of just the longest length passes, counted in characters', async () => {
    const body = '\u{1f600}'.repeat(longest);
    expect((await t.as('olga').issues.create({ ...at, title: 'long', body })).data.body?.length).toBe(
      2 * longest,
    );
  });

  test.each<[string, string | null, number]>([
    ['a stranger', 'sam', 403],
    ['nobody', null, 401],
  ])('%s may not change, label, lock or assign', async (_name, login, status) => {
    const { number: issue_number } = await open();
    const { issues } = t.as(login);
    const calls = [
      issues.update({ ...at, issue_number, title: 'Mine' }),
      issues.addLabels({ ...at, issue_number, labels: ['x'] }),
      issues.addAssignees({ ...at, issue_number, assignees: ['olga'] }),
      issues.lock({ ...at, issue_number }),
      issues.createLabel({ ...at, name: 'theirs' }),
    ];
    expect((await Promise.all(calls.map(refusal))).map(each => each.status)).toEqual(calls.map(() => status));
  });
});

describe('lists', () => {
  let listing: TestForge;
  beforeAll(async () => {
    listing = await openTestForge();
    const { issues } = listing.as('olga');
    for (let n = 1; n <= 7; n++)
      await issues.create({
        ...at,
        title: `Issue ${n}`,
        labels: n % 2 ? ['odd', 'all'] : ['all'],
        assignees: n === 7 ? ['wanda'] : [],
      });
    await issues.update({ ...at, issue_number: 2, state: 'closed' });
    await listing.as('sam').issues.create({ ...at, title: 'Issue 8' });
    await listing.as('olga').pulls.create({ ...at, title: 'Pull 9', head: 'feature', base: 'main' });
  });
  afterAll(() => listing[Symbol.asyncDispose]());

  test.each<[string, object, number[]]>([
    ['open ones by default, newest first, pull requests too', {}, [9, 8, 7, 6, 5, 4, 3, 1]],
    ['closed', { state: 'closed' }, [2]],
    ['all, oldest first', { state: 'all', direction: 'asc' }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['a label', { labels: 'odd' }, [7, 5, 3, 1]],
    ['two labels', { labels: 'all,odd', per_page: 2 }, [7, 5]],
    ['a creator', { creator: 'sam' }, [8]],
    ['an assignee', { assignee: 'wanda' }, [7]],
    ['the future', { since: '2999-01-01T00:00:00Z' }, []],
    ['a page', { per_page: 3, page: 2 }, [6, 5, 4]],
    ['a page beyond', { page: 9 }, []],
    ['an unknown order, as if there were none', { sort: 'constructor', per_page: 2 }, [9, 8]],
  ])('%s', async (_name, query, numbers) => {
    const { data } = await listing.as('olga').issues.listForRepo({ ...at, ...query });
    expect(data.map(issue => issue.number)).toEqual(numbers);
  });

  test('lead from page to page by their Link header', async () => {
    const { headers } = await listing.as('olga').issues.listForRepo({ ...at, per_page: 3, page: 2 });
    const url = `${listing.forge.api}/repos/olga/work/issues?per_page=3`;
    expect(headers.link).toBe(
      `<${url}&page=1>; rel="prev", <${url}&page=3>; rel="next", <${url}&page=3>; rel="last", <${url}&page=1>; rel="first"`,
    );
    const all = await listing.as('olga').paginate('GET /repos/{owner}/{repo}/issues', { ...at, per_page: 2 });
    expect(all.length).toBe(8);
  });

  test('a pull request in them says so', async () => {
    const { data } = await listing.as('olga').issues.get({ ...at, issue_number: 9 });
    expect([data.draft, data.pull_request?.url]).toEqual([
      false,
      `${listing.forge.api}/repos/olga/work/pulls/9`,
    ]);
  });
});

describe('comments', () => {
  test('are written, edited and deleted by their author and by those who may write', async () => {
    const { number: issue_number } = await open();
    const { data } = await t.as('sam').issues.createComment({ ...at, issue_number, body: 'First' });
    const comment_id = data.id;
    await t.as('sam').issues.updateComment({ ...at, comment_id, body: 'Second' });
    await t.as('wanda').issues.updateComment({ ...at, comment_id, body: 'Third' });
    const refused = [
      t.as('tom').issues.updateComment({ ...at, comment_id, body: 'Mine' }),
      t.as('tom').issues.deleteComment({ ...at, comment_id }),
    ];
    expect((await Promise.all(refused.map(refusal))).map(each => each.status)).toEqual([403, 403]);
    const { data: list } = await t.as(null).issues.listComments({ ...at, issue_number });
    expect(list.map(({ body, user }) => [body, user?.login])).toEqual([['Third', 'sam']]);
    await t.as('sam').issues.deleteComment({ ...at, comment_id });
    expect((await t.as('sam').issues.listComments({ ...at, issue_number })).data).toEqual([]);
  });

  test('those changed since a time are listed', async () => {
    const { number: issue_number } = await open();
    for (const body of ['a', 'b']) await t.as('olga').issues.createComment({ ...at, issue_number, body });
    const since = async (text: string) =>
      (await t.as('olga').issues.listComments({ ...at, issue_number, since: text })).data.length;
    expect([await since('2000-01-01T00:00:00Z'), await since('2999-01-01T00:00:00Z')]).toEqual([2, 0]);
    expect(
      (await refusal(t.as('olga').issues.listComments({ ...at, issue_number, since: 'soon' }))).status,
    ).toBe(422);
  });

  test('a locked issue takes them from those who may write only', async () => {
    const { number: issue_number } = await open();
    await t.as('olga').issues.lock({ ...at, issue_number, lock_reason: 'spam' });
    expect((await refusal(t.as('tom').issues.createComment({ ...at, issue_number, body: 'x' }))).status).toBe(
      403,
    );
    expect((await t.as('wanda').issues.createComment({ ...at, issue_number, body: 'x' })).status).toBe(201);
  });

  test('an issue takes 2,500', async () => {
    const { number } = await open();
    const post = () =>
      t.forge.call('olga', 'POST', `/repos/olga/work/issues/${number}/comments`, { body: 'x' });
    for (let n = 0; n < 2500; n++) await post();
    expect(await post()).toMatchObject({
      status: 403,
      body: { message: 'Commenting is disabled on issues with more than 2500 comments' },
    });
  });
});

describe('reactions', () => {
  test('are there once for each person and content', async () => {
    const { number: issue_number } = await open();
    const { data } = await t.as('olga').issues.createComment({ ...at, issue_number, body: 'x' });
    const react = (login: string, content: 'eyes' | 'rocket') =>
      t.as(login).reactions.createForIssueComment({ ...at, comment_id: data.id, content });
    const first = await react('olga', 'eyes');
    expect([first.status, (await react('olga', 'eyes')).status]).toEqual([201, 200]);
    await react('sam', 'eyes');
    await react('sam', 'rocket');
    const [comment] = (await t.as('olga').issues.listComments({ ...at, issue_number })).data;
    expect(comment?.reactions).toMatchObject({ total_count: 3, eyes: 2, rocket: 1, heart: 0 });
    const { data: rest } = await t.as('olga').reactions.listForIssueComment({ ...at, comment_id: data.id });
    expect(rest.map(({ content, user }) => [content, user?.login])).toEqual([
      ['eyes', 'olga'],
      ['eyes', 'sam'],
      ['rocket', 'sam'],
    ]);
  });
});

describe('labels', () => {
  test('are made by the first use, and found in any case', async () => {
    const { number: issue_number } = await open();
    await t.as('tom').issues.addLabels({ ...at, issue_number, labels: ['Fresh'] });
    const { data } = await t.as('olga').issues.getLabel({ ...at, name: 'fresh' });
    expect(data).toMatchObject({ name: 'Fresh', color: 'ededed', default: false, description: null });
    await t.as('wanda').issues.updateLabel({ ...at, name: 'Fresh', new_name: 'old/er', color: '00ff00' });
    const { labels } = (await t.as('olga').issues.get({ ...at, issue_number })).data;
    expect(labels.map(label => typeof label === 'object' && [label.name, label.color])).toEqual([
      ['old/er', '00ff00'],
    ]);
    await t.as('wanda').issues.deleteLabel({ ...at, name: 'old/er' });
    expect((await refusal(t.as('olga').issues.getLabel({ ...at, name: 'old/er' }))).status).toBe(404);
  });
});

describe('sub-issues', () => {
  const link = (parent: number, child: number) =>
    t.as('tom').issues.addSubIssue({ ...at, issue_number: parent, sub_issue_id: child });

  test('are linked by database id, counted and ordered', async () => {
    const [parent, a, b] = [await open('parent'), await open('a'), await open('b')];
    await link(parent.number, a.id);
    await link(parent.number, b.id);
    await t.as('olga').issues.update({ ...at, issue_number: a.number, state: 'closed' });
    const { data } = await t.as('olga').issues.get({ ...at, issue_number: parent.number });
    expect(data.sub_issues_summary).toEqual({ total: 2, completed: 1, percent_completed: 50 });
    const list = async () =>
      (await t.as('olga').issues.listSubIssues({ ...at, issue_number: parent.number })).data.map(
        each => each.title,
      );
    expect(await list()).toEqual(['a', 'b']);
    expect((await t.as('olga').issues.getParent({ ...at, issue_number: a.number })).data.number).toBe(
      parent.number,
    );
  });

  test('not twice, not by number, not in a circle, not two parents', async () => {
    const [parent, child, other] = [await open(), await open(), await open()];
    await link(parent.number, child.id);
    expect(await refusal(link(parent.number, child.id))).toMatchObject({
      status: 422,
      data: { errors: [{ message: 'Issue may not contain duplicate sub-issues' }] },
    });
    expect((await refusal(link(parent.number, other.number))).status).toBe(404);
    expect((await refusal(link(child.number, parent.id))).status).toBe(422);
    expect((await refusal(link(parent.number, parent.id))).status).toBe(422);
    expect((await refusal(link(other.number, child.id))).status).toBe(422);
  });

  test('at most 100', async () => {
    const parent = await open();
    for (let n = 0; n < 100; n++) await link(parent.number, (await open(`child ${n}`)).id);
    expect((await refusal(link(parent.number, (await open()).id))).status).toBe(422);
  });
});

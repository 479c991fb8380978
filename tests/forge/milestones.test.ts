// Milestones and what stands under them, as Octokit sees it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, installTestApp, openReceiver, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
});
afterAll(() => t[Symbol.asyncDispose]());

const make = async (title: string, more: { due_on?: string; state?: 'open' | 'closed' } = {}) =>
  (await t.as('olga').issues.createMilestone({ ...at, title, ...more })).data;
const titles = async (query: object) =>
  (await t.as('olga').issues.listMilestones({ ...at, ...query })).data.map(({ title }) => title);

test('is made, changed, closed, opened again and taken away; its number is not given out again', async () => {
  const made = await make('Passing');
  expect(made).toMatchObject({ state: 'open', creator: { login: 'olga' }, due_on: null, closed_at: null });
  const number = { ...at, milestone_number: made.number };
  const { updateMilestone, getMilestone, deleteMilestone } = t.as('wanda').issues;
  const change = { title: 'Passed', description: 'Text', due_on: '2030-02-03T05:00:00+02:00' };
  expect((await updateMilestone({ ...number, ...change, state: 'closed' })).data).toMatchObject({
    ...change,
    state: 'closed',
    due_on: '2030-02-03T03:00:00Z',
    closed_at: expect.any(String),
  });
  expect((await updateMilestone({ ...number, state: 'open' })).data).toMatchObject({
    title: 'Passed',
    description: 'Text',
    closed_at: null,
  });
  await deleteMilestone(number);
  expect((await refusal(getMilestone(number))).status).toBe(404);
  expect((await make('Next')).number).toBe(made.number + 1);
});

test('issues and pull requests come under it and leave it, which their history and hooks tell', async () => {
  await using hook = await openReceiver();
  installTestApp(t.forge, hook.url);
  const { issues, pulls } = t.as('olga');
  const [one, two] = [await make('A'), await make('B')];
  const { data } = await issues.create({ ...at, title: 'Planned', labels: ['bug'], milestone: one.number });
  expect(data.milestone).toMatchObject({ title: 'A', open_issues: 1, closed_issues: 0 });
  const issue = { ...at, issue_number: data.number };
  await issues.update({ ...issue, milestone: two.number, state: 'closed' });
  await issues.update({ ...issue, milestone: two.number });
  const shown = { ...at, milestone_number: two.number };
  expect((await issues.getMilestone(shown)).data).toMatchObject({ open_issues: 0, closed_issues: 1 });
  const { data: labels } = await issues.listLabelsForMilestone(shown);
  expect(labels.map(({ name }) => name)).toEqual(['bug']);
  const pull = (await pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' })).data;
  await issues.update({ ...at, issue_number: pull.number, milestone: one.number });
  expect((await pulls.get({ ...at, pull_number: pull.number })).data.milestone).toMatchObject({ title: 'A' });

  const found = async (milestone: string) =>
    (await issues.listForRepo({ ...at, milestone, state: 'all' })).data.map(({ number }) => number);
  expect([await found(`${one.number}`), await found(`${two.number}`)]).toEqual([
    [pull.number],
    [data.number],
  ]);
  expect(await found('*')).toEqual([pull.number, data.number]);
  expect(await found('none')).not.toContain(data.number);

  await issues.deleteMilestone({ ...at, milestone_number: two.number });
  expect((await issues.get(issue)).data.milestone).toBeNull();
  const { data: events } = await issues.listEvents(issue);
  expect(events.map(event => [event.event, 'milestone' in event && event.milestone?.title])).toEqual([
    ['labeled', false],
    ['milestoned', 'A'],
    ['demilestoned', 'A'],
    ['milestoned', 'B'],
    ['closed', false],
  ]);
  await t.forge.webhooksSettled();
  expect(hook.received.filter(({ action }) => action?.endsWith('milestoned'))).toMatchObject([
    { event: 'issues', action: 'milestoned', payload: { milestone: { title: 'A' } } },
    { event: 'issues', action: 'demilestoned', payload: { milestone: { title: 'A' } } },
    { event: 'issues', action: 'milestoned', payload: { milestone: { title: 'B' } } },
    { event: 'pull_request', action: 'milestoned', payload: { milestone: { title: 'A' } } },
  ]);
});

test('are listed by when they are due or by how far they are', async () => {
  await t.forge.addRepository({ owner: 'olga', name: 'plan' });
  const plan = { owner: 'olga', repo: 'plan' };
  const { issues } = t.as('olga');
  for (const [title, due_on] of [
    ['later', '2031-01-01T00:00:00Z'],
    ['never'],
    ['soon', '2030-01-01T00:00:00Z'],
  ])
    await issues.createMilestone({ ...plan, title: title ?? '', ...(due_on && { due_on }) });
  await issues.createMilestone({ ...plan, title: 'over', state: 'closed' });
  const { data } = await issues.create({ ...plan, title: 'Done', milestone: 2 });
  await issues.update({ ...plan, issue_number: data.number, state: 'closed' });
  expect(await titles(plan)).toEqual(['soon', 'later', 'never']);
  expect(await titles({ ...plan, direction: 'desc' })).toEqual(['later', 'soon', 'never']);
  expect(await titles({ ...plan, sort: 'completeness', direction: 'desc' })).toEqual([
    'never',
    'soon',
    'later',
  ]);
  expect(await titles({ ...plan, state: 'closed' })).toEqual(['over']);
  expect(await titles({ ...plan, state: 'all', per_page: 1, page: 4 })).toHaveLength(1);
  // The same title again, in a repository of its own.
  await issues.createMilestone({ ...at, title: 'soon' });
});

const long = 'x'.repeat(256);
test.each<[what: string, login: string | null, body: Record<string, unknown>, status: number, code?: string]>(
  [
    ['no title', 'olga', {}, 422, 'missing_field'],
    ['an empty title', 'olga', { title: ' ' }, 422, 'missing_field'],
    ['a title that is no text', 'olga', { title: ['x'] }, 422, 'invalid'],
    ['a long title', 'olga', { title: long }, 422, 'custom'],
    ['a long description', 'olga', { title: 'x', description: 'x'.repeat(65_537) }, 422, 'custom'],
    ['a state that is none', 'olga', { title: 'x', state: 'all' }, 422, 'invalid'],
    ['a day that is none', 'olga', { title: 'x', due_on: 'soon' }, 422, 'invalid'],
    ['a day out of reach', 'olga', { title: 'x', due_on: '2030-99-99T00:00:00Z' }, 422, 'invalid'],
    ['a reader', 'sam', { title: 'x' }, 403],
    ['who may only triage', 'tom', { title: 'x' }, 403],
    ['nobody', null, { title: 'x' }, 401],
  ],
)('%s makes none', async (_what, login, body, status, code) => {
  const answer = await refusal(t.as(login).request('POST /repos/olga/work/milestones', body));
  expect(answer.status).toBe(status);
  if (code) expect(answer.data).toMatchObject({ errors: [{ code }] });
});

test('a title that another one has is refused, its own is not', async () => {
  const [one, two] = [await make('Mine'), await make('Yours')];
  const rename = (milestone_number: number, title: string) =>
    t.as('olga').issues.updateMilestone({ ...at, milestone_number, title });
  expect((await refusal(rename(one.number, 'Yours'))).data).toMatchObject({
    errors: [{ resource: 'Milestone', field: 'title', code: 'already_exists' }],
  });
  expect((await rename(two.number, 'Yours')).data.title).toBe('Yours');
});

test.each([0, -1, 1.5, 'one', '1;', 99_999_999_999_999, 40_000_001])(
  'there is no milestone %s',
  async number => {
    const { request } = t.as('olga');
    for (const method of ['GET', 'DELETE', 'PATCH'])
      expect((await refusal(request(`${method} /repos/olga/work/milestones/${number}`))).status).toBe(404);
    const asked = { title: 'x', milestone: number };
    expect((await refusal(request('POST /repos/olga/work/issues', asked))).status).toBe(422);
    const listed = `GET /repos/olga/work/issues?milestone=${number}`;
    expect((await refusal(request(listed))).status).toBe(422);
  },
);

test("a stranger's issue comes under none, in silence", async () => {
  const { number } = await make('Guarded');
  const { data } = await t.as('sam').issues.create({ ...at, title: 'x', milestone: number });
  expect(data.milestone).toBeNull();
});

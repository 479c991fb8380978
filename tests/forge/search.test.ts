// The search of issues and pull requests by GitHub's qualifiers, over REST and over GraphQL.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
  const olga = t.as('olga');
  await olga.issues.create({
    ...at,
    title: 'Wheel squeaks',
    body: 'Oil it, @wanda-two',
    labels: ['bug', 'big one'],
  });
  await t
    .as('wanda')
    .issues.create({ ...at, title: 'Paint', body: 'A 100% red "wheel"', assignees: ['tom'] });
  await t.as('sam').issues.create({ ...at, title: 'Old', body: 'Ask @wanda.' });
  await olga.issues.update({ ...at, issue_number: 3, state: 'closed', state_reason: 'not_planned' });
  await olga.issues.createComment({ ...at, issue_number: 3, body: 'gone_away' });
  await olga.pulls.create({ ...at, title: 'Turn', head: 'feature', base: 'main', draft: true });
  await t.requestReview('olga', 4, 'wanda');
  await t.forge.addRepository({ owner: 'olga', name: 'secret', private: true });
  await olga.issues.create({ owner: 'olga', repo: 'secret', title: 'Hidden wheel' });
});
afterAll(() => t[Symbol.asyncDispose]());

const search = async (q: string, login = 'olga') => {
  const { data } = await t.as(login).search.issuesAndPullRequests({ q });
  return data.items.map(({ number, title }) => (title === 'Hidden wheel' ? title : number));
};

describe('finds', () => {
  test.each<[string, (number | string)[]]>([
    ['repo:olga/work is:issue', [3, 2, 1]],
    ['repo:olga/work is:pr', [4]],
    ['repo:olga/work type:pr', [4]],
    ['repo:olga/work is:open', [4, 2, 1]],
    ['repo:olga/work state:closed', [3]],
    ['repo:olga/work is:issue -is:closed', [2, 1]],
    ['repo:olga/work reason:"not planned"', [3]],
    ['repo:olga/work author:wanda', [2]],
    ['repo:olga/work -author:@me is:issue', [3, 2]],
    ['repo:olga/work assignee:tom', [2]],
    ['repo:olga/work no:assignee is:issue', [3, 1]],
    ['repo:olga/work label:bug', [1]],
    ['repo:olga/work label:"big one" label:bug', [1]],
    ['repo:olga/work label:bug,nonsense', [1]],
    ['repo:olga/work -label:bug is:issue', [3, 2]],
    ['repo:olga/work no:label', [4, 3, 2]],
    ['repo:olga/work mentions:wanda', [3]],
    ['repo:olga/work involves:wanda', [3, 2]],
    ['repo:olga/work commenter:olga', [3]],
    ['repo:olga/work review-requested:wanda', [4]],
    ['repo:olga/work draft:true', [4]],
    ['repo:olga/work is:pr draft:false', []],
    ['repo:olga/work head:feature base:main', [4]],
    ['repo:olga/work is:pr -head:feature', []],
    ['repo:olga/work wheel', [2, 1]],
    ['repo:olga/work wheel in:title', [1]],
    ['repo:olga/work wheel NOT paint', [1]],
    ['repo:olga/work "red \\"wheel"', []],
    ['repo:olga/work gone_away', [3]],
    ['repo:olga/work gone%away', []],
    ['repo:olga/work gone_away in:title,body', []],
    ['repo:olga/work nonsense:word', []],
    ['repo:olga/work sort:created-asc is:issue', [1, 2, 3]],
    ['repo:olga/work sort:comments', [3, 4, 2, 1]],
    ['user:olga wheel', ['Hidden wheel', 2, 1]],
    ['wheel -repo:olga/secret', [2, 1]],
    ['REPO:OLGA/work IS:PR', [4]],
    ['"', ['Hidden wheel', 4, 3, 2, 1]],
    ["repo:olga/work '); DROP TABLE issues; --", []],
    ['repo:olga/work is:constructor', []],
    ['repo:olga/work __proto__:x', []],
  ])('%s', async (query, numbers) => {
    expect(await search(query)).toEqual(numbers);
  });

  test('nothing in a repository that the caller may not read', async () => {
    expect(await search('wheel', 'sam')).toEqual([2, 1]);
    const hidden = await refusal(search('repo:olga/secret wheel', 'sam'));
    expect(hidden).toMatchObject({ status: 422, message: 'Validation Failed' });
    const query =
      '{ search(query: "wheel", type: ISSUE, first: 9) { issueCount nodes { ... on Issue { number } } } }';
    expect(await t.as('sam').graphql(query)).toMatchObject({
      search: { issueCount: 2, nodes: [{ number: 2 }, { number: 1 }] },
    });
  });
});

describe('refuses', () => {
  test.each<[string, string]>([
    ['what the forge does not search by', 'repo:olga/work status:success'],
    ['a query without end', 'a'.repeat(1001)],
    ['more parts than a query has', 'a '.repeat(41)],
    ['no query', ' '],
  ])('%s', async (_name, query) => {
    expect(await refusal(search(query))).toMatchObject({ status: 422 });
  });
});

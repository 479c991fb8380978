// Limits of one GraphQL query, and access rights within it.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cpuNow } from '../cpu-time.ts';
import { at, installTestApp, openTestForge, type TestForge } from './fixture.ts';

let t: TestForge;
let hidden: { node_id: string };
let issue: { node_id: string };
beforeAll(async () => {
  t = await openTestForge();
  issue = (await t.as('olga').issues.create({ ...at, title: 'Open' })).data;
  await t.forge.addRepository({ owner: 'olga', name: 'secret', private: true });
  hidden = (await t.as('olga').issues.create({ owner: 'olga', repo: 'secret', title: 'Hidden' })).data;
});
afterAll(() => t[Symbol.asyncDispose]());

async function ask(query: string, variables: object = {}, login = 'sam') {
  const response = await fetch(`${t.forge.url}/api/graphql`, {
    method: 'POST',
    headers: { authorization: `token ${t.forge.tokenFor(login)}` },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data?: unknown; errors?: { message: string; type?: string }[] };
  return { status: response.status, ...body };
}
const on = (fields: string) => `{ repository(owner: "olga", name: "work") { ${fields} } }`;

describe('a query that asks for too much is refused at once', () => {
  const cases: [string, string, string][] = [
    ['tokens', `{ ${'viewer { login } '.repeat(4000)} }`, 'Document contains more than 8000 tokens'],
    [
      'a circle of fragments',
      '{ viewer { ...a } } fragment a on User { ...b } fragment b on User { ...a }',
      'Cannot spread fragment "a" within itself',
    ],
    [
      'the schema without end',
      `{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }`,
      'Maximum introspection depth',
    ],
  ];
  test.each(cases)('%s', async (_name, query, message) => {
    const began = cpuNow();
    const { status, errors = [] } = await ask(query);
    expect(cpuNow() - began).toBeLessThan(2000);
    expect(status).toBe(200);
    expect(errors[0]?.message).toContain(message);
  });

  test('the same field many times is one', async () => {
    expect(await ask(`{ viewer { ${'login '.repeat(500)} } }`)).toMatchObject({
      data: { viewer: { login: 'sam' } },
    });
  });
});

describe('a wrong query is told what is wrong', () => {
  test.each<[string, string, object, object]>([
    [
      'a lacking argument',
      '{ viewer(x: 1) { login } }',
      {},
      { message: "Field 'viewer' doesn't accept argument 'x'", extensions: { code: 'argumentNotAccepted' } },
    ],
    [
      'a variable of another type',
      'query ($n: Int!) { repository(owner: "olga", name: "work") { issue(number: $n) { id } } }',
      { n: 'one' },
      { message: expect.stringContaining('$n') },
    ],
    [
      'a variable without a value',
      'query ($n: Int!) { repository(owner: "olga", name: "work") { issue(number: $n) { id } } }',
      {},
      { message: expect.stringContaining('$n') },
    ],
    [
      'one name for two things',
      '{ viewer { a: login a: url } }',
      {},
      { message: expect.stringContaining('conflict') },
    ],
    [
      'a time that is none',
      on('issues(first: 1, filterBy: { since: "soon" }) { totalCount }'),
      {},
      { message: expect.stringContaining('since') },
    ],
    [
      'no such operation',
      'query a { viewer { id } } query b { viewer { id } }',
      {},
      { message: expect.stringContaining('operation') },
    ],
  ])('%s', async (_name, query, variables, error) => {
    expect((await ask(query, variables)).errors).toMatchObject([error]);
  });

  test('one name for the state of an issue or of a pull request is none', async () => {
    const query = on('issueOrPullRequest(number: 1) { ... on Issue { state } ... on PullRequest { state } }');
    expect(await ask(query)).toMatchObject({
      data: { repository: { issueOrPullRequest: { state: 'OPEN' } } },
    });
  });
});

describe('nobody gets further than REST lets them', () => {
  test('a private repository is not there', async () => {
    const node = 'query ($id: ID!) { node(id: $id) { id } }';
    expect((await ask(node, { id: hidden.node_id })).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
    expect((await ask('{ repository(owner: "olga", name: "secret") { id } }')).errors).toMatchObject([
      { type: 'NOT_FOUND' },
    ]);
    const list = '{ user(login: "olga") { repositories(first: 9) { nodes { name } } } }';
    expect(await ask(list)).toMatchObject({
      data: { user: { repositories: { nodes: [{ name: 'work' }] } } },
    });
    const change = 'mutation ($input: AddCommentInput!) { addComment(input: $input) { clientMutationId } }';
    const input = { subjectId: hidden.node_id, body: 'In' };
    expect((await ask(change, { input })).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  });

  test('a private parent is none', async () => {
    const { data } = await t.as('olga').issues.get({ ...at, issue_number: 1 });
    const parent = { owner: 'olga', repo: 'secret', issue_number: 1 };
    await t.as('olga').request('POST /repos/{owner}/{repo}/issues/{issue_number}/sub_issues', {
      ...parent,
      sub_issue_id: data.id,
    });
    const query = on('issue(number: 1) { parent { title } }');
    expect(await ask(query)).toMatchObject({ data: { repository: { issue: { parent: null } } } });
    expect(await ask(query, {}, 'olga')).toMatchObject({
      data: { repository: { issue: { parent: { title: 'Hidden' } } } },
    });
  });

  const label =
    'mutation ($input: AddLabelsToLabelableInput!) { addLabelsToLabelable(input: $input) { clientMutationId } }';
  test('a label of another repository is not known, and nothing is changed', async () => {
    const { data } = await t.as('olga').issues.createLabel({ owner: 'olga', repo: 'secret', name: 'far' });
    const input = { labelableId: issue.node_id, labelIds: [data.node_id] };
    expect((await ask(label, { input }, 'olga')).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
    expect((await t.as('olga').issues.get({ ...at, issue_number: 1 })).data.labels).toEqual([]);
  });

  test('who may only read changes nothing', async () => {
    const { data } = await t.as('olga').issues.createLabel({ ...at, name: 'near' });
    const input = { labelableId: issue.node_id, labelIds: [data.node_id] };
    expect((await ask(label, { input })).errors).toMatchObject([{ type: 'FORBIDDEN' }]);
    const close = 'mutation ($id: ID!) { closeIssue(input: { issueId: $id }) { clientMutationId } }';
    expect((await ask(close, { id: issue.node_id })).errors).toMatchObject([{ type: 'FORBIDDEN' }]);
  });

  test('of two changes of which one is refused neither is done, and neither is told', async () => {
    const { data } = await t.as('olga').repos.get(at);
    const before = (await t.as('olga').issues.listForRepo(at)).data.length;
    const changes = `mutation ($id: ID!) {
      a: createIssue(input: { repositoryId: $id, title: "New" }) { issue { number } }
      b: closeIssue(input: { issueId: "I_none" }) { issue { number } } }`;
    const answer = await ask(changes, { id: data.node_id }, 'olga');
    expect(answer).toMatchObject({
      data: { a: null, b: null },
      errors: [{ type: 'NOT_FOUND', path: ['b'] }],
    });
    expect((await t.as('olga').issues.listForRepo(at)).data).toHaveLength(before);
  });

  test('thousands of labels are looked for like one', async () => {
    const labels = Array.from({ length: 1200 }, () => '"none"').join(' ');
    const query = on(`issues(first: 1, labels: [${labels}]) { totalCount }`);
    expect(await ask(query)).toMatchObject({ data: { repository: { issues: { totalCount: 0 } } } });
    const wanted = { ...at, labels: Array.from({ length: 1200 }, () => 'none').join(',') };
    expect((await t.as('olga').issues.listForRepo(wanted)).data).toEqual([]);
  });

  test('an id of another kind is not taken', async () => {
    const close =
      'mutation ($id: ID!) { closePullRequest(input: { pullRequestId: $id }) { clientMutationId } }';
    for (const id of [issue.node_id, 'PR_', 'PR_SW5maW5pdHk', 'R_MQ', '', '\0'])
      expect((await ask(close, { id }, 'olga')).errors).toMatchObject([{ type: 'NOT_FOUND' }]);
  });

  test('an app reads of a private repository what its permissions let it', async () => {
    const on = { owner: 'olga', name: 'secret' };
    const { app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/', 'reader', on);
    const { token } = (await t
      .asApp(app, installation)
      .auth({ type: 'installation', permissions: { issues: 'read' } })) as { token: string };
    const query = async (fields: string) => {
      const body = JSON.stringify({ query: `{ repository(owner: "olga", name: "secret") { ${fields} } }` });
      const response = await fetch(`${t.forge.url}/api/graphql`, {
        method: 'POST',
        headers: { authorization: `token ${token}` },
        body,
      });
      return response.json();
    };
    expect(await query('issue(number: 1) { title }')).toMatchObject({
      data: { repository: { issue: { title: 'Hidden' } } },
    });
    expect(await query('pullRequests(first: 1) { totalCount }')).toMatchObject({
      errors: [{ type: 'FORBIDDEN' }],
    });
    expect(await query('defaultBranchRef { target { oid } }')).not.toMatchObject({
      data: { repository: { defaultBranchRef: { target: { oid: expect.anything() } } } },
    });
  });
});

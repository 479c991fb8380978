// GraphQL: threads with their editors and revisions, and the mutations REST has not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { at, installTestApp, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
});
afterAll(() => t[Symbol.asyncDispose]());

const thread = `query ($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { issue(number: $number) {
    id number title body state author { __typename login } labels(first: 10) { nodes { name } }
    comments(first: 2, after: $after) {
      totalCount pageInfo { hasNextPage endCursor }
      nodes { id databaseId fullDatabaseId url body lastEditedAt isMinimized
        author { __typename login } editor { login }
        userContentEdits(first: 10) { nodes { editor { login } diff } } } } } } }`;
const answer = z.object({
  repository: z.object({
    issue: z.looseObject({
      comments: z.looseObject({
        pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() }),
        nodes: z.array(z.looseObject({ id: z.string() })),
      }),
    }),
  }),
});

const ask = async (number: number, after: string | null = null) =>
  answer.parse(await t.as('sam').graphql(thread, { ...at, number, after })).repository.issue;

/** The errors of a query that GitHub answers with 200. */
async function errors(
  login: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<unknown> {
  const failed = await t
    .as(login)
    .graphql(query, variables)
    .catch((error: unknown) => error);
  return (failed as { errors?: unknown }).errors;
}

describe('an issue', () => {
  test('is read with its comments, page by page', async () => {
    await t.as('olga').issues.create({ ...at, title: 'One', body: 'Text', labels: ['echelon'] });
    for (const body of ['a', 'b', 'c'])
      await t.as('wanda').issues.createComment({ ...at, issue_number: 1, body });
    const first = await ask(1);
    expect(first).toMatchObject({
      number: 1,
      state: 'OPEN',
      author: { __typename: 'User', login: 'olga' },
      labels: { nodes: [{ name: 'echelon' }] },
      comments: { totalCount: 3, pageInfo: { hasNextPage: true }, nodes: [{ body: 'a' }, { body: 'b' }] },
    });
    const second = await ask(1, first.comments.pageInfo.endCursor);
    expect(second.comments).toMatchObject({ pageInfo: { hasNextPage: false }, nodes: [{ body: 'c' }] });
  });

  test('shows who edited a comment, with every revision', async () => {
    const { data: issue } = await t.as('olga').issues.create({ ...at, title: 'Edited' });
    const { data } = await t
      .as('sam')
      .issues.createComment({ ...at, issue_number: issue.number, body: 'one' });
    const edit = (login: string, body: string) =>
      t.as(login).issues.updateComment({ ...at, comment_id: data.id, body });
    expect((await ask(issue.number)).comments.nodes).toMatchObject([
      { lastEditedAt: null, editor: null, userContentEdits: { nodes: [] } },
    ]);
    await edit('sam', 'two');
    await edit('wanda', 'three');
    const { comments } = await ask(issue.number);
    expect(comments.nodes).toMatchObject([
      {
        id: data.node_id,
        fullDatabaseId: String(data.id),
        url: data.html_url,
        body: 'three',
        author: { login: 'sam' },
        editor: { login: 'wanda' },
        userContentEdits: {
          nodes: [
            { editor: { login: 'wanda' }, diff: 'three' },
            { editor: { login: 'sam' }, diff: 'two' },
            { editor: { login: 'sam' }, diff: 'one' },
          ],
        },
      },
    ]);
    const node = await t
      .as('sam')
      .graphql('query ($id: ID!) { node(id: $id) { ... on IssueComment { body } } }', {
        id: data.node_id,
      });
    expect(node).toEqual({ node: { body: 'three' } });
  });

  test('names a bot by its slug', async () => {
    const { app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/');
    const { data } = await t.asApp(app, installation).issues.create({ ...at, title: 'Of a bot' });
    expect(data.user?.login).toBe('echelon[bot]');
    expect((await ask(data.number))['author']).toEqual({ __typename: 'Bot', login: 'echelon' });
  });
});

describe('refusals', () => {
  test.each<[string, string, object]>([
    [
      'an unknown repository',
      '{ repository(owner: "olga", name: "none") { id } }',
      {
        type: 'NOT_FOUND',
        path: ['repository'],
        message: "Could not resolve to a Repository with the name 'olga/none'.",
      },
    ],
    [
      'an unknown issue',
      '{ repository(owner: "olga", name: "work") { issue(number: 999) { id } } }',
      { type: 'NOT_FOUND', path: ['repository', 'issue'] },
    ],
    [
      'an unknown field',
      '{ viewer { nonsense } }',
      {
        message: "Field 'nonsense' doesn't exist on type 'User'",
        extensions: { code: 'undefinedField', typeName: 'User', fieldName: 'nonsense' },
      },
    ],
    [
      'a list without bounds',
      '{ repository(owner: "olga", name: "work") { issue(number: 1) { comments { nodes { id } } } } }',
      { type: 'MISSING_PAGINATION_BOUNDARIES' },
    ],
    [
      'more than a hundred',
      '{ repository(owner: "olga", name: "work") { issue(number: 1) { comments(first: 101) { totalCount } } } }',
      { type: 'EXCESSIVE_PAGINATION' },
    ],
  ])('%s', async (_name, query, error) => {
    expect(await errors('sam', query)).toMatchObject([error]);
  });

  test('nobody is 401', async () => {
    const body = JSON.stringify({ query: '{ viewer { login } }' });
    const { status } = await fetch(`${t.forge.url}/api/graphql`, { method: 'POST', body });
    expect(status).toBe(401);
  });
});

describe('mutations', () => {
  const commit = `mutation ($input: CreateCommitOnBranchInput!) {
    createCommitOnBranch(input: $input) { commit { oid } ref { name target { oid } } } }`;
  const input = (expectedHeadOid: string, fileChanges: object) => ({
    input: {
      branch: { repositoryNameWithOwner: 'olga/work', branchName: 'state' },
      expectedHeadOid,
      message: { headline: 'Write', body: 'More' },
      fileChanges,
    },
  });
  const file = (path: string, text: string) => ({ path, contents: Buffer.from(text).toString('base64') });

  test('a commit is made where the branch stands as expected, and only there', async () => {
    const { data: main } = await t.as('olga').git.getRef({ ...at, ref: 'heads/main' });
    const start = main.object.sha;
    await t.as('olga').git.createRef({ ...at, ref: 'refs/heads/state', sha: start });
    const changes = { additions: [file('state/a.json', '{}')], deletions: [{ path: 'README.md' }] };
    await t.as('wanda').graphql(commit, input(start, changes));
    const { data } = await t.as('olga').repos.getCommit({ ...at, ref: 'state' });
    expect(data).toMatchObject({
      commit: { message: 'Write\n\nMore' },
      author: { login: 'wanda' },
      parents: [{ sha: start }],
      files: [
        { filename: 'README.md', status: 'removed' },
        { filename: 'state/a.json', status: 'added' },
      ],
    });
    expect(await errors('wanda', commit, input(start, changes))).toMatchObject([{ type: 'STALE_DATA' }]);
    expect(await errors('sam', commit, input(data.sha, changes))).toMatchObject([{ type: 'FORBIDDEN' }]);
  });

  test('a branch is read with its files, and with who signed its newest commit', async () => {
    const read = `query { repository(owner: "olga", name: "work") { ref(qualifiedName: "refs/heads/kept") { target {
      ... on Commit { oid message committedDate author { email } signature { isValid wasSignedByGitHub }
        tree { entries { name type object { __typename ... on Blob { byteSize isTruncated text } } } } } } } } }`;
    const { data: made } = await t.as('wanda').git.createCommit({
      ...at,
      ...{ message: 'Empty', tree: '4b825dc642cb6eb9a060e54bf8d69288fbee4904', parents: [] },
    });
    await t.as('wanda').git.createRef({ ...at, ref: 'refs/heads/kept', sha: made.sha });
    const target = async () =>
      (await t.as('sam').graphql<{ repository: { ref: { target: object } } }>(read)).repository.ref.target;
    expect(await target()).toMatchObject({ oid: made.sha, signature: null, tree: { entries: [] } });
    const changes = { additions: [file('a.txt', 'one'), file('b/c.txt', 'two'), file('z.bin', '\0')] };
    const { input: given } = input(made.sha, changes);
    const branch = { ...given.branch, branchName: 'kept' };
    await t.as('wanda').graphql(commit, { input: { ...given, branch } });
    expect(await target()).toEqual({
      oid: expect.stringMatching(/^[\da-f]{40}$/),
      message: 'Write\n\nMore',
      committedDate: expect.stringMatching(/^\d{4}-.*Z$/),
      author: { email: expect.stringMatching(/^\d+\+wanda@users\.noreply\.github\.com$/) },
      signature: { isValid: true, wasSignedByGitHub: true },
      tree: {
        entries: [
          {
            name: 'a.txt',
            type: 'blob',
            object: { __typename: 'Blob', byteSize: 3, isTruncated: false, text: 'one' },
          },
          { name: 'b', type: 'tree', object: { __typename: 'Tree' } },
          {
            name: 'z.bin',
            type: 'blob',
            object: { __typename: 'Blob', byteSize: 1, isTruncated: false, text: null },
          },
        ],
      },
    });
    const { data } = await t.as('olga').repos.getCommit({ ...at, ref: 'kept' });
    expect(data.commit.verification).toMatchObject({ verified: true, reason: 'valid' });
  });

  test('a draft becomes ready, and a draft again', async () => {
    const { data } = await t
      .as('olga')
      .pulls.create({ ...at, title: 'P', head: 'feature', base: 'main', draft: true });
    const set = (name: string, login = 'olga') =>
      t
        .as(login)
        .graphql(`mutation ($id: ID!) { ${name}(input: {pullRequestId: $id}) { pullRequest { isDraft } } }`, {
          id: data.node_id,
        });
    expect(await set('markPullRequestReadyForReview')).toEqual({
      markPullRequestReadyForReview: { pullRequest: { isDraft: false } },
    });
    await set('convertPullRequestToDraft', 'wanda');
    await expect(set('markPullRequestReadyForReview', 'sam')).rejects.toThrow('Must have write access');
    expect((await t.as('olga').pulls.get({ ...at, pull_number: data.number })).data.draft).toBe(true);
  });

  test('an issue is deleted, by an admin, and its number stays used', async () => {
    const { data: issue } = await t.as('sam').issues.create({ ...at, title: 'To go' });
    await t.as('sam').issues.createComment({ ...at, issue_number: issue.number, body: 'x' });
    const remove = (login: string) =>
      t
        .as(login)
        .graphql('mutation ($id: ID!) { deleteIssue(input: {issueId: $id}) { repository { name } } }', {
          id: issue.node_id,
        });
    await expect(remove('wanda')).rejects.toThrow('Must have admin rights');
    expect(await remove('olga')).toEqual({ deleteIssue: { repository: { name: 'work' } } });
    expect((await refusal(t.as('olga').issues.get({ ...at, issue_number: issue.number }))).status).toBe(404);
    const { data: next } = await t.as('olga').issues.create({ ...at, title: 'Next' });
    expect(next.number).toBe(issue.number + 1);
    const told = t.forge.deliveries().findLast(({ action }) => action === 'deleted');
    expect(JSON.parse(told?.payload ?? '{}')).toMatchObject({ issue: { number: issue.number, comments: 1 } });
  });
});

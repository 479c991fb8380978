// GraphQL objects for an issue, a pull request and a repository, as clients newer than the gh of the tests query them.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { at, installTestApp, openTestForge, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
  const olga = t.as('olga');
  await olga.issues.create({ ...at, title: 'Parent', labels: ['bug'] });
  const { data: child } = await olga.issues.create({ ...at, title: 'Child' });
  await olga.issues.addSubIssue({ ...at, issue_number: 1, sub_issue_id: child.id });
  await olga.issues.update({ ...at, issue_number: 2, state: 'closed', state_reason: 'not_planned' });
  const head = { head: 'feature', base: 'main', title: 'Turn', body: 'Fixes #1, not other/work#2' };
  const { data: pull } = await olga.pulls.create({ ...at, ...head });
  await t.as('wanda').pulls.createReview({ ...at, pull_number: 3, event: 'REQUEST_CHANGES', body: 'No' });
  await t.as('sam').pulls.createReview({ ...at, pull_number: 3, event: 'APPROVE' });
  await t.requestReview('olga', 3, 'tom');
  const { app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/');
  const run = { ...at, name: 'build', head_sha: pull.head.sha };
  await t.asApp(app, installation).checks.create({ ...run, conclusion: 'failure' });
  await t.asApp(app, installation).checks.create({ ...run, conclusion: 'success' });
  await t.asApp(app, installation).checks.create({ ...run, name: 'test', status: 'in_progress' });
});
afterAll(() => t[Symbol.asyncDispose]());

const ask = async (fields: string, login = 'olga') =>
  (
    await t
      .as(login)
      .graphql<{ repository: object }>(`{ repository(owner: "olga", name: "work") { ${fields} } }`)
  ).repository;

test('an issue', async () => {
  const fields = `title state stateReason closed isPinned viewerDidAuthor authorAssociation
    milestone { title number dueOn state } labels(first: 5) { nodes { name isDefault } }
    reactionGroups { content users { totalCount } } subIssuesSummary { total completed percentCompleted }
    subIssues(first: 5) { nodes { number stateReason parent { number } } }
    closedByPullRequestsReferences(first: 5, includeClosedPrs: false) { nodes { number } }
    projectItems(first: 5) { nodes { id project { title } status: fieldValueByName(name: "Status") {
      ... on ProjectV2ItemFieldSingleSelectValue { optionId name } } } totalCount }`;
  expect(await ask(`issue(number: 1) { ${fields} }`)).toMatchObject({
    issue: {
      ...{ title: 'Parent', state: 'OPEN', stateReason: null, closed: false, isPinned: false },
      ...{ viewerDidAuthor: true, authorAssociation: 'OWNER' },
      milestone: null,
      labels: { nodes: [{ name: 'bug', isDefault: false }] },
      reactionGroups: expect.arrayContaining([
        { content: 'THUMBS_UP', users: { totalCount: 0 } },
        { content: 'HEART', users: { totalCount: 0 } },
      ]),
      subIssuesSummary: { total: 1, completed: 1, percentCompleted: 100 },
      subIssues: { nodes: [{ number: 2, stateReason: 'NOT_PLANNED', parent: { number: 1 } }] },
      closedByPullRequestsReferences: { nodes: [{ number: 3 }] },
      projectItems: { nodes: [], totalCount: 0 },
    },
  });
});

test('a pull request', async () => {
  const fields = `mergeable mergeStateStatus reviewDecision isCrossRepository headRepositoryOwner { login }
    latestReviews(first: 5) { nodes { state author { login } } } reviews(first: 5, states: APPROVED) { totalCount }
    reviewRequests(first: 5) { nodes { requestedReviewer { __typename ... on User { login } ... on Team { slug } } } }
    closingIssuesReferences(first: 5) { nodes { number } } autoMergeRequest { mergeMethod } commits { totalCount }
    viewerMergeHeadlineText(mergeType: SQUASH) baseRef { branchProtectionRule { requiresStrictStatusChecks } }
    statusCheckRollup { state contexts { checkRunCount checkRunCountsByState { state count } statusContextCount } }
    checks: commits(last: 1) { nodes { commit { statusCheckRollup { contexts(first: 5) { nodes { __typename
      ... on CheckRun { name status conclusion isRequired(pullRequestNumber: 3)
        checkSuite { workflowRun { event workflow { name } } } } } } } } } }`;
  expect(await ask(`pullRequest(number: 3) { ${fields} }`)).toMatchObject({
    pullRequest: {
      ...{ mergeable: 'MERGEABLE', mergeStateStatus: 'CLEAN', isCrossRepository: false },
      // Sam may not write: that approval decides nothing.
      reviewDecision: 'CHANGES_REQUESTED',
      headRepositoryOwner: { login: 'olga' },
      latestReviews: {
        nodes: [{ state: 'CHANGES_REQUESTED' }, { state: 'APPROVED', author: { login: 'sam' } }],
      },
      reviews: { totalCount: 1 },
      reviewRequests: { nodes: [{ requestedReviewer: { __typename: 'User', login: 'tom' } }] },
      closingIssuesReferences: { nodes: [{ number: 1 }] },
      ...{ autoMergeRequest: null, commits: { totalCount: 1 }, viewerMergeHeadlineText: 'Turn (#3)' },
      baseRef: { branchProtectionRule: null },
      statusCheckRollup: {
        state: 'PENDING',
        contexts: {
          checkRunCount: 2,
          checkRunCountsByState: expect.arrayContaining([
            { state: 'SUCCESS', count: 1 },
            { state: 'IN_PROGRESS', count: 1 },
          ]),
          statusContextCount: 0,
        },
      },
      checks: {
        nodes: [
          {
            commit: {
              statusCheckRollup: {
                contexts: {
                  nodes: [
                    { __typename: 'CheckRun', name: 'build', status: 'COMPLETED', conclusion: 'SUCCESS' },
                    { name: 'test', status: 'IN_PROGRESS', conclusion: null, isRequired: false },
                  ],
                },
              },
            },
          },
        ],
      },
    },
  });
});

test('a repository', async () => {
  const fields = `visibility isEmpty viewerPermission viewerCanAdminister primaryLanguage { name }
    languages(first: 5) { totalSize edges { size node { name } } }
    repositoryTopics(first: 5) { nodes { topic { name } } } assignableUsers(first: 9, query: "W") { nodes { login } }
    refs(refPrefix: "refs/heads/", first: 1) { totalCount edges { cursor node { name } } pageInfo { hasNextPage } }
    issues(first: 5, filterBy: { labels: ["bug"] }) { nodes { number } } milestones(first: 5) { nodes { title } }
    pullRequests(first: 5, states: [CLOSED, MERGED]) { totalCount }`;
  expect(await ask(fields, 'wanda')).toMatchObject({
    ...{ visibility: 'PUBLIC', isEmpty: false, viewerPermission: 'WRITE', viewerCanAdminister: false },
    primaryLanguage: null,
    languages: null,
    repositoryTopics: { nodes: [] },
    assignableUsers: { nodes: [{ login: 'wanda' }] },
    refs: { totalCount: 2, edges: [{ node: { name: 'feature' } }], pageInfo: { hasNextPage: true } },
    issues: { nodes: [{ number: 1 }] },
    milestones: { nodes: [] },
    pullRequests: { totalCount: 0 },
  });
});

test('the head of a pull request is brought up to date, once', async () => {
  const content = Buffer.from('new').toString('base64');
  const file = { ...at, path: 'new.txt', message: 'New', content };
  await t.as('olga').repos.createOrUpdateFileContents(file);
  const { data } = await t.as('olga').pulls.get({ ...at, pull_number: 3 });
  const change = `mutation ($input: UpdatePullRequestBranchInput!) {
    updatePullRequestBranch(input: $input) { pullRequest { commits { totalCount } } } }`;
  const input = { pullRequestId: data.node_id, expectedHeadOid: data.head.sha, updateMethod: 'MERGE' };
  expect(await t.as('olga').graphql(change, { input })).toEqual({
    updatePullRequestBranch: { pullRequest: { commits: { totalCount: 2 } } },
  });
  await expect(t.as('olga').graphql(change, { input })).rejects.toThrow('expected head sha');
  await expect(t.as('sam').graphql(change, { input })).rejects.toThrow('Must have write access');
});

test('what is asked of the schema itself is answered by the schema that is there', async () => {
  const query = '{ __type(name: "PullRequest") { fields(includeDeprecated: true) { name } } }';
  const { __type } = await t.as('sam').graphql<{ __type: { fields: { name: string }[] } }>(query);
  const names = __type.fields.map(({ name }) => name);
  expect(names).toContain('reviewDecision');
  expect(names).not.toContain('mergeQueueEntry');
});

// GitHub's defaults and refusals, which a first run meets: the local GitHub has them too.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { checkAllowed } from '../../packages/forge/actions/allowed-actions.ts';
import { artifactStore } from '../../packages/forge/runner/artifact-store.ts';
import type { CarryOut, JobOrder } from '../../packages/forge/actions/run-port.ts';
import { skipsWorkflows } from '../../packages/forge/actions/triggers.ts';
import type { Core } from '../../packages/forge/core.ts';
import { git, tryGit } from '../../packages/forge/repositories/git.ts';
import type { Repository } from '../../packages/forge/repositories/repository-rows.ts';
import { loadMain } from './actions/play.ts';
import { at, commit, installTestApp, openTestForge, refusal, type TestForge } from './fixture.ts';

let t: TestForge;
let now = Date.parse('2026-01-01T00:00:00Z');
/** Calls of a workflow's job, under its token. */
let job: (call: Call, ...told: [core: Core, order: JobOrder]) => Promise<unknown>;
type Call = (method: string, path: string, body?: object) => Promise<Response>;
const carryOut: CarryOut = async (core, _job, order) => {
  const call: Call = (method, path, body) =>
    fetch(`${t.forge.api}/repos/olga/work${path}`, {
      ...{ method, headers: { authorization: `Bearer ${order.token}` } },
      ...(body && { body: JSON.stringify(body) }),
    });
  await job(call, core, order);
  return { conclusion: 'success', outputs: {}, steps: [] };
};
const step = 'jobs: { a: { runs-on: ubuntu-latest, steps: [{ run: x }] } }';
const workflows = {
  'act.yml': `on: workflow_dispatch\npermissions: { contents: write, pull-requests: write }\n${step}\n`,
  'ci.yml': `on: [push, pull_request]\n${step}\n`,
  'used.yml': `on: workflow_dispatch\n${step.replace('run: x', 'uses: other/action@v1')}\n`,
};
beforeAll(async () => {
  const clock = { now: () => now, sleep: async () => {} };
  t = await openTestForge({ runner: { carryOut }, artifactLag: 5000, clock });
  const clone = await t.clone('olga');
  const files = Object.entries(workflows).map(([name, text]) => [`.github/workflows/${name}`, text]);
  await commit(clone, Object.fromEntries(files), 'Add workflows');
  await git(clone, ['push', '--quiet', 'origin', 'main']);
  await t.forge.workflowsSettled();
});
beforeEach(() => void (job = async () => {}));
afterAll(() => t[Symbol.asyncDispose]());

const olga = () => t.as('olga');
const put = (path: string, body: Record<string, unknown>) =>
  olga().request(`PUT /repos/olga/work/actions/permissions${path}`, body);
const runs = async () => (await olga().actions.listWorkflowRunsForRepo(at)).data.workflow_runs;
const shown = async () =>
  (await runs()).map(run => `${run.event} ${run.path.split('/').at(-1)} ${run.conclusion}`);
async function dispatch(workflow_id: string) {
  await olga().actions.createWorkflowDispatch({ ...at, workflow_id, ref: 'main' });
  await t.forge.workflowsSettled();
}
const headOf = async (branch: string) =>
  (await olga().git.getRef({ ...at, ref: `heads/${branch}` })).data.object.sha;

test("a new repository: Actions open no pull requests, the token reads; a fork's workflows are off", async () => {
  await t.forge.addRepository({ owner: 'sam', name: 'fork', fork: true });
  const settings = (path: string, owner = 'olga', repo = 'work') =>
    t
      .as(owner)
      .request(`GET /repos/${owner}/${repo}${path}`)
      .then(({ data }) => data);
  expect(await settings('/actions/permissions/workflow')).toEqual({
    default_workflow_permissions: 'read',
    can_approve_pull_request_reviews: false,
  });
  expect(await settings('/actions/permissions')).toMatchObject({ enabled: true, allowed_actions: 'all' });
  expect(await settings('/actions/permissions', 'sam', 'fork')).toEqual({ enabled: false });
  expect(await settings('', 'sam', 'fork')).toMatchObject({ fork: true });
});

test("a job's pull request is refused until the repository permits it; its runs wait for approval", async () => {
  const answers: unknown[] = [];
  job = async call => {
    const response = await call('POST', '/pulls', { title: 'x', head: 'feature', base: 'main' });
    answers.push(response.status, ((await response.json()) as { message?: string }).message);
  };
  await dispatch('act.yml');
  await put('/workflow', { can_approve_pull_request_reviews: true });
  await dispatch('act.yml');
  const refused = 'GitHub Actions is not permitted to create or approve pull requests.';
  expect(answers).toEqual([403, refused, 201, undefined]);
  expect((await shown())[0]).toBe('pull_request ci.yml action_required');
  const [run] = await runs();
  const approve = () => olga().actions.approveWorkflowRun({ ...at, run_id: run?.id ?? 0 });
  await approve();
  await t.forge.workflowsSettled();
  expect((await shown())[0]).toBe('pull_request ci.yml success');
  expect((await refusal(approve())).status).toBe(403);
});

describe('allowed actions', () => {
  const uses = (...texts: string[]) =>
    `on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [${texts.map(text => `{ uses: "${text}" }`).join()}]\n`;
  const only = (patterns_allowed: string[], more = {}) => ({
    allowed_actions: 'selected',
    selected_actions: JSON.stringify({ github_owned_allowed: true, patterns_allowed, ...more }),
  });
  const checkout = 'actions/checkout@v4';
  const owned = 'all actions must be from a repository owned by u';
  test.each<[string, object, string[], string | undefined]>([
    ['all', { allowed_actions: 'all' }, ['x/y@v1'], undefined],
    ['local, and one of the owner', { allowed_actions: 'local_only' }, ['u/other@v1', './here'], undefined],
    [
      'local, and one of GitHub',
      { allowed_actions: 'local_only' },
      [checkout],
      `The action ${checkout} is not allowed in u/repo because ${owned}.`,
    ],
    ['selected, and one of GitHub', only([]), [checkout], undefined],
    [
      'selected, and two of others',
      only([]),
      ['x/y@v1', 'x/z/sub@v1'],
      `The actions x/y@v1 and x/z/sub@v1 are not allowed in u/repo because ${owned} or created by GitHub.`,
    ],
    ['a pattern', only(['x/*']), ['x/y/sub@v1'], undefined],
    [
      'another pattern',
      only(['x/y@v2', 'z/*'], { verified_allowed: true }),
      ['x/y@v1'],
      `The action x/y@v1 is not allowed in u/repo because ${owned}, created by GitHub, verified in the GitHub Marketplace, or match one of the patterns: x/y@v2, z/*.`,
    ],
    [
      'pinned, and a tag',
      { allowed_actions: 'all', actions_pinned: 1 },
      [checkout],
      `The action ${checkout} is not allowed in u/repo because all actions must be pinned to a full-length commit SHA.`,
    ],
    [
      'pinned, and a commit',
      { allowed_actions: 'all', actions_pinned: 1 },
      [`x/y@${'a'.repeat(40)}`],
      undefined,
    ],
  ])('%s', async (_name, settings, texts, message) => {
    const { workflow } = await loadMain({ 'u/repo@c1': { 'main.yml': uses(...texts) } });
    const check = () => checkAllowed({ owner: 'u', name: 'repo', ...settings } as Repository, workflow);
    if (message === undefined) check();
    else expect(check).toThrow(message);
  });

  test('of a called workflow count too', async () => {
    const { workflow } = await loadMain({
      'u/repo@c1': { 'main.yml': 'on: push\njobs: { a: { uses: x/y/.github/workflows/called.yml@v1 } }\n' },
      'x/y@v1': { 'called.yml': uses('$/action', 'z/z@v1').replace('on: push', 'on: workflow_call') },
    });
    const settings = { owner: 'u', name: 'repo', ...only(['x/y/*']) };
    expect(() => checkAllowed(settings as unknown as Repository, workflow)).toThrow(
      'The action z/z@v1 is not',
    );
  });

  test('a run with another one ends before any job, and says so', async () => {
    expect((await refusal(olga().actions.getAllowedActionsRepository(at))).status).toBe(409);
    await put('', { enabled: true, allowed_actions: 'selected' });
    await put('/selected-actions', { patterns_allowed: ['x/*'] });
    expect((await olga().actions.getAllowedActionsRepository(at)).data).toEqual({
      ...{ github_owned_allowed: true, verified_allowed: false, patterns_allowed: ['x/*'] },
    });
    await dispatch('used.yml');
    const [run] = await runs();
    expect([run?.conclusion, t.forge.runProblems(run?.id ?? 0)]).toEqual([
      'startup_failure',
      [
        {
          job: null,
          message: expect.stringContaining('The action other/action@v1 is not allowed in olga/work'),
        },
      ],
    ]);
    await put('', { enabled: true, allowed_actions: 'all' });
  });
});

test.each([
  ['Fix [skip ci]', true],
  ['Fix\n\n[actions skip]', true],
  ['Fix\n\n\nskip-checks: true', true],
  ['Fix\n\n\nCo-authored-by: a <a@b.test>\nskip-checks:true\n', true],
  ['Fix\n\nskip-checks: true', false],
  ['Fix\n\n\nskip-checks: true\nmore: x', false],
  ['Fix skip ci', false],
])('%j starts no workflow: %s', (message, skips) => {
  expect(skipsWorkflows(message)).toBe(skips);
});

test("the head's message keeps push and pull_request workflows from starting", async () => {
  const before = await shown();
  const clone = await t.clone('olga', 'skipping');
  await git(clone, ['checkout', '--quiet', '-b', 'quiet']);
  await commit(clone, { 'x.txt': 'x\n' }, 'Change [skip ci]');
  await git(clone, ['push', '--quiet', 'origin', 'quiet']);
  await olga().pulls.create({ ...at, title: 'Quiet', head: 'quiet', base: 'main' });
  await t.forge.workflowsSettled();
  expect(await shown()).toEqual(before);
});

describe('answers', () => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${t.forge.api}/repos/olga/work${path}`, { headers });

  test('have a tag by which they are 304 when nothing changed, and an id', async () => {
    const first = await get('/labels');
    const tag = first.headers.get('etag') ?? '';
    expect(tag).toMatch(/^W\/"[\da-f]{64}"$/);
    const again = await get('/labels', { 'if-none-match': tag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const id = again.headers.get('x-github-request-id');
    expect(id).toMatch(/^[\dA-F]{4}(:[\dA-F]{6,8}){4}$/);
    expect(id).not.toBe(first.headers.get('x-github-request-id'));
  });

  test('to an app name the permissions that the route takes, also when they refuse', async () => {
    const { app, installation } = installTestApp(t.forge, '');
    const client = t.asApp(app, installation);
    const accepted = 'x-accepted-github-permissions';
    expect((await client.git.getRef({ ...at, ref: 'heads/main' })).headers[accepted]).toBe('contents=read');
    const refused = await client.actions
      .getGithubActionsPermissionsRepository(at)
      .catch((error: object) => error);
    expect(refused).toMatchObject({
      status: 403,
      response: { headers: { [accepted]: 'administration=read' } },
    });
    expect((await get('/labels')).headers.has(accepted)).toBe(false);
  });
});

test('labels are the same whatever their case', async () => {
  await olga().issues.createLabel({ ...at, name: 'Echelon' });
  expect(await refusal(olga().issues.createLabel({ ...at, name: 'echelon' }))).toMatchObject({
    ...{ status: 422, data: { errors: [{ resource: 'Label', field: 'name', code: 'already_exists' }] } },
  });
  const { data } = await olga().issues.create({ ...at, title: 'One', labels: ['echelon'] });
  expect(data.labels).toMatchObject([{ name: 'Echelon' }]);
  expect((await olga().issues.listForRepo({ ...at, labels: 'ECHELON' })).data).toHaveLength(1);
});

test('lists show a new artifact late where the forge is told to', async () => {
  job = async (_call, core, { run }) =>
    artifactStore(core, run.id, run.attempt).add('left', [], { overwrite: false, days: 1, level: 0 });
  await dispatch('act.yml');
  const listed = async () => (await olga().actions.listArtifactsForRepo(at)).data.total_count;
  expect(await listed()).toBe(0);
  now += 5000;
  expect(await listed()).toBe(1);
});

describe('a ruleset', () => {
  const rule = (ref: string, ...types: string[]) =>
    olga().request('POST /repos/{owner}/{repo}/rulesets', {
      ...at,
      ...{ name: ref, target: 'branch', enforcement: 'active' },
      conditions: { ref_name: { include: [ref], exclude: [] } },
      rules: types.map(type => ({ type })) as [{ type: 'update' }],
    });
  const push = async (branch: string) => {
    const clone = await t.clone('olga', `clone-${branch}`);
    await git(clone, ['checkout', '--quiet', '-b', branch]);
    const sha = await commit(clone, { [`${branch}.txt`]: 'x\n' }, `Push ${branch}`);
    return { sha, ...(await tryGit(clone, ['push', 'origin', branch])) };
  };

  test('that requires signatures refuses a push in the words of GitHub, and takes what the API signed', async () => {
    await rule('refs/heads/signed*', 'required_signatures');
    const { code, stderr, sha } = await push('signed');
    expect([code, stderr.replace(/ +$/gm, '')]).toEqual([1, expect.stringContaining('remote: error: GH013')]);
    expect(stderr.replace(/ +$/gm, '')).toContain(
      [
        'remote: error: GH013: Repository rule violations found for refs/heads/signed.',
        `remote: Review all repository rules at ${t.forge.url}/olga/work/rules?ref=refs%2Fheads%2Fsigned`,
        'remote:',
        'remote: - Commits must have verified signatures.',
        'remote:   Found 1 violation:',
        'remote:',
        `remote:   ${sha}`,
      ].join('\n'),
    );
    expect(stderr).toContain(
      '[remote rejected] signed -> signed (push declined due to repository rule violations)',
    );
    const { app, installation } = installTestApp(t.forge, '');
    const bot = t.asApp(app, installation).git;
    const main = await headOf('main');
    const { tree } = (await bot.getCommit({ ...at, commit_sha: main })).data;
    const make = async (client: typeof bot, more = {}) =>
      (await client.createCommit({ ...at, message: 'By the API', tree: tree.sha, parents: [main], ...more }))
        .data;
    const author = { name: 'a', email: 'a@b.test' };
    const [own, named, byPerson] = [await make(bot), await make(bot, { author }), await make(olga().git)];
    expect([own, named, byPerson].map(({ verification }) => verification.verified)).toEqual([
      true,
      false,
      false,
    ]);
    const ref = (each: { sha: string }) =>
      bot.createRef({ ...at, ref: 'refs/heads/signed-1', sha: each.sha });
    expect(await refusal(ref(named))).toMatchObject({
      ...{
        status: 422,
        message: 'Repository rule violations found\n\nCommits must have verified signatures.\n\n',
      },
    });
    expect((await ref(own)).status).toBe(201);
    const mutation =
      'mutation ($input: CreateCommitOnBranchInput!) { createCommitOnBranch(input: $input) { commit { signature { isValid } } } }';
    const branch = { repositoryNameWithOwner: 'olga/work', branchName: 'signed-1' };
    const fileChanges = { additions: [{ path: 'y.txt', contents: 'eQ==' }] };
    const input = { branch, expectedHeadOid: own.sha, message: { headline: 'More' }, fileChanges };
    expect(await t.asApp(app, installation).graphql(mutation, { input })).toEqual({
      createCommitOnBranch: { commit: { signature: { isValid: true } } },
    });
  });

  test.each([
    ['creation', 'Cannot create ref due to creations being restricted.'],
    ['pull_request', 'Changes must be made through a pull request.'],
  ])('with %s refuses a branch', async (type, words) => {
    await rule(`refs/heads/${type}`, type);
    expect((await push(type)).stderr).toContain(words);
    const sha = await headOf('main');
    const made = await refusal(olga().git.createRef({ ...at, ref: `refs/heads/${type}`, sha }));
    expect(made).toMatchObject({ status: 422, message: `Repository rule violations found\n\n${words}\n\n` });
  });

  test('holds until it is removed', async () => {
    const { data } = await rule('refs/heads/asked', 'creation');
    const sha = await headOf('main');
    const make = () => olga().git.createRef({ ...at, ref: 'refs/heads/asked', sha });
    expect((await refusal(make())).status).toBe(422);
    await olga().repos.deleteRepoRuleset({ ...at, ruleset_id: data.id });
    expect((await make()).status).toBe(201);
  });
});

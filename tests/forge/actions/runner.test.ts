// A forge with a runner: events and dispatches start workflows of the repository, whose jobs a test carries out.
import { afterEach, describe, expect, test } from 'vitest';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { git } from '../../../packages/forge/repositories/git.ts';
import type { CarryOut, JobOrder } from '../../../packages/forge/actions/run-port.ts';
import type { JobResult, PlannedJob } from '../../../packages/forge/actions/planned-job.ts';
import { at, commit, openTestForge, refusal, type TestForge } from '../fixture.ts';

type Does = (
  job: PlannedJob,
  order: JobOrder,
) => Partial<JobResult> | undefined | Promise<Partial<JobResult> | undefined>;

let t: TestForge;
afterEach(() => t[Symbol.asyncDispose]());

/** A forge whose main branch has these workflows, with what was carried out so far. */
async function forgeWith(files: Record<string, string>, does: Does = () => undefined, jobs?: number) {
  const carried: { job: PlannedJob; order: JobOrder }[] = [];
  const carryOut: CarryOut = async (_core, job, order) => {
    carried.push({ job, order });
    const done = await does(job, order);
    return { conclusion: order.signal.aborted ? 'cancelled' : 'success', outputs: {}, steps: [], ...done };
  };
  t = await openTestForge({ runner: { carryOut, ...(jobs !== undefined && { jobs }) } });
  await push(files);
  await t.forge.workflowsSettled();
  return carried;
}

async function push(files: Record<string, string>, branch = 'main'): Promise<string> {
  const clone = await t.clone('olga', `clone-${Math.random()}`);
  if (branch !== 'main') await git(clone, ['checkout', '--quiet', '-B', branch]);
  const paths = Object.entries(files).map(([name, text]) => [`.github/workflows/${name}`, text]);
  const sha = await commit(clone, Object.fromEntries(paths), 'Change workflows');
  await git(clone, ['push', '--quiet', 'origin', branch]);
  return sha;
}

const onEvent = (on: string, more = '') =>
  `on: ${on}\n${more}\njobs:\n  a: { runs-on: ubuntu-latest, steps: [{ run: x }] }\n`;

const runs = async () => (await t.as('olga').actions.listWorkflowRunsForRepo(at)).data.workflow_runs;
const shown = async () =>
  (await runs()).map(run => `${run.event} ${run.path.split('/').at(-1)} ${run.conclusion ?? run.status}`);
const jobsOf = async (run_id: number) =>
  (await t.as('olga').actions.listJobsForWorkflowRun({ ...at, run_id })).data.jobs.map(
    job => `${job.name} ${job.conclusion ?? job.status}`,
  );
const issue = (title: string, login = 'olga') => t.as(login).issues.create({ ...at, title });

describe('starts', () => {
  test('nothing in a repository whose Actions are switched off', async () => {
    const carried = await forgeWith({ 'all.yml': onEvent('issues') });
    const route = 'PUT /repos/{owner}/{repo}/actions/permissions';
    await t.as('olga').request(route, { ...at, enabled: false });
    await issue('One');
    await t.forge.workflowsSettled();
    expect(carried).toEqual([]);
  });

  test('what listens to an event, with its payload, at the default branch', async () => {
    const carried = await forgeWith({
      'opened.yml': onEvent('{ issues: { types: [opened] } }'),
      'all.yml': onEvent('issues'),
      'labeled.yml': onEvent('{ issues: { types: [labeled] } }'),
      'comment.yml': onEvent('issue_comment', 'name: Comments'),
      'called.yml': onEvent('workflow_call'),
    });
    const head = await push({ 'unrelated.txt': 'x' });
    await push({ 'all.yml': onEvent('{ issues: { types: [deleted] } }') }, 'side');
    const { data } = await issue('Broken');
    await t.as('sam').issues.createComment({ ...at, issue_number: data.number, body: 'Hm' });
    await t.forge.workflowsSettled();
    expect(await shown()).toEqual([
      'issue_comment comment.yml success',
      'issues opened.yml success',
      'issues all.yml success',
    ]);
    expect((await runs())[0]).toMatchObject({
      display_title: 'Broken',
      head_sha: head,
      head_branch: 'main',
      actor: { login: 'sam' },
    });
    expect(carried.at(-1)?.job.contexts['github']).toMatchObject({
      event_name: 'issue_comment',
      event: {
        action: 'created',
        comment: { body: 'Hm' },
        repository: { full_name: 'olga/work' },
        sender: { login: 'sam' },
      },
      actor: 'sam',
      repository: 'olga/work',
      ref: 'refs/heads/main',
      sha: head,
      workflow: 'Comments',
      run_number: '1',
      run_attempt: '1',
      server_url: t.forge.url,
      api_url: t.forge.api,
    });
  });

  test('a push of the branches that are named, as the pushed commit has the workflows', async () => {
    await forgeWith({
      'some.yml': onEvent('{ push: { branches: ["rel/*", "!rel/old"] } }'),
      'pull.yml': onEvent('pull_request'),
    });
    await push({ 'x.txt': '1' });
    await push({ 'x.txt': '2' }, 'rel/new');
    await push({ 'x.txt': '3' }, 'rel/old');
    await push({ 'x.txt': '4' }, 'rel/deep/er');
    const sha = await push({ 'some.yml': onEvent('push'), 'x.txt': '5' }, 'other');
    await t.forge.workflowsSettled();
    expect((await runs()).map(run => [run.head_branch, run.head_sha === sha])).toEqual([
      ['other', true],
      ['rel/new', false],
    ]);
  });

  test('a pull request at the merge with its base, and a review of it', async () => {
    const carried = await forgeWith({
      'pull.yml': onEvent('{ pull_request: { types: [opened, closed], branches: [main] } }'),
      'review.yml': onEvent('pull_request_review'),
    });
    const { data } = await t.as('olga').pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' });
    await t.as('wanda').pulls.createReview({ ...at, pull_number: data.number, event: 'APPROVE' });
    await t.forge.workflowsSettled();
    const place = carried.map(({ job }) => job.contexts['github'] as Record<string, string>);
    expect(
      place.map(({ event_name, ref, head_ref, base_ref }) => [event_name, ref, head_ref, base_ref]),
    ).toEqual([
      ['pull_request', `refs/pull/${data.number}/merge`, 'feature', 'main'],
      ['pull_request_review', `refs/pull/${data.number}/merge`, 'feature', 'main'],
    ]);
    const bare = join(t.forge.folder, 'git', 'olga', 'work.git');
    const parents = await git(bare, ['log', '-1', '--format=%P', place[1]?.['sha'] ?? '']);
    expect(parents.split(' ')[1]).toBe(data.head.sha);
    expect((await runs()).map(run => run.head_sha)).toEqual([data.head.sha, data.head.sha]);
    const { data: merged } = await t.as('olga').pulls.merge({ ...at, pull_number: data.number });
    await t.forge.workflowsSettled();
    expect(carried.at(-1)?.job.contexts['github']).toMatchObject({ ref: 'refs/heads/main', sha: merged.sha });
  });

  test('a dispatch, with inputs by their types', async () => {
    const inputs =
      '{ n: { type: number, required: true }, dry: { type: boolean, default: true }, way: { type: choice, options: [a, b] } }';
    const carried = await forgeWith({
      'go.yml': onEvent(`{ workflow_dispatch: { inputs: ${inputs} } }`, 'run-name: "Go ${{ inputs.n }}"'),
    });
    const dispatch = (given: Record<string, unknown>) =>
      t
        .as('olga')
        .actions.createWorkflowDispatch({ ...at, workflow_id: 'go.yml', ref: 'main', inputs: given });
    await dispatch({ n: '7' });
    await t.forge.workflowsSettled();
    expect(carried[0]?.job.contexts).toMatchObject({
      inputs: { n: 7, dry: true, way: '' },
      github: { event_name: 'workflow_dispatch', event: { inputs: { n: '7' }, ref: 'refs/heads/main' } },
    });
    expect((await runs())[0]?.display_title).toBe('Go 7');
    for (const [given, message] of [
      [{}, "Required input 'n' not provided"],
      [{ n: 'x' }, 'The input "n" is no number'],
      [{ n: 1, other: 'x' }, 'Unexpected inputs provided: ["other"]'],
      [{ n: 1, way: 'c' }, 'The input "way" is no choice'],
    ] as const) {
      const refused = await refusal(dispatch(given));
      expect([refused.status, refused.message]).toEqual([422, expect.stringContaining(message)]);
    }
    expect(carried).toHaveLength(1);
  });

  test('a file that the runner cannot carry out ends before anything runs, with its place', async () => {
    const carried = await forgeWith({
      'bad.yml': 'on: issues\njobs:\n  a: { runs-on: windows-latest, steps: [] }\n',
    });
    await issue('x');
    await t.forge.workflowsSettled();
    expect([await shown(), carried]).toEqual([['issues bad.yml startup_failure'], []]);
    const [run] = await runs();
    expect(t.forge.runProblems(run?.id ?? 0)).toEqual([
      {
        job: null,
        message: `.github/workflows/bad.yml:3:17: the forge's runner stands in for ubuntu-..., not for "windows-latest"`,
      },
    ]);
  });

  test('a job that cannot be planned says why, and only in the attempt where it could not', async () => {
    const files = {
      'go.yml': onEvent('issues').replace('runs-on:', 'timeout-minutes: "${{ vars.TIME }}", runs-on:'),
    };
    await forgeWith(files);
    await issue('x');
    await t.forge.workflowsSettled();
    const [run] = await runs();
    const run_id = run?.id ?? 0;
    expect(t.forge.runProblems(run_id)).toEqual([
      { job: 'a', message: '"timeout-minutes" is no number above 0' },
    ]);
    t.forge.setActionValue('olga', 'work', 'variable', 'TIME', '5');
    await t.as('olga').actions.reRunWorkflowFailedJobs({ ...at, run_id });
    await t.forge.workflowsSettled();
    expect([await shown(), t.forge.runProblems(run_id)]).toEqual([['issues go.yml success'], []]);
  });
});

/** A workflow of which job `a` acts through the API. */
const acting = (permissions: string) =>
  `on: { issues: { types: [opened] }, workflow_dispatch: {} }\npermissions: ${permissions}\njobs:\n  a: { runs-on: ubuntu-latest, steps: [{ run: x }] }\n`;

describe("a job's token", () => {
  const call = (token: string, method: string, path: string, body?: object) =>
    fetch(`${t.forge.api}/repos/olga/work${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body && { body: JSON.stringify(body) }),
    });

  test.each([
    [true, 201],
    [false, 403],
  ])('opens pull requests where the repository allows that: %s', async (allowed, status) => {
    const seen: number[] = [];
    await forgeWith(
      { 'act.yml': acting('{ pull-requests: write, contents: read }') },
      async (_job, { token }) => {
        const pull = { title: 'x', head: 'feature', base: 'main' };
        seen.push((await call(token, 'POST', '/pulls', pull)).status);
        return undefined;
      },
    );
    const route = 'PUT /repos/{owner}/{repo}/actions/permissions/workflow';
    await t.as('olga').request(route, { ...at, can_approve_pull_request_reviews: allowed });
    await issue('Begin');
    await t.forge.workflowsSettled();
    expect(seen).toEqual([status]);
  });

  test('may do what its job may, as github-actions[bot], starts nothing but a dispatch, and dies with its job', async () => {
    const seen: unknown[] = [];
    const tokens: string[] = [];
    const carried = await forgeWith(
      { 'act.yml': acting('{ issues: write, actions: write, contents: read }') },
      async (_job, { token }) => {
        tokens.push(token);
        if (tokens.length > 1) return undefined;
        const made = await call(token, 'POST', '/issues', { title: 'By a job' });
        const json = (await made.json()) as {
          user: { login: string };
          performed_via_github_app: { id: number };
        };
        seen.push([made.status, json.user.login, json.performed_via_github_app.id]);
        for (const [method, path, body] of [
          ['POST', '/git/refs', { ref: 'refs/heads/x', sha: '1'.repeat(40) }],
          ['POST', '/pulls', { title: 'x', head: 'feature', base: 'main' }],
          ['POST', '/actions/workflows/act.yml/dispatches', { ref: 'main' }],
        ] as const)
          seen.push((await call(token, method, path, body)).status);
        return undefined;
      },
    );
    await issue('Begin');
    await t.forge.workflowsSettled();
    expect(seen).toEqual([[201, 'github-actions[bot]', 15368], 403, 403, 204]);
    expect(await shown()).toEqual(['workflow_dispatch act.yml success', 'issues act.yml success']);
    expect((await runs())[0]?.actor?.login).toBe('github-actions[bot]');
    expect(carried.map(({ job }) => job.permissions)[0]).toEqual({
      issues: 'write',
      actions: 'write',
      contents: 'read',
    });
    expect(carried[0]?.job.contexts).toMatchObject({
      github: { token: tokens[0] },
      secrets: { GITHUB_TOKEN: tokens[0] },
    });
    for (const token of tokens) expect((await call(token, 'GET', '/issues')).status).toBe(401);
  });

  test.each([
    ['contents: write', true],
    ['contents: read', false],
  ])('pushes with "%s": %s', async (permission, pushed) => {
    const outcome: boolean[] = [];
    await forgeWith({ 'act.yml': acting(`{ ${permission} }`) }, async (_job, { token }) => {
      const url = new URL(`${t.forge.url}/olga/work.git`);
      url.username = 'x-access-token';
      url.password = token;
      const clone = join(t.root, 'job');
      await git(t.root, ['clone', '--quiet', url.href, clone]);
      await commit(clone, { 'x.txt': 'x' }, 'By a job');
      outcome.push(
        await git(clone, ['push', '--quiet', 'origin', 'HEAD:refs/heads/job']).then(
          () => true,
          () => false,
        ),
      );
      return undefined;
    });
    await issue('Begin');
    await t.forge.workflowsSettled();
    expect(outcome).toEqual([pushed]);
  });

  test('reaches no other repository, not even one whose jobs have tokens too', async () => {
    const statuses: [string, number][] = [];
    await forgeWith({ 'act.yml': acting('{ issues: write }') }, async (job, { token }) => {
      const answer = await fetch(`${t.forge.api}/repos/olga/other/issues/1/comments`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: JSON.stringify({ body: 'Hello' }),
      });
      const { repository } = job.contexts['github'] as { repository: string };
      statuses.push([repository, answer.status]);
      return undefined;
    });
    const source = await t.clone('olga', 'other');
    await t.forge.addRepository({ owner: 'olga', name: 'other', from: source });
    await t.as('olga').issues.create({ owner: 'olga', repo: 'other', title: 'x' });
    await t.forge.workflowsSettled();
    await issue('Begin');
    await t.forge.workflowsSettled();
    expect(statuses).toEqual([
      ['olga/other', 201],
      ['olga/work', 403],
    ]);
  });

  test('secrets and variables of the repository are handed over, and secrets are named to be masked', async () => {
    const carried = await forgeWith({ 'act.yml': acting('{}') });
    t.forge.setActionValue('olga', 'work', 'secret', 'KEY', 'sk-1');
    t.forge.setActionValue('olga', 'work', 'variable', 'MODE', 'fast');
    await issue('x');
    await t.forge.workflowsSettled();
    const { job, order } = carried[0] ?? {};
    expect(job?.contexts).toMatchObject({ secrets: { KEY: 'sk-1' }, vars: { MODE: 'fast' } });
    expect(order?.secrets).toEqual(expect.arrayContaining(['sk-1', order?.token]));
  });
});

const chain =
  'on: workflow_dispatch\njobs:\n  a: { runs-on: ubuntu-latest, steps: [] }\n  b: { needs: a, runs-on: ubuntu-latest, steps: [] }\n';
const dispatch = () =>
  t.as('olga').actions.createWorkflowDispatch({ ...at, workflow_id: 'chain.yml', ref: 'main' });
const ended = (signal: AbortSignal) =>
  new Promise<undefined>(done => signal.addEventListener('abort', () => done(undefined)));

describe('a run', () => {
  test('is cancelled through the API, and its jobs end', async () => {
    const began = Promise.withResolvers<void>();
    await forgeWith({ 'chain.yml': chain }, (_job, { signal }) => {
      began.resolve();
      return ended(signal);
    });
    await dispatch();
    await began.promise;
    const [run] = await runs();
    expect(run?.status).toBe('in_progress');
    await t.as('olga').actions.cancelWorkflowRun({ ...at, run_id: run?.id ?? 0 });
    await t.forge.workflowsSettled();
    expect([await shown(), await jobsOf(run?.id ?? 0)]).toEqual([
      ['workflow_dispatch chain.yml cancelled'],
      ['a cancelled', 'b cancelled'],
    ]);
  });

  test('runs its failed jobs again, and all of them, each attempt with jobs of its own', async () => {
    let fails = true;
    const carried = await forgeWith({ 'chain.yml': chain }, job => {
      if (job.key === 'a') return { outputs: { x: '1' } };
      return fails ? { conclusion: 'failure' } : undefined;
    });
    await dispatch();
    await t.forge.workflowsSettled();
    const run_id = (await runs())[0]?.id ?? 0;
    expect(await jobsOf(run_id)).toEqual(['a success', 'b failure']);
    fails = false;
    const again = { ...at, run_id };
    await t.as('wanda').actions.reRunWorkflowFailedJobs(again);
    await t.forge.workflowsSettled();
    expect(carried.map(({ job }) => job.key)).toEqual(['a', 'b', 'b']);
    expect(carried.at(-1)?.job.contexts).toMatchObject({
      needs: { a: { result: 'success', outputs: { x: '1' } } },
      github: { run_attempt: '2', triggering_actor: 'wanda', actor: 'olga' },
    });
    expect((await runs())[0]).toMatchObject({
      run_attempt: 2,
      conclusion: 'success',
      triggering_actor: { login: 'wanda' },
    });
    const attempt = async (attempt_number: number) =>
      (await t.as('olga').actions.listJobsForWorkflowRunAttempt({ ...again, attempt_number })).data.jobs.map(
        job => `${job.name} ${job.conclusion} ${job.run_attempt}`,
      );
    expect(await attempt(1)).toEqual(['a success 1', 'b failure 1']);
    expect(await attempt(2)).toEqual(['a success 2', 'b success 2']);
    expect((await refusal(t.as('olga').actions.reRunWorkflowFailedJobs(again))).status).toBe(403);
    await t.as('olga').actions.reRunWorkflow(again);
    await t.forge.workflowsSettled();
    expect(carried.map(({ job }) => job.key)).toEqual(['a', 'b', 'b', 'a', 'b']);
    const all = await t.as('olga').actions.listJobsForWorkflowRun({ ...again, filter: 'all' });
    expect(all.data.total_count).toBe(6);
  });

  test('under way when the forge closes is cancelled; one that only waits begins when it opens again', async () => {
    const began = Promise.withResolvers<void>();
    const carried = await forgeWith({ 'chain.yml': `concurrency: one\n${chain}` }, (_job, { signal }) => {
      began.resolve();
      return ended(signal);
    });
    await dispatch();
    await began.promise;
    await dispatch();
    const { token } = carried[0]?.order ?? { token: '' };
    const again: string[] = [];
    await t.reopen({
      runner: {
        carryOut: async (_core, job) => {
          again.push(job.key);
          return { conclusion: 'success', outputs: {}, steps: [] };
        },
      },
    });
    await t.forge.workflowsSettled();
    expect(await shown()).toEqual([
      'workflow_dispatch chain.yml success',
      'workflow_dispatch chain.yml cancelled',
    ]);
    expect(again).toEqual(['a', 'b']);
    const answer = await fetch(`${t.forge.api}/repos/olga/work`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(401);
  });

  test.each([
    [undefined, 2],
    [3, 3],
  ])('takes part of the machine: of %s jobs at once %i', async (jobs, most) => {
    let now = 0;
    let seen = 0;
    const wait = () => new Promise(done => setImmediate(done));
    await forgeWith(
      {
        'many.yml':
          'on: issues\njobs:\n  a: { runs-on: ubuntu-latest, strategy: { matrix: { n: [1, 2, 3, 4] } }, steps: [] }\n',
      },
      async () => {
        seen = Math.max(seen, ++now);
        for (let n = 0; n < 20; n++) await wait();
        now -= 1;
        return undefined;
      },
      jobs,
    );
    await issue('x');
    await t.forge.workflowsSettled();
    expect(seen).toBe(most);
  });
});

describe('a call of a workflow in another repository of the forge', () => {
  const leaf = (echo: string) =>
    `on: workflow_call\njobs:\n  leaf: { runs-on: ubuntu-latest, env: { SAID: ${echo} }, steps: [] }\n`;
  const calls = 'on: issues\njobs:\n  a:\n    uses: bot/kit/.github/workflows/run.yml@v1\n';
  /** Makes bot/kit, whose tag v1 is its first commit, and returns how to move the tag to another text. */
  async function addKit(isPrivate: boolean) {
    const source = join(t.root, 'kit');
    mkdirSync(source);
    await git(source, ['init', '--quiet', '--initial-branch=main', '.']);
    const put = async (echo: string) => {
      const inner = 'on: workflow_call\njobs:\n  inner:\n    uses: $/.github/workflows/leaf.yml\n';
      const files = { '.github/workflows/run.yml': inner, '.github/workflows/leaf.yml': leaf(echo) };
      const sha = await commit(source, files, 'Kit');
      await git(source, ['tag', '--force', 'v1']);
      return sha;
    };
    const sha = await put('first');
    await t.forge.addRepository({ owner: 'bot', name: 'kit', from: source, private: isPrivate });
    const bare = join(t.forge.folder, 'git', 'bot', 'kit.git');
    return {
      sha,
      move: async () => {
        await put('second');
        await git(source, ['push', '--quiet', '--force', bare, 'main', 'v1']);
      },
    };
  }

  test('runs what the tag is, and the same again where only failed jobs do', async () => {
    const carried = await forgeWith({ 'main.yml': calls }, () => ({ conclusion: 'failure' }));
    const kit = await addKit(false);
    await issue('x');
    await t.forge.workflowsSettled();
    const [run] = await runs();
    const reference = { path: 'bot/kit/.github/workflows/run.yml@v1', ref: 'v1', sha: kit.sha };
    expect(run?.referenced_workflows).toEqual([reference]);
    await kit.move();
    const again = { ...at, run_id: run?.id ?? 0 };
    await t.as('olga').actions.reRunWorkflowFailedJobs(again);
    await t.forge.workflowsSettled();
    await t.as('olga').actions.reRunWorkflow(again);
    await t.forge.workflowsSettled();
    expect(carried.map(({ job }) => [job.key, job.env[1]?.['SAID'], job.origin.sha === kit.sha])).toEqual([
      ['a / inner / leaf', 'first', true],
      ['a / inner / leaf', 'first', true],
      ['a / inner / leaf', 'second', false],
    ]);
    expect(carried[0]?.job.contexts['github']).toMatchObject({ repository: 'olga/work' });
  });

  test("does not reach into another owner's private one", async () => {
    const carried = await forgeWith({ 'main.yml': calls });
    await addKit(true);
    await issue('x');
    await t.forge.workflowsSettled();
    expect([await shown(), carried]).toEqual([['issues main.yml startup_failure'], []]);
  });
});

test('a repository that git cannot read holds up no other', async () => {
  const carried = await forgeWith({ 'all.yml': onEvent('issues') });
  await t.forge.addRepository({ owner: 'olga', name: 'broken' });
  const clone = await t.clone('olga');
  const bare = join(t.forge.folder, 'git', 'olga', 'broken.git');
  await git(clone, ['push', '--quiet', bare, 'main']);
  await t.reopen();
  rmSync(join(bare, 'objects'), { recursive: true });
  await t.as('olga').issues.create({ owner: 'olga', repo: 'broken', title: 'x' });
  await issue('y');
  await t.forge.workflowsSettled();
  expect(carried).toHaveLength(1);
});

test('a run whose process died ends as cancelled, and its token is dead', async () => {
  const carried = await forgeWith({ 'chain.yml': chain });
  await dispatch();
  await t.forge.workflowsSettled();
  const [run] = await runs();
  await t.forge.close();
  const { Database } = await import('../../../packages/forge/database.ts');
  const db = new Database(join(t.forge.folder, 'forge.sqlite'));
  db.update('workflow_runs', run?.id ?? 0, { status: 'in_progress', conclusion: null });
  db.run("UPDATE jobs SET status = 'in_progress', conclusion = NULL WHERE name = 'b'");
  db.close();
  await t.reopen({});
  expect(await jobsOf(run?.id ?? 0)).toEqual(['a success', 'b cancelled']);
  expect(await shown()).toEqual(['workflow_dispatch chain.yml cancelled']);
  expect(carried).toHaveLength(2);
});

test('a folder of a forge from before workflows ran is opened', async () => {
  t = await openTestForge();
  await push({ 'chain.yml': chain });
  await dispatch();
  await t.forge.close();
  const db = new DatabaseSync(join(t.forge.folder, 'forge.sqlite'));
  for (const column of ['attempt', 'title', 'ref', 'sha', 'payload', 'rerun', 'started_at'])
    db.exec(`ALTER TABLE workflow_runs DROP ${column}`);
  for (const column of ['attempt', 'key', 'outputs']) db.exec(`ALTER TABLE jobs DROP ${column}`);
  db.close();
  await t.reopen();
  await dispatch();
  expect((await runs()).map(run => [run.display_title, run.run_attempt])).toEqual([
    ['.github/workflows/chain.yml', 1],
    ['.github/workflows/chain.yml', 1],
  ]);
});

test('without a runner nothing starts, and a dispatch stays queued', async () => {
  t = await openTestForge();
  await push({ 'chain.yml': chain, 'all.yml': onEvent('issues') });
  await issue('x');
  await dispatch();
  await t.forge.workflowsSettled();
  expect(await shown()).toEqual(['workflow_dispatch chain.yml queued']);
});

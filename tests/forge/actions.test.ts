// Check runs, statuses, workflows and their runs.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Octokit } from '@octokit/rest';
import { git } from '../../packages/forge/repositories/git.ts';
import {
  at,
  commit,
  installTestApp,
  openReceiver,
  openTestForge,
  refusal,
  type TestForge,
} from './fixture.ts';

let t: TestForge;
let bot: Octokit;
let sha: string;
let hook: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  t = await openTestForge();
  hook = await openReceiver();
  const { app, installation } = installTestApp(t.forge, hook.url);
  bot = t.asApp(app, installation);
  const clone = await t.clone('olga');
  const files = {
    '.github/workflows/work.yml': 'name: "Work"  # the work\non:\n  workflow_dispatch:\n    inputs:\n',
    '.github/workflows/push.yaml': 'on: push\n',
    '.github/workflows/readme.md': 'no workflow\n',
  };
  sha = await commit(clone, files, 'Workflows');
  await git(clone, ['push', '--quiet']);
});
afterAll(async () => {
  await t[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
});

describe('check runs', () => {
  test('are queued, or completed with a conclusion', async () => {
    const { data } = await bot.checks.create({ ...at, name: 'tests', head_sha: sha });
    expect([data.status, data.conclusion, data.app?.slug]).toEqual(['queued', null, 'echelon']);
    const output = { title: '3 passed', summary: 'All.', annotations: [] };
    const ended = { ...at, name: 'tests', head_sha: sha, conclusion: 'success' as const, output };
    const { data: done } = await bot.checks.create(ended);
    expect(done).toMatchObject({ status: 'completed', conclusion: 'success', output: { title: '3 passed' } });
    expect(done.completed_at).not.toBeNull();
  });

  test('of a commit are listed, the newest of each name', async () => {
    const second = await bot.checks.create({ ...at, name: 'tests', head_sha: sha });
    await bot.checks.create({ ...at, name: 'lint', head_sha: sha, status: 'in_progress' });
    const list = async (query: object) =>
      (await t.as('sam').checks.listForRef({ ...at, ref: 'main', ...query })).data.check_runs.map(
        each => each.name,
      );
    expect(await list({})).toEqual(['lint', 'tests']);
    expect(await list({ filter: 'all' })).toEqual(['lint', 'tests', 'tests', 'tests']);
    expect(await list({ check_name: 'tests', status: second.data.status })).toEqual(['tests']);
  });

  test.each<[string, () => Promise<unknown>, number, string]>([
    [
      'made by people',
      () => t.as('olga').checks.create({ ...at, name: 'x', head_sha: sha }),
      403,
      'You must authenticate via a GitHub App.',
    ],
    [
      'of an unknown commit',
      () => bot.checks.create({ ...at, name: 'x', head_sha: '1'.repeat(40) }),
      422,
      `No commit found for SHA: ${'1'.repeat(40)}`,
    ],
    [
      'completed without a conclusion',
      () => bot.checks.create({ ...at, name: 'x', head_sha: sha, status: 'completed' } as never),
      422,
      'Invalid request.\n\n"conclusion" wasn\'t supplied.',
    ],
  ])('%s are refused', async (_name, call, status, message) => {
    expect(await refusal(call())).toMatchObject({ status, message });
  });
});

test('the statuses of a commit add up', async () => {
  const set = (context: string, state: 'pending' | 'success' | 'failure') =>
    t.as('wanda').repos.createCommitStatus({ ...at, sha, state, context });
  const combined = async () => (await t.as('sam').repos.getCombinedStatusForRef({ ...at, ref: 'main' })).data;
  expect((await combined()).state).toBe('pending');
  await set('a', 'failure');
  expect((await combined()).state).toBe('failure');
  await set('a', 'success');
  await set('b', 'success');
  expect(await combined()).toMatchObject({ state: 'success', total_count: 2, sha });
});

describe('workflows', () => {
  test('are those on the default branch', async () => {
    const { data } = await t.as('sam').actions.listRepoWorkflows(at);
    expect(data.workflows.map(({ name, path, state }) => [name, path, state])).toEqual([
      ['.github/workflows/push.yaml', '.github/workflows/push.yaml', 'active'],
      ['Work', '.github/workflows/work.yml', 'active'],
    ]);
  });

  test('dispatched, are queued, told, listed and cancelled', async () => {
    const place = { ...at, workflow_id: 'work.yml', ref: 'main' };
    const plain = await bot.actions.createWorkflowDispatch(place);
    expect(plain.status).toBe(204);
    const { status, data } = await bot.request(
      'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches',
      { ...place, inputs: { issues: '[1]' }, return_run_details: true } as never,
    );
    const run_id = (data as unknown as { workflow_run_id: number }).workflow_run_id;
    expect([status, data]).toMatchObject([
      200,
      { run_url: `${t.forge.api}/repos/olga/work/actions/runs/${run_id}` },
    ]);
    const { data: run } = await t.as('sam').actions.getWorkflowRun({ ...at, run_id });
    expect(run).toMatchObject({
      status: 'queued',
      event: 'workflow_dispatch',
      run_number: 2,
      head_sha: sha,
      head_branch: 'main',
    });
    await bot.actions.cancelWorkflowRun({ ...at, run_id });
    const list = async (query: object) =>
      (await t.as('sam').actions.listWorkflowRuns({ ...at, workflow_id: 'work.yml', ...query })).data
        .total_count;
    expect([await list({}), await list({ status: 'queued' }), await list({ status: 'cancelled' })]).toEqual([
      2, 1, 1,
    ]);
    expect((await refusal(bot.actions.cancelWorkflowRun({ ...at, run_id }))).status).toBe(409);
    expect((await t.as('sam').actions.listJobsForWorkflowRun({ ...at, run_id })).data).toEqual({
      total_count: 0,
      jobs: [],
    });
    await t.forge.webhooksSettled();
    const told = hook.received.filter(each => each.event === 'workflow_run');
    expect(told.map(each => each.action)).toEqual(['requested', 'requested', 'completed']);
  });

  test.each<[string, string, string, number]>([
    ['an unknown one', 'none.yml', 'main', 404],
    ['one without the trigger', 'push.yaml', 'main', 422],
    ['on an unknown ref', 'work.yml', 'none', 422],
    ['on a branch that has it not', 'work.yml', 'feature', 422],
  ])('dispatching %s is refused', async (_name, workflow_id, ref, status) => {
    expect((await refusal(bot.actions.createWorkflowDispatch({ ...at, workflow_id, ref }))).status).toBe(
      status,
    );
  });
});

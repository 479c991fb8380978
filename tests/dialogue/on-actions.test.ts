// `execution: actions`: an App whose jobs the repository's workflow works, on a forge that runs workflows.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { filesFor } from '../../src/doors/cli/init/files.ts';
import { type Local, openLocal } from '../../src/doors/cli/local.ts';
import { product, productRelease } from '../../src/doors/cli/product-repository.ts';
import type { RunnerOptions } from '../../packages/forge/actions/runner.ts';
import { fakeEngine } from '../app/engineer/fake-engine.ts';
import { machineHere } from '../action-here.ts';
import { productOnce } from '../crash/product.ts';
import { statusOf } from '../board.ts';
import { commit } from '../committed.ts';
import { director, evaluator, toWork } from './script.ts';

const person = 'you';
const path = process.env['PATH'] ?? '';
const replies = [
  // A round that makes the two fit.
  ...director('What it has to fit together with', { 'mark.txt': 'x\n', 'fits.txt': 'x\n' }).slice(0, -1),
  {
    for: 'engineer.director',
    when: 'What it has to fit together with',
    text: '<result status="COMPLETE">\n<content>They fit.</content>\n<output name="answers">[]</output>\n</result>',
  },
  evaluator('They fit.', true),
  ...toWork({ title: 'Add a mark', domain: 'backend' }, { title: 'Say so', domain: 'docs' }),
  ...director('Title: "Add a mark"', { 'mark.txt': 'x\n', 'mark.test.js': 'x\n' }),
  evaluator('Add a mark', true),
  ...director('Title: "Say so"', { 'said.txt': 'x\n' }),
  evaluator('Say so', true),
];
const configuration =
  'approval: none\nretries: 1\ntest: "test ! -e mark.txt -o ! -e said.txt -o -e fits.txt && test ! -e mark.test.js -o -e mark.txt"\nexecution: actions\n';

const root = mkdtempSync(join(tmpdir(), 'echelon-on-actions-'));
let release: string;
beforeAll(async () => {
  release = await productOnce();
}, 120_000);
afterAll(() => rmSync(root, { recursive: true, force: true }));

let local: Local | undefined;
let stages = 0;
afterEach(() => local?.close());

/** The App on a repository with these files, and a runner. */
async function open(files: Record<string, string>, runner?: (usual: RunnerOptions) => RunnerOptions) {
  const folder = join(root, `stage-${++stages}`);
  const from = join(folder, 'work');
  commit(from, { '.github/echelon.yml': configuration, ...files });
  const usual = { carryOut: machineHere(path, {}) };
  local = await openLocal({
    ...{ folder, person, logLevel: 'fatal', repository: { owner: person, name: 'work', from } },
    runner: runner ? runner(usual) : usual,
    installations: {
      model: { provider: 'scripted', file: 'script.json', script: JSON.stringify({ version: 1, replies }) },
      ...{ secrets: [], host: { path, allows: { isolationNone: false, network: false } }, log: () => {} },
    },
  });
  await local.forge.addRepository({ ...product, from: release });
  return local;
}

/** The workflow that `echelon init --app` writes. */
async function workflow(): Promise<Record<string, string>> {
  const wanted = { way: 'app with its jobs on actions', release: await productRelease(release) } as const;
  const [file] = filesFor({ test: '', label: 'echelon' }, wanted);
  return file ? { [file.path]: file.text } : {};
}

async function call({ forge }: Local, method: string, route: string, body?: object): Promise<unknown> {
  const answer = await forge.call(person, method, `/repos/${person}/work${route}`, body);
  if (answer.status >= 400) throw new Error(`${method} ${route}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Until neither the App nor a workflow has anything to do. */
async function settled({ forge, ...local }: Local): Promise<void> {
  await local.idle();
  await forge.workflowsSettled();
  await local.idle();
}

async function label(local: Local): Promise<void> {
  await call(local, 'POST', '/issues', { title: 'Mark it', body: 'Now.' });
  await call(local, 'POST', '/issues/1/labels', { labels: ['echelon'] });
}

const Pulls = z.array(
  z.object({ user: z.object({ login: z.string() }), draft: z.boolean(), body: z.string() }),
);
const Comments = z.array(z.object({ body: z.string() }));
const Runs = z.object({ workflow_runs: z.array(z.object({ id: z.int(), display_title: z.string() })) });
const Jobs = z.object({ jobs: z.array(z.object({ name: z.string(), conclusion: z.string().nullable() })) });
const Refs = z.array(z.object({ ref: z.string() }));

async function jobsOf(local: Local) {
  const { workflow_runs } = Runs.parse(await call(local, 'GET', '/actions/runs'));
  const jobs = await Promise.all(
    workflow_runs.map(
      async ({ id }) => Jobs.parse(await call(local, 'GET', `/actions/runs/${id}/jobs`)).jobs,
    ),
  );
  return jobs.reverse().flat();
}

const board = async (local: Local) => Comments.parse(await call(local, 'GET', '/issues/1/comments'))[0]?.body;

test('the workflow works the jobs, the App delivers: nothing of it writes but the App, and no branch or folder of it is left', async () => {
  const engines = { '.github/echelon.yml': `${configuration}engines: [claude-code]\n` };
  const local = await open({ ...(await workflow()), ...engines });
  // Software that the repository installs on its runners.
  const setUp = `env > "${root}/env"; echo "${fakeEngine(root)}" >> "$GITHUB_PATH"`;
  local.forge.setActionValue(person, 'work', 'variable', 'ECHELON_ENGINE_SETUP', setUp);
  local.forge.setActionValue(person, 'work', 'secret', 'ANTHROPIC_API_KEY', 'a model key');
  await label(local);
  // Tests at the base, the issues, the tests of both together, and a round that makes them fit.
  for (let times = 0; times < 6; times++) await settled(local);
  expect(statusOf((await board(local)) ?? '')).toBe('completed');
  const body = expect.stringContaining(' · worked by claude-code 9.9.9 · ');
  const opened = { user: { login: 'echelon[bot]' }, draft: true, body };
  expect(readFileSync(join(root, 'env'), 'utf8')).not.toContain('a model key');
  const pulls = Pulls.parse(await call(local, 'GET', '/pulls'));
  expect(pulls).toEqual([opened, opened]);
  const proven = 'fail without the change (exit 1). With it they pass.';
  expect(pulls.filter(({ body }) => body.includes(proven))).toHaveLength(1);
  expect(await board(local)).not.toContain('fail together');
  expect(
    (await jobsOf(local)).map(({ name, conclusion }) => `${name.replace(/\[\w+\]/, '[op]')}: ${conclusion}`),
  ).toEqual([
    'Echelon #1 / tests at the base [op] / work: success',
    'Echelon #1 / #2, attempt 1 [op] / work: success',
    'Echelon #1 / #3, attempt 1 [op] / work: success',
    'Echelon #1 / tests of all together [op] / work: success',
    'Echelon #1 / #3, attempt 1 [op] / work: success',
  ]);
  const writers = local.forge.calls.filter(({ kind }) => kind === 'write').map(({ actor }) => actor);
  expect(writers).toContain('echelon[bot]');
  expect(writers).not.toContain('github-actions[bot]');
  expect(Refs.parse(await call(local, 'GET', '/git/matching-refs/heads/echelon/jobs'))).toEqual([]);
  expect(readdirSync(join(root, 'stage-1', 'actions'))).toEqual([]);
}, 180_000);

test('no workflow that works them: nothing begins, and the issue says what to type', async () => {
  const local = await open({});
  await label(local);
  await settled(local);
  expect(await board(local)).toMatch(/^The run does not begin: .*echelon\.yml.* echelon init --app/);
});

test('/cancel ends the workflow that holds the jobs', async () => {
  const begun = Promise.withResolvers<void>();
  const local = await open(
    { ...(await workflow()), '.github/echelon.yml': configuration.replace(/^test: .*\n/m, '') },
    usual => ({
      ...usual,
      async carryOut(_core, _job, { signal }) {
        begun.resolve();
        await new Promise(done => signal.addEventListener('abort', done));
        return { conclusion: 'cancelled', outputs: {}, steps: [] };
      },
    }),
  );
  await label(local);
  await begun.promise;
  await call(local, 'POST', '/issues/1/comments', { body: '/cancel' });
  await settled(local);
  expect((await jobsOf(local)).map(({ conclusion }) => conclusion)).toEqual(['cancelled', 'cancelled']);
  expect(statusOf((await board(local)) ?? '')).toBe('cancelled');
  expect(Refs.parse(await call(local, 'GET', '/git/matching-refs/heads/echelon/jobs'))).toEqual([]);
}, 60_000);

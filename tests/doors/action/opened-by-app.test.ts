// Who opens the draft pull requests on Actions: the job itself, whose checks wait for a person, or an App, whose checks start.
import { mkdtempSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type LocalActions, openLocalActions } from '../../../src/doors/cli/local-actions.ts';
import { git } from '../../../src/workspace/git.ts';
import { director, evaluator, issues, quietLeads, teamLead, work } from '../../dialogue/script.ts';

const person = 'you';
const replies = [
  ...quietLeads,
  teamLead('To work.', issues({ title: 'Add a mark' }), work),
  ...director('Add a mark', { 'mark.txt': 'x\n' }),
  evaluator('Add a mark', true),
];
/** What the repository checks its pull requests with. */
const checks = `on: pull_request
jobs:
  tests:
    runs-on: ubuntu-latest
    steps: [{ run: 'true' }]
`;

const root = mkdtempSync(join(tmpdir(), 'echelon-opened-'));
let local: LocalActions;
beforeAll(async () => {
  const from = join(root, 'work');
  mkdirSync(join(from, '.github/workflows'), { recursive: true });
  writeFileSync(join(from, '.github/workflows/checks.yml'), checks);
  writeFileSync(join(from, '.github/echelon.yml'), 'approval: none\nretries: 0\n');
  const as = ['-c', 'user.name=you', '-c', 'user.email=you@localhost'];
  await git(['init', '--quiet', '--initial-branch=main'], { cwd: from });
  await git(['add', '--all', '--force'], { cwd: from });
  await git([...as, 'commit', '--quiet', '--message=Begin'], { cwd: from });
  local = await openLocalActions({
    ...{ folder: join(root, 'stage'), person, test: undefined, log: () => {} },
    repository: { owner: person, name: 'work', from },
    model: { provider: 'scripted', file: 'script.json', script: JSON.stringify({ version: 1, replies }) },
    host: { path: process.env['PATH'] ?? '', allows: { isolationNone: false, network: false } },
  });
}, 120_000);
afterAll(async () => {
  await local.close();
  rmSync(root, { recursive: true, force: true });
});

async function call(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await local.forge.call(person, method, `/repos/${person}/work${path}`, body);
  if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

const Named = z.object({ number: z.int() });
const By = z.object({ user: z.object({ login: z.string() }) });
const Pull = By.extend({ number: z.int(), body: z.string(), draft: z.boolean() });
const Comments = z.array(By.extend({ body: z.string() }));
const Runs = z.object({ workflow_runs: z.array(z.object({ event: z.string(), status: z.string() })) });

/** A directive is worked to its end; its pull request, the checks that ran, and all that was said. */
async function worked() {
  const { number } = Named.parse(await call('POST', '/issues', { title: 'Mark it', body: 'Now.' }));
  await call('POST', `/issues/${number}/labels`, { labels: ['echelon'] });
  await local.idle();
  const pull = z.array(Pull).parse(await call('GET', '/pulls?state=all'))[0];
  const { workflow_runs } = Runs.parse(await call('GET', '/actions/runs?per_page=100'));
  const said = Comments.parse(await call('GET', '/issues/comments?per_page=100'));
  return {
    pull,
    checks: workflow_runs.filter(({ event }) => event === 'pull_request').map(({ status }) => status),
    speakers: [...new Set(said.map(({ user }) => user.login))],
    status: (await local.view(number))?.status,
  };
}

const set = (name: string, value: string) =>
  local.forge.setActionValue(person, 'work', 'secret', name, value);

test('without an App, and with half of its secrets, the job opens it: no check starts, and it says so', async () => {
  set('ECHELON_APP_ID', '12');
  const { pull, checks, status } = await worked();
  expect([status, pull?.user.login, pull?.draft, checks]).toEqual([
    'completed',
    'github-actions[bot]',
    true,
    [],
  ]);
  expect(pull?.body).toMatch(/wait for your approval.*Approve workflows to run/);
}, 120_000);

test('with an App it is the App that opens it, and nothing else: its checks start, and the record stays whole', async () => {
  const permissions = { contents: 'write', pull_requests: 'write', issues: 'write' };
  const app = local.forge.registerApp({
    ...{ slug: 'opener', name: 'opener', webhookUrl: '', events: [], permissions },
  });
  local.forge.installApp('opener', person, 'work');
  set('ECHELON_APP_ID', String(app.id));
  set('ECHELON_APP_PRIVATE_KEY', app.privateKey);
  const { pull, checks, status, speakers } = await worked();
  expect([status, pull?.user.login, pull?.draft, checks]).toEqual([
    'completed',
    'opener[bot]',
    true,
    ['completed'],
  ]);
  expect(pull?.body).not.toContain('wait for your approval');
  expect(speakers).toEqual(['github-actions[bot]']);
  const written = local.forge.calls.filter(({ actor, kind }) => actor === 'opener[bot]' && kind === 'write');
  expect(written.map(({ route }) => route)).toEqual([
    expect.stringContaining('git-receive-pack'),
    'POST /repos/{owner}/{repo}/pulls',
    'DELETE /installation/token',
  ]);
}, 120_000);

/** What was said last on a pull request after a question there. */
async function answered(pull: number) {
  await call('POST', `/issues/${pull}/comments`, { body: '/status' });
  await local.idle();
  return Comments.parse(await call('GET', `/issues/${pull}/comments`)).at(-1);
}

test('a question on a pull request that the App opened is answered', async () => {
  const [pull] = z.array(Pull).parse(await call('GET', '/pulls?state=all'));
  expect(pull?.user.login).toBe('opener[bot]');
  expect(await answered(pull?.number ?? 0)).toMatchObject({
    user: { login: 'github-actions[bot]' },
    body: expect.stringContaining('completed'),
  });
}, 120_000);

test('a pull request that a person opens with the same words is none of ours', async () => {
  const [ours] = z
    .array(Pull.extend({ head: z.object({ ref: z.string(), sha: z.string() }) }))
    .parse(await call('GET', '/pulls?state=all'));
  const head = `${ours?.head.ref}-too`;
  await call('POST', '/git/refs', { ref: `refs/heads/${head}`, sha: ours?.head.sha });
  const twin = Named.parse(
    await call('POST', '/pulls', { title: 'Mine', body: ours?.body, head, base: 'main' }),
  );
  expect(await answered(twin.number)).toMatchObject({ user: { login: person }, body: '/status' });
}, 120_000);

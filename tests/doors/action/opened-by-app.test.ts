// Author of draft pull requests on Actions: the job itself, whose checks wait for a person, or an App, whose checks
// start.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { statusOf } from '../../board.ts';
import { bot, type OneIssue, openOneIssue, person } from './one-issue.ts';

/** The repository's checks of pull requests. */
const checks = `on: pull_request
jobs:
  tests:
    runs-on: ubuntu-latest
    steps: [{ run: 'true' }]
`;

let repository: OneIssue;
beforeAll(async () => {
  repository = await openOneIssue({
    '.github/workflows/checks.yml': checks,
    '.github/echelon.yml': "approval: none\nretries: 0\ntest: 'true'\nchecks: auto\n",
  });
}, 120_000);
afterAll(() => repository.close());

const Runs = z.object({
  workflow_runs: z.array(z.object({ event: z.string(), conclusion: z.string().nullable() })),
});

/** Statuses of a commit, with their creators. */
const Statuses = z.array(
  z.object({ context: z.string(), state: z.string(), creator: z.object({ login: z.string() }) }),
);

/** A directive is worked to its end: its pull request, the checks that ran, who has said anything. */
async function worked() {
  const { call, allComments, directive, pull, view } = repository;
  const number = await directive();
  const { workflow_runs } = Runs.parse(await call('GET', '/actions/runs?per_page=100'));
  return {
    pull: await pull(),
    checks: workflow_runs.filter(({ event }) => event === 'pull_request').map(({ conclusion }) => conclusion),
    speakers: [...new Set((await allComments()).map(({ user }) => user.login))],
    status: (await view(number))?.status,
  };
}

test('without an App, and with half of its secrets, the job opens it: its checks wait for approval, and it says so', async () => {
  repository.set('ECHELON_APP_ID', '12');
  const { pull, checks, status } = await worked();
  expect([status, pull?.user.login, pull?.draft, checks]).toEqual([
    'completed',
    bot,
    true,
    ['action_required'],
  ]);
  expect(pull?.body).toMatch(/wait for your approval.*Approve workflows to run/);
  const shown = await repository.call('GET', `/commits/${pull?.head.sha}/statuses`);
  expect(Statuses.parse(shown)).toEqual([
    { context: 'echelon/tests', state: 'success', creator: { login: bot } },
  ]);
}, 120_000);

test('the board tells how many of its calls the token of the jobs has used', async () => {
  const [{ body } = { body: '' }] = await repository.comments(1);
  const [, used] = /Calls to GitHub this hour: (\d+) of 1,000\./.exec(body) ?? [];
  const written = repository.forge.calls.filter(({ actor }) => actor === bot);
  expect(Number(used)).toBeGreaterThan(10);
  expect(Number(used)).toBeLessThanOrEqual(written.length);
});

test('with an App it is the App that opens it, and nothing else: its checks start, and the record stays whole', async () => {
  const { forge, set } = repository;
  const permissions = { contents: 'write', pull_requests: 'write', issues: 'write' };
  const app = forge.registerApp({
    ...{ slug: 'opener', name: 'opener', webhookUrl: '', events: [], permissions },
  });
  forge.installApp('opener', person, 'work');
  set('ECHELON_APP_ID', String(app.id));
  set('ECHELON_APP_PRIVATE_KEY', app.privateKey);
  const { pull, checks, status, speakers } = await worked();
  expect([status, pull?.user.login, pull?.draft, checks]).toEqual([
    'completed',
    'opener[bot]',
    true,
    ['success', 'action_required'],
  ]);
  expect(pull?.body).not.toContain('wait for your approval');
  expect(speakers).toEqual([bot]);
  const written = forge.calls.filter(({ actor, kind }) => actor === 'opener[bot]' && kind === 'write');
  const routes = written.map(({ route }) => route);
  const ends = 'DELETE /installation/token';
  expect(routes.filter(route => route !== ends)).toEqual([
    'POST /repos/{owner}/{repo}/git/trees',
    'POST /repos/{owner}/{repo}/git/commits',
    'POST /repos/{owner}/{repo}/git/refs',
    'POST /repos/{owner}/{repo}/pulls',
  ]);
  expect(routes.at(-1)).toBe(ends);
}, 120_000);

test('a question on a pull request that the App opened is answered', async () => {
  const pull = await repository.pull();
  expect(pull?.user.login).toBe('opener[bot]');
  await repository.say(pull?.number ?? 0, '/status');
  const answer = (await repository.comments(pull?.number ?? 0)).at(-1);
  expect([answer?.user.login, statusOf(answer?.body ?? '')]).toEqual([bot, 'completed']);
}, 120_000);

test('a pull request that a person opens with the same words is none of ours', async () => {
  const { call, pull, say, comments } = repository;
  const ours = await pull();
  const head = `${ours?.head.ref}-too`;
  await call('POST', '/git/refs', { ref: `refs/heads/${head}`, sha: ours?.head.sha });
  await call('POST', '/pulls', { title: 'Mine', body: ours?.body, head, base: 'main' });
  const twin = (await pull())?.number ?? 0;
  expect(twin).not.toBe(ours?.number);
  await say(twin, '/status');
  expect((await comments(twin)).at(-1)).toMatchObject({ user: { login: person }, body: '/status' });
}, 120_000);

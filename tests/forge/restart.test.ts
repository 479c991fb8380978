// Persistence of the forge: over close and reopen, in a copy of its folder, and when a call is cut off.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openForge } from '../../packages/forge/forge.ts';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, installTestApp, openReceiver, openTestForge, type TestForge } from './fixture.ts';
import { DatabaseSync } from 'node:sqlite';

/** Everything a client can see, without the address, which changes with the port. */
async function everything(t: TestForge): Promise<unknown> {
  const paths = [
    '',
    '/collaborators',
    '/branches',
    '/labels',
    '/issues?state=all',
    '/issues/comments',
    '/issues/1/events',
    '/issues/1/sub_issues',
    '/pulls?state=all',
    '/pulls/3',
    '/pulls/3/files',
    '/pulls/3/reviews',
    '/commits',
    '/commits/feature/check-runs',
  ];
  const answers = await Promise.all(
    paths.map(path => t.forge.call('olga', 'GET', `/repos/olga/work${path}`)),
  );
  expect(answers.map(answer => answer.status)).toEqual(paths.map(() => 200));
  return JSON.parse(
    JSON.stringify(answers.map(answer => answer.body)).replaceAll(new URL(t.forge.url).host, 'host'),
  );
}

async function inhabited(): Promise<TestForge & { hookUrl: string }> {
  const t = await openTestForge();
  await using hook = await openReceiver();
  const { app, installation } = installTestApp(t.forge, hook.url);
  const { issues, pulls, reactions } = t.as('olga');
  await issues.create({ ...at, title: 'One', body: 'Text', labels: ['echelon'], assignees: ['wanda'] });
  const { data: child } = await issues.create({ ...at, title: 'Child' });
  await issues.addSubIssue({ ...at, issue_number: 1, sub_issue_id: child.id });
  const { data: said } = await issues.createComment({ ...at, issue_number: 1, body: 'Said' });
  await reactions.createForIssueComment({ ...at, comment_id: said.id, content: 'eyes' });
  const { data } = await pulls.create({ ...at, title: 'P', head: 'feature', base: 'main', draft: true });
  await t.as('tom').pulls.createReview({ ...at, pull_number: data.number, event: 'APPROVE' });
  await t.asApp(app, installation).checks.create({ ...at, name: 'tests', head_sha: data.head.sha });
  await t.forge.webhooksSettled();
  return Object.assign(t, { hookUrl: hook.url });
}

test('all is there after close and reopen', async () => {
  await using t = await inhabited();
  const before = await everything(t);
  const [token, deliveries] = [t.forge.tokenFor('wanda'), t.forge.deliveries()];
  const { app, installation } = installTestApp(t.forge, t.hookUrl);
  const client = t.asApp(app, installation);
  const { token: taken } = (await client.auth({ type: 'installation' })) as { token: string };
  await t.reopen();
  expect(await everything(t)).toEqual(before);
  expect(t.forge.tokenFor('wanda')).toBe(token);
  expect(t.forge.deliveries()).toEqual(deliveries);
  expect(installTestApp(t.forge, t.hookUrl)).toEqual({ app, installation });
  const answer = await fetch(`${t.forge.api}/installation/repositories`, {
    headers: { authorization: `token ${taken}` },
  });
  expect(answer.status).toBe(200);
  const { data } = await t.as('olga').issues.create({ ...at, title: 'Next' });
  expect(data.number).toBe(4);
});

test('a copy of the folder is a forge of its own', async () => {
  await using t = await inhabited();
  const before = await everything(t);
  const folder = join(t.root, 'copy');
  cpSync(t.forge.folder, folder, { recursive: true });
  await t.as('olga').issues.create({ ...at, title: 'Only in the original' });
  await t.reopen({});
  const copy = await openForge({ folder });
  try {
    const { body } = await copy.call('olga', 'GET', '/repos/olga/work/issues?state=all');
    expect(body).toHaveLength(3);
    expect(before).toBeDefined();
  } finally {
    await copy.close();
  }
});

test('a push that no forge was there to see is caught up on at the next opening', async () => {
  await using t = await openTestForge();
  const clone = await t.clone('olga');
  const bare = join(t.forge.folder, 'git', 'olga', 'work.git');
  await t.forge.close();
  const sha = await commit(clone, { 'x.txt': 'x' }, 'Late');
  await git(clone, ['push', '--quiet', bare, 'HEAD:refs/heads/main']);
  await t.reopen();
  expect((await t.as('sam').git.getRef({ ...at, ref: 'heads/main' })).data.object.sha).toBe(sha);
});

describe('a call cut off', () => {
  test.each([
    ['received', 0],
    ['applied', 1],
  ] as const)('when %s gets no answer and has had %i effects', async (when, effects) => {
    let armed = false;
    await using t = await openTestForge({
      onCall(call, phase) {
        if (armed && phase === when && call.route === 'POST /repos/{owner}/{repo}/issues')
          throw new Error('cut');
      },
    });
    await using hook = await openReceiver();
    installTestApp(t.forge, hook.url);
    armed = true;
    // Octokit has no status for it: there was no answer.
    await expect(t.as('olga').issues.create({ ...at, title: 'x' })).rejects.toMatchObject({ status: 500 });
    await t.forge.webhooksSettled();
    expect([(await t.as('olga').issues.listForRepo(at)).data.length, hook.received.length]).toEqual([
      effects,
      effects,
    ]);
  });

  test.each([
    ['received', false],
    ['applied', true],
  ] as const)('a push, when %s', async (when, landed) => {
    let armed = false;
    await using t = await openTestForge({
      onCall(call, phase) {
        if (armed && phase === when && call.route.endsWith('/git-receive-pack')) throw new Error('cut');
      },
    });
    const clone = await t.clone('olga');
    const sha = await commit(clone, { 'x.txt': 'x' }, 'Pushed');
    armed = true;
    await expect(git(clone, ['push', '--quiet'])).rejects.toThrow();
    const { data } = await t.as('sam').git.getRef({ ...at, ref: 'heads/main' });
    expect(data.object.sha === sha).toBe(landed);
  });
});

test('calls are counted, named and attributed', async () => {
  const phases: string[] = [];
  await using t = await openTestForge({ onCall: ({ n }, phase) => void phases.push(`${n} ${phase}`) });
  const { app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/');
  await t.asApp(app, installation).issues.create({ ...at, title: 'x' });
  await t.as(null).issues.get({ ...at, issue_number: 1 });
  await t.as('sam').graphql('{ viewer { login } }');
  expect(t.forge.calls.map(({ n, route, kind, actor }) => [n, route, kind, actor])).toEqual([
    [1, 'POST /app/installations/{installation_id}/access_tokens', 'write', 'app:echelon'],
    [2, 'POST /repos/{owner}/{repo}/issues', 'write', 'echelon[bot]'],
    [3, 'GET /repos/{owner}/{repo}/issues/{issue_number}', 'read', null],
    [4, 'POST /graphql', 'read', 'sam'],
  ]);
  expect(phases).toEqual([1, 2, 3, 4].flatMap(n => [`${n} received`, `${n} applied`]));
});

test('a port in use is an error, and leaves the folder free', async () => {
  await using t = await openTestForge();
  const port = Number(new URL(t.forge.url).port);
  const folder = join(t.root, 'other');
  await expect(openForge({ folder, port })).rejects.toThrow('EADDRINUSE');
  await (await openForge({ folder })).close();
});

test('a program that reads the database holds a call up, and does not end it', async () => {
  await using t = await openTestForge();
  const file = join(t.forge.folder, 'forge.sqlite');
  const reads = `
    const file = new (require('node:sqlite').DatabaseSync)(process.argv[1]);
    file.exec('BEGIN');
    file.prepare('SELECT * FROM users').all();
    console.log('reads');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);`;
  const reader = spawn(process.execPath, ['-e', reads, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(reader.stdout, 'data');
  expect((await t.as('olga').issues.create({ ...at, title: 'One' })).status).toBe(201);
});

test('a forge without the newer columns and tables keeps what it had', async () => {
  await using t = await openTestForge();
  await t.as('olga').issues.create({ ...at, title: 'Old' });
  await t.forge.close();
  const old = new DatabaseSync(join(t.forge.folder, 'forge.sqlite'));
  old.exec('DROP TABLE secret_keys');
  for (const column of ['repositories DROP selected_actions', 'repositories DROP homepage', 'jobs DROP key'])
    old.exec(`ALTER TABLE ${column}`);
  old.close();
  await t.reopen();
  const { issues, actions, repos } = t.as('olga');
  expect((await issues.get({ ...at, issue_number: 1 })).data.title).toBe('Old');
  expect((await actions.getRepoPublicKey(at)).status).toBe(200);
  await actions.setGithubActionsPermissionsRepository({ ...at, enabled: true, allowed_actions: 'selected' });
  expect((await actions.getAllowedActionsRepository(at)).data.github_owned_allowed).toBe(true);
  expect((await repos.get(at)).data.homepage).toBe(null);
});

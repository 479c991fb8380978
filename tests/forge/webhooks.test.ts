// Webhooks: what is sent, in what order, how it is signed, and what becomes of failures.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { pino } from 'pino';
import { Probot, ProbotOctokit } from 'probot';
import { describe, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, installTestApp, openReceiver, openTestForge, type Received } from './fixture.ts';

const names = (received: Received[]) =>
  received.map(({ event, action }) => (action ? `${event}.${action}` : event));

test('each change of an issue is told, in order, with the objects as they then were', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  const { installation } = installTestApp(t.forge, hook.url);
  const { issues } = t.as('olga');
  await issues.create({ ...at, title: 'One', labels: ['echelon'], assignees: ['wanda'] });
  const { data: comment } = await issues.createComment({ ...at, issue_number: 1, body: 'a' });
  await issues.updateComment({ ...at, comment_id: comment.id, body: 'b' });
  await issues.deleteComment({ ...at, comment_id: comment.id });
  await issues.update({ ...at, issue_number: 1, title: 'Two', body: 'Text' });
  await issues.removeLabel({ ...at, issue_number: 1, name: 'echelon' });
  await issues.update({ ...at, issue_number: 1, state: 'closed' });
  await issues.update({ ...at, issue_number: 1, state: 'open' });
  await t.forge.webhooksSettled();
  expect(names(hook.received)).toEqual([
    'issues.opened',
    'issues.labeled',
    'issues.assigned',
    'issue_comment.created',
    'issue_comment.edited',
    'issue_comment.deleted',
    'issues.edited',
    'issues.unlabeled',
    'issues.closed',
    'issues.reopened',
  ]);
  const [opened, labeled, assigned, , edited] = hook.received.map(each => each.payload);
  const common = {
    repository: { full_name: 'olga/work' },
    sender: { login: 'olga' },
    installation: { id: installation },
  };
  expect(opened).toMatchObject({ ...common, issue: { number: 1, title: 'One', labels: [] } });
  expect(labeled).toMatchObject({
    ...common,
    label: { name: 'echelon' },
    issue: { labels: [{ name: 'echelon' }] },
  });
  expect(assigned).toMatchObject({ ...common, assignee: { login: 'wanda' } });
  expect(edited).toMatchObject({
    ...common,
    changes: { body: { from: 'a' } },
    comment: { body: 'b' },
    issue: {},
  });
});

test('whatever name a client calls the forge by, a payload has its own address', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  installTestApp(t.forge, hook.url);
  const api = t.forge.api.replace('127.0.0.1', 'localhost');
  const headers = { authorization: `token ${t.forge.tokenFor('olga')}` };
  const send = async (path: string, body: object) =>
    await (await fetch(api + path, { method: 'POST', headers, body: JSON.stringify(body) })).text();
  const answers = [
    await send('/repos/olga/work/issues', { title: 'One', labels: ['bug'], assignees: ['olga'] }),
    await send('/repos/olga/work/issues/1/comments', { body: 'a' }),
    await send('/repos/olga/work/pulls', { title: 'Turn', head: 'feature', base: 'main' }),
    await send('/repos/olga/work/pulls/2/reviews', { event: 'COMMENT', body: 'b' }),
  ];
  for (const answer of answers) {
    expect(answer).toContain(`${api}/repos/olga/work/`);
    expect(answer).not.toContain('127.0.0.1');
  }
  await t.forge.webhooksSettled();
  expect(hook.received.length).toBeGreaterThanOrEqual(6);
  for (const { payload } of hook.received) {
    expect(JSON.stringify(payload)).toContain(`${t.forge.api}/repos/olga/work`);
    expect(JSON.stringify(payload)).not.toContain('localhost');
  }
});

test('pull requests, pushes, reviews and checks are told', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  const { app, installation } = installTestApp(t.forge, hook.url);
  const { data } = await t.as('wanda').pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' });
  const clone = await t.clone('wanda');
  await git(clone, ['checkout', '--quiet', 'feature']);
  const after = await commit(clone, { 'x.txt': 'x' }, 'More');
  await git(clone, ['push', '--quiet']);
  const place = { ...at, pull_number: data.number };
  await t
    .as('tom')
    .pulls.createReview({ ...place, event: 'APPROVE', comments: [{ path: 'x.txt', line: 1, body: 'ok' }] });
  await t
    .asApp(app, installation)
    .checks.create({ ...at, name: 'tests', head_sha: after, status: 'completed', conclusion: 'success' });
  await t.as('wanda').pulls.merge({ ...place, merge_method: 'squash' });
  await t.forge.webhooksSettled();
  expect(names(hook.received)).toEqual([
    'pull_request.opened',
    'push',
    'pull_request.synchronize',
    'pull_request_review.submitted',
    'pull_request_review_comment.created',
    'check_run.created',
    'check_run.completed',
    'pull_request.closed',
    'push',
  ]);
  const payload = (name: string) =>
    hook.received.find((_each, index) => names(hook.received)[index] === name)?.payload;
  const before = data.head.sha;
  expect(payload('push')).toMatchObject({
    ref: 'refs/heads/feature',
    before,
    after,
    forced: false,
    commits: [{ id: after, message: 'More' }],
    pusher: { name: 'wanda' },
  });
  expect(payload('pull_request.synchronize')).toMatchObject({
    before,
    after,
    pull_request: { head: { sha: after } },
  });
  expect(payload('pull_request_review.submitted')).toMatchObject({ review: { state: 'approved' } });
  expect(payload('check_run.created')).toMatchObject({ check_run: { pull_requests: [{ number: 1 }] } });
  expect(payload('pull_request.closed')).toMatchObject({ number: 1, pull_request: { merged: true } });
});

test('are signed over the raw body, with their event and a GUID of their own', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  const { app } = installTestApp(t.forge, hook.url);
  await t.as('olga').issues.create({ ...at, title: 'Ümlaut \u{1f600}' });
  await t.as('olga').issues.create({ ...at, title: 'Two' });
  await t.forge.webhooksSettled();
  for (const { raw, headers } of hook.received) {
    const mac = createHmac('sha256', app.webhookSecret).update(raw).digest('hex');
    expect(headers).toMatchObject({
      'x-hub-signature-256': `sha256=${mac}`,
      'x-github-event': 'issues',
      'x-github-hook-id': expect.stringMatching(/^\d+$/),
      'user-agent': expect.stringMatching(/^GitHub-Hookshot\//),
      'content-type': 'application/json',
    });
  }
  expect(new Set(hook.received.map(({ headers }) => headers['x-github-delivery'])).size).toBe(2);
});

test('only apps hear that subscribed and are installed there', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  const settings = { name: 'x', webhookUrl: hook.url, permissions: {} };
  t.forge.registerApp({ ...settings, slug: 'elsewhere', events: ['issues'] });
  t.forge.registerApp({ ...settings, slug: 'deaf', events: ['push'] });
  t.forge.installApp('deaf', at.owner, at.repo);
  await t.as('olga').issues.create({ ...at, title: 'One' });
  await t.forge.webhooksSettled();
  expect(t.forge.deliveries()).toEqual([]);
});

test('a refused change tells nothing', async () => {
  await using t = await openTestForge();
  await using hook = await openReceiver();
  installTestApp(t.forge, hook.url);
  const body = { title: 'x', labels: ['fine', 'x'.repeat(51)] };
  expect((await t.forge.call('olga', 'POST', '/repos/olga/work/issues', body)).status).toBe(422);
  await t.forge.webhooksSettled();
  expect([t.forge.deliveries(), (await t.as('olga').issues.listForRepo(at)).data]).toEqual([[], []]);
});

describe('deliveries', () => {
  test('that fail are logged, not retried, and sent again by hand under their GUID', async () => {
    await using t = await openTestForge();
    await using hook = await openReceiver(500);
    installTestApp(t.forge, hook.url);
    await t.as('olga').issues.create({ ...at, title: 'One' });
    await t.forge.webhooksSettled();
    const [failed] = t.forge.deliveries();
    expect(failed).toMatchObject({ status_code: 500, state: 'done', redelivery: 0, response_body: 'heard' });
    hook.status = 200;
    await t.forge.redeliver(failed?.id ?? 0);
    const [first, second] = hook.received;
    expect(second?.raw).toBe(first?.raw);
    expect(t.forge.deliveries()[1]).toMatchObject({
      guid: failed?.guid,
      redelivery: 1,
      status: 'OK',
      status_code: 200,
    });
  });

  test('to nobody are logged', async () => {
    await using t = await openTestForge();
    installTestApp(t.forge, 'http://127.0.0.1:1/hook');
    await t.as('olga').issues.create({ ...at, title: 'One' });
    await t.forge.webhooksSettled();
    expect(t.forge.deliveries()[0]).toMatchObject({
      status_code: 0,
      status: expect.stringMatching(/^failed to connect/),
    });
  });

  test('not yet sent outlive the forge; one under way is not sent again', async () => {
    await using t = await openTestForge();
    let heard: () => void = () => {};
    const first = new Promise<void>(done => (heard = done));
    const mute = createServer(() => heard());
    await new Promise<void>(done => mute.listen(0, '127.0.0.1', done));
    const address = mute.address();
    installTestApp(t.forge, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`);
    for (const title of ['One', 'Two', 'Three']) await t.as('olga').issues.create({ ...at, title });
    await first;
    await t.reopen();
    mute.closeAllConnections();
    mute.close();
    await t.forge.webhooksSettled();
    await using hook = await openReceiver();
    installTestApp(t.forge, hook.url);
    await t.as('olga').issues.create({ ...at, title: 'Four' });
    await t.forge.webhooksSettled();
    expect(t.forge.deliveries().map(({ state, status_code }) => [state, status_code])).toEqual([
      ['done', 0],
      ['done', 0],
      ['done', 0],
      ['done', 200],
    ]);
    expect(hook.received.map(({ payload }) => payload['issue'])).toMatchObject([{ title: 'Four' }]);
  });

  test('are what the app itself sees', async () => {
    await using t = await openTestForge();
    await using hook = await openReceiver();
    const { app, installation } = installTestApp(t.forge, hook.url);
    await t.as('olga').issues.create({ ...at, title: 'One' });
    await t.forge.webhooksSettled();
    // The strategy signs these routes as the app itself.
    const client = t.asApp(app, installation);
    const { data } = await client.apps.listWebhookDeliveries();
    expect(data).toMatchObject([
      { event: 'issues', action: 'opened', status: 'OK', status_code: 200, redelivery: false },
    ]);
  });
});

test('a real Probot app is driven by them and answers through the API', async () => {
  await using t = await openTestForge();
  const { app } = installTestApp(t.forge, 'http://127.0.0.1:1/');
  // Probot's own throttling would hold each write back for seconds; the function form is the one that lasts.
  const Fast = ProbotOctokit.defaults((options: { throttle?: object }) => ({
    ...options,
    throttle: { ...options.throttle, enabled: false },
    retry: { enabled: false },
  }));
  const probot = new Probot({
    appId: app.id,
    privateKey: app.privateKey,
    secret: app.webhookSecret,
    baseUrl: t.forge.api,
    log: pino({ level: 'silent' }),
    Octokit: Fast as unknown as typeof ProbotOctokit,
  });
  await probot.load(robot => {
    robot.on('issues.labeled', async context => {
      const { login } = context.payload.sender;
      const { data } = await context.octokit.rest.repos.getCollaboratorPermissionLevel({
        ...context.repo(),
        username: login,
      });
      const body = `${context.payload.label?.name} by ${login} (${data.permission})`;
      await context.octokit.rest.issues.createComment(context.issue({ body }));
    });
  });
  await probot.ready();
  const middleware = await probot.getNodeMiddleware({ path: '/hook' });
  const server = createServer((request, response) => void middleware(request, response));
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  installTestApp(t.forge, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/hook`);
  await t.as('wanda').issues.create({ ...at, title: 'Please', labels: ['echelon'] });
  await t.forge.webhooksSettled();
  server.closeAllConnections();
  server.close();
  const { data } = await t.as('olga').issues.listComments({ ...at, issue_number: 1 });
  expect(data.map(({ body, user }) => [user?.login, body])).toEqual([
    ['echelon[bot]', 'echelon by wanda (write)'],
  ]);
  expect(t.forge.deliveries().map(each => each.status_code)).toEqual([200, 200, 200]);
  expect(t.forge.missing).toEqual([]);
});

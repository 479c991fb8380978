// Webhooks of a repository, heard by real receivers.
import { createHmac } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, installTestApp, openReceiver, openTestForge, refusal, type TestForge } from './fixture.ts';

const secret = 'never to be shown';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge();
  await t.forge.addRepository({ owner: 'olga', name: 'other' });
});
afterAll(() => t[Symbol.asyncDispose]());

const nowhere = 'http://127.0.0.1:9/';
const make = async (url: string, more: { events?: string[]; active?: boolean; secret?: string } = {}) => {
  const { secret: signed, ...rest } = more;
  const config = { url, content_type: 'json', ...(signed && { secret: signed }) };
  return (await t.as('olga').repos.createWebhook({ ...at, config, ...rest })).data;
};
const remove = (hook_id: number) => t.as('olga').repos.deleteWebhook({ ...at, hook_id });

/** A server that answers each request as `answer` says, and tells how many came. */
async function openServer(answer: (response: ServerResponse) => void) {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    request.resume();
    answer(response);
  });
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`,
    count: () => count,
    [Symbol.asyncDispose]: () =>
      new Promise<void>(done => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}

describe('a hook', () => {
  test('is pinged, and hears signed of what it chose and of nothing else', async () => {
    await using receiver = await openReceiver();
    const hook = await make(receiver.url, { events: ['issues', 'milestone'], secret });
    await t.as('olga').issues.create({ ...at, title: 'Heard' });
    await t.as('olga').issues.createComment({ ...at, issue_number: 1, body: 'not heard' });
    await t.as('olga').issues.createMilestone({ ...at, title: 'Heard too' });
    await t.forge.webhooksSettled();
    expect(receiver.received.map(({ event, action }) => [event, action])).toEqual([
      ['ping', undefined],
      ['issues', 'opened'],
      ['milestone', 'created'],
    ]);
    for (const { raw, headers } of receiver.received) {
      const signature = createHmac('sha256', secret).update(raw).digest('hex');
      expect(headers).toMatchObject({
        'x-hub-signature-256': `sha256=${signature}`,
        'x-github-hook-id': `${hook.id}`,
        'x-github-hook-installation-target-type': 'repository',
        'content-type': 'application/json',
      });
      expect(raw).not.toContain(secret);
    }
    expect(receiver.received[0]?.payload).toMatchObject({
      hook_id: hook.id,
      hook: { config: { secret: '********' } },
      repository: { full_name: 'olga/work' },
      sender: { login: 'olga' },
    });
    expect(receiver.received[1]?.payload).toMatchObject({ issue: { title: 'Heard' } });
    await remove(hook.id);
  });

  test('may hear of all, unsigned; what happens elsewhere is not for it', async () => {
    await using receiver = await openReceiver();
    const asked = { ...at, config: { url: receiver.url }, events: ['*', 'push'] };
    receiver.status = 500;
    const { data: hook } = await t.as('olga').repos.createWebhook({ ...asked, active: false });
    await t.as('olga').repos.updateWebhook({
      ...at,
      hook_id: hook.id,
      active: true,
      config: { ...asked.config, content_type: 'json' },
    });
    await t.as('olga').issues.create({ owner: 'olga', repo: 'other', title: 'Elsewhere' });
    await t.as('olga').issues.create({ ...at, title: 'Here' });
    await t.forge.webhooksSettled();
    expect(receiver.received.map(({ event, payload }) => [event, payload['action']])).toEqual([
      ['issues', 'opened'],
    ]);
    expect(receiver.received[0]?.headers['x-hub-signature-256']).toBeUndefined();
    const { data: failed } = await t.as('olga').repos.getWebhook({ ...at, hook_id: hook.id });
    expect([failed.events, failed.last_response.code]).toEqual([['*'], 500]);
    await remove(hook.id);
  });

  test('gets a form where it asks for one', async () => {
    let body = '';
    await using server = await (async () => {
      const made = createServer((request, response) => {
        request.setEncoding('utf8').on('data', chunk => (body += chunk));
        request.on('end', () => response.end());
      });
      await new Promise<void>(done => made.listen(0, '127.0.0.1', done));
      const address = made.address();
      const port = typeof address === 'object' ? address?.port : 0;
      return { port, [Symbol.asyncDispose]: async () => void made.close() };
    })();
    const config = { url: `http://127.0.0.1:${server.port}/`, secret };
    const { data } = await t.as('olga').repos.createWebhook({ ...at, config });
    expect(data.config.content_type).toBe('form');
    await t.forge.webhooksSettled();
    const text = new URLSearchParams(body).get('payload') ?? '';
    expect(JSON.parse(text)).toMatchObject({ hook_id: data.id });
    const { data: log } = await t.as('olga').repos.listWebhookDeliveries({ ...at, hook_id: data.id });
    const shown = { ...at, hook_id: data.id, delivery_id: log[0]?.id ?? 0 };
    const { data: delivery } = await t.as('olga').repos.getWebhookDelivery(shown);
    expect(delivery.request.headers).toMatchObject({
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
    expect(JSON.stringify(delivery)).not.toContain(secret);
    await remove(data.id);
  });

  test('is tried out with the last push, pinged again, and sends a delivery again', async () => {
    await using receiver = await openReceiver();
    const hook = await make(receiver.url);
    const number = { ...at, hook_id: hook.id };
    const { repos } = t.as('olga');
    await repos.testPushWebhook(number);
    await repos.pingWebhook(number);
    await t.forge.webhooksSettled();
    expect(receiver.received.map(({ event }) => event)).toEqual(['ping', 'push', 'ping']);
    expect(receiver.received[1]?.payload).toMatchObject({
      ref: 'refs/heads/main',
      commits: [{ message: 'Begin' }],
      head_commit: { message: 'Begin' },
    });
    const { data: log } = await repos.listWebhookDeliveries(number);
    expect(log.map(({ event, status }) => [event, status])).toEqual([
      ['ping', 'OK'],
      ['push', 'OK'],
      ['ping', 'OK'],
    ]);
    await repos.redeliverWebhookDelivery({ ...number, delivery_id: log[1]?.id ?? 0 });
    await t.forge.webhooksSettled();
    expect(receiver.received.at(-1)?.raw).toBe(receiver.received[1]?.raw);
    expect((await repos.listWebhookDeliveries(number)).data[0]).toMatchObject({
      redelivery: true,
      guid: log[1]?.guid,
    });
    const paged = await t.as('olga').paginate(repos.listWebhookDeliveries, { ...number, per_page: 1 });
    expect(paged.map(({ event }) => event)).toEqual(['push', 'ping', 'push', 'ping']);
    const failures = { ...number, status: 'failure' } as const;
    expect((await repos.listWebhookDeliveries(failures)).data).toEqual([]);
    await repos.updateWebhook({ ...number, events: ['issues'] });
    await repos.testPushWebhook(number);
    await t.forge.webhooksSettled();
    expect(receiver.received).toHaveLength(4);
    await remove(hook.id);
  });

  test('is not led elsewhere by a redirect', async () => {
    await using target = await openServer(response => response.end());
    await using leading = await openServer(response =>
      response.writeHead(307, { location: target.url }).end(),
    );
    const hook = await make(leading.url);
    await t.forge.webhooksSettled();
    const { data } = await t.as('olga').repos.getWebhook({ ...at, hook_id: hook.id });
    expect([data.last_response.code, leading.count(), target.count()]).toEqual([307, 1, 0]);
    await remove(hook.id);
  });

  test('that does not answer holds up nobody else, and may be taken away meanwhile', async () => {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    await using deaf = await openServer(() => resolve());
    await using receiver = await openReceiver();
    const hook = await make(deaf.url, { events: ['issues'] });
    await reached;
    installTestApp(t.forge, receiver.url);
    await t.as('olga').issues.create({ ...at, title: 'Not held up' });
    await expect.poll(() => receiver.received.length).toBe(1);
    await remove(hook.id);
    expect(deaf.count()).toBe(1);
  });

  test('keeps its secret until a configuration without one takes its place', async () => {
    const hook = await make(nowhere, { secret, active: false });
    const number = { ...at, hook_id: hook.id };
    const { repos } = t.as('olga');
    const config = async () => (await repos.getWebhookConfigForRepo(number)).data;
    expect(await config()).toEqual({
      url: nowhere,
      content_type: 'json',
      insecure_ssl: '0',
      secret: '********',
    });
    await repos.updateWebhook({ ...number, add_events: ['issues'], remove_events: ['push'] });
    await repos.updateWebhookConfigForRepo({ ...number, content_type: 'form' });
    expect(await config()).toMatchObject({ content_type: 'form', secret: '********' });
    // Read and written back as it was shown.
    const { data: shown } = await repos.getWebhook(number);
    await t
      .as('olga')
      .request('PATCH /repos/{owner}/{repo}/hooks/{hook_id}', { ...number, config: shown.config });
    await repos.pingWebhook(number);
    await t.forge.webhooksSettled();
    const { data: log } = await repos.listWebhookDeliveries(number);
    const last = { ...number, delivery_id: log[0]?.id ?? 0 };
    const { data: sent } = await repos.getWebhookDelivery(last);
    const text = `${new URLSearchParams({ payload: JSON.stringify(sent.request.payload) })}`;
    expect(sent.request.headers?.['x-hub-signature-256']).toBe(
      `sha256=${createHmac('sha256', secret).update(text).digest('hex')}`,
    );
    await repos.updateWebhook({ ...number, config: { url: nowhere } });
    expect(await config()).toEqual({ url: nowhere, content_type: 'form', insecure_ssl: '0' });
    expect((await repos.getWebhook(number)).data).toMatchObject({ events: ['issues'], active: false });
    await remove(hook.id);
  });
});

const config = { url: nowhere };
test.each<[what: string, login: string | null, body: Record<string, unknown>, status: number]>([
  ['no configuration', 'olga', {}, 422],
  ['no address', 'olga', { config: {} }, 422],
  ['an address that is none', 'olga', { config: { url: 'nowhere' } }, 422],
  ['a file', 'olga', { config: { url: 'file:///etc/passwd' } }, 422],
  ['an address with a line break and nothing else', 'olga', { config: { url: '\r\n' } }, 422],
  ['a port that is none', 'olga', { config: { url: 'http://127.0.0.1:99999999/' } }, 422],
  ['a very long address', 'olga', { config: { url: `http://a.test/${'x'.repeat(3000)}` } }, 422],
  ['an event that is none', 'olga', { config, events: ['push', 'constructor'] }, 422],
  ['no event', 'olga', { config, events: [] }, 422],
  ['events that are no texts', 'olga', { config, events: [1] }, 422],
  ['another name', 'olga', { config, name: 'email' }, 422],
  ['a form of its own', 'olga', { config: { ...config, content_type: 'xml' } }, 422],
  ['who may only push', 'wanda', { config }, 403],
  ['a stranger', 'sam', { config }, 403],
  ['nobody', null, { config }, 401],
])('%s makes none', async (_what, login, body, status) => {
  const answer = await refusal(t.as(login).request('POST /repos/olga/work/hooks', body));
  expect(answer.status).toBe(status);
  expect((await t.as('olga').repos.listWebhooks(at)).data).toEqual([]);
});

test('an app without the permission neither reads nor sets them, also where all may read the repository', async () => {
  const { app, installation } = installTestApp(t.forge, nowhere);
  const { repos } = t.asApp(app, installation);
  expect((await refusal(repos.listWebhooks(at))).status).toBe(403);
  expect((await refusal(repos.createWebhook({ ...at, config }))).status).toBe(403);
});

test('a hook of another repository is not found, nor a delivery of another hook', async () => {
  const [mine, other] = [await make(nowhere), await make(`${nowhere}2`)];
  await t.forge.webhooksSettled();
  const { repos, request } = t.as('olga');
  const { data: log } = await repos.listWebhookDeliveries({ ...at, hook_id: other.id });
  const delivery_id = log[0]?.id ?? 0;
  const asked = (path: string) => refusal(request(`GET /repos/olga/${path}`));
  const statuses = await Promise.all(
    [
      `other/hooks/${mine.id}`,
      `other/hooks/${mine.id}/deliveries`,
      `work/hooks/${mine.id}/deliveries/${delivery_id}`,
      ...['-1', '1.5', 'one', '0', '99999999999999999999'].map(id => `work/hooks/${id}`),
    ].map(path => asked(path)),
  );
  expect(statuses.map(({ status }) => status)).toEqual(statuses.map(() => 404));
  for (const hook of [mine, other]) await remove(hook.id);
});

test('there are twenty at most, and none twice', async () => {
  const hooks = [];
  for (let n = 0; n < 20; n++) hooks.push(await make(`${nowhere}${n}`, { active: false }));
  expect((await refusal(make(`${nowhere}20`))).status).toBe(422);
  const [first, second] = hooks;
  const twin = {
    ...at,
    hook_id: first?.id ?? 0,
    config: { url: second?.config.url ?? '', content_type: 'json' },
  };
  expect((await refusal(t.as('olga').repos.updateWebhook(twin))).data).toMatchObject({
    errors: [{ message: 'Hook already exists on this repository' }],
  });
});

// The forge's web pages: what people read and do there, and what a hostile text or a foreign page cannot do.
import { get } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { pages } from '../../packages/forge/pages/pages.ts';
import { openReceiver, openTestForge, type TestForge, installTestApp } from './fixture.ts';
import { key, Visitor } from './visitor.ts';

const banner = 'The scripted model is playing.';

let opened: TestForge | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});

async function open(): Promise<TestForge> {
  opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key, banner }) });
  return opened;
}

describe('reading', () => {
  test('hostile titles, bodies, names of labels and files stay text', async () => {
    const { forge } = await open();
    const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>'`;
    const body = { title: hostile, body: `${hostile}\n<!-- hidden -->`, labels: [`<b onclick=x>`] };
    await forge.call('olga', 'POST', '/repos/olga/work/issues', body);
    const visitor = new Visitor(forge.url);
    for (const path of ['/olga/work/issues', '/olga/work/issues/1']) {
      const { status, text } = await visitor.read(path);
      expect(status).toBe(200);
      expect(text).not.toMatch(/<script(?! src="\/-\/live\.js")|<img|<b onclick|hidden -->/);
      expect(text).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    }
  });

  test('every page has the banner, the policy, and no script but its own, no inline style', async () => {
    const { forge } = await open();
    await forge.call('olga', 'POST', '/repos/olga/work/issues', { title: 'One', labels: ['bug'] });
    await forge.call('olga', 'POST', '/repos/olga/work/pulls', {
      title: 'Two',
      head: 'feature',
      base: 'main',
    });
    const visitor = new Visitor(forge.url);
    const paths = ['/', '/olga/work', '/olga/work/issues', '/olga/work/issues/1', '/olga/work/issues/new'];
    for (const path of [
      ...paths,
      '/olga/work/pulls',
      '/olga/work/pull/2',
      '/deliveries',
      '/none',
      '/olga/none',
    ]) {
      const { text, headers } = await visitor.read(path);
      expect(text).toContain(banner);
      expect(text.match(/<script[^>]*>/g)).toEqual([
        expect.stringMatching(/^<script src="\/-\/live\.js" integrity="sha384-[\w+/=]{64}" defer>$/),
      ]);
      expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/);
      const policy = headers.get('content-security-policy');
      expect(policy).toMatch(/^default-src 'none'; style-src 'self'/);
      expect(policy).toContain(`; script-src ${forge.url}/-/live.js;`);
    }
  });

  test('the form of an issue is filled in by its address, as on GitHub, and by an example', async () => {
    const body = 'Say it "so".\n\n<b>';
    const example = { repository: 'olga/work', title: 'An example', body, labels: 'bug, new' };
    opened = await openTestForge({
      pages: forge =>
        pages(forge, { actor: 'olga', key, examples: [example, { ...example, repository: 'a/b' }] }),
    });
    const { forge } = opened;
    await forge.call('olga', 'POST', '/repos/olga/work/labels', { name: 'bug', color: 'ff0000' });
    const visitor = new Visitor(forge.url);
    const form = '/olga/work/issues/new';
    expect((await visitor.read('/olga/work/issues')).text).toContain(`href="${form}?example=An+example"`);
    expect((await visitor.read(`${form}?title=A%20%22b%22&body=c`)).text).toMatch(
      /value="A &quot;b&quot;"[\s\S]*>\nc</,
    );
    const { text } = await visitor.read(`${form}?example=An+example`);
    expect(text).toContain('value="An example"');
    expect(text).toContain('>\nSay it &quot;so&quot;.\n\n&lt;b&gt;</textarea>');
    expect(text).toContain('name="label" value="bug" checked');
    expect(text).toContain('name="labels" value="new"');
    const sent = await visitor.send('/olga/work/issues', { title: 'T', body, label: 'bug', labels: 'new,' });
    const made = await forge.call('olga', 'GET', `/repos${sent.to}`);
    expect(made.body).toMatchObject({ body, labels: [{ name: 'bug' }, { name: 'new' }] });
  });

  test('a long conversation shows its beginning and its end, and all of it on demand', async () => {
    const { forge } = await open();
    await forge.call('olga', 'POST', '/repos/olga/work/issues', { title: 'Long' });
    for (let n = 1; n <= 60; n += 1)
      await forge.call('olga', 'POST', '/repos/olga/work/issues/1/comments', { body: `Comment ${n}.` });
    const visitor = new Visitor(forge.url);
    const shown = async (query: string) =>
      [...(await visitor.read(`/olga/work/issues/1${query}`)).text.matchAll(/Comment (\d+)\./g)].map(
        ([, n]) => n,
      );
    const some = await shown('');
    expect([some.length, some[9], some[10], some[49]]).toEqual([50, '10', '21', '60']);
    expect((await shown('?comments=all')).length).toBe(50);
    expect((await shown('?comments=all&page=2')).length).toBe(10);
    expect((await shown('?comments=all&page=3')).length).toBe(0);
    expect((await visitor.read('/olga/work/issues/1?comments=all&page=x')).status).toBe(404);
  });

  test('what is not there is a page that says so', async () => {
    const { forge } = await open();
    const visitor = new Visitor(forge.url);
    for (const path of [
      '/olga/work/issues/9',
      '/olga/work/issues/x',
      '/olga/none',
      '/..%2f/x',
      '/deliveries/9',
      '/a/b/c/d',
    ])
      expect((await visitor.read(path)).status).toBe(404);
  });

  test('a pull request shows its diff, and its number as an issue leads to it', async () => {
    const { forge } = await open();
    await forge.call('olga', 'POST', '/repos/olga/work/pulls', {
      title: 'Turn',
      head: 'feature',
      base: 'main',
      draft: true,
    });
    const { text } = await new Visitor(forge.url).read('/olga/work/issues/1');
    expect(text).toContain('<span class="state draft">draft</span>');
    expect(text).toContain('<span class="k-keyword">export</span> <span class="k-keyword">const</span>');
    const plain = text.replace(/<\/?span[^>]*>/g, '');
    expect(plain).toMatch(
      /<tr class="del"><td>1<\/td><td><\/td><td><code>-export const sum = \(a, b\) =&gt; a \+ b;<\/code>/,
    );
    expect(plain).toMatch(
      /<tr class="add"><td><\/td><td>1<\/td><td><code>\+export const sum = \(a, b\) =&gt; b \+ a;<\/code>/,
    );
  });
});

describe('changing', () => {
  test('an issue is created, labelled, commented on, closed and reopened; the webhooks fire', async () => {
    const { forge } = await open();
    await using receiver = await openReceiver();
    installTestApp(forge, receiver.url);
    const visitor = new Visitor(forge.url);
    await visitor.read('/olga/work/issues/new');
    const made = await visitor.send('/olga/work/issues', {
      title: 'Do it',
      body: 'one\r\ntwo',
      labels: 'bug, later',
    });
    expect(made).toMatchObject({ status: 303, to: '/olga/work/issues/1' });
    await visitor.send('/olga/work/issues/1/labels', { label: 'echelon' });
    await visitor.send('/olga/work/issues/1/labels/remove', { label: 'later' });
    await visitor.send('/olga/work/issues/1/comments', { body: '/approve', turn: '' });
    await visitor.send('/olga/work/issues/1/comments', { body: 'Enough', turn: 'close' });
    await visitor.send('/olga/work/issues/1/comments', { body: '', turn: 'reopen' });
    const { body } = await forge.call('olga', 'GET', '/repos/olga/work/issues/1');
    expect(body).toMatchObject({ state: 'open', body: 'one\ntwo', comments: 2, user: { login: 'olga' } });
    const { text } = await visitor.read('/olga/work/issues/1');
    expect([...text.matchAll(/<\/svg>([^<]+)<\/span>/g)].map(([, name]) => name)).toEqual(['bug', 'echelon']);
    await forge.webhooksSettled();
    const heard = receiver.received.map(({ event, action }) => `${event}.${action}`);
    expect(heard).toEqual([
      'issues.opened',
      'issues.labeled',
      'issues.labeled',
      'issues.labeled',
      'issues.unlabeled',
      'issue_comment.created',
      'issue_comment.created',
      'issues.closed',
      'issues.reopened',
    ]);
  });

  test('a draft is made ready, reviewed by somebody, and merged', async () => {
    const { forge } = await open();
    await forge.call('wanda', 'POST', '/repos/olga/work/pulls', {
      title: 'Turn',
      head: 'feature',
      base: 'main',
      draft: true,
    });
    const visitor = new Visitor(forge.url);
    const { text } = await visitor.read('/olga/work/pull/1');
    const id = /name="id" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await visitor.send('/olga/work/pull/1/ready', { id })).status).toBe(303);
    expect((await visitor.send('/olga/work/pull/1/reviews', { event: 'APPROVE', body: 'Good' })).status).toBe(
      303,
    );
    const sha = /name="sha" value="([^"]+)"/.exec((await visitor.read('/olga/work/pull/1')).text)?.[1] ?? '';
    expect((await visitor.send('/olga/work/pull/1/merge', { sha: '0'.repeat(40) })).status).toBe(400);
    expect((await visitor.send('/olga/work/pull/1/merge', { sha })).status).toBe(303);
    const after = (await visitor.read('/olga/work/pull/1')).text;
    expect(after).toContain('<span class="state merged">merged</span>');
    expect(after).toMatch(/<b>olga<\/b> approved/);
  });

  test("a refusal shows the API's own words", async () => {
    const { forge } = await open();
    const visitor = new Visitor(forge.url);
    await visitor.read('/olga/work/issues/new');
    const { status, text } = await visitor.send('/olga/work/issues', {
      title: 'Long',
      body: 'x'.repeat(65_537),
    });
    expect(status).toBe(422);
    expect(text).toContain('body is too long (maximum is 65536 characters)');
  });

  test('a form without an end is cut off', async () => {
    const { forge } = await open();
    const visitor = new Visitor(forge.url);
    await visitor.read('/olga/work/issues/new');
    const { status } = await visitor.send('/olga/work/issues', { title: 'Long', body: 'x'.repeat(1 << 20) });
    expect(status).toBe(413);
  });

  test('a delivery is shown and sent again', async () => {
    const { forge } = await open();
    await using receiver = await openReceiver();
    installTestApp(forge, receiver.url);
    await forge.call('olga', 'POST', '/repos/olga/work/issues', { title: 'One' });
    await forge.webhooksSettled();
    const [delivery] = forge.deliveries();
    const visitor = new Visitor(forge.url);
    expect((await visitor.read('/deliveries')).text).toContain('issues.opened');
    expect((await visitor.read(`/deliveries/${delivery?.id}`)).text).toContain(
      '&quot;title&quot;: &quot;One&quot;',
    );
    expect((await visitor.send(`/deliveries/${delivery?.id}`, {})).status).toBe(303);
    expect(receiver.received).toHaveLength(2);
  });
});

describe('a foreign page cannot drive the forge', () => {
  const form = { title: 'Mine', body: '' };
  test.each<[what: string, fields: Record<string, string>, headers: Record<string, string>]>([
    ['another origin', form, { origin: 'http://evil.test' }],
    ['the null origin of a sandboxed frame', form, { origin: 'null' }],
    ['another port of this machine', form, { origin: 'http://127.0.0.1:1' }],
    ['a cross-site request', form, { 'sec-fetch-site': 'cross-site' }],
    ['a same-site request of another port', form, { 'sec-fetch-site': 'same-site' }],
    ['no token', { ...form, csrf: '' }, {}],
    ["a token that is not the session's", { ...form, csrf: 'a'.repeat(64) }, {}],
    ['no session', form, { cookie: '' }],
  ])('%s', async (_what, fields, headers) => {
    const { forge } = await open();
    const visitor = new Visitor(forge.url);
    await visitor.read('/olga/work/issues/new');
    expect((await visitor.send('/olga/work/issues', fields, headers)).status).toBe(403);
    expect((await forge.call('olga', 'GET', '/repos/olga/work/issues')).body).toEqual([]);
  });

  test('a name of another site that resolves to this machine', async () => {
    const { forge } = await open();
    const { port } = new URL(forge.url);
    const app = pages(forge, { actor: 'olga', key });
    expect((await app.request(`http://evil.test:${port}/`)).status).toBe(403);
    for (const host of ['localhost', '127.0.0.1', '[::1]', 'github.localhost'])
      expect((await app.request(`http://${host}:${port}/?key=${key}`)).status).toBe(303);
  });

  test.each(['', '?key=', '?key=wrong', `?key=${key}x`])(
    'a browser without the key (%j) sees nothing',
    async query => {
      const { forge } = await open();
      const answer = await fetch(`${forge.url}/olga/work/issues${query}`, { redirect: 'manual' });
      expect(answer.status).toBe(403);
      expect(answer.headers.get('set-cookie')).toBe(null);
      const text = await answer.text();
      expect(text).toContain('Open the address with ?key=... that it printed');
      expect(text).not.toContain('csrf');
    },
  );

  test('a session that was not begun with the key is none', async () => {
    const { forge } = await open();
    const { port } = new URL(forge.url);
    const cookie = `forge_session_${port}=${'a'.repeat(43)}.${'b'.repeat(43)}`;
    expect((await fetch(`${forge.url}/`, { headers: { cookie } })).status).toBe(403);
  });

  test('the API under a name of another site', async () => {
    const { forge } = await open();
    const { port } = new URL(forge.url);
    const status = await new Promise(resolve => {
      get(
        { host: '127.0.0.1', port, path: '/api/v3/repos/olga/work', headers: { host: `evil.test:${port}` } },
        answer => {
          answer.resume();
          resolve(answer.statusCode);
        },
      );
    });
    expect(status).toBe(403);
  });
});

describe('installing an App', () => {
  const manifest = { slug: 'helper', name: 'Helper', webhookUrl: '', events: [] };
  const page = '/apps/helper/installations/new';

  test('a person chooses one of their repositories, and sees where it is', async () => {
    const { forge } = await open();
    forge.registerApp({ ...manifest, permissions: { issues: 'write' } });
    await forge.addRepository({ owner: 'wanda', name: 'hers' });
    const olga = new Visitor(forge.url);
    const asked = (await olga.read(page)).text;
    expect(asked).toContain('<option>olga/work</option>');
    expect(asked).toContain('issues: write');
    expect(asked).not.toContain('wanda/hers');
    const { status, to } = await olga.send(page, { repository: 'olga/work' });
    expect([status, to]).toEqual([303, expect.stringMatching(/^\/settings\/installations\/\d+$/)]);
    const done = (await olga.read(to ?? '')).text;
    expect(done).toContain('Helper is installed');
    expect(done).toContain('href="/olga/work"');
  });

  test('not on a repository of somebody else, and theirs is not shown', async () => {
    const { forge } = await open();
    forge.registerApp({ ...manifest, permissions: {} });
    await forge.addRepository({ owner: 'wanda', name: 'hers' });
    const olga = new Visitor(forge.url);
    await olga.read(page);
    for (const repository of ['wanda/hers', 'olga/none', ''])
      expect(await olga.send(page, { repository })).toMatchObject({ status: 403 });
    const hers = forge.installApp('helper', 'wanda', 'hers');
    const read = await olga.read(`/settings/installations/${hers}`);
    expect(read.status).toBe(404);
    expect(read.text).not.toContain('wanda');
  });

  test('an App that is not there', async () => {
    const { forge } = await open();
    expect((await new Visitor(forge.url).read('/apps/none/installations/new')).status).toBe(404);
  });
});

test('a forge without a runner says that workflows are not run there', async () => {
  const { forge } = await open();
  const { text } = await new Visitor(forge.url).read('/olga/work/actions');
  expect(text).toContain('This forge runs no workflows');
});

test('an actor whom the forge does not know', async () => {
  const { forge } = await open();
  const answer = await pages(forge, { actor: 'nobody', key }).request(`${forge.url}/`);
  expect(answer.status).toBe(500);
  expect(await answer.text()).toContain('the forge has no user nobody');
});

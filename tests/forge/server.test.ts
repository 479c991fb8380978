// Routing of a request: the app in front, the API under either address, git, the pages.
import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { at, openTestForge, type TestForge } from './fixture.ts';

let t: TestForge;
beforeAll(async () => {
  t = await openTestForge({
    before(asked, answer) {
      if (asked.url !== '/hook') return false;
      answer.end('taken by the app');
      return true;
    },
    pages: forge => ({ fetch: asked => new Response(`page ${new URL(asked.url).pathname} of ${forge.url}`) }),
  });
  for (const title of ['One', 'Two', 'Three']) await t.as('olga').issues.create({ ...at, title });
});
afterAll(() => t[Symbol.asyncDispose]());

/** A request whose target is written out in full, as a client writes it to a proxy. */
function viaProxy(
  target: string,
  sent?: string,
): Promise<{ status: number | undefined; link: unknown; body: string }> {
  const { hostname, port } = new URL(t.forge.url);
  const headers = { host: new URL(target).host, authorization: `token ${t.forge.tokenFor('wanda')}` };
  return new Promise((resolve, reject) => {
    const method = sent === undefined ? 'GET' : 'POST';
    const asked = request({ hostname, port, method, path: target, headers }, answer => {
      let body = '';
      answer.on('data', chunk => (body += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode, link: answer.headers['link'], body }));
    });
    asked.on('error', reject);
    asked.end(sent);
  });
}

describe('a request', () => {
  test.each([
    ['/hook', 'taken by the app'],
    ['/', 'page / of '],
    ['/olga/work', 'page /olga/work of '],
    ['/olga/work/issues/1', 'page /olga/work/issues/1 of '],
    ['/api/v3/repos/olga/work', '"full_name":"olga/work"'],
    ['/olga/work.git/info/refs?service=git-upload-pack', '# service=git-upload-pack'],
  ])('to %s', async (path, text) => {
    expect(await (await fetch(t.forge.url + path)).text()).toContain(text);
  });

  test('through a proxy reaches the API at its root, and its links stay there', async () => {
    const user = await viaProxy('http://api.github.localhost/user');
    expect([user.status, JSON.parse(user.body)]).toMatchObject([200, { login: 'wanda' }]);
    const list = await viaProxy('http://api.github.localhost/repos/olga/work/issues?per_page=2');
    expect(list.link).toContain(
      '<http://api.github.localhost/repos/olga/work/issues?per_page=2&page=2>; rel="next"',
    );
  });

  test.each(['localhost', 'forge.localhost'])('to %s gets addresses there', async name => {
    const site = `http://${name}:${new URL(t.forge.url).port}`;
    const list = await viaProxy(`${site}/api/v3/repos/olga/work/issues?per_page=1`);
    expect(list.link).toContain(`<${site}/api/v3/repos/olga/work/issues?per_page=1&page=2>`);
    expect(JSON.parse(list.body)[0]).toMatchObject({
      url: expect.stringContaining(`${site}/api/v3/repos/olga/work/issues/`),
      html_url: expect.stringContaining(`${site}/olga/work/issues/`),
    });
    expect(list.body).not.toContain('127.0.0.1');
    const query = '{ repository(owner: "olga", name: "work") { url } }';
    const graphql = await viaProxy(`${site}/api/graphql`, JSON.stringify({ query }));
    expect(JSON.parse(graphql.body)).toEqual({ data: { repository: { url: `${site}/olga/work` } } });
  });

  test('to a forge that others on the network reach is refused without a token, for reading too', async () => {
    await using open = await openTestForge({ host: '0.0.0.0' });
    const token = open.forge.tokenFor('wanda');
    for (const path of ['/api/v3/repos/olga/work', '/olga/work.git/info/refs?service=git-upload-pack']) {
      const asked = (authorization: string) => fetch(open.forge.url + path, { headers: { authorization } });
      const basic = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`;
      const statuses = [await fetch(open.forge.url + path), await asked('token none'), await asked(basic)];
      expect(statuses.map(({ status }) => status)).toEqual([401, 401, 200]);
    }
  });

  test('to a name that is not its own is refused, whatever addresses it would get', async () => {
    const { status, body } = await viaProxy('http://forge.example/api/v3/user');
    expect([status, body]).toEqual([403, expect.stringContaining('not on forge.example')]);
  });

  test.each(['localhost:99999999', 'localhost:1:2', '[::1', 'local host'])(
    'to %s, which is no address, is refused',
    async host => {
      const { hostname, port } = new URL(t.forge.url);
      const path = '/api/v3/repos/olga/work';
      const status = await new Promise((resolve, reject) => {
        const asked = request({ hostname, port, path, headers: { host } }, answer => {
          answer.resume();
          resolve(answer.statusCode);
        });
        asked.on('error', reject).end();
      });
      expect(status).toBe(400);
    },
  );

  test('by HEAD gets the head alone', async () => {
    const answer = await fetch(`${t.forge.api}/repos/olga/work/issues/1`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  test.each([
    ['/api/v3/repos/%E0%A4%A/work', 400],
    ['/api/v3/repos/olga/work/git/trees/a%00b', 400],
    ['/api/v3/repos/olga/work/commits?path=a%00b', 400],
    ['/api/v3/repos/olga/none', 404],
    ['/api/v3/repos/olga/work/issues/one', 404],
    ['/api/v3/nowhere', 404],
    ['/olga/none.git/info/refs?service=git-upload-pack', 401],
  ])('for %s is %i', async (path, status) => {
    expect((await fetch(t.forge.url + path)).status).toBe(status);
  });
});

test('answers say what is left of the rate limit', async () => {
  const { headers } = await t.as('olga').issues.get({ ...at, issue_number: 1 });
  expect(headers).toMatchObject({ 'x-ratelimit-limit': '5000', 'x-ratelimit-resource': 'core' });
});

test('a call in process is the same call, outside the log', async () => {
  const before = t.forge.calls.length;
  const { status, body, headers } = await t.forge.call('olga', 'GET', '/repos/olga/work/issues?per_page=1');
  expect([status, body]).toMatchObject([200, [{ number: 3 }]]);
  expect(headers?.['link']).toContain('rel="next"');
  await expect(t.forge.call('olga', 'GET', '/nowhere')).rejects.toThrow(
    'The forge has no route GET /nowhere',
  );
  expect(t.forge.calls.length).toBe(before);
});

test('people and roles added while a call is under way outlive its failure', async () => {
  // The merge waits for git inside its transaction, and then is refused.
  const { data } = await t.as('olga').pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' });
  const refused = t.forge.call('olga', 'PATCH', `/repos/olga/work/pulls/${data.number}`, {
    title: 'Q',
    base: 'none',
  });
  const call = t.forge.call('olga', 'POST', '/repos/olga/work/pulls', {
    title: 'x',
    head: 'main',
    base: 'main',
  });
  const added: { login: string; id: number }[] = [];
  for (let n = 0; n < 40; n++) {
    added.push(t.forge.addUser(`person-${n}`));
    t.forge.setPermission('olga', 'work', `person-${n}`, 'write');
    await new Promise(resolve => setImmediate(resolve));
  }
  expect([(await refused).status, (await call).status]).toEqual([422, 422]);
  const { data: people } = await t.as('olga').repos.listCollaborators({ ...at, per_page: 100 });
  const known = new Map(people.map(({ login, id, role_name }) => [login, `${id} ${role_name}`]));
  for (const { login, id } of added) expect(known.get(login)).toBe(`${id} write`);
});

describe('a body', () => {
  /** Sends what stands there, and leaves the request open; answers without its end. */
  const begun = (headers: Record<string, string>, body: Uint8Array) =>
    new Promise<[status: number | undefined, connection: string | undefined, text: string]>(
      (resolve, reject) => {
        const asked = request(`${t.forge.api}/repos/olga/work/issues`, {
          method: 'POST',
          agent: false,
          headers: {
            authorization: `token ${t.forge.tokenFor('olga')}`,
            connection: 'keep-alive',
            ...headers,
          },
        });
        asked.on('error', reject);
        asked.on('response', answer => {
          let text = '';
          answer.on('data', chunk => (text += chunk));
          answer.on('end', () => {
            resolve([answer.statusCode, answer.headers.connection, text]);
            asked.destroy();
          });
        });
        asked.write(body);
      },
    );

  test('that says it is too large is refused without being read', async () => {
    const answer = await begun({ 'content-length': String(600 * 1024 * 1024) }, Buffer.from('{'));
    expect(answer).toEqual([413, 'close', expect.stringContaining('larger than')]);
  });

  test('that turns out too large is refused with an answer', async () => {
    const answer = await begun({ 'transfer-encoding': 'chunked' }, Buffer.alloc(25 * 1024 * 1024 + 1, 'a'));
    expect(answer).toEqual([413, 'close', expect.stringContaining('larger than')]);
  });

  test('that is no UTF-8 is refused', async () => {
    const bytes = Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d);
    const answer = await begun({ 'content-length': '7' }, bytes);
    expect(answer).toEqual([400, 'keep-alive', expect.stringContaining('not UTF-8')]);
  });
});

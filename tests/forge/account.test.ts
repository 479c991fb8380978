// Callers and their rights: users, apps with their JSON web tokens, installations, strangers, nobody.
import { createSign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Clock } from '../../packages/ground/lib/clock.ts';
import type { RegisteredApp } from '../../packages/forge/operator.ts';
import { at, installTestApp, openTestForge, refusal, type TestForge } from './fixture.ts';

let time = Date.parse('2026-03-01T10:00:00Z');
const clock: Clock = { now: () => time, sleep: async () => {} };

let t: TestForge;
let app: RegisteredApp;
let installation: number;
beforeAll(async () => {
  t = await openTestForge({ clock });
  ({ app, installation } = installTestApp(t.forge, 'http://127.0.0.1:1/hook'));
});
afterAll(() => t[Symbol.asyncDispose]());

function jwt(claims: Record<string, unknown>, alg = 'RS256', key = app.privateKey): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const text = `${part({ alg, typ: 'JWT' })}.${part(claims)}`;
  return `${text}.${createSign('RSA-SHA256').update(text).sign(key, 'base64url')}`;
}

const ask = (path: string, authorization: string | null, method = 'GET', body?: string) =>
  fetch(`${t.forge.api}${path}`, {
    method,
    headers: authorization === null ? {} : { authorization },
    ...(body !== undefined && { body }),
  });

const seconds = () => Math.floor(time / 1000);
const good = () => ({ iss: app.id, iat: seconds() - 30, exp: seconds() + 540 });

describe('JSON web tokens', () => {
  test.each<[string, () => string, number, RegExp]>([
    ['right', () => jwt(good()), 200, /echelon/],
    ['the id as text', () => jwt({ ...good(), iss: String(app.id) }), 200, /echelon/],
    ['expired', () => jwt({ ...good(), exp: seconds() - 1 }), 401, /'Expiration time' claim/],
    ['too far in the future', () => jwt({ ...good(), exp: seconds() + 7200 }), 401, /too far in the future/],
    ['issued in the future', () => jwt({ ...good(), iat: seconds() + 300 }), 401, /'Issued at' claim/],
    ['of an unknown app', () => jwt({ ...good(), iss: 1 }), 404, /Integration not found/],
    ['another algorithm', () => jwt(good(), 'HS256'), 401, /could not be decoded/],
    ['signature of other text', () => `${jwt(good()).split('.').slice(0, 2).join('.')}.AAAA`, 401, /decoded/],
    ['no token at all', () => 'a.b.c', 401, /decoded/],
  ])('%s', async (_name, token, status, text) => {
    const answer = await ask('/app', `Bearer ${token()}`);
    expect([answer.status, await answer.text()]).toEqual([status, expect.stringMatching(text)]);
  });

  test('a clock that is off is shown by the Date header, from which clients set theirs right', async () => {
    const answer = await ask('/app', `Bearer ${jwt(good())}`);
    expect(Date.parse(answer.headers.get('date') ?? '')).toBe(seconds() * 1000);
    const { data } = await t.asApp(app, installation).issues.listForRepo(at);
    expect(data).toEqual([]);
  });
});

/** An installation token, or the refusal of one. */
const tokenAnswer = z.looseObject({ token: z.string().default(''), expires_at: z.string().default('') });

describe('installation tokens', () => {
  const take = async (body: object = {}) => {
    const path = `/app/installations/${installation}/access_tokens`;
    const answer = await ask(path, `Bearer ${jwt(good())}`, 'POST', JSON.stringify(body));
    return { status: answer.status, body: tokenAnswer.parse(await answer.json()) };
  };

  test('live an hour', async () => {
    const { body } = await take();
    expect(body.token).toMatch(/^ghs_[A-Za-z0-9]{36}$/);
    expect(Date.parse(body.expires_at)).toBe(time + 3_600_000);
    const listing = () => ask('/installation/repositories', `token ${body.token}`);
    expect(await (await listing()).json()).toMatchObject({ repositories: [{ full_name: 'olga/work' }] });
    time += 3_601_000;
    expect((await listing()).status).toBe(401);
  });

  test('are limited to what is asked for', async () => {
    const { body } = await take({ permissions: { issues: 'read' }, repositories: ['work'] });
    expect(body['permissions']).toEqual({ issues: 'read' });
    const write = await ask('/repos/olga/work/issues', `token ${body.token}`, 'POST', '{"title":"x"}');
    expect(write.status).toBe(403);
    expect(await write.json()).toMatchObject({ message: 'Resource not accessible by integration' });
  });

  test.each([
    ['a permission the app has not', { permissions: { administration: 'write' } }],
    ['a repository it is not on', { repositories: ['elsewhere'] }],
  ])('are not given for %s', async (_name, body) => {
    expect((await take(body)).status).toBe(422);
  });

  test('nobody else gets one', async () => {
    const path = `/app/installations/${installation}/access_tokens`;
    expect((await ask(path, null, 'POST')).status).toBe(401);
    expect((await ask(path, `token ${t.forge.tokenFor('olga')}`, 'POST')).status).toBe(401);
  });
});

test('registering the same app again keeps id, key and secret, and takes the new address', () => {
  const again = installTestApp(t.forge, 'http://127.0.0.1:2/other');
  expect(again).toEqual({ app, installation });
});

describe('who is who', () => {
  test.each([
    ['token', () => `token ${t.forge.tokenFor('wanda')}`],
    ['bearer', () => `Bearer ${t.forge.tokenFor('wanda')}`],
    ['basic', () => `Basic ${Buffer.from(`x:${t.forge.tokenFor('wanda')}`).toString('base64')}`],
  ])('by %s', async (_name, authorization) => {
    expect(await (await ask('/user', authorization())).json()).toMatchObject({ login: 'wanda' });
  });

  test.each([
    ['nobody', null, 401, 'Requires authentication'],
    ['a wrong token', 'token ghp_wrong', 401, 'Bad credentials'],
    ['an odd scheme', 'Digest x', 401, 'Bad credentials'],
  ])('%s is not', async (_name, authorization, status, message) => {
    const answer = await ask('/user', authorization);
    expect([answer.status, await answer.json()]).toMatchObject([status, { message }]);
  });

  test('an app is a bot', async () => {
    const { data } = await t.asApp(app, installation).issues.create({ ...at, title: 'Of a bot' });
    expect([data.user?.login, data.user?.type, data.performed_via_github_app?.slug]).toEqual([
      'echelon[bot]',
      'Bot',
      'echelon',
    ]);
  });
});

describe('collaborators', () => {
  test.each([
    ['olga', 'admin', 'admin'],
    ['wanda', 'write', 'write'],
    ['tom', 'read', 'triage'],
    ['sam', 'read', 'read'],
  ])('%s: permission %s, role %s', async (username, permission, role) => {
    const { data } = await t.as('olga').repos.getCollaboratorPermissionLevel({ ...at, username });
    expect([data.permission, data.role_name]).toEqual([permission, role]);
  });

  test('maintain shows as write', async () => {
    t.forge.setPermission('olga', 'work', 'mona', 'maintain');
    const { data } = await t.as('olga').repos.getCollaboratorPermissionLevel({ ...at, username: 'mona' });
    expect([data.permission, data.role_name]).toEqual(['write', 'maintain']);
    t.forge.setPermission('olga', 'work', 'mona', 'none');
  });

  test('an unknown person is 404, and strangers may not ask', async () => {
    const asked = (login: string, username: string) =>
      refusal(t.as(login).repos.getCollaboratorPermissionLevel({ ...at, username }));
    expect((await asked('olga', 'nobody')).status).toBe(404);
    expect((await asked('sam', 'olga')).status).toBe(403);
  });
});

describe('a private repository', () => {
  beforeAll(async () => {
    await t.forge.addRepository({ owner: 'olga', name: 'secret', private: true });
  });
  const secret = { owner: 'olga', repo: 'secret' };
  test.each([['sam'], [null]])('does not exist for %s', async login => {
    expect((await refusal(t.as(login).repos.get(secret))).status).toBe(404);
    expect((await refusal(t.as(login).issues.create({ ...secret, title: 'x' }))).status).toBe(404);
  });
  test('does not exist for an app that is not on it', async () => {
    expect((await refusal(t.asApp(app, installation).repos.get(secret))).status).toBe(404);
  });
  test('is there for its owner', async () => {
    expect((await t.as('olga').repos.get(secret)).data.private).toBe(true);
  });
});

test('a route that is missing is 404 by its name, and remembered', async () => {
  const answer = await ask('/repos/olga/work/stargazers?x=1', null);
  expect([answer.status, await answer.json()]).toEqual([
    404,
    { message: 'GET /repos/olga/work/stargazers is not served by the local GitHub', status: '404' },
  ]);
  expect(t.forge.missing).toEqual(['GET /repos/olga/work/stargazers']);
});

test('what cannot be a name is refused with the reason', async () => {
  expect(() => t.forge.addUser('../x')).toThrow('"../x" is not a login');
  expect(() => t.forge.tokenFor('nobody')).toThrow('the forge has no user nobody');
  await expect(t.forge.addRepository({ owner: 'olga', name: '..' })).rejects.toThrow(
    'is not a repository name',
  );
  await expect(t.forge.addRepository({ owner: 'olga', name: 'work' })).rejects.toThrow(
    'already has olga/work',
  );
  await expect(t.forge.addRepository({ owner: 'olga', name: 'a', from: '/nowhere' })).rejects.toThrow(
    '/nowhere: not found',
  );
  await expect(t.forge.addRepository({ owner: 'olga', name: 'a', from: t.forge.folder })).rejects.toThrow(
    'not a git repository',
  );
});

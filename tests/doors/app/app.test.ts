// The GitHub App as its operator starts it: a process with credentials in its environment, GitHub elsewhere.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest';
import { statusOf } from '../../board.ts';
import { at, installTestApp, openTestForge, type TestForge } from '../../forge/fixture.ts';
import { organisationApi } from '../library/organisation-api.ts';
import { endAll, type Running, runCli, startCli } from '../cli/run-cli.ts';
import { until } from '../../until.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-app-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));

const isolated = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-pid', 'true']).status === 0;
const unless = isolated ? '' : ' (skipped: bubblewrap does not work here)';

let forge: TestForge;
let service: Awaited<ReturnType<typeof organisationApi>>;
let running: Running | undefined;
beforeEach(async () => {
  [forge, service] = await Promise.all([openTestForge(), organisationApi()]);
});
afterEach(async () => {
  await endAll();
  running = undefined;
  await Promise.all([forge[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
});

/** The environment of an App that the forge knows; its webhooks go nowhere yet, and it is installed nowhere. */
function credentials(encode: (pem: string) => string): Record<string, string> {
  const settings = { slug: 'echelon', name: 'echelon', webhookUrl: 'http://127.0.0.1:9/' };
  const app = forge.forge.registerApp({ ...settings, events: [], permissions: {} });
  return {
    APP_ID: String(app.id),
    PRIVATE_KEY: encode(app.privateKey),
    WEBHOOK_SECRET: app.webhookSecret,
    GHE_HOST: new URL(forge.forge.url).host,
    GHE_PROTOCOL: 'http',
    ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
    ANTHROPIC_BASE_URL: service.url,
  };
}
const inOneLine = (pem: string) => pem.trim().replaceAll('\n', '\\n');
const inBase64 = (pem: string) => Buffer.from(pem).toString('base64');

const folder = () => mkdtempSync(join(temporary, 'data-'));

/** Starts the App and installs it; answers where its webhooks are sent. */
async function start(env: Record<string, string>, through: string[] = []): Promise<string> {
  running = startCli(['serve', '--port', '0', '--data', folder()], { env, through });
  const [, port] = await running.says(
    /echelon\[bot\], listens on (?:\[::\]|0\.0\.0\.0):(\d+), every address of this machine; webhooks go to \/api\/github\/webhooks\n/,
  );
  const url = `http://127.0.0.1:${port}/api/github/webhooks`;
  // It has looked for installations in vain: everything for this one begins with the webhook, its token too.
  await until('the App lists its installations', () =>
    forge.forge.calls.find(call => call.path === '/app/installations'),
  );
  installTestApp(forge.forge, url);
  return url;
}

const olga = () => forge.as('olga').rest;
const file = () => olga().issues.create({ ...at, title: 'A note', body: 'Write it.', labels: ['echelon'] });
const comments = async () => (await olga().issues.listComments({ ...at, issue_number: 1 })).data;
const firstComment = () =>
  until('the App comments', async () => (await comments())[0], {
    ms: 25_000,
    more: () => running?.ran.stderr ?? '',
  });

describe('a label', () => {
  test.skipIf(!isolated)(`begins a run; the key is PEM in one line${unless}`, async () => {
    await start(credentials(inOneLine));
    await file();
    const { user, body } = await firstComment();
    expect(user?.login).toBe('echelon[bot]');
    expect(statusOf(body ?? '')).toBe('running');
    expect(body).toContain('isolation `bubblewrap`');
    await until('the strategist is asked', () => service.asked[0]);
    running?.kill('SIGTERM');
    expect((await running?.ended)?.code).toBe(0);
  });

  test('without a bubblewrap that works begins none, and says what to do; the key is in base64', async () => {
    // Hides a working bubblewrap from the process.
    const hidden = isolated
      ? ['bwrap', '--dev-bind', '/', '/', '--ro-bind', '/dev/null', bubblewrap(), '--die-with-parent', '--']
      : [];
    await start(credentials(inBase64), hidden);
    await file();
    const { body } = await firstComment();
    expect(body).toContain('Allow unprivileged user namespaces');
    expect(body).toContain('beside a model key or app credentials');
    expect(statusOf(body ?? '')).toBe('');
    expect(service.asked).toEqual([]);
  });

  test.skipIf(!isolated)(
    `that was put on while the App was away begins a run at its start${unless}`,
    async () => {
      const env = credentials(inOneLine);
      installTestApp(forge.forge, 'http://127.0.0.1:9/');
      await file();
      await forge.forge.webhooksSettled();
      await start(env);
      expect(statusOf((await firstComment()).body ?? '')).toBe('running');
    },
  );
});

describe('its port', () => {
  test('takes no webhook with a wrong signature, and nothing else', async () => {
    const url = await start(credentials(inOneLine));
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'issues',
      'x-github-delivery': 'forged',
      'x-hub-signature-256': `sha256=${'0'.repeat(64)}`,
    };
    const answer = await fetch(url, { method: 'POST', headers, body: '{"action":"labeled"}' });
    expect(answer.status).toBe(400);
    expect((await fetch(new URL('/', url))).status).toBe(404);
    expect(running?.ran.stderr).not.toContain('    at ');
  });

  test('that is in use: exit code 1 and a sentence', async () => {
    const taken = createServer();
    await new Promise<void>(done => taken.listen(0, done));
    const { port } = taken.address() as AddressInfo;
    const ran = await runCli(['serve', '--port', String(port), '--data', folder()], {
      env: credentials(inOneLine),
    });
    await new Promise(done => taken.close(done));
    expect(ran).toEqual({
      code: 1,
      stdout: '',
      stderr: `echelon serve: port ${port} is in use; choose another with --port\n`,
    });
  });
});

describe('credentials that do not work', () => {
  const strange = Buffer.from('-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n');

  test.each<{ what: string; env: () => Record<string, string>; code: number; says: string[] }>([
    {
      what: 'an App that GitHub does not know',
      env: () => ({ APP_ID: '4711' }),
      code: 1,
      says: ['APP_ID', 'PRIVATE_KEY'],
    },
    {
      what: 'a GitHub that is not there',
      env: () => ({ GHE_HOST: '127.0.0.1:9' }),
      code: 1,
      says: ['http://127.0.0.1:9/api/v3'],
    },
    {
      what: 'a key that is none',
      env: () => ({ PRIVATE_KEY: strange.toString('base64') }),
      code: 1,
      says: ['PRIVATE_KEY: not a private key'],
    },
    { what: 'no model', env: () => ({ ANTHROPIC_API_KEY: '' }), code: 2, says: ['ANTHROPIC_API_KEY'] },
  ])('$what', async ({ env, code, says }) => {
    const given = { ...credentials(inOneLine), ...env() };
    running = startCli(['serve', '--port', '0', '--data', folder()], { env: given });
    const ran = await running.ended;
    expect(ran.code).toBe(code);
    for (const text of says) expect(ran.stderr).toContain(text);
    expect(ran.stderr).not.toContain('    at ');
    expect(ran.stdout + ran.stderr).not.toContain(given.PRIVATE_KEY?.slice(40, 90));
  });
});

const bubblewrap = () => spawnSync('sh', ['-c', 'command -v bwrap'], { encoding: 'utf8' }).stdout.trim();

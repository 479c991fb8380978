// Endpoints of the server: health, readiness, and metrics without names.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test } from 'vitest';
import { openTestForge } from '../../forge/fixture.ts';
import { until } from '../../until.ts';
import { endAll, startCli } from '../cli/run-cli.ts';
import { board, sample, serving } from '../cli/serving.ts';

const temporary = mkdtempSync(join(tmpdir(), 'echelon-endpoints-test-'));
afterAll(() => rmSync(temporary, { recursive: true, force: true }));
afterEach(endAll);
const folder = () => mkdtempSync(join(temporary, 'data-'));

const asked = async (url: string, init: RequestInit = {}) => {
  const answer = await fetch(url, init);
  return { status: answer.status, text: await answer.text(), type: answer.headers.get('content-type') };
};

test('it is there, can work, and counts a run by kinds, without a name', { timeout: 60_000 }, async () => {
  const at = await serving(['--data', folder(), '--port', '0']);
  expect(await asked(`${at.url}/ping`)).toMatchObject({ status: 200, text: 'PONG\n' });
  expect((await asked(`${at.url}/healthz`)).status).toBe(200);
  expect(await asked(`${at.url}/readyz`)).toMatchObject({ status: 200, text: 'ok\n' });
  const title = 'A title that is nobody else to know';
  await at.api('POST', `${sample}/issues`, { title, body: 'Write it.', labels: ['echelon'] });
  await board(at, 1, 'waiting');
  const { text, type } = await until('the run is counted', async () => {
    const told = await asked(`${at.url}/metrics`);
    return /^echelon_runs\{phase="\w+",status="waiting"\} 1$/m.test(told.text) ? told : undefined;
  });
  expect(type).toContain('version=0.0.4');
  expect(text).toMatch(/^echelon_queue_length \d+$/m);
  expect(text).toMatch(/^echelon_github_calls_left\{resource="core"\} 5000$/m);
  expect(text).toMatch(/^echelon_wait_seconds\{for="github"\} 0$/m);
  expect(text).toMatch(/^echelon_wait_seconds\{for="model"\} 0$/m);
  expect(Number(/^echelon_spent_dollars (\S+)$/m.exec(text)?.[1])).toBeGreaterThan(0);
  for (const name of ['sample', 'you', title]) expect(text).not.toMatch(new RegExp(`\\b${name}\\b`));
});

test('numbers are not for who comes by way of a proxy', async () => {
  const at = await serving(['--data', folder(), '--port', '0']);
  for (const name of ['x-forwarded-for', 'forwarded'])
    expect((await asked(`${at.url}/metrics`, { headers: { [name]: 'for=192.0.2.1' } })).status).toBe(403);
  expect((await asked(`${at.url}/metrics`, { method: 'POST' })).status).toBe(403);
});

test('an App whose GitHub does not answer serves, is not ready, and says what it waits for', async () => {
  let cut = true;
  await using github = await openTestForge({
    onCall({ path }, phase) {
      if (cut && phase === 'received' && path === '/app/installations') throw new Error('cut off');
    },
  });
  const app = github.forge.registerApp({
    slug: 'echelon',
    name: 'e',
    webhookUrl: '',
    events: [],
    permissions: {},
  });
  const running = startCli(['serve', '--port', '0', '--data', folder()], {
    env: {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: app.webhookSecret,
      GHE_HOST: new URL(github.forge.url).host,
      GHE_PROTOCOL: 'http',
      ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
      HOST: '127.0.0.1',
    },
  });
  const [, port] = await running.says(/listens on 127\.0\.0\.1:(\d+); webhooks go to/);
  await running.says(
    /^until a webhook comes, GitHub is looked at every 30 s, less often where its limit is near$/m,
  );
  const url = `http://127.0.0.1:${port}`;
  const waits = await until('it has asked in vain', async () => {
    const told = await asked(`${url}/readyz`);
    return told.status === 503 ? told : undefined;
  });
  expect(waits.text).toBe('GitHub does not answer\n');
  expect((await asked(`${url}/healthz`)).status).toBe(200);
  cut = false;
});

// Echelon in somebody else's Probot: loaded by `probot run`, it answers what comes to that process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { at, installTestApp, openTestForge } from '../../forge/fixture.ts';
import { root } from '../cli/run-cli.ts';
import { organisationApi } from '../library/organisation-api.ts';

const cwd = mkdtempSync(join(tmpdir(), 'echelon-probot-test-'));
let probot: ChildProcess | undefined;
const fixture = await openTestForge();
const service = await organisationApi();
afterAll(async () => {
  probot?.kill('SIGKILL');
  await Promise.all([fixture[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
  rmSync(cwd, { recursive: true, force: true });
});

/** Probot takes 0 for 3000. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(done => server.close(done));
  return port;
}

test('a labelled issue is answered by the process of `probot run`', { timeout: 60_000 }, async () => {
  const { forge } = fixture;
  const port = await freePort();
  const { app } = installTestApp(forge, `http://127.0.0.1:${port}/api/github/webhooks`);
  const bin = join(root, 'node_modules/probot/bin/probot.js');
  const module = join(root, 'src/doors/app/probot-app.ts');
  const running = spawn(process.execPath, [bin, 'run', module], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: cwd,
      APP_ID: String(app.id),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: app.webhookSecret,
      GHE_HOST: new URL(forge.url).host,
      GHE_PROTOCOL: 'http',
      ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
      ANTHROPIC_BASE_URL: service.url,
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'info',
    },
  });
  probot = running;
  let said = '';
  for (const stream of [running.stdout, running.stderr]) stream.on('data', text => (said += text));
  const more = () => said;
  await until('Probot listens', () => (said.includes('Listening on') ? true : undefined), {
    ms: 30_000,
    more,
  });
  const olga = fixture.as('olga').rest;
  await olga.issues.create({ ...at, title: 'A note', body: 'Write it.', labels: ['echelon'] });
  const comment = await until(
    'the App comments',
    async () => (await olga.issues.listComments({ ...at, issue_number: 1 })).data[0],
    { ms: 25_000, more },
  );
  expect(comment.user?.login).toBe('echelon[bot]');
  expect(said).not.toContain(app.privateKey.split('\n')[2]);
});

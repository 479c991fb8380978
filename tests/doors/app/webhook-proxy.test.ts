// WEBHOOK_PROXY_URL: the App fetches its webhooks from a channel, here a small server of smee's kind.
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { at, installTestApp, openTestForge } from '../../forge/fixture.ts';
import { until } from '../../until.ts';
import { endAll, startCli } from '../cli/run-cli.ts';
import { organisationApi } from '../library/organisation-api.ts';

const data = mkdtempSync(join(tmpdir(), 'echelon-proxy-test-'));
const listeners = new Set<ServerResponse>();
/** Forwards posts to listeners, headers beside the body, as smee.io does. */
const channel = createServer(async (request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: ready\ndata: {}\n\n');
    return void listeners.add(response);
  }
  let text = '';
  for await (const part of request) text += part;
  const event = { ...request.headers, body: JSON.parse(text), query: {}, timestamp: 0 };
  for (const each of listeners) each.write(`id: 1\ndata: ${JSON.stringify(event)}\n\n`);
  response.end();
}).listen(0, '127.0.0.1');
await once(channel, 'listening');
const url = `http://127.0.0.1:${(channel.address() as AddressInfo).port}/a-channel-that-few-know`;
const github = await openTestForge();
const service = await organisationApi();
afterAll(async () => {
  await endAll();
  channel.closeAllConnections();
  channel.close();
  await Promise.all([github[Symbol.asyncDispose](), service[Symbol.asyncDispose]()]);
  rmSync(data, { recursive: true, force: true });
});

test('a label whose webhook went to the channel is answered; its address is not printed', {
  timeout: 60_000,
}, async () => {
  const { app } = installTestApp(github.forge, url);
  const running = startCli(['serve', '--port', '0', '--data', data], {
    env: {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.privateKey,
      WEBHOOK_SECRET: app.webhookSecret,
      WEBHOOK_PROXY_URL: url,
      GHE_HOST: new URL(github.forge.url).host,
      GHE_PROTOCOL: 'http',
      ANTHROPIC_API_KEY: 'sk-ant-api03-NotAKey',
      ANTHROPIC_BASE_URL: service.url,
    },
  });
  await running.says(
    /^webhooks are fetched from 127\.0\.0\.1:\d+; until a webhook comes, GitHub is looked at every 30 s/m,
  );
  await until('the App listens to the channel', () => (listeners.size > 0 ? true : undefined));
  // It has looked for labels in vain: what is answered now came by the channel.
  await until('the first look is over', () =>
    github.forge.calls.find(({ path }) => path === `/repos/${at.owner}/${at.repo}/issues`),
  );
  const olga = github.as('olga').rest;
  await olga.issues.create({ ...at, title: 'A note', body: 'Write it.', labels: ['echelon'] });
  const comment = await until(
    'the App comments',
    async () => (await olga.issues.listComments({ ...at, issue_number: 1 })).data[0],
    { ms: 20_000, more: () => running.ran.stderr },
  );
  expect(comment.user?.login).toBe('echelon[bot]');
  running.kill('SIGTERM');
  const { code, stdout, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stdout + stderr).not.toContain('a-channel-that-few-know');
});

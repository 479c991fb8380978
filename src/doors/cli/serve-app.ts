// Serves the App for GitHub: its webhooks, and what its operator asks.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@echelon/ground';
import { openEndpoints } from '../app/endpoints.ts';
import { openLiveApp } from '../app/installations.ts';
import type { AppCredentials } from '../app/server-settings.ts';
import { SmeeClient } from 'smee-client';
import { openWebhooks, webhookPath } from '../app/webhooks.ts';
import { RECONCILE_MS, type Running, type ServePlan } from './serve-plan.ts';

/** `stateKeys`: of the record, where the operator has set some. */
export async function serveApp(
  { parts, data, port, server: { logLevel, host, webhookProxy } }: ServePlan,
  app: AppCredentials,
  stateKeys: readonly Uint8Array[],
): Promise<Running> {
  const installations = openLiveApp(parts, data, app, stateKeys);
  const webhooks = await openWebhooks(installations, app, { paced: true, logLevel });
  const bot = await webhooks.bot().catch(error => {
    throw new Error(refusedBy(app.baseUrl, error), { cause: error });
  });
  const endpoints = openEndpoints(installations, webhooks.github);
  const server = createServer(requestLimits, (request, response) => {
    if (!webhooks.take(request, response) && !endpoints(request, response))
      response.writeHead(404, { 'content-type': 'text/plain' }).end('Not found\n');
  });
  console.log(
    `the App, ${bot}, listens on ${await listen(server, host, port)}; webhooks go to ${webhookPath}`,
  );
  const stopFetching = webhookProxy && fetchWebhooks(webhookProxy, targetOf(server), parts.log);
  console.log(
    `${webhookProxy ? `webhooks are fetched from ${new URL(webhookProxy).host}; ` : ''}until a webhook comes, GitHub is looked at every 30 s, less often where its limit is near`,
  );
  installations.track(webhooks.reconcileAll(true));
  return {
    port,
    pace: () => (webhooks.heard() ? RECONCILE_MS : webhooks.github.pace(systemClock.now())),
    reconcile: thorough => webhooks.reconcileAll(thorough),
    async close() {
      if (stopFetching) await stopFetching();
      await installations.close();
      server.closeAllConnections();
      await new Promise(done => server.close(done));
    },
  };
}

function refusedBy(address: string, error: unknown): string {
  const { status, message } = error as { status?: number; message: string };
  return status === undefined || status >= 500
    ? `GitHub does not answer at ${address}: ${message}`
    : `GitHub at ${address} does not take APP_ID with PRIVATE_KEY: ${status} ${message}`;
}

/** URL at which this process reaches its own webhook endpoint. */
function targetOf(server: Server): string {
  const { address, family, port } = server.address() as AddressInfo;
  const any = address === '::' || address === '0.0.0.0';
  return `http://${any ? 'localhost' : family === 'IPv6' ? `[${address}]` : address}:${port}${webhookPath}`;
}

/** Milliseconds for the head of a request and for all of it, and between two looks at who takes longer. */
const requestLimits = { headersTimeout: 10_000, requestTimeout: 20_000, connectionsCheckingInterval: 5_000 };

/** Listens on every address unless one is named, as webhooks come from elsewhere; answers where, as people read it. */
async function listen(server: Server, host: string | undefined, port: number): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen({ port, host }, done);
  });
  const at = server.address();
  if (at === null || typeof at === 'string') return at ?? `port ${port}`;
  const where = `${at.family === 'IPv6' ? `[${at.address}]` : at.address}:${at.port}`;
  return host === undefined ? `${where}, every address of this machine` : where;
}

/**
 * Sends on to `target` what comes to a channel of smee.io, where GitHub cannot reach this machine; the signature is
 * checked there. Answers how it is ended.
 */
function fetchWebhooks(channel: string, target: string, warn: (line: string) => void): () => Promise<void> {
  let told = false;
  const client = new SmeeClient({
    source: channel,
    target,
    logger: {
      info() {},
      // Once, and not what was wrong with which request: whoever knows the channel's address reads along on it.
      error() {
        if (!told) warn('WEBHOOK_PROXY_URL: the channel does not answer, or a webhook of it was not taken');
        told = true;
      },
    },
  });
  client.start().catch(() => warn('WEBHOOK_PROXY_URL: the channel does not answer; it is tried again'));
  return () => client.stop();
}

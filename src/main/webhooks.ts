// The App's webhook endpoint: Probot with the client and the log this product uses.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Probot } from 'probot';
import { clientFor, type EchelonApp, echelonApp } from './app.ts';
import type { House } from './house.ts';

export const webhookPath = '/api/github/webhooks';

export interface AppCredentials {
  id: string | number;
  privateKey: string;
  secret: string;
  /** Base URL of the REST API. */
  baseUrl: string;
}

export interface Webhooks extends Pick<EchelonApp, 'bot' | 'reconcileAll'> {
  /** True when the request is a webhook and was taken. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
}

export async function openWebhooks(
  house: House,
  { id, privateKey, secret, baseUrl }: AppCredentials,
  { paced, logLevel }: { paced: boolean; logLevel: string },
): Promise<Webhooks> {
  const probot = new Probot({
    appId: id,
    privateKey,
    secret,
    baseUrl,
    Octokit: clientFor(paced),
    logLevel: logLevel as 'warn',
  });
  const { app, bot, reconcileAll } = echelonApp(house);
  await probot.load(app, { cwd: process.cwd(), addHandler: () => {} });
  const middleware = await probot.getNodeMiddleware({ path: webhookPath });
  return {
    take(request, response) {
      if (!request.url?.startsWith(webhookPath)) return false;
      void middleware(request, response, () => response.writeHead(404).end());
      return true;
    },
    bot,
    reconcileAll,
  };
}

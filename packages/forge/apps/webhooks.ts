// Sends queued deliveries, those of an app one after the other, each once, signed as GitHub signs them.
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { type Core, now } from '../core.ts';
import type { Serial } from '../serial.ts';
import { type App, getApp } from './app-rows.ts';
import { type Delivery, nextQueued, queuedSenders } from './delivery-rows.ts';

/** GitHub gives a receiver ten seconds. */
const patience = 10_000;
const keptOfResponse = 10_000;

export interface Sender {
  /** Starts sending what is queued, unless that is under way. */
  kick(): void;
  /** Resolves when nothing is queued or being sent. */
  settled(): Promise<void>;
  /** Stops; a delivery under way is cut off and stays in the log without an answer. */
  stop(): Promise<void>;
}

export function webhookSender(core: Core, oneAtATime: Serial): Sender {
  const stopped = new AbortController();
  /** Deliveries in flight by app: a slow receiver delays only its own deliveries. */
  const lanes = new Map<number, Promise<void>>();
  let looking: Promise<void> | undefined;
  let wanted = false;
  async function look(): Promise<void> {
    while (wanted && !stopped.signal.aborted) {
      const senders = await oneAtATime(() => {
        wanted = false;
        return queuedSenders(core);
      });
      for (const app of senders) if (!lanes.has(app)) lanes.set(app, drain(app));
    }
    looking = undefined;
  }
  async function drain(appId: number): Promise<void> {
    for (;;) {
      const next = await oneAtATime(() => {
        const taken = stopped.signal.aborted ? undefined : take(core, appId);
        if (!taken) lanes.delete(appId);
        return taken && { delivery: taken, app: getApp(core, appId) };
      });
      if (!next) return;
      const outcome = await send(next.delivery, next.app, stopped.signal);
      await oneAtATime(() =>
        core.db.update('deliveries', next.delivery.id, {
          ...outcome,
          state: 'done',
          delivered_at: now(core),
        }),
      );
    }
  }
  const kick = () => {
    wanted = true;
    looking ??= look();
  };
  const idle = async () => {
    await looking;
    await Promise.all(lanes.values());
  };
  return {
    kick,
    async settled() {
      do {
        kick();
        await idle();
      } while (queuedSenders(core).length > 0 && !stopped.signal.aborted);
    },
    async stop() {
      stopped.abort();
      await idle();
    },
  };
}

/** The next delivery, marked before it is sent: a process that dies now does not send it a second time. */
function take(core: Core, appId: number): Delivery | undefined {
  const delivery = nextQueued(core, appId);
  if (delivery) core.db.update('deliveries', delivery.id, { state: 'sending' });
  return delivery;
}

type Outcome = Pick<Delivery, 'duration' | 'status' | 'status_code'> & {
  request_headers: string;
  response_headers: string | null;
  response_body: string | null;
};

const headersOf = ({ id, webhook_secret }: App, delivery: Delivery, body: Buffer) => ({
  accept: '*/*',
  'content-type': 'application/json',
  'user-agent': 'GitHub-Hookshot/forge',
  'x-github-event': delivery.event,
  'x-github-delivery': delivery.guid,
  'x-github-hook-id': String(id),
  'x-github-hook-installation-target-id': String(id),
  'x-github-hook-installation-target-type': 'integration',
  'x-hub-signature-256': `sha256=${createHmac('sha256', webhook_secret).update(body).digest('hex')}`,
  'content-length': String(body.length),
});

function send(delivery: Delivery, app: App, signal: AbortSignal): Promise<Outcome> {
  const body = Buffer.from(delivery.payload);
  const headers = headersOf(app, delivery, body);
  const started = performance.now();
  const outcome = (status: string, status_code: number, response_headers: object | null, text: string) => ({
    duration: Math.round(performance.now() - started) / 1000,
    status,
    status_code,
    request_headers: JSON.stringify(headers),
    response_headers: response_headers && JSON.stringify(response_headers),
    response_body: text.slice(0, keptOfResponse),
  });
  return new Promise(resolve => {
    const fail = (error: Error) => resolve(outcome(reason(error), 0, null, ''));
    try {
      const url = new URL(app.webhook_url);
      const open = url.protocol === 'https:' ? httpsRequest : httpRequest;
      // A redirect is an answer like others: nothing goes where nobody set it to go.
      // A connection of its own: a receiver that restarted must not be met through a dead one.
      const request = open(url, {
        method: 'POST',
        headers,
        agent: false,
        signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      });
      request.on('error', fail);
      request.on('response', response => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          if (text.length < keptOfResponse) text += chunk;
        });
        response.on('error', fail);
        response.on('end', () => {
          const code = response.statusCode ?? 0;
          const phrase = code < 300 ? 'OK' : (response.statusMessage ?? 'failed');
          resolve(outcome(phrase, code, response.headers, text));
        });
      });
      request.end(body);
    } catch (error) {
      fail(error instanceof Error ? error : new Error(String(error)));
    }
  });
}

const reason = (error: Error): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? 'timed out'
    : `failed to connect: ${error.message}`;

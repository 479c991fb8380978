// The App's webhook endpoint: takes what GitHub has signed, and spends next to nothing on anything else.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Probot } from 'probot';
import { bodyReader, BodyRefused, messageOf, type ReadBody, systemClock, jsonOf } from '@echelon/ground';
import { EchelonOctokit, echelonApp } from './app.ts';
import type { Installations } from './installations.ts';
import type { AppCredentials } from './server-settings.ts';

export const webhookPath = '/api/github/webhooks';

/** GitHub sends no payload larger than 25 MB, and waits ten seconds for the answer (docs.github.com, Webhooks). */
const limits = { largest: 25 * 1024 * 1024, together: 50 * 1024 * 1024, patienceMs: 10_000 };

export type Webhooks = Awaited<ReturnType<typeof openWebhooks>>;

export async function openWebhooks(
  installations: Installations,
  { id, privateKey, secret, baseUrl }: AppCredentials,
  { paced, logLevel }: { paced: boolean; logLevel: string },
) {
  const probot = new Probot({
    appId: id,
    privateKey,
    secret,
    baseUrl,
    Octokit: EchelonOctokit,
    logLevel: logLevel as 'warn',
  });
  await probot.ready();
  let heard = false;
  const { receive, bot, reconcileAll, github } = echelonApp(installations, probot, { paced });
  const endpoint: Endpoint = {
    read: bodyReader(limits, systemClock),
    // Not verifyAndReceive nor receive: on an error these log the whole event.
    isSigned: (text, signature) => probot.webhooks.verify(text, signature).catch(() => false),
    // Not awaited: GitHub wants its answer within 10 s, and the work may take hours.
    begin(event, payload) {
      heard = true;
      installations.track(receive(event, payload));
    },
  };
  const told = new Set<string>();
  /** Each line once: others' requests must not fill the log. */
  function warn(line: string): void {
    if (told.has(line)) return;
    told.add(line);
    probot.log.warn(`${line} (This is said once.)`);
  }

  return {
    /** True when the request was for the endpoint; it is answered then, whatever it holds. */
    take(request: IncomingMessage, response: ServerResponse): boolean {
      if (request.url?.replace(/\/?(\?.*)?$/s, '') !== webhookPath) return false;
      answerTo(request, endpoint)
        .then(answer => {
          send(request, response, answer);
          const { status, text } = answer;
          if (status >= 400) warn(`a webhook was refused with ${status}: ${text}`);
        })
        .catch((error: unknown) => {
          warn(`a webhook was not answered, its connection was cut: ${messageOf(error)}`);
          response.destroy();
        });
      return true;
    },
    bot,
    reconcileAll,
    github,
    /** True once a webhook has come that GitHub signed. */
    heard: (): boolean => heard,
  };
}

interface Endpoint {
  read: ReadBody;
  isSigned(text: string, signature: string): Promise<boolean>;
  begin(event: string, payload: unknown): void;
}

async function answerTo(request: IncomingMessage, { read, isSigned, begin }: Endpoint): Promise<Answer> {
  if (request.method !== 'POST') return { status: 405, text: 'Webhooks are sent by POST.' };
  const named = namedBy(request);
  if ('status' in named) return named;
  try {
    return await read(request, async text => {
      if (!(await isSigned(text, named.signature))) return unsigned;
      const payload = jsonOf(text);
      if (payload === undefined) return { status: 400, text: 'The body is not JSON.' };
      begin(named.event, payload);
      return { status: 202, text: 'Taken.' };
    });
  } catch (error) {
    if (!(error instanceof BodyRefused)) throw error;
    return { status: error.status, text: error.message };
  }
}

interface Answer {
  status: number;
  /** Shown by GitHub beside the delivery. Never anything of the request. */
  text: string;
}

const unsigned: Answer = {
  status: 400,
  text: "The signature does not fit: WEBHOOK_SECRET must be the secret in the App's settings.",
};

/** Event and signature of a request that looks like one of GitHub's; how it is answered otherwise. */
function namedBy({ headers }: IncomingMessage): { event: string; signature: string } | Answer {
  const one = (name: string, form: RegExp) => form.exec(String(headers[name] ?? ''))?.[0];
  if (!one('content-type', /^application\/json\s*(;|$)/i))
    return { status: 415, text: "Set the content type to application/json in the App's settings." };
  const event = one('x-github-event', /^[a-z_]{1,100}$/);
  if (!event) return { status: 400, text: 'The header x-github-event names no event.' };
  const signature = one('x-hub-signature-256', /^sha256=[0-9a-f]{64}$/);
  if (!signature)
    return {
      status: 400,
      text: "The header x-hub-signature-256 holds no signature: set the webhook's secret in the App's settings.",
    };
  return { event, signature };
}

function send(request: IncomingMessage, response: ServerResponse, { status, text }: Answer): void {
  const rest = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY);
  // Node lets the rest of an unread body pass by, which only one that is known to end soon is allowed.
  const close = !request.complete && (rest > limits.largest || ![400, 405, 415].includes(status));
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    ...(status === 405 && { allow: 'POST' }),
    ...(close && { connection: 'close' }),
  });
  response.end(`${text}\n`);
}

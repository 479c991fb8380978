// The webhook endpoint's handling of requests: an unsigned body costs nothing, and none is ever logged.
import { spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { endAll, root } from '../cli/run-cli.ts';
import { type Serving, sample, serving } from '../cli/serving.ts';
import { until } from '../../until.ts';

const data = mkdtempSync(join(tmpdir(), 'echelon-webhooks-test-'));
let at: Serving;
let secret: string;
beforeAll(async () => {
  at = await serving(['--data', data, '--port', '0'], { env: { LOG_LEVEL: 'trace' } });
  const db = new DatabaseSync(join(data, 'forge/forge.sqlite'), { readOnly: true });
  secret = String(db.prepare('SELECT webhook_secret FROM apps').get()?.['webhook_secret']);
  db.close();
}, 30_000);
afterAll(async () => {
  await endAll();
  rmSync(data, { recursive: true, force: true });
});

const path = '/api/github/webhooks';
const megabytes = 1024 * 1024;
const signed = (body: string | Uint8Array) =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

type Headers = Record<string, string | string[]>;
const named: Headers = {
  'content-type': 'application/json',
  'x-github-event': 'issues',
  'x-github-delivery': '72d3162e-cc78-11e3-81ab-4c9367dc0958',
};
const wrong = `sha256=${'0'.repeat(64)}`;

interface Sent {
  headers?: Headers;
  body?: string | Uint8Array;
  method?: string;
  /** Leaves the request open after the body. */
  open?: boolean;
}

/** Answers the status, and what the connection is for afterwards. */
function send({ headers = {}, body = '', method = 'POST', open = false }: Sent) {
  return new Promise<{ status: number | undefined; connection: string | undefined }>((resolve, reject) => {
    const { hostname, port } = new URL(at.url);
    const kept = { connection: 'keep-alive', ...headers };
    const asked = request({ hostname, port, path, method, headers: kept, agent: false });
    asked.on('error', reject);
    asked.on('response', (answer: IncomingMessage) => {
      answer.resume();
      resolve({ status: answer.statusCode, connection: answer.headers.connection });
      asked.destroy();
    });
    if (open) asked.write(body);
    else asked.end(body);
  });
}

const lives = () => at.api('GET', sample);

test.each<[what: string, sent: () => Sent, status: number]>([
  ['GET', () => ({ method: 'GET' }), 405],
  ['PUT', () => ({ method: 'PUT', headers: { ...named, 'x-hub-signature-256': wrong }, body: '{}' }), 405],
  ['no headers', () => ({ body: '{}' }), 415],
  ['no signature', () => ({ headers: named, body: '{}' }), 400],
  ['a wrong signature', () => ({ headers: { ...named, 'x-hub-signature-256': wrong }, body: '{}' }), 400],
  [
    'a signature of another form',
    () => ({ headers: { ...named, 'x-hub-signature-256': 'sha256=ü' }, body: '{}' }),
    400,
  ],
  [
    'an empty signature',
    () => ({ headers: { ...named, 'x-hub-signature-256': 'sha256=' }, body: '{}' }),
    400,
  ],
  [
    'the signature of another algorithm alone',
    () => ({ headers: { ...named, 'x-hub-signature': `sha1=${'0'.repeat(40)}` }, body: '{}' }),
    400,
  ],
  [
    'two signatures, one of them right',
    () => ({ headers: { ...named, 'x-hub-signature-256': [wrong, signed('{}')] }, body: '{}' }),
    400,
  ],
  [
    'two events',
    () => ({
      headers: { ...named, 'x-github-event': ['issues', 'ping'], 'x-hub-signature-256': signed('{}') },
      body: '{}',
    }),
    400,
  ],
  ['no body', () => ({ headers: { ...named, 'x-hub-signature-256': signed('') } }), 400],
  [
    'a form',
    () => ({
      headers: {
        ...named,
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': signed('payload=%7B%7D'),
      },
      body: 'payload=%7B%7D',
    }),
    415,
  ],
  [
    'no JSON, signed',
    () => ({
      headers: { ...named, 'x-hub-signature-256': signed('secret-words {') },
      body: 'secret-words {',
    }),
    400,
  ],
  [
    'no UTF-8, signed',
    () => {
      const body = Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]);
      return { headers: { ...named, 'x-hub-signature-256': signed(body) }, body };
    },
    400,
  ],
  ...[
    '[]',
    'null',
    '7',
    '{}',
    '{"action":"labeled"}',
    '{"action":{"a":1}}',
    '{"__proto__":{"action":1}}',
  ].map((body): [string, () => Sent, number] => [
    `${body}, signed`,
    () => ({ headers: { ...named, 'x-hub-signature-256': signed(body) }, body }),
    202,
  ]),
  ...['ping', 'not_an_event', 'constructor', 'error'].map((event): [string, () => Sent, number] => [
    `the event ${event}, signed`,
    () => ({
      headers: { ...named, 'x-github-event': event, 'x-hub-signature-256': signed('{}') },
      body: '{}',
    }),
    202,
  ]),
])('%s', async (_what, sent, status) => {
  expect((await send(sent())).status).toBe(status);
  await lives();
});

test('a body that says it is too long is not waited for', async () => {
  const length = String(600 * megabytes);
  const headers = { ...named, 'x-hub-signature-256': wrong, 'content-length': length };
  expect(await send({ headers, body: '{', open: true })).toEqual({ status: 413, connection: 'close' });
  await lives();
});

test('a body that turns out too long is refused where it does', async () => {
  const headers = { ...named, 'x-hub-signature-256': wrong, 'transfer-encoding': 'chunked' };
  const body = Buffer.alloc(25 * megabytes + 1, 'a');
  expect(await send({ headers, body, open: true })).toEqual({ status: 413, connection: 'close' });
  await lives();
});

test('a body of 25 MB with a right signature is taken', async () => {
  const body = Buffer.from(`{"text":"${'a'.repeat(25 * megabytes - 11)}"}`);
  expect(body.length).toBe(25 * megabytes);
  const headers = { ...named, 'x-github-event': 'push', 'x-hub-signature-256': signed(body) };
  expect((await send({ headers, body })).status).toBe(202);
});

test('a body that is cut off is none', async () => {
  const { hostname, port } = new URL(at.url);
  const head = ['POST', path, 'HTTP/1.1\r\nhost:', hostname].join(' ');
  const rest = [
    `x-hub-signature-256: ${wrong}`,
    'content-length: 100',
    ...Object.entries(named).map(each => each.join(': ')),
  ];
  for (const half of [false, true]) {
    const socket = connect(Number(port), hostname);
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.on('error', () => {});
    socket.resume();
    socket.write(`${head}\r\n${rest.join('\r\n')}\r\n\r\n{"a`, () =>
      half ? socket.end() : socket.resetAndDestroy(),
    );
    await closed;
    await lives();
  }
});

test('a webhook whose answer cannot be sent is told as cut off, not as refused', () => {
  const code = `
    import { createServer } from 'node:http';
    import { openWebhooks, webhookPath } from '${join(root, 'src/doors/app/webhooks.ts')}';
    const app = { id: 1, privateKey: 'none', secret: 'none', baseUrl: 'http://127.0.0.1:9' };
    const webhooks = await openWebhooks({}, app, { paced: false, logLevel: 'warn' });
    const server = createServer((request, response) => {
      response.writeHead(200).flushHeaders();
      webhooks.take(request, response);
    }).listen(0, '127.0.0.1', async () => {
      const answer = await fetch('http://127.0.0.1:' + server.address().port + webhookPath);
      await answer.text().catch(() => {});
      server.close();
    });`;
  const ran = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  expect(ran.stdout, ran.stderr).toContain(
    'a webhook was not answered, its connection was cut: Cannot write headers',
  );
  expect(ran.stdout).not.toContain('refused');
});

test('nothing of a payload is logged, at any level, whatever becomes of it', async () => {
  const marker = 'words-of-the-payload';
  const labeled = JSON.stringify({
    action: 'labeled',
    installation: { id: 1 },
    repository: { id: 9, name: 'gone', full_name: 'you/gone', owner: { login: 'you', id: 1 } },
    sender: { login: 'you', id: 1, type: 'User' },
    issue: { number: 1, title: marker, body: marker, state: 'open', labels: [{ name: 'echelon' }] },
    label: { name: 'echelon' },
  });
  const bodies = [labeled, `{"action":"labeled","issue":"${marker}"}`, `${marker} {`, `"${marker}"`];
  for (const body of bodies)
    for (const signature of [signed(body), wrong])
      await send({ headers: { ...named, 'x-hub-signature-256': signature }, body });
  // The repository is gone, so the work that the first of them began fails, and says so.
  await until('the failure is told', () => (at.ran.stderr.includes('Not Found') ? true : undefined));
  expect(at.ran.stdout + at.ran.stderr).not.toContain(marker);
  expect(at.ran.stdout + at.ran.stderr).not.toContain('secret-words');
  expect(at.ran.stdout).toContain('WEBHOOK_SECRET');
  await at.api('GET', sample);
});

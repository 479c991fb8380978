// The proxy of a sandbox against hostile clients, hosts that resolve to forbidden addresses, and a proxy before it.
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { type AddressInfo, connect, createServer as createTcp, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { type EgressOptions, openEgress } from '../../../packages/ground/workspace/egress.ts';
import { upstreamOf } from '../../../packages/ground/workspace/upstream-proxy.ts';

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0).reverse()) await end();
});

/** A server that tells what it was asked, and a proxy whose public addresses all lead to it. */
async function proxied(names: Record<string, string[]>, options: Partial<EgressOptions> = {}) {
  const asked: { line: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const server = createServer(async (request, response) => {
    const { method, url, headers } = request;
    asked.push({ line: `${method} ${url}`, headers, body: await text(request) });
    response
      .writeHead(url === '/moved' ? 302 : 200, { location: 'http://10.0.0.1/', 'x-host': 'yes' })
      .end('hello');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const [resolved, dialled]: string[][] = [[], []];
  const egress = await openEgress({
    hosts: ['example.org', '*.example.org'],
    outside: {
      async resolve(host) {
        resolved!.push(host);
        const answers = names[host];
        if (!answers) throw new Error(`getaddrinfo ENOTFOUND ${host}`);
        // Each question has another answer, as of a name server that rebinds; the last one stays.
        return [answers.length > 1 ? answers.shift()! : answers[0]!];
      },
      connect(to) {
        dialled!.push(`${to.host}:${to.port}`);
        return connect({ host: '127.0.0.1', port });
      },
    },
    ...options,
  });
  ending.push(() => server.close(), egress.close);
  /** All that comes back for these bytes. */
  const send = async (bytes: string) => {
    const client = connect(egress.socket);
    client.on('error', () => {});
    client.write(bytes);
    // Every request here wants the connection closed after it.
    const got = await text(client).catch(() => '');
    return got;
  };
  const get = (url: string, more = '') =>
    send(`GET ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${more}\r\n`);
  const tunnel = (to: string) =>
    send(
      `CONNECT ${to} HTTP/1.1\r\nHost: ${to}\r\n\r\nGET /in HTTP/1.1\r\nHost: in\r\nConnection: close\r\n\r\n`,
    );
  return { egress, asked, resolved: resolved!, dialled: dialled!, send, get, tunnel };
}

const open = { 'example.org': ['203.0.113.80'], 'a.example.org': ['2001:db8::1'] };

test('a listed host is reached by CONNECT and by a plain request, at the address that was looked at', async () => {
  const { tunnel, get, dialled, asked, egress } = await proxied(open);
  expect(await tunnel('EXAMPLE.org.:443')).toMatch(/^HTTP\/1\.1 200 [\s\S]*hello\s/);
  expect(await get('http://a.example.org/x?y=1')).toMatch(/^HTTP\/1\.1 200 [\s\S]*x-host: yes[\s\S]*hello/);
  expect(dialled).toEqual(['203.0.113.80:443', '2001:db8::1:80']);
  expect(asked.map(({ line }) => line)).toEqual(['GET /in', 'GET /x?y=1']);
  expect(egress.refused).toEqual([]);
});

const listOf = 'add it to `network` to allow it';

test.each([
  ['another host', 'evil.example:443', `evil.example: ${listOf}`],
  ['another port', 'example.org:22', 'example.org: port 22 is closed, 80 and 443 are open'],
  ['the metadata service', '169.254.169.254:80', `169.254.169.254: ${listOf}`],
  ['loopback in hexadecimal', '0x7f.1:443', `127.0.0.1: ${listOf}`],
  ['loopback as one number', '2130706433:443', `127.0.0.1: ${listOf}`],
  ['an address in an address', '[::ffff:10.0.0.1]:443', `::ffff:a00:1: ${listOf}`],
])('CONNECT to %s is refused in the status line, the body and the list', async (_name, to, sentence) => {
  const { tunnel, dialled, resolved, egress } = await proxied(open);
  const said = `network refused for host ${sentence}`;
  expect(await tunnel(to)).toBe(
    `HTTP/1.1 403 ${said}\r\ncontent-type: text/plain\r\ncontent-length: ${said.length + 1}\r\nconnection: close\r\n\r\n${said}\n`,
  );
  expect(egress.refused).toEqual([said]);
  expect([dialled, resolved]).toEqual([[], []]);
});

test.each([
  ['a private address', ['10.0.0.7'], {}],
  ['the metadata address', ['169.254.169.254'], {}],
  ['loopback', ['::1'], {}],
  ['a private address, with all hosts allowed', ['192.168.0.1'], { hosts: 'all' as const }],
])('a host that resolves to %s is refused', async (_name, answers, options) => {
  const { tunnel, get, dialled } = await proxied({ 'example.org': answers }, options);
  expect(await tunnel('example.org:443')).toContain(
    '403 network refused for host example.org: its address is not public',
  );
  expect(await get('http://example.org/')).toContain('403 network refused for host example.org');
  expect(dialled).toEqual([]);
});

test.each(['169.254.169.254', '10.0.0.1', '127.0.0.1', '[fd00:ec2::254]', '0xa9fea9fe'])(
  'with all hosts allowed %s is refused',
  async host => {
    const { tunnel, dialled } = await proxied(open, { hosts: 'all' });
    expect(await tunnel(`${host}:80`)).toContain('its address is not public');
    expect(dialled).toEqual([]);
  },
);

test('a name server that rebinds is asked once for a connection', async () => {
  const { tunnel, resolved, dialled } = await proxied({ 'example.org': ['203.0.113.80', '127.0.0.1'] });
  expect(await tunnel('example.org:443')).toContain('hello');
  expect([resolved, dialled]).toEqual([['example.org'], ['203.0.113.80:443']]);
  expect(await tunnel('example.org:443')).toContain('its address is not public');
});

test('a redirect is passed on, and its target is a request of its own', async () => {
  const { get } = await proxied(open);
  expect(await get('http://example.org/moved')).toContain('location: http://10.0.0.1/');
  expect(await get('http://10.0.0.1/')).toContain('403');
});

test('what the operator names may be private, at its port', async () => {
  const { get } = await proxied({ 'npm.corp': ['10.0.0.7'] }, { trusted: ['npm.corp:8081'] });
  expect(await get('http://npm.corp:8081/x')).toContain('hello');
  expect(await get('http://npm.corp/x')).toContain('403');
});

test('what is unknown to the name server, or answers nothing, is a 502', async () => {
  const { get } = await proxied({ 'gone.example.org': ['203.0.113.1'] }, { outside: undefined as never });
  expect(await get('http://nothing.invalid/')).toContain('403');
  const { tunnel } = await proxied(open);
  expect(await tunnel('b.example.org:443')).toContain('502 getaddrinfo ENOTFOUND b.example.org');
});

describe('requests that are to be read twice', () => {
  test('the host of the address counts, not the header; headers of the connection stay here', async () => {
    const { get, asked } = await proxied(open);
    await get(
      'http://example.org/x',
      'Proxy-Authorization: Basic eA==\r\nX-Own: 1\r\nProxy-Connection: x\r\nTE: trailers\r\n',
    );
    const { host, connection, 'x-own': own, ...rest } = asked[0]!.headers;
    expect({ host, connection, own, rest }).toEqual({
      host: 'example.org',
      connection: 'close',
      own: '1',
      rest: {},
    });
  });

  test('a body of chunks under GET stays a body', async () => {
    const { send, asked } = await proxied(open);
    const inner = 'GET /smuggled HTTP/1.1\r\nHost: evil\r\n\r\n';
    await send(
      `GET http://example.org/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`,
    );
    expect(asked.map(({ line, body }) => ({ line, body }))).toEqual([{ line: 'GET /x', body: inner }]);
  });

  test('a length that Connection names still tells where the body ends', async () => {
    const { get, asked } = await proxied(open);
    const inner = 'GET http://evil/smuggled HTTP/1.1\r\nHost: evil\r\n\r\n';
    const length = `Connection: content-length\r\nContent-Length: ${inner.length}`;
    await get('http://example.org/x', `${length}\r\n\r\n${inner}`);
    expect(asked.map(({ line, body }) => ({ line, body }))).toEqual([{ line: 'GET /x', body: inner }]);
  });

  test.each([
    [
      'two lengths',
      'POST http://example.org/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    ],
    [
      'a length and chunks',
      'POST http://example.org/ HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['no HTTP', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['a head without end', `GET http://example.org/ HTTP/1.1\r\nX: ${'x'.repeat(40_000)}`],
    ['a bad first line', 'CONNECT example.org:443 FTP/1.1\r\n\r\n'],
  ])('%s: hung up, nothing is asked', async (_name, bytes) => {
    const { send, asked, dialled } = await proxied(open);
    expect(await send(bytes)).toBe('');
    expect([asked, dialled]).toEqual([[], []]);
  });

  test.each([
    ['no port', 'CONNECT example.org HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a user', 'CONNECT a@example.org:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['an address without a host', 'GET /x HTTP/1.1\r\nHost: example.org\r\nConnection: close\r\n\r\n'],
    ['another protocol', 'GET ftp://example.org/x HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
    ['a file', 'GET file:///etc/passwd HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'],
  ])('%s: 400', async (_name, bytes) => {
    const { send, dialled } = await proxied(open);
    expect(await send(bytes)).toMatch(/^HTTP\/1\.1 400 /);
    expect(dialled).toEqual([]);
  });
});

test('a proxy that is closed while a host is looked for leaves no connection', async () => {
  const found = Promise.withResolvers<string[]>();
  const asked = Promise.withResolvers<void>();
  const made = new Socket();
  const { egress, tunnel } = await proxied(open, {
    outside: {
      resolve() {
        asked.resolve();
        return found.promise;
      },
      connect() {
        process.nextTick(() => made.emit('connect'));
        return made;
      },
    },
  });
  const ended = tunnel('example.org:443');
  await asked.promise;
  await egress.close();
  await ended;
  found.resolve(['203.0.113.80']);
  await once(made, 'close');
});

test('at most 20 refusals are remembered', async () => {
  const { tunnel, egress } = await proxied(open);
  for (let n = 0; n < 25; n += 1) await tunnel(`h${n}.example:443`);
  expect(egress.refused).toHaveLength(20);
});

test('a proxy before the machine is asked for the tunnel, and the host that it refuses is a 502', async () => {
  const lines: string[] = [];
  const upstream = createTcp(client =>
    client.once('data', data => {
      const [line = ''] = String(data).split('\r\n');
      lines.push(line);
      if (line.includes('b.example.org')) return client.end('HTTP/1.1 407 Who are you\r\n\r\n');
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      return client.on('data', () => client.end('hello'));
    }),
  ).listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  ending.push(() => upstream.close());
  const { port } = upstream.address() as AddressInfo;
  const egress = await openEgress({
    hosts: ['example.org', '*.example.org', '10.0.0.1'],
    upstream: upstreamOf({ HTTPS_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'direct.example.org' }),
    outside: {
      resolve: async host =>
        host === 'c.example.org' ? ['10.0.0.1'] : Promise.reject(new Error('no name server')),
      connect,
    },
  });
  ending.push(egress.close);
  const tunnel = async (to: string) => {
    const client = connect(egress.socket);
    client.write(`CONNECT ${to} HTTP/1.1\r\nHost: x\r\n\r\nhi`);
    return await text(client);
  };
  expect(await tunnel('example.org:443')).toContain('hello');
  expect(await tunnel('b.example.org:443')).toContain("502 the machine's proxy answered HTTP/1.1 407");
  expect(await tunnel('c.example.org:443')).toContain('its address is not public');
  expect(await tunnel('10.0.0.1:443')).toContain('its address is not public');
  expect(await tunnel('direct.example.org:443')).toContain('502 no name server');
  expect(lines).toEqual(['CONNECT example.org:443 HTTP/1.1', 'CONNECT b.example.org:443 HTTP/1.1']);
});

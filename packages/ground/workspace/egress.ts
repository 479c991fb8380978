// The proxy by which commands in a sandbox reach hosts: outside of it, on a socket, for the hosts that are allowed only.
import { lookup } from 'node:dns/promises';
import { rm } from 'node:fs/promises';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as httpRequest,
  type Server,
  type ServerResponse,
} from 'node:http';
import { connect, isIP, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Duplex, pipeline } from 'node:stream';
import { type AllowedHosts, type Endpoint, isPublic, readAuthority, whyRefused } from './allowed-hosts.ts';
import { socketFolder } from './forward.ts';
import { throughUpstream } from './upstream-proxy.ts';
import { messageOf } from '../lib/message.ts';

/** Milliseconds until a host must have answered, and until a client must have sent its request's head. */
const CONNECT_MS = 15_000;
const HEAD_MS = 15_000;
/** Bytes of a request's head; connections at once; refusals that are remembered. */
const MAX_HEAD = 16 * 1024;
const MAX_CONNECTIONS = 256;
const MAX_REFUSED = 20;

/** The machine's network; tests give another one. */
export interface Outside {
  resolve(host: string): Promise<string[]>;
  connect(to: { host: string; port: number }): Socket;
}

const machine: Outside = {
  resolve: async host =>
    (await lookup(host, { all: true, order: 'ipv4first' })).map(({ address }) => address),
  connect,
};

export interface EgressOptions {
  hosts: AllowedHosts;
  /** `host:port` of what the operator of the machine names: open besides, at private addresses as well. */
  trusted?: readonly string[];
  /** The proxy by which the machine itself reaches the endpoint, `host:port`; undefined: it connects by itself. */
  upstream?: (endpoint: Endpoint) => string | undefined;
  outside?: Outside;
}

export type Egress = Awaited<ReturnType<typeof openEgress>>;

class Refusal extends Error {}

/** A connection to the endpoint, or to the proxy that is to reach it. */
interface Route {
  socket: Socket;
  upstream: boolean;
}

export async function openEgress(options: EgressOptions) {
  const { hosts, trusted = [], upstream = () => undefined, outside = machine } = options;
  const refused = new Set<string>();
  const refuse = (host: string, why: string): never => {
    const sentence = `network refused for host ${host}: ${why}`;
    if (refused.size < MAX_REFUSED) refused.add(sentence);
    throw new Refusal(sentence);
  };

  /** Resolves once, and connects to the very address that was looked at: a second answer could be another one. */
  async function route(endpoint: Endpoint): Promise<Route> {
    const { host, port } = endpoint;
    const isTrusted = trusted.includes(`${host}:${port}`);
    const why = isTrusted ? undefined : whyRefused(hosts, endpoint);
    if (why !== undefined) refuse(host, why);
    const by = upstream(endpoint);
    const found = isIP(host)
      ? [host]
      : await outside
          .resolve(host)
          .catch((error: unknown) => (by === undefined ? Promise.reject(error) : []));
    const open = isTrusted ? found : found.filter(isPublic);
    if (found.length > 0 && open.length === 0) refuse(host, 'its address is not public');
    if (by === undefined) return { socket: await connected(outside, open, port), upstream: false };
    const { host: name, port: at } = readAuthority(by) ?? { host: by, port: 3128 };
    return { socket: await connected(outside, [name], at), upstream: true };
  }

  const server = createServer({ maxHeaderSize: MAX_HEAD });
  server.headersTimeout = HEAD_MS;
  server.maxConnections = MAX_CONNECTIONS;
  server.on('clientError', (_error, socket) => socket.destroy());
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    client.on('error', () => client.destroy());
    tunnel(request.url ?? '', client, head, route).catch((error: unknown) => {
      client.end(answerTo(error));
    });
  });
  server.on('request', (request, response) => {
    pass(request, response, route).catch((error: unknown) => {
      const { status, text } = faultOf(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(status, text, { 'content-type': 'text/plain' }).end(`${text}\n`);
    });
  });
  const folder = await socketFolder();
  const socket = join(folder, 'proxy');
  const clients = await listening(server, socket);
  return {
    /** Path of the socket, in a folder that nobody else may read. */
    socket,
    /** A sentence for each host that was refused, without its full stop. */
    get refused() {
      return [...refused];
    },
    async close(): Promise<void> {
      for (const client of clients) client.destroy();
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function listening(server: Server, path: string): Promise<ReadonlySet<Socket>> {
  const clients = new Set<Socket>();
  server.on('connection', client => {
    clients.add(client);
    client.once('close', () => clients.delete(client));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve));
  return clients;
}

/** The first of the addresses that answers. */
async function connected(outside: Outside, addresses: readonly string[], port: number): Promise<Socket> {
  let last: unknown = new Error('no address');
  for (const host of addresses) {
    const socket = outside.connect({ host, port });
    const error = await new Promise<Error | undefined>(resolve => {
      socket.setTimeout(CONNECT_MS, () => resolve(new Error(`no answer after ${CONNECT_MS / 1000} s`)));
      socket.once('connect', () => resolve(undefined)).once('error', resolve);
    });
    socket.setTimeout(0);
    if (error === undefined) return socket;
    socket.destroy();
    last = error;
  }
  throw last;
}

type Router = (endpoint: Endpoint) => Promise<Route>;

/** CONNECT: the client speaks TLS with the host itself. */
async function tunnel(authority: string, client: Duplex, head: Buffer, route: Router): Promise<void> {
  const endpoint = readAuthority(authority);
  if (!endpoint) throw new BadRequest('CONNECT needs a host and a port');
  const { socket, upstream } = await route(endpoint);
  socket.on('error', () => client.destroy());
  client.once('close', () => socket.destroy());
  // It went while the host was looked for.
  if (client.destroyed) socket.destroy();
  if (upstream) await throughUpstream(socket, endpoint);
  client.write('HTTP/1.1 200 Connection established\r\n\r\n');
  socket.write(head);
  socket.pipe(client).pipe(socket);
}

/**
 * A request for an address that begins with http://. It is written anew from what was read of it, so that the host that
 * was checked is the one that is asked.
 */
async function pass(request: IncomingMessage, response: ServerResponse, route: Router): Promise<void> {
  const url = /^http:\/\//i.test(request.url ?? '') ? URL.parse(request.url ?? '') : null;
  const endpoint = url && readAuthority(`${url.hostname}:${url.port || 80}`);
  if (!url || !endpoint)
    throw new BadRequest('the proxy takes CONNECT, and addresses that begin with http://');
  const { socket, upstream } = await route(endpoint);
  const onward = httpRequest({
    ...{ createConnection: () => socket, method: request.method, setHost: false },
    path: `${upstream ? url.origin : ''}${url.pathname}${url.search}`,
    headers: {
      ...endToEnd(request.headers),
      // A body without a length is framed anew; node would send that of a GET bare.
      ...(request.headers['transfer-encoding'] !== undefined && { 'transfer-encoding': 'chunked' }),
      ...{ host: url.host, connection: 'close' },
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    onward.once('response', resolve).once('error', reject);
    onward.once('upgrade', () => reject(new BadRequest('no other protocol is passed on')));
  });
  response.once('close', () => socket.destroy());
  pipeline(request, onward, () => {});
  const given = await answer;
  response.writeHead(given.statusCode ?? 502, given.statusMessage, endToEnd(given.headers));
  pipeline(given, response, () => {});
}

/** Headers of one connection only (RFC 9110, 7.6.1), and those that Connection names. */
const hopByHop = [
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authorization', 'proxy-authenticate'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade'],
];

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/);
  const dropped = new Set([...hopByHop, ...named]);
  // Without its length a body would be read as the next request.
  dropped.delete('content-length');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !dropped.has(name)));
}

class BadRequest extends Error {}

/** The sentence stands in the status line as well, which is all that many clients show. */
function faultOf(error: unknown): { status: number; text: string } {
  const text = messageOf(error).replace(/[^\x20-\x7e]+/g, ' ');
  if (error instanceof Refusal) return { status: 403, text };
  if (error instanceof BadRequest) return { status: 400, text };
  return { status: 502, text: text.slice(0, 200) };
}

function answerTo(error: unknown): string {
  const { status, text } = faultOf(error);
  const head = ['content-type: text/plain', `content-length: ${text.length + 1}`, 'connection: close'];
  return `HTTP/1.1 ${status} ${text}\r\n${head.join('\r\n')}\r\n\r\n${text}\n`;
}

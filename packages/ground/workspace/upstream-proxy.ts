// The proxy by which the machine itself reaches the network, where it does so by one.
import type { Socket } from 'node:net';
import { type Endpoint, canonicalHost } from './allowed-hosts.ts';

type Variables = Readonly<Record<string, string>>;

/** Bytes of its answer's head. */
const MAX_HEAD = 16 * 1024;

/** The proxy that the variables name for an endpoint, as `host:port`. SOCKS is not spoken. */
export function upstreamOf(env: Variables): (endpoint: Endpoint) => string | undefined {
  const named = (name: string) => env[name.toLowerCase()] ?? env[name];
  const direct = (named('NO_PROXY') ?? '').split(/[\s,]+/).filter(Boolean);
  return ({ host, port }) => {
    const proxy = named(port === 80 ? 'HTTP_PROXY' : 'HTTPS_PROXY') ?? named('ALL_PROXY');
    const url = URL.parse(proxy?.includes('://') ? proxy : `http://${proxy ?? ''}`);
    if (url?.protocol !== 'http:' || direct.some(each => isDirect(each, host))) return undefined;
    return `${url.hostname}:${url.port || 80}`;
  };
}

/** A host of NO_PROXY, with all hosts below it. */
function isDirect(entry: string, host: string): boolean {
  if (entry === '*') return true;
  const name = canonicalHost(entry.replace(/^\*?\./, '').replace(/:\d+$/, ''));
  return name !== undefined && (host === name || host.endsWith(`.${name}`));
}

/** Asks it for a tunnel to the endpoint; afterwards the socket is the tunnel. */
export async function throughUpstream(socket: Socket, { host, port }: Endpoint): Promise<void> {
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`);
  let head = '';
  while (!head.includes('\r\n\r\n')) {
    if (head.length > MAX_HEAD) throw new Error("the machine's proxy answered no HTTP");
    // Bytes behind the head are the host's, and it speaks after its client.
    head += await new Promise<string>((resolve, reject) => {
      socket.once('data', chunk => {
        socket.pause();
        resolve(chunk.toString('latin1'));
      });
      socket.once('error', reject).once('close', () => reject(new Error("the machine's proxy hung up")));
    });
  }
  const [line = ''] = head.split('\r\n');
  if (!/^HTTP\/1\.[01] 200\b/.test(line))
    throw new Error(`the machine's proxy answered ${line.slice(0, 100)}`);
}

// What whoever operates the server asks it: is it there, can it work, and how much of what it has to do.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList } from 'node:net';
import type { GithubLimits } from './github-limits.ts';
import type { Installations } from './installations.ts';
import { metricsOf } from './metrics.ts';

/** Answers `/ping`, `/healthz`, `/readyz` and `/metrics`; true when the request was for one of them. */
export type Endpoints = (request: IncomingMessage, response: ServerResponse) => boolean;

export function openEndpoints(installations: Installations, github: GithubLimits): Endpoints {
  const metrics = metricsOf(installations, github);
  const pages: Record<string, (request: IncomingMessage) => Answer | Promise<Answer>> = {
    '/ping': () => ({ status: 200, text: 'PONG\n' }),
    '/healthz': () => ({ status: 200, text: 'ok\n' }),
    '/readyz': () => readiness(github.waitsFor()),
    '/metrics': async request =>
      isNear(request)
        ? { status: 200, text: await metrics.metrics(), type: metrics.contentType }
        : {
            status: 403,
            text: 'Metrics are for addresses of private networks, and not by way of a proxy.\n',
          },
  };
  return (request, response) => {
    const path = request.url?.replace(/\?.*$/s, '') ?? '';
    const page = request.method === 'GET' || request.method === 'HEAD' ? pages[path] : undefined;
    if (!page || !Object.hasOwn(pages, path)) return false;
    Promise.resolve(page(request)).then(
      ({ status, text, type = 'text/plain; charset=utf-8' }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' });
        response.end(request.method === 'HEAD' ? undefined : text);
      },
      () => response.destroy(),
    );
    return true;
  };
}

interface Answer {
  status: number;
  text: string;
  type?: string;
}

const readiness = (wait: string | undefined): Answer =>
  wait === undefined ? { status: 200, text: 'ok\n' } : { status: 503, text: `${wait}\n` };

const near = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  near.addSubnet(net, bits, 'ipv4');
near.addAddress('::1', 'ipv6');
near.addSubnet('fc00::', 7, 'ipv6');

/** Webhooks need a port that the world reaches; what was spent is not the world's to know. */
function isNear({ socket, headers }: IncomingMessage): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const address = socket.remoteAddress?.replace(/^::ffff:/, '') ?? '';
  return near.check(address, address.includes(':') ? 'ipv6' : 'ipv4');
}

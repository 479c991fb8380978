// Endpoints for operators: health, readiness, and metrics.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BlockList } from 'node:net';
import type { GithubLimits } from './github-limits.ts';
import type { Installations } from './installations.ts';
import { Gauge, Registry } from 'prom-client';
import { systemClock } from '@echelon/ground';

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

/**
 * Reads what this process knows whenever it is asked; runs are those it has looked at since it began. Labels name kinds,
 * never a repository, an issue or a person: those may be private.
 */
function metricsOf(installations: Installations, github: GithubLimits): Registry {
  const registers = [new Registry()] as [Registry];
  const views = () => installations.repositories().flatMap(({ views }) => [...views.values()]);
  new Gauge({
    name: 'echelon_runs',
    help: 'Runs that this process has looked at since it began, by phase and status.',
    labelNames: ['phase', 'status'],
    registers,
    collect() {
      this.reset();
      for (const { phase, status } of views()) this.inc({ phase, status });
    },
  });
  new Gauge({
    name: 'echelon_queue_length',
    help: 'Pieces of work on issues that are under way or wait for their turn.',
    registers,
    collect() {
      this.set(installations.repositories().reduce((sum, { queue }) => sum + queue.size(), 0));
    },
  });
  new Gauge({
    name: 'echelon_github_calls_left',
    help: "Calls that GitHub's limit leaves until it begins anew: the least of all installations.",
    labelNames: ['resource'],
    registers,
    collect() {
      this.reset();
      for (const [resource, left] of github.callsLeft(systemClock.now())) this.set({ resource }, left);
    },
  });
  new Gauge({
    name: 'echelon_wait_seconds',
    help: 'Seconds until work goes on that waits for a limit: the longest wait for GitHub and for the model.',
    labelNames: ['for'],
    registers,
    collect() {
      const now = systemClock.now();
      const model = installations.repositories().map(({ provider }) => provider.until() ?? now);
      this.set({ for: 'github' }, Math.max(0, ...github.waits().map(until => until - now)) / 1000);
      this.set({ for: 'model' }, Math.max(0, ...model.map(until => until - now)) / 1000);
    },
  });
  new Gauge({
    name: 'echelon_spent_dollars',
    help: 'US dollars spent on models by the runs that this process has looked at since it began.',
    registers,
    collect() {
      this.set(views().reduce((sum, { cost_usd }) => sum + cost_usd, 0));
    },
  });
  return registers[0];
}

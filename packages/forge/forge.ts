// A local GitHub: REST, GraphQL, git over HTTP, webhooks; its whole state is one folder.
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { bodyReader, type Clock, systemClock } from '@echelon/ground';
import { clearLeftJobs } from './runner/job-folder.ts';
import { Runner, type RunnerOptions, settleRuns } from './actions/runner.ts';
import { callLog, type ForgeCall, type OnCall } from './calls.ts';
import { actOf } from './emit.ts';
import { settleRefs } from './repositories/refs.ts';
import type { Core } from './core.ts';
import { Database } from './database.ts';
import { type Operator, operator } from './operator.ts';
import { rateCounter } from './rate-limit.ts';
import { router } from './route.ts';
import { routes } from './routes.ts';
import { type Serial, serial } from './serial.ts';
import { isLoopback, type Serving, serve } from './server.ts';
import { allRepositories } from './repositories/repository-rows.ts';
import { type Sender, webhookSender } from './apps/webhooks.ts';

/** No body of the API is larger than GitHub's largest payload; a push is not bounded. */
const bodyLimits = { largest: 25 * 1024 * 1024, together: 100 * 1024 * 1024, patienceMs: 60_000 };

export interface ForgeOptions {
  /** Made when it is not there. Holds forge.sqlite and git/, and may be copied at any quiet moment. */
  folder: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  clock?: Clock;
  /**
   * Awaited around every API call and push. At `applied` the effects are in the database and the answer is not yet
   * sent. Throwing at `received` cuts the connection before anything is applied, at `applied` after it; an ApiError
   * thrown at `received` is the answer.
   */
  onCall?: OnCall;
  /** Sees each request first; true when it has taken it. Lets an app answer on the forge's port. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Milliseconds before the API's lists show a new artifact, as GitHub's lag now and then. Default 0. */
  artifactLag?: number;
  /** Carries out the workflows that events and dispatches start. Without it runs stay queued. */
  runner?: RunnerOptions;
  /** Routes for whatever is neither API nor git. */
  pages?: (forge: Forge) => { fetch(request: Request): Response | Promise<Response> };
}

export interface Forge extends Operator {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** url + /api/v3 */
  readonly api: string;
  readonly folder: string;
  /** True if events and dispatches start workflows here. */
  readonly runsWorkflows: boolean;
  /** The calls so far, oldest first. */
  readonly calls: readonly ForgeCall[];
  /** Routes that somebody asked for and the forge lacks, as `METHOD path`. */
  readonly missing: readonly string[];
  /** The listener, for a server of one's own. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
}

/** Opens the forge of a folder and listens. */
export async function openForge(options: ForgeOptions): Promise<Forge> {
  const folder = resolve(options.folder);
  // Keys and tokens stand in here in clear: nobody else on the machine may read them.
  mkdirSync(join(folder, 'git'), { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const db = new Database(join(folder, 'forge.sqlite'));
  const server = createServer((request, response) => handle(request, response));
  // Node's five seconds pass on a busy machine between two calls of one client, which then meets a closed connection.
  server.keepAliveTimeout = 60_000;
  const site = await listen(server, options).catch((error: unknown) => {
    db.close();
    throw error;
  });
  const core: Core = {
    db,
    clock: options.clock ?? systemClock,
    folder,
    site,
    api: `${site}/api/v3`,
    isExposed: !isLoopback(options.host ?? '127.0.0.1'),
    runsWorkflows: options.runner !== undefined,
    artifactLag: options.artifactLag ?? 0,
  };
  const oneAtATime = serial();
  const webhooks = webhookSender(core, oneAtATime);
  const workflows = options.runner && openRunner(core, oneAtATime, webhooks, options.runner);
  const calls = callLog(options.onCall);
  const serving: Serving = {
    core,
    calls,
    count: rateCounter(core),
    webhooks,
    workflows,
    find: router(routes),
    oneAtATime,
    // Connections keep real time, whatever clock the forge stamps with.
    readBody: bodyReader(bodyLimits, systemClock),
    missing: [],
    pages: (_request, response) => void response.writeHead(404).end(),
  };
  function handle(request: IncomingMessage, response: ServerResponse): void {
    if (options.before?.(request, response)) return;
    // The connection is broken; the client sees that it got no answer.
    serve(serving, request, response).catch(() => response.destroy());
  }

  let closing: Promise<void> | undefined;

  const forge: Forge = {
    url: core.site,
    api: core.api,
    folder,
    runsWorkflows: core.runsWorkflows,
    calls: calls.list,
    missing: serving.missing,
    handle,
    close() {
      closing ??= (async () => {
        const closed = new Promise(done => server.close(done));
        server.closeAllConnections();
        await workflows?.stop();
        await webhooks.stop();
        await closed;
        await oneAtATime(() => db.close());
      })();
      return closing;
    },
    ...operator(serving),
  };

  try {
    await catchUp(core, oneAtATime);
    if (options.pages) serving.pages = getRequestListener(options.pages(forge).fetch);
  } catch (error) {
    // It listens already: a process that cannot open it must be able to end.
    await forge.close();
    throw error;
  }
  webhooks.kick();
  workflows?.start();
  return forge;
}

function openRunner(core: Core, oneAtATime: Serial, webhooks: Sender, options: RunnerOptions): Runner {
  const inTurn = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const result = await oneAtATime(() => core.db.transactionOver(async () => work()));
    webhooks.kick();
    return result;
  };
  return new Runner(core, inTurn, options);
}

/** A push may have landed just before the process died, and runs were under way: what follows is done here. */
async function catchUp(core: Core, oneAtATime: Serial): Promise<void> {
  for (const repository of allRepositories(core))
    await oneAtATime(() =>
      core.db.transactionOver(() => settleRefs(actOf(core, repository.id, repository.owner_id))),
    );
  await oneAtATime(() => core.db.transactionOver(() => settleRuns(core)));
  await clearLeftJobs(core);
}

/** Listens; returns the address under which others reach it. */
async function listen(server: Server, { host = '127.0.0.1', port = 0 }: ForgeOptions): Promise<string> {
  await new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(port, host, done);
  });
  const address = server.address();
  const taken = address !== null && typeof address === 'object' ? address.port : port;
  // Every address is none that one can be sent to.
  const named = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return `http://${named.includes(':') ? `[${named}]` : named}:${taken}`;
}

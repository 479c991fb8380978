// A local GitHub: REST, GraphQL, git over HTTP, webhooks; its whole state is one folder.
import { chmodSync, mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { bodyReader } from '../lib/body.ts';
import { type Clock, systemClock } from '../lib/clock.ts';
import { runRoute } from './api.ts';
import { callLog, type ForgeCall, type OnCall } from './calls.ts';
import { answerGraphql } from './graphql.ts';
import { record, settleRefs } from './changes/refs.ts';
import type { Core } from './core.ts';
import { Database } from './database.ts';
import { addBareRepository } from './repository-folder.ts';
import type { Answer } from './route.ts';
import { router } from './route.ts';
import { redeliver } from './routes/account.ts';
import { routes } from './routes/all.ts';
import { serial } from './serial.ts';
import { type Serving, serve } from './server.ts';
import { type App, type AppSettings, findApp, installApp, registerApp } from './store/apps.ts';
import { allDeliveries, type Delivery, findDelivery } from './store/deliveries.ts';
import {
  allRepositories,
  findRepository,
  getRepository,
  type Repository,
  type Role,
  setRole,
} from './store/repositories.ts';
import { addUser, findUser, getUser, type User } from './store/users.ts';
import { webhookSender } from './webhooks.ts';

export type { ForgeCall } from './calls.ts';

/** No body of the API is larger than GitHub's largest payload; a push is not bounded. */
const bodyLimits = { largest: 25 * 1024 * 1024, together: 100 * 1024 * 1024, patienceMs: 60_000 };

export interface ForgeOptions {
  /** Made when it is not there. Holds forge.sqlite and git/, and may be copied at any quiet moment. */
  folder: string;
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 0: any free port. */
  port?: number;
  /** Address under which others reach the forge, when it is not host and port. */
  publicUrl?: string;
  clock?: Clock;
  /**
   * Awaited around every API call and push. At `applied` the effects are in the database and the answer is not yet
   * sent. Throwing at `received` cuts the connection before anything is applied, at `applied` after it.
   */
  onCall?: OnCall;
  /** Sees each request first; true when it has taken it. Lets an app answer on the forge's port. */
  before?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Routes for whatever is neither API nor git. */
  pages?: (forge: Forge) => { fetch(request: Request): Response | Promise<Response> };
}

export interface RegisteredApp {
  id: number;
  slug: string;
  /** PEM, for RS256. */
  privateKey: string;
  webhookSecret: string;
}

export interface Forge {
  /** http://127.0.0.1:PORT */
  readonly url: string;
  /** url + /api/v3 */
  readonly api: string;
  readonly folder: string;
  /** The calls so far, oldest first. */
  readonly calls: readonly ForgeCall[];
  /** Routes that somebody asked for and the forge lacks, as `METHOD path`. */
  readonly missing: readonly string[];
  /** The listener, for a server of one's own. */
  handle(request: IncomingMessage, response: ServerResponse): void;
  close(): Promise<void>;
  addUser(login: string, options?: { type?: 'User' | 'Bot'; name?: string }): User;
  /** The user's token, the same at every time. Adds no user: throws for an unknown login. */
  tokenFor(login: string): string;
  /**
   * Adds a repository, its owner too. `from` is cloned bare and never touched; `defaultBranch` is the source's
   * current branch, or main. Throws, and leaves nothing, when `from` is no git repository.
   */
  addRepository(repository: {
    owner: string;
    name: string;
    from?: string;
    private?: boolean;
    defaultBranch?: string;
  }): Promise<Repository>;
  setPermission(owner: string, name: string, login: string, role: Role): void;
  /** Idempotent by slug: key and secret stay, settings are brought up to date. */
  registerApp(settings: AppSettings): RegisteredApp;
  /** Returns the installation's id. */
  installApp(slug: string, owner: string, name: string): number;
  /** Resolves when every queued delivery was sent and answered. */
  webhooksSettled(): Promise<void>;
  /** Sends an event again under the same GUID; resolves when it was answered. */
  redeliver(deliveryId: number): Promise<void>;
  deliveries(): Delivery[];
  /** A call to the API without HTTP and outside the log, as the user of that login or as nobody. */
  call(login: string | null, method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Opens the forge of a folder and listens. */
export async function openForge(options: ForgeOptions): Promise<Forge> {
  const folder = resolve(options.folder);
  // Keys and tokens stand in here in clear: nobody else on the machine may read them.
  mkdirSync(join(folder, 'git'), { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const db = new Database(join(folder, 'forge.sqlite'));
  const server = createServer((request, response) => handle(request, response));
  const host = options.host ?? '127.0.0.1';
  try {
    await new Promise<void>((done, fail) => {
      server.once('error', fail);
      server.listen(options.port ?? 0, host, done);
    });
  } catch (error) {
    db.close();
    throw error;
  }
  const address = server.address();
  const port = address !== null && typeof address === 'object' ? address.port : 0;
  const site =
    options.publicUrl?.replace(/\/+$/, '') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const core: Core = { db, clock: options.clock ?? systemClock, folder, site, api: `${site}/api/v3` };

  const oneAtATime = serial();
  const webhooks = webhookSender(core, oneAtATime);
  const calls = callLog(options.onCall);
  const serving: Serving = {
    core,
    calls,
    webhooks,
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

  const existing = (owner: string, name: string): Repository => {
    const repository = findRepository(core, owner, name);
    if (!repository) throw new Error(`the forge has no repository ${owner}/${name}`);
    return repository;
  };
  const registered = (slug: string): App => {
    const app = findApp(core, slug);
    if (!app) throw new Error(`the forge has no app ${slug}`);
    return app;
  };
  let closing: Promise<void> | undefined;

  const forge: Forge = {
    url: core.site,
    api: core.api,
    folder,
    calls: calls.list,
    missing: serving.missing,
    handle,
    close() {
      closing ??= (async () => {
        const closed = new Promise(done => server.close(done));
        server.closeAllConnections();
        await webhooks.stop();
        await closed;
        await oneAtATime(() => db.close());
      })();
      return closing;
    },
    addUser: (login, settings) => db.aside(() => addUser(core, login, settings)),
    tokenFor(login) {
      const user = findUser(core, login);
      if (!user) throw new Error(`the forge has no user ${login}`);
      return user.token;
    },
    addRepository: ({ owner, name, ...settings }) =>
      oneAtATime(async () => {
        if (findRepository(core, owner, name)) throw new Error(`the forge already has ${owner}/${name}`);
        const made = await addBareRepository(core, owner, name, settings);
        return db.transactionOver(async () => {
          const id = db.insert('repositories', { owner_id: addUser(core, owner).id, ...made });
          await record(core, getRepository(core, id));
          return getRepository(core, id);
        });
      }),
    setPermission(owner, name, login, role) {
      db.aside(() => setRole(core, existing(owner, name), addUser(core, login), role));
    },
    registerApp(settings) {
      const app = db.aside(() => registerApp(core, settings));
      return { id: app.id, slug: app.slug, privateKey: app.private_key, webhookSecret: app.webhook_secret };
    },
    installApp: (slug, owner, name) =>
      db.aside(() => installApp(core, registered(slug), existing(owner, name)).id),
    webhooksSettled: () => webhooks.settled(),
    async redeliver(deliveryId) {
      const delivery = findDelivery(core, deliveryId);
      if (!delivery) throw new Error(`the forge has no delivery ${deliveryId}`);
      db.aside(() => redeliver(core, delivery));
      await webhooks.settled();
    },
    deliveries: () => allDeliveries(core),
    async call(login, method, path, body) {
      const [plain = '', query = ''] = path.split(/\?(.*)/s);
      const graphql = method === 'POST' && plain === '/graphql';
      const match = serving.find(method, plain);
      if (!match && !graphql) throw new Error(`The forge has no route ${method} ${plain}`);
      const authorization = login === null ? undefined : `token ${forge.tokenFor(login)}`;
      const text = body === undefined ? '' : JSON.stringify(body);
      const request = { method, path: plain, query, base: core.api, accept: '', authorization, body: text };
      const answer = await oneAtATime(() =>
        match ? runRoute(core, match, request) : answerGraphql(core, request),
      );
      webhooks.kick();
      return answer;
    },
  };

  // A push may have landed just before the process died: its events are caught up on here.
  try {
    for (const repository of allRepositories(core))
      await oneAtATime(() =>
        db.transactionOver(() =>
          settleRefs(core, repository, { user: getUser(core, repository.owner_id), app: null }),
        ),
      );
    if (options.pages) serving.pages = getRequestListener(options.pages(forge).fetch);
  } catch (error) {
    // It listens already: a process that cannot open it must be able to end.
    await forge.close();
    throw error;
  }
  webhooks.kick();
  return forge;
}

// Operator interface without HTTP: people, repositories, apps, deliveries, calls.
import { type JobNotes, readLog, readNotes } from './runner/job-record.ts';
import { runRoute } from './api.ts';
import { type AppManifest, registerManifest } from './apps/manifest.ts';
import { record } from './repositories/refs.ts';
import { answerGraphql } from './graphql.ts';
import { addBareRepository } from './repositories/repository-folder.ts';
import type { Answer } from './route.ts';
import { redeliver } from './apps/delivery-routes.ts';
import type { Serving } from './server.ts';
import {
  type AppSettings,
  findApp,
  findInstallation,
  getApp,
  installApp,
  registerApp,
} from './apps/app-rows.ts';
import type { Delivery } from './apps/delivery-rows.ts';
import {
  findRepository,
  getRepository,
  repositoriesOfInstallation,
  type Repository,
  type Role,
  setRole,
} from './repositories/repository-rows.ts';
import { addUser, findUser, type User } from './apps/users.ts';
import { runProblems, setActionValue } from './actions/workflow-rows.ts';

export interface RegisteredApp {
  id: number;
  slug: string;
  /** PEM, for RS256. */
  privateKey: string;
  webhookSecret: string;
}

export interface Operator {
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
    /** The `fork` flag that the API reports. The forge records no parent. */
    fork?: boolean;
    defaultBranch?: string;
  }): Promise<Repository>;
  setPermission(owner: string, name: string, login: string, role: Role): void;
  /** Idempotent by slug: key and secret stay, settings are brought up to date. */
  registerApp(settings: AppSettings): RegisteredApp;
  /** Registers an app as a person who confirms its manifest does; answers the code for its credentials. Throws ApiError. */
  registerManifest(manifest: AppManifest): string;
  /** Returns the installation's id. */
  installApp(slug: string, owner: string, name: string): number;
  /** The App of an installation, and the repositories (`owner/name`) that it is on. */
  installation(id: number): { slug: string; repositories: string[] } | undefined;
  /** Resolves when every queued delivery was sent and answered. */
  webhooksSettled(): Promise<void>;
  /** Resolves when no workflow is to be started and no run is queued or under way. */
  workflowsSettled(): Promise<void>;
  /** Sets a secret or a variable for a repository's workflows. */
  setActionValue(owner: string, name: string, kind: 'secret' | 'variable', key: string, value: string): void;
  /** Sends an event again under the same GUID; resolves when it was answered. */
  redeliver(deliveryId: number): Promise<void>;
  /** Grows whenever something of the forge changes; a job's log is none of it. */
  changes(): number;
  deliveries(): Delivery[];
  /** The log of a job so far; undefined where there is none. */
  jobLog(jobId: number): string | undefined;
  /** Notes that a job left next to its log. */
  jobNotes(jobId: number): JobNotes;
  /** Errors that kept the run from starting, and those of its last attempt's jobs outside of their steps, by job name. */
  runProblems(runId: number): { job: string | null; message: string }[];
  /**
   * A call to the API without HTTP and outside the log, as the user of that login or as nobody. `accept`: the media
   * type asked for, where it is another than JSON.
   */
  call(login: string | null, method: string, path: string, body?: unknown, accept?: string): Promise<Answer>;
}

export function operator({ core, find, oneAtATime, webhooks, workflows }: Serving): Operator {
  const { db } = core;
  const known = <T>(found: T | undefined, what: string): T => {
    if (!found) throw new Error(`the forge has no ${what}`);
    return found;
  };
  const existing = (owner: string, name: string): Repository =>
    known(findRepository(core, owner, name), `repository ${owner}/${name}`);
  const tokenFor = (login: string): string => known(findUser(core, login), `user ${login}`).token;
  return {
    addUser: (login, settings) => db.aside(() => addUser(core, login, settings)),
    tokenFor,
    addRepository: ({ owner, name, ...settings }) =>
      oneAtATime(async () => {
        if (findRepository(core, owner, name)) throw new Error(`the forge already has ${owner}/${name}`);
        const made = await addBareRepository(core, owner, name, settings);
        return db.transactionOver(async () => {
          const id = db.insert('repositories', { owner_id: addUser(core, owner).id, ...made });
          record(core, getRepository(core, id));
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
    registerManifest: manifest => db.aside(() => registerManifest(core, manifest)),
    installApp: (slug, owner, name) =>
      db.aside(() => installApp(core, known(findApp(core, slug), `app ${slug}`), existing(owner, name)).id),
    installation(id) {
      const found = findInstallation(core, id);
      return (
        found && {
          slug: getApp(core, found.app_id).slug,
          repositories: repositoriesOfInstallation(core, id).map(({ owner, name }) => `${owner}/${name}`),
        }
      );
    },
    webhooksSettled: () => webhooks.settled(),
    workflowsSettled: async () => workflows?.settled(),
    setActionValue: (owner, name, kind, key, value) =>
      db.aside(() => setActionValue(core, existing(owner, name).id, kind, key, value)),
    async redeliver(deliveryId) {
      const found = db.find<Delivery>('deliveries', { id: deliveryId });
      db.aside(() => redeliver(core, known(found, `delivery ${deliveryId}`)));
      await webhooks.settled();
    },
    changes: () => db.changes(),
    deliveries: () => db.all<Delivery>('SELECT * FROM deliveries ORDER BY id'),
    jobLog: jobId => readLog(core, jobId),
    jobNotes: jobId => readNotes(core, jobId),
    runProblems: runId => runProblems(core, runId),
    async call(login, method, path, body, accept = '') {
      const [plain = '', query = ''] = path.split(/\?(.*)/s);
      const graphql = method === 'POST' && plain === '/graphql';
      const match = find(method, plain);
      if (!match && !graphql) throw new Error(`The forge has no route ${method} ${plain}`);
      const authorization = login === null ? undefined : `token ${tokenFor(login)}`;
      const text = body === undefined ? '' : JSON.stringify(body);
      const request = { method, path: plain, query, base: core.api, accept, authorization, body: text };
      const answer = await oneAtATime(() =>
        match ? runRoute(core, match, request) : answerGraphql(core, request),
      );
      webhooks.kick();
      workflows?.kick();
      return answer;
    },
  };
}

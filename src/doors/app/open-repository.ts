// Puts the rooms together for one repository: from settings and a connection to GitHub to what its handlers work with.
import { type Mask, type SharedWait, systemClock } from '@echelon/ground';
import { chooseIsolation, type Mirror, openMirror } from '@echelon/ground/workspace';
import { hasKey, providersOf } from '../../engine/models/provider-keys.ts';
import { join } from 'node:path';
import { type Caps, configReader } from '../../app/config.ts';
import type { AnyJobSpec, JobProgress } from '../../app/job.ts';
import type { Client, Opener } from '../../app/set-up.ts';
import type { Bus, LocalJobsOptions, RepositoryContext } from '../../app/app.ts';
import {
  advanceSoon,
  connectRepository,
  hearHere,
  issueQueue,
  newHearing,
  otherRuns,
  testGround,
} from '../../app/app.ts';
import type { Source } from '../../engine/language.ts';
import { type ModelChoice, openModel, whyNoEngine } from '../../engine/models.ts';
import type { RuntimeParts, TaskEvent } from '../../engine/engine.ts';
import type { Sandbox } from '../../engine/sandbox.ts';
import { writingEvents } from '../progress.ts';
import { jobsHere } from './jobs-here.ts';
import { jobsOnActions } from './jobs-on-actions.ts';

/** The operator's choices, for any GitHub. */
export interface OperatorOptions extends Pick<LocalJobsOptions, 'start'> {
  model: ModelChoice;
  /** Values that must not reach model-written code or any output. */
  secrets: readonly string[];
  /** PATH that jobs get, and by what they reach the network; what repositories may switch off although there are secrets. */
  host: Pick<RuntimeParts['host'], 'path' | 'allows' | 'reach'>;
  /** Caps that no repository may exceed. */
  caps?: Caps;
  /** The test command of every repository, whatever its configuration says. */
  test?: string | undefined;
  /** A line for the operator; secrets are masked before. */
  log(line: string): void;
  onProgress?: (spec: AnyJobSpec, line: JobProgress) => void;
  /** Receives events of layers' sessions while they work; secrets are masked in what they write. */
  onSession?: (event: TaskEvent) => void;
  debug?: boolean;
}

export interface InstallationsOptions extends OperatorOptions {
  /** Folder for mirrors and jobs; made when it is not there. */
  data: string;
  /** Keys of the record, the newest first. */
  keys: readonly Uint8Array[];
  /** True if model-written code needs isolation: there is a real model's key or an App's. */
  secretsPresent: boolean;
  /** No job of this machine works from the mirrors, which fetch no more than this process reads. */
  partialMirrors?: boolean;
  /** Address that repositories are cloned from: `https://github.com`. */
  web: string;
}

export interface RepositoryIdentity {
  owner: string;
  name: string;
  id: number;
}

/** A connection to GitHub as the installation on one repository. */
export interface Connection {
  client: Client;
  /** Login of the identity it writes as. */
  bot: string;
  token(): Promise<string | undefined>;
  /** GitHub's limit of the installation: one for all its repositories. */
  wait: SharedWait;
  /** Set if another identity pushes branches and opens pull requests, or their checks wait. */
  opener?: Opener;
  /** Shows what tests came to as commit statuses. */
  statusOnly?: boolean;
}

/** Values that a process has once, for all its repositories. */
export interface Process {
  bus: Bus;
  /** Wait that the model's provider asked for: there is one key for all repositories. */
  provider: SharedWait;
  templates: readonly Source[];
  sandbox: Sandbox;
  shutdown: AbortSignal;
  mask: Mask;
  report(error: unknown, where: string): void;
}

export type OpenedRepository = ReturnType<typeof openRepository>;

export function openRepository(
  place: RepositoryIdentity,
  connection: Connection,
  options: InstallationsOptions,
  shared: Process,
) {
  const { bus, provider, templates, sandbox, shutdown, mask, report } = shared;
  const { model, secrets, secretsPresent, keys, host, test, caps = {} } = options;
  const { bot, wait, opener, statusOnly } = connection;
  const here = { ...place, bot, clock: systemClock, wait, opener, statusOnly };
  const full = () => `${here.owner}/${here.name}`;
  // By id: the name may be given up, and taken by another repository.
  const mirrorPath = join(options.data, 'mirrors', `${place.id}.git`);
  const { forget, ...mirrors } = lazyMirror(() => {
    const { token } = connection;
    const url = `${options.web}/${full()}.git`;
    const pushToken = opener ? async () => opener.token : token;
    const partial = options.partialMirrors ?? false;
    return openMirror({ folder: mirrorPath, url, token, pushToken, partial });
  }, shutdown);
  const { jobs: local, doing } = jobsHere(options, {
    ...{ bus, repository: full },
    onEnd: directive => void advanceSoon(context, directive),
  });
  const onActions = jobsOnActions({
    ...{ client: connection.client, wait, place: here, mirror: mirrors.mirror },
    folder: join(options.data, 'actions'),
    defaultBranch: () => context.github.defaultBranch(),
  });
  const queue = issueQueue((error, issue) => report(error, `${full()}#${issue}`));
  const context: RepositoryContext = {
    hear: (directive, part) => hearHere(context, directive, part),
    ...{ mirrorPath, ...mirrors, queue, provider, templates, sandbox, shutdown, clock: systemClock },
    ...{ livesOn: true, keys, secrets, secretsPresent, caps, test, report, mask, doing },
    jobsOf: ({ directive, execution }) => (execution === 'local' ? local : onActions(directive)),
    github: connectRepository(connection.client, here),
    otherRuns: label => otherRuns(context, label),
    testGround: () => testGround(context),
    ...modelsOf(model, provider),
    ...sessionListener(options, mask),
    model: {
      scripted: model.provider === 'scripted',
      // A job without a key leaves it to the one that asks the models.
      ...(model.provider === 'served' && hasKey(model.keys) && { providers: providersOf(model.keys) }),
    },
    allows: host.allows,
    async isolation({ isolation, execution }) {
      // The runners of the jobs install it, whatever this one has. Without secrets `auto` is as it is here.
      const wanted = isolation === 'bubblewrap' || (isolation === 'auto' && secretsPresent);
      if (execution === 'actions' && wanted) return 'bubblewrap';
      const toKeep = secretsPresent && !host.allows.isolationNone;
      return (await chooseIsolation(isolation, { secretsPresent: toKeep })).kind;
    },
    engineFault: ({ engines, execution }) =>
      execution === 'actions' ? undefined : whyNoEngine(engines, host.path),
    pullsFault: async () => undefined,
    readConfig: configReader(caps),
    emit: notice => bus.emit(notice),
    // Memory of this process for its work on the repository.
    ...{ told: new Map(), unsaved: new Map(), failures: new Map(), seen: new Map() },
    ...{ kept: new Map(), views: new Map(), begun: new Map(), heard: new Map(), hearing: newHearing() },
    ...{ hourKnown: undefined, looked: undefined },
  };
  return {
    context,
    /** The repository has this name now. */
    rename({ owner, name }: Pick<RepositoryIdentity, 'owner' | 'name'>): void {
      if (here.owner === owner && here.name === name) return;
      Object.assign(here, { owner, name });
      // The next one who asks for the mirror opens it again, with the new address.
      forget();
    },
    stopJobs: local.stopAll,
    async close(): Promise<void> {
      local.close();
      await queue.close();
    },
  };
}

/** The mirror, opened and fetched when it is asked for first. */
function lazyMirror(open: () => Promise<Mirror>, shutdown: AbortSignal) {
  let opened: Promise<Mirror> | undefined;
  const fetched = async () => {
    const mirror = await open();
    await mirror.fetch(shutdown);
    return mirror;
  };
  const mirror = () => {
    opened ??= fetched();
    // A failure is not kept: the next one who asks tries again.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  return {
    mirror,
    async newestMirror() {
      // The caller that opens it fetches.
      const isOpen = opened !== undefined;
      const newest = await mirror();
      if (isOpen) await newest.fetch();
      return newest;
    },
    forget: () => (opened = undefined),
  };
}

function modelsOf(
  choice: ModelChoice,
  provider: SharedWait,
): Pick<RepositoryContext, 'openModel' | 'jobModel'> {
  return {
    async openModel(played, rows) {
      return { ...(await openModel(choice, { played, rows })), wait: provider };
    },
    jobModel: rows =>
      choice.provider === 'scripted'
        ? { provider: 'scripted', script: choice.script }
        : { provider: 'served', rows: { ...rows } },
  };
}

/** With `debug` each event is a line of the log, too. */
function sessionListener(
  { debug, log, onSession }: OperatorOptions,
  mask: Mask,
): Pick<RepositoryContext, 'onSession'> {
  const write = debug ? writingEvents(line => log(mask(line))) : undefined;
  if (!write) return onSession ? { onSession } : {};
  return {
    onSession(event) {
      write(event);
      onSession?.(event);
    },
  };
}

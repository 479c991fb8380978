// Puts the rooms together: from settings and a connection to GitHub to the context of each repository.
import { join } from 'node:path';
import type { AnyJobSpec, JobProgress } from '../../app/engineer/job-spec.ts';
import { localJobs } from '../../app/engineer/local-jobs.ts';
import type { Client } from '../../app/github/octokit.ts';
import { connectRepository } from '../../app/github/repository.ts';
import type { RepositoryContext } from '../../app/handlers/repository-context.ts';
import { advanceSoon } from '../../app/handlers/repository-context.ts';
import { newHearing } from '../../app/handlers/listening-limits.ts';
import { openRuns } from '../../app/handlers/open-runs.ts';
import { systemClock } from '../../lib/clock.ts';
import { masker } from '../../lib/mask.ts';
import { type SharedWait, sharedWait } from '../../lib/shared-wait.ts';
import { parseScript } from '../../engine/models/script.ts';
import { type ModelChoice, openModel } from '../../engine/runtime/open-model.ts';
import { type Bus, createBus } from '../../app/run-events.ts';
import type { Caps } from '../../app/config/caps.ts';
import { configReader } from '../../app/config/config-file.ts';
import { issueQueue } from '../../app/run/queue.ts';
import { eventLine } from '../event-line.ts';
import { productTemplates } from '../../engine/runtime/product-templates.ts';
import type { TaskEvent } from '../../engine/tasks/evaluate.ts';
import { openSandbox } from '../../engine/sandbox/sandbox.ts';
import { type Mirror, openMirror } from '../../workspace/mirror.ts';

export interface InstallationsOptions {
  /** Folder for mirrors and jobs; made when it is not there. */
  data: string;
  model: ModelChoice;
  /** Keys of the record, the newest first. */
  keys: readonly Uint8Array[];
  /** Values that must not reach model-written code or any output. */
  secrets: readonly string[];
  /** Whether code written by a model needs to be kept in: there is a real model's key or an App's. */
  secretsPresent: boolean;
  /** Address that repositories are cloned from: `https://github.com`. */
  web: string;
  /** PATH that jobs get. */
  path: string;
  /** What repositories may switch off, although there are secrets. */
  allows?: { isolationNone: boolean; network: boolean };
  /** What no repository may go beyond. */
  caps?: Caps;
  /** The test command of every repository, whatever its configuration says. */
  test?: string | undefined;
  /** A line for the operator; secrets are masked before. */
  log(line: string): void;
  onProgress?: (spec: AnyJobSpec, line: JobProgress) => void;
  debug?: boolean;
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
}

export interface Installations {
  readonly bus: Bus;
  /** The context of a repository, by its id; the same one as long as this process lives, whatever its name. */
  repository(place: RepositoryIdentity, connection: Connection): RepositoryContext;
  repositories(): readonly RepositoryContext[];
  /** Counts work that is under way outside of the queues, so that `idle` waits for it. */
  track(work: Promise<void>): void;
  /** Resolves when nothing is under way or queued; jobs may be running. */
  idle(): Promise<void>;
  /** Ends every job that this process has started or found, at once. */
  stopJobs(): Promise<void>;
  /** Ends what is under way, saved; jobs go on by themselves. */
  close(): Promise<void>;
}

interface Opened {
  context: RepositoryContext;
  /** The repository has this name now. */
  rename(to: Pick<RepositoryIdentity, 'owner' | 'name'>): void;
  stopJobs(): Promise<void>;
  close(): Promise<void>;
}

export function openInstallations(options: InstallationsOptions): Installations {
  const mask = masker([...options.secrets]);
  const say = (line: string) => options.log(mask(line));
  const report = (error: unknown, where: string) => {
    const text = options.debug && error instanceof Error ? (error.stack ?? error.message) : String(error);
    say(`${where}: ${text}`);
  };
  const bus = createBus(error => report(error, 'a consumer of events'));
  const byId = new Map<number, Opened>();
  const inflight = new Set<Promise<void>>();
  const shutdown = new AbortController();
  // One that cannot be played is refused before anything begins.
  if (options.model.provider === 'scripted') parseScript(options.model.script, options.model.file);
  // One key for all repositories.
  const provider = sharedWait(systemClock);
  const templates = productTemplates();
  const { caps = {} } = options;
  const readConfig = configReader(caps);
  const sandbox = openSandbox();

  function open(place: RepositoryIdentity, connection: Connection): Opened {
    const here = { ...place, bot: connection.bot, clock: systemClock, wait: connection.wait };
    const full = () => `${here.owner}/${here.name}`;
    const github = connectRepository(connection.client, here);
    // By id: the name may be given up, and taken by another repository.
    const mirrorPath = join(options.data, 'mirrors', `${place.id}.git`);
    let mirror: Promise<Mirror> | undefined;
    const jobs = localJobs({
      folder: join(options.data, 'jobs'),
      command: folder => ({
        argv: [process.execPath, join(import.meta.dirname, '../action/job.js')],
        env: jobEnvironment(options, folder),
      }),
      clock: systemClock,
      provider,
      onEnd: spec => void advanceSoon(context, spec.directive),
      onProgress: (spec, line) => options.onProgress?.(spec, line),
      onStuck: (spec, seconds) =>
        bus.emit({
          type: 'stuck_warning',
          issue: 'issue' in spec ? spec.issue.number : spec.directive,
          seconds,
          issue_of_run: spec.directive,
          repository: full(),
          at: systemClock.now(),
        }),
    });
    const queue = issueQueue((error, issue) => report(error, `${full()}#${issue}`));
    const context: RepositoryContext = {
      github,
      mirrorPath,
      mirror() {
        mirror ??= openMirror({
          folder: mirrorPath,
          url: `${options.web}/${full()}.git`,
          token: connection.token,
        }).then(async opened => {
          await opened.fetch(shutdown.signal);
          return opened;
        });
        // A failure is not kept: the next one who asks tries again.
        mirror.catch(() => (mirror = undefined));
        return mirror;
      },
      async newestMirror() {
        // Who opens it fetches.
        const isOpen = mirror !== undefined;
        const opened = await context.mirror();
        if (isOpen) await opened.fetch();
        return opened;
      },
      jobs,
      openRuns: label => openRuns(context, label),
      provider,
      templates,
      sandbox,
      ...(options.debug && { onSession: (event: TaskEvent) => say(`event ${eventLine(event)}`) }),
      async openModel(played, prices) {
        return { ...(await openModel(options.model, { played, prices })), wait: provider };
      },
      jobModel: prices =>
        options.model.provider === 'scripted'
          ? { provider: 'scripted', script: options.model.script }
          : { provider: 'anthropic', prices },
      keys: options.keys,
      secrets: options.secrets,
      mask,
      model: { scripted: options.model.provider === 'scripted' },
      secretsPresent: options.secretsPresent,
      allows: options.allows ?? { isolationNone: false, network: false },
      caps,
      readConfig,
      test: options.test,
      queue,
      clock: systemClock,
      emit: notice => bus.emit(notice),
      report,
      told: new Map(),
      unsaved: new Map(),
      failures: new Map(),
      unbegun: new Map(),
      kept: new Map(),
      views: new Map(),
      begun: new Map(),
      hearing: newHearing(),
      looked: undefined,
      shutdown: shutdown.signal,
    };
    return {
      context,
      rename({ owner, name }) {
        if (here.owner === owner && here.name === name) return;
        Object.assign(here, { owner, name });
        // The next one who asks for it opens it again, with the new address.
        mirror = undefined;
      },
      stopJobs: jobs.stopAll,
      async close() {
        jobs.close();
        await queue.close();
      },
    };
  }

  return {
    bus,
    repository(place, connection) {
      let entry = byId.get(place.id);
      if (!entry) {
        entry = open(place, connection);
        byId.set(place.id, entry);
      }
      entry.rename(place);
      return entry.context;
    },
    repositories: () => [...byId.values()].map(({ context }) => context),
    track(work) {
      const done = work.catch(error => report(error, 'an event')).finally(() => inflight.delete(done));
      inflight.add(done);
    },
    async idle() {
      await Promise.all(inflight);
      for (const { context } of byId.values()) await context.queue.idle();
    },
    async stopJobs() {
      await Promise.all([...byId.values()].map(entry => entry.stopJobs()));
    },
    async close() {
      shutdown.abort();
      await Promise.all([...byId.values()].map(entry => entry.close()));
      await sandbox.close();
    },
  };
}

/** A job gets its folder, a PATH, and for a real model its key; nothing else of this process's environment. */
function jobEnvironment(
  { model, path, debug }: InstallationsOptions,
  folder: string,
): Record<string, string> {
  return {
    PATH: path,
    INPUT_MODE: 'engineer',
    INPUT_JOB: folder,
    ...(debug && { INPUT_DEBUG: 'true' }),
    ...(model.provider === 'anthropic' && { ANTHROPIC_API_KEY: model.apiKey }),
    ...(model.provider === 'anthropic' && model.baseUrl && { ANTHROPIC_BASE_URL: model.baseUrl }),
  };
}

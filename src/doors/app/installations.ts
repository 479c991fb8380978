// Every repository that the App is installed on, opened when the first event of it comes.
import { setTimeout as pause } from 'node:timers/promises';
import { masker, sharedWait, systemClock } from '@echelon/ground';
import { createBus, type RepositoryContext } from '../../app/app.ts';
import { parseScript } from '../../engine/models.ts';
import { productTemplates } from '../../engine/language.ts';
import { openSandbox } from '../../engine/sandbox.ts';
import type {
  Connection,
  InstallationsOptions,
  OpenedRepository,
  OperatorOptions,
  RepositoryIdentity,
} from './open-repository.ts';
import { openRepository } from './open-repository.ts';
import { type AppCredentials, derivedKey, webOf } from './server-settings.ts';

export type Installations = ReturnType<typeof openInstallations>;

/** Time limit for event handlers that are still running (milliseconds). */
const CLOSING_MS = 10_000;

export function openInstallations(options: InstallationsOptions) {
  const { model, secrets, log, debug } = options;
  // A script that cannot be played is refused before anything begins.
  if (model.provider === 'scripted') parseScript(model.script, model.file);
  const mask = masker([...secrets]);
  const report = (error: unknown, where: string) => {
    const text = debug && error instanceof Error ? (error.stack ?? error.message) : String(error);
    log(mask(`${where}: ${text}`));
  };
  const bus = createBus(error => report(error, 'a consumer of events'));
  const sandbox = openSandbox();
  const shutdown = new AbortController();
  const shared = {
    ...{ bus, sandbox, mask, report },
    provider: sharedWait(systemClock),
    templates: productTemplates(),
    shutdown: shutdown.signal,
  };
  const byId = new Map<number, OpenedRepository>();
  const inflight = new Set<Promise<void>>();
  return {
    bus,
    /** The context of a repository, by its id; the same one as long as this process lives, whatever its name. */
    repository(place: RepositoryIdentity, connection: Connection): RepositoryContext {
      const entry = byId.get(place.id) ?? openRepository(place, connection, options, shared);
      byId.set(place.id, entry);
      entry.rename(place);
      return entry.context;
    },
    repositories: (): readonly RepositoryContext[] => [...byId.values()].map(({ context }) => context),
    /** Counts work that is under way outside of the queues, so that `idle` waits for it. */
    track(work: Promise<void>): void {
      const done = work.catch(error => report(error, 'an event')).finally(() => inflight.delete(done));
      inflight.add(done);
    },
    /** Resolves when nothing is under way or queued; jobs may be running. */
    async idle(): Promise<void> {
      await Promise.all(inflight);
      for (const { context } of byId.values()) await context.queue.idle();
    },
    /** Ends every job that this process has started or found, at once. */
    async stopJobs(): Promise<void> {
      await Promise.all([...byId.values()].map(entry => entry.stopJobs()));
    },
    /** Ends what is under way, saved, and waits for it, though not for ever; jobs go on by themselves. */
    async close(): Promise<void> {
      shutdown.abort();
      await Promise.all([...byId.values()].map(entry => entry.close()));
      await Promise.race([Promise.all(inflight), pause(CLOSING_MS, undefined, { ref: false })]);
      await sandbox.close();
    },
  };
}

// The repositories of an App on GitHub: what the operator has chosen, with the App's credentials.

/** `stateKeys`: of the record, where the operator has set some. */
export const openLiveApp = (
  options: OperatorOptions,
  data: string,
  { privateKey, secret, baseUrl }: AppCredentials,
  stateKeys: readonly Uint8Array[],
) =>
  openInstallations({
    ...options,
    secretsPresent: true,
    secrets: [...options.secrets, privateKey, secret, ...stateKeys.map(key => new TextDecoder().decode(key))],
    data,
    keys: stateKeys.length > 0 ? stateKeys : [derivedKey(privateKey)],
    web: webOf(baseUrl),
  });

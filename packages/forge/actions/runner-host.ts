// What a job needs of the forge around it: folders, its token, where its log goes, artifacts, repositories of actions.
import { join } from 'node:path';
import type { Clock } from '@echelon/ground';
import type { Core } from '../core.ts';
import { repositoryFolder } from '../git.ts';
import { findRepository, getRepository } from '../store/repositories.ts';
import { type ArtifactStore, artifactStore } from './artifact-store.ts';
import { workFolder } from './job-folder.ts';
import { type JobRecord, openJobRecord } from './job-record.ts';
import type { JobOrder } from './run-port.ts';
import { hosted, type RunnerEnvironment } from './runner-environment.ts';
import { Secrets } from './secrets.ts';

/** A step of a job as it stands: GitHub's `steps` of a job. Times in GitHub's text form. */
export interface StepState {
  name: string;
  number: number;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | 'skipped' | null;
  started_at: string | null;
  completed_at: string | null;
}

export interface RunnerHost {
  /** Where the job's own folder is made, and removed at its end. */
  readonly folder: string;
  /** Addresses of the forge: its pages, and its API. */
  readonly site: string;
  readonly api: string;
  /** GITHUB_TOKEN. */
  readonly token: string;
  readonly secrets: Secrets;
  /** PATH of the steps, and their other variables of the machine: nothing else of the forge's own environment. */
  readonly path: string;
  readonly environment: RunnerEnvironment;
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
  /** Cancels the job. */
  readonly signal: AbortSignal;
  /** Ends it, whatever its conditions ask for. */
  readonly closing: AbortSignal;
  readonly record: JobRecord;
  readonly artifacts: ArtifactStore;
  /** Folder of what the repository's jobs keep for later ones. */
  readonly caches: string;
  /** The bare repository `owner/name`; undefined where there is none, or the job may not take actions from it. */
  actionRepository(name: string): string | undefined;
  /** Told whenever a step begins or ends. */
  onSteps(steps: readonly StepState[]): void;
}

/** What a machine lends to a job. */
export interface Machine {
  /** PATH of its steps. */
  path: string;
  /** Default: a hosted runner. */
  environment?: RunnerEnvironment;
  /** By what it reaches the network: proxies, mirrors, certificates. */
  env?: Readonly<Record<string, string>>;
}

/** A log may hold so many bytes. */
const logBytes = 16 * 1024 ** 2;

/** The host of one job on this forge. Begins the job's log. */
export function runnerHost(core: Core, order: JobOrder, machine: Machine): RunnerHost {
  const secrets = new Secrets([order.token, ...order.secrets]);
  const own = getRepository(core, order.run.repositoryId);
  return {
    folder: workFolder(core),
    site: core.site,
    api: core.api,
    token: order.token,
    secrets,
    path: machine.path,
    environment: machine.environment ?? hosted,
    env: machine.env ?? {},
    clock: core.clock,
    signal: order.signal,
    closing: order.closing,
    record: openJobRecord(core, order.jobId, secrets, logBytes),
    artifacts: artifactStore(core, order.run.id, order.run.attempt),
    caches: join(core.folder, 'actions', 'caches', String(order.run.repositoryId)),
    actionRepository(name) {
      const [owner = '', repository = ''] = name.split('/');
      const found = findRepository(core, owner, repository);
      // GitHub shares a private repository's actions with the others of its owner only.
      if (!found || (found.private && found.owner_id !== own.owner_id)) return undefined;
      return repositoryFolder(core, found);
    },
    onSteps: order.onSteps,
  };
}

// A job's access to the forge around it: folders, token, log, artifacts, repositories of actions.
import { join } from 'node:path';
import type { Clock } from '@echelon/ground';
import type { Core } from '../core.ts';
import { repositoryFolder } from '../repositories/git.ts';
import { getRepository, sharedWith } from '../repositories/repository-rows.ts';
import { type ArtifactStore, artifactStore } from './artifact-store.ts';
import { workFolder } from './job-folder.ts';
import { type JobRecord, openJobRecord, Secrets } from './job-record.ts';
import type { ProcessToRun } from './process.ts';
import type { JobOrder } from '../actions/run-port.ts';
import { mkdir, writeFile } from 'node:fs/promises';

export interface RunnerEnvironment {
  /** `runner.environment`. */
  kind: 'github-hosted' | 'self-hosted';
  /** Shell scripts by name, first on the PATH of every step. `$state` is a folder of the job. */
  programs: Readonly<Record<string, string>>;
  /** Runs a process of a step in its own way; `programs` is their folder. */
  run?: (process: ProcessToRun, programs: string) => Promise<number>;
}

/** Needs no password, as on GitHub's runners; gives no rights that its caller has not. */
const sudo = 'while [ "${1#-}" != "$1" ]; do shift; done\nexec "$@"';

/**
 * An image's package index is older than its packages, so that installing fails until `update` was called.
 * https://github.com/actions/runner-images/issues/12865
 */
const aptGet = `action=
for word; do
  case $word in
    --version) echo 'apt 2.8.3 (amd64)'; exit 0 ;;
    update) : > "$state/indexed"; exit 0 ;;
    install) action=install ;;
    -*) ;;
    *) [ "$action" ] && packages="$packages $word" ;;
  esac
done
for package in $packages; do
  if [ ! -e "$state/indexed" ]; then
    url=http://azure.archive.ubuntu.com/ubuntu/pool/$package.deb
    echo "E: Failed to fetch $url  404  Not Found [IP: 52.252.163.49 80]" >&2
    echo 'E: Unable to fetch some archives, maybe run apt-get update or try with --fix-missing?' >&2
    exit 100
  fi
  if [ -x "$state/../programs/install-$package" ]; then "$state/../programs/install-$package" && continue; fi
  echo "E: Unable to locate package $package (the local GitHub installs nothing on this machine)" >&2
  exit 100
done`;

/** A runner of GitHub's, as far as this machine is one. */
export const hosted: RunnerEnvironment = {
  kind: 'github-hosted',
  programs: { sudo, 'apt-get': aptGet },
};

/** Writes the stand-ins into a folder of the job. */
export async function writePrograms(folder: string, { programs }: RunnerEnvironment): Promise<void> {
  const state = join(folder, '..', 'machine');
  await mkdir(state, { recursive: true });
  for (const [name, script] of Object.entries(programs))
    await writeFile(join(folder, name), `#!/bin/sh\nstate='${state}'\n${script}\n`, { mode: 0o755 });
}

/** The surroundings of one job. Of the machine its steps see these values, and nothing else of the forge's own environment. */
export interface RunnerHost extends Required<Machine>, Omit<JobOrder, 'run' | 'jobId' | 'secrets'> {
  /** Parent of the job's own folder, which is removed at its end. */
  readonly folder: string;
  /** Addresses of the forge: its pages, and its API. */
  readonly site: string;
  readonly api: string;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly record: JobRecord;
  readonly artifacts: ArtifactStore;
  /** Folder of what the repository's jobs keep for later ones. */
  readonly caches: string;
  /** The bare repository `owner/name`; undefined where there is none, or the job may not take actions from it. */
  actionRepository(name: string): string | undefined;
}

/** Resources of the machine for a job. */
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
  const { token, signal, closing, onSteps, run } = order;
  const secrets = new Secrets([token, ...order.secrets]);
  return {
    ...{ token, signal, closing, onSteps, secrets },
    folder: workFolder(core),
    site: core.site,
    api: core.api,
    path: machine.path,
    environment: machine.environment ?? hosted,
    env: machine.env ?? {},
    clock: core.clock,
    record: openJobRecord(core, order.jobId, secrets, logBytes),
    artifacts: artifactStore(core, run.id, run.attempt),
    caches: join(core.folder, 'actions', 'caches', String(run.repositoryId)),
    actionRepository(name) {
      const shared = sharedWith(core, getRepository(core, run.repositoryId), name);
      return shared && repositoryFolder(core, shared);
    },
  };
}

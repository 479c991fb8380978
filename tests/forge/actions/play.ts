// Plays a run without a machine: workflow files from a table, and jobs that a test's own function carries out.
import { ConcurrencyGroups, slots } from '../../../packages/forge/actions/concurrency-groups.ts';
import { type FindFile, loadWorkflow } from '../../../packages/forge/actions/loaded-workflow.ts';
import { defaultPermissions, type Permissions } from '../../../packages/forge/actions/permissions.ts';
import type { JobResult, PlannedJob } from '../../../packages/forge/actions/planned-job.ts';
import {
  type JobChange,
  type KeptJob,
  mostJobs,
  type RunPort,
} from '../../../packages/forge/actions/run-frame.ts';
import { runWorkflow } from '../../../packages/forge/actions/workflow-run.ts';
import type { JsonObject } from '../../../packages/ground/lib/json.ts';

/** `owner/name@ref` -> files of `.github/workflows` by name. */
export type Repositories = Record<string, Record<string, string>>;

/** Behaviour of a job: its outputs, its conclusion, or a promise of them; nothing is success. */
export type Doing = (job: PlannedJob, signal: AbortSignal) => Done | undefined | Promise<Done | undefined>;
type Done = { conclusion?: JobResult['conclusion']; outputs?: Record<string, string> };

export interface Played {
  result: string;
  /** The last that was told of each job: `key: conclusion`, in the order in which the jobs ended. */
  ended: string[];
  /** Keys in the order in which jobs were handed over. */
  begun: string[];
  jobs: Map<string, PlannedJob>;
  changes: JobChange[];
  tokens: { permissions: Permissions; open: boolean }[];
  /** Most jobs that were carried out at the same time. */
  most: number;
}

export interface Options {
  github?: JsonObject;
  inputs?: JsonObject;
  secrets?: Record<string, string>;
  vars?: JsonObject;
  machine?: number;
  groups?: ConcurrencyGroups;
  signal?: AbortSignal;
  kept?: ReadonlyMap<string, KeptJob>;
}

const here = 'u/repo';
const commit = 'c1';

/** Finds files in a table of repositories; a ref is its own commit. */
export const findIn =
  (repositories: Repositories): FindFile =>
  async (repository, ref, path) => {
    const text = repositories[`${repository}@${ref}`]?.[path.replace('.github/workflows/', '')];
    return text === undefined ? undefined : { sha: ref, text };
  };

/** Loads `main.yml` of `u/repo@c1`. */
export function loadMain(repositories: Repositories) {
  const root = { repository: here, sha: commit, path: '.github/workflows/main.yml' };
  const text = repositories[`${here}@${commit}`]?.['main.yml'] ?? '';
  return loadWorkflow(root, text, { find: findIn(repositories) });
}

/** Runs `main.yml` to its end. */
export async function play(
  files: Repositories | string,
  doing: Doing = () => undefined,
  options: Options = {},
): Promise<Played> {
  const repositories = typeof files === 'string' ? { [`${here}@${commit}`]: { 'main.yml': files } } : files;
  const { workflow } = await loadMain(repositories);
  const played: Played = {
    result: '',
    ended: [],
    begun: [],
    jobs: new Map(),
    changes: [],
    tokens: [],
    most: 0,
  };
  const outcome = await runWorkflow({
    port: portOf(played, doing, options),
    workflow,
    keyPrefix: '',
    namePrefix: '',
    github: { repository: here, event: {}, ...options.github },
    vars: options.vars ?? {},
    inputs: options.inputs ?? {},
    secrets: () => options.secrets ?? {},
    granted: defaultPermissions,
    signal: options.signal ?? new AbortController().signal,
    held: [],
    kept: options.kept ?? new Map(),
    left: { jobs: mostJobs },
  });
  played.result = outcome.result;
  return played;
}

function portOf(
  played: Played,
  doing: Doing,
  { machine = 100, groups = new ConcurrencyGroups() }: Options,
): RunPort {
  let now = 0;
  return {
    machine: slots(machine),
    groups,
    async openToken(permissions) {
      const token = { permissions, open: true };
      played.tokens.push(token);
      return {
        text: `ghs_${played.tokens.length}`,
        async close() {
          token.open = false;
        },
      };
    },
    async tell(change) {
      played.changes.push(change);
      if (change.status === 'completed') played.ended.push(`${change.key}: ${change.conclusion}`);
    },
    async carryOut(job, _token, signal) {
      played.begun.push(job.key);
      played.jobs.set(job.key, job);
      played.most = Math.max(played.most, ++now);
      try {
        const done = (await doing(job, signal)) ?? {};
        return { conclusion: signal.aborted ? 'cancelled' : 'success', outputs: {}, steps: [], ...done };
      } finally {
        now -= 1;
      }
    },
  };
}

/** A promise to be settled from outside. */
export const gate = () => Promise.withResolvers<void>();

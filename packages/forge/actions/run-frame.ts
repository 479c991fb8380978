// Shared values of a run's parts: their position in it, and the things that they may use.
import type { Json, JsonObject } from '@echelon/ground';
import type { ConcurrencyGroups, Slots } from './concurrency-groups.ts';
import type { JobSpec } from './job-spec.ts';
import type { LoadedWorkflow } from './loaded-workflow.ts';
import type { Permissions } from './permissions.ts';
import type { Contexts, JobResult, PlannedJob } from './planned-job.ts';

/** Report about a job's progress. */
export interface JobChange {
  /** Unique in an attempt of a run. */
  key: string;
  name: string;
  labels: string[];
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'skipped' | null;
  steps: JobResult['steps'];
  outputs: Record<string, string>;
  /** Reason for not running, or for failing without a failed step. */
  message?: string;
}

/** A job as the attempt before left it. */
export interface KeptJob extends Pick<JobChange, 'labels' | 'steps' | 'outputs'> {
  conclusion: Outcome['result'];
}

/** A token of one job. */
interface JobToken {
  text: string;
  close(): Promise<void>;
}

/** External functions of a run. */
export interface RunPort {
  openToken(permissions: Permissions): Promise<JobToken>;
  /** Carries a job out; when `signal` aborts, it ends soon. */
  carryOut(job: PlannedJob, token: string, signal: AbortSignal): Promise<JobResult>;
  tell(change: JobChange): Promise<void>;
  /** Jobs of all runs on this machine. */
  machine: Slots;
  /** Of the repository. */
  groups: ConcurrencyGroups;
}

/** A workflow in a run: the run's own, or one that a job calls. */
export interface Frame {
  port: RunPort;
  workflow: LoadedWorkflow;
  /** In front of the keys and names of its jobs: `issue (a1) / `. */
  keyPrefix: string;
  namePrefix: string;
  github: JsonObject;
  vars: JsonObject;
  inputs: JsonObject;
  /** The secrets it knows, where the job's token is this one. */
  secrets(token: string): Record<string, string>;
  granted: Permissions;
  cacheMode?: string | undefined;
  /** Aborted when it is to be cancelled: jobs whose condition still holds go on. */
  signal: AbortSignal;
  /** Concurrency groups that it stands in. */
  held: readonly string[];
  /** Jobs of the attempt before that are not run again, by key. */
  kept: ReadonlyMap<string, KeptJob>;
  /** Number of jobs that the whole run may still start. */
  left: { jobs: number };
}

/**
 * Jobs of a run, those that call others counted too. GitHub bounds a matrix and the levels of calls, which together
 * bound nothing that a machine could hold.
 */
export const mostJobs = 1000;

export interface Outcome {
  /** Value of `needs.<id>.result`. */
  result: 'success' | 'failure' | 'cancelled' | 'skipped';
  outputs: Record<string, string>;
  /** True if a part of it ran and was not kept from before. */
  fresh: boolean;
}

/** A job with the outcomes that it can look at. */
export interface JobNode {
  spec: JobSpec;
  needs: ReadonlyMap<string, Outcome>;
  /** All that it needs, and what those need. */
  ancestors: ReadonlyMap<string, Outcome>;
}

/** A job of one combination of its matrix. */
export interface Combination {
  node: JobNode;
  key: string;
  name: string;
  contexts: Contexts;
}

/** The outcome of several together. */
export function together(outcomes: readonly Outcome[]): Pick<Outcome, 'result' | 'fresh'> {
  const some = (result: Outcome['result']) => outcomes.some(each => each.result === result);
  const fresh = outcomes.some(each => each.fresh);
  if (some('failure')) return { result: 'failure', fresh };
  if (some('cancelled')) return { result: 'cancelled', fresh };
  return { result: some('success') ? 'success' : 'skipped', fresh };
}

/** `needs` and `jobs` as contexts. */
export const outcomesJson = (outcomes: ReadonlyMap<string, Outcome>): Json =>
  Object.fromEntries([...outcomes].map(([id, { result, outputs }]) => [id, { result, outputs }]));

export const cancelled: Outcome = { result: 'cancelled', outputs: {}, fresh: true };

/** Tells that a job is over without having run, or that it ended for another reason than its steps. */
export const tellEnd = (
  { port }: Frame,
  { key, name }: Pick<JobChange, 'key' | 'name'>,
  conclusion: JobChange['conclusion'],
  message?: string,
): Promise<void> =>
  port.tell({
    key,
    name,
    labels: [],
    steps: [],
    outputs: {},
    status: 'completed',
    conclusion,
    ...(message !== undefined && { message }),
  });

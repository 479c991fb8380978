// A run's access to the forge: rows of its jobs, their tokens, and the runner.
import { isObject } from '@echelon/ground';
import type { Act } from '../emit.ts';
import { setJob } from './workflow-changes.ts';
import type { Core } from '../core.ts';
import { closeToken, openJobToken } from '../apps/app-rows.ts';
import { jobsOfAttempt, type WorkflowRun } from './workflow-rows.ts';
import type { ConcurrencyGroups, Slots } from './concurrency-groups.ts';
import type { JobResult, PlannedJob, StepState } from './planned-job.ts';
import type { KeptJob, RunPort } from './run-frame.ts';

/** Data passed along with a job to run. */
export interface JobOrder {
  run: { id: number; attempt: number; repositoryId: number };
  jobId: number;
  token: string;
  /** Values of the secrets that the job is given. */
  secrets: readonly string[];
  /** Aborted when the job is cancelled: what of it asks for that still runs. */
  signal: AbortSignal;
  /** Aborted when the forge closes: nothing of it runs any more. */
  closing: AbortSignal;
  /** To be told whenever a step begins or ends. */
  onSteps(steps: readonly StepState[]): void;
}

/** Carries one job out on this machine. */
export type CarryOut = (core: Core, job: PlannedJob, order: JobOrder) => Promise<JobResult>;

/** Values that all runs of a forge share. */
export interface RunnerRoom {
  core: Core;
  /** One after the other with all else that touches the database, in a transaction; its webhooks are sent. */
  inTurn<T>(work: () => T | Promise<T>): Promise<T>;
  machine: Slots;
  groupsOf(repositoryId: number): ConcurrencyGroups;
  carryOut: CarryOut;
  /** Aborted when the forge closes: everything ends at once, whatever its conditions. */
  closing: AbortSignal;
}

/** `onBegin`: called before anything of the run is told that is not mere waiting. */
export function runPort(room: RunnerRoom, act: Act, run: WorkflowRun, onBegin: () => Promise<void>): RunPort {
  const { core, inTurn, closing } = room;
  const ids = new Map<string, number>();
  return {
    machine: room.machine,
    groups: room.groupsOf(run.repository_id),
    async openToken(permissions) {
      const text = await inTurn(() => openJobToken(core, act.repository, permissions));
      return { text, close: () => inTurn(() => closeToken(core, text)) };
    },
    async tell({ message, ...change }) {
      if (change.status !== 'queued') await onBegin();
      const job = await inTurn(() => setJob(act, run, { ...change, message: message ?? null }));
      ids.set(change.key, job.id);
    },
    async carryOut(job, token, signal) {
      const either = AbortSignal.any([signal, closing]);
      if (either.aborted) return { conclusion: 'cancelled', outputs: {}, steps: [] };
      const jobId = ids.get(job.key) ?? 0;
      return room.carryOut(core, job, {
        run: { id: run.id, attempt: run.attempt, repositoryId: run.repository_id },
        jobId,
        token,
        secrets: secretsOf(job),
        signal: either,
        closing,
        onSteps: steps =>
          core.db.aside(() => core.db.update('jobs', jobId, { steps: JSON.stringify(steps) })),
      });
    },
  };
}

function secretsOf({ contexts: { secrets } }: PlannedJob): string[] {
  const values = isObject(secrets) ? Object.values(secrets) : [];
  return values.flatMap(each => (typeof each === 'string' && each !== '' ? [each] : []));
}

/** The jobs that the attempt before leaves to one which runs only what failed. */
export function keptJobs(core: Core, run: WorkflowRun): Map<string, KeptJob> {
  if (run.attempt === 1 || run.rerun === 'all') return new Map();
  const before = jobsOfAttempt(core, run.id, run.attempt - 1);
  const kept = before.filter(({ conclusion }) => conclusion === 'success');
  return new Map(
    kept.map(({ key, labels, steps, outputs }) => [
      key,
      {
        labels: JSON.parse(labels),
        steps: JSON.parse(steps),
        outputs: JSON.parse(outputs),
        conclusion: 'success',
      },
    ]),
  );
}

// Jobs of a run that an App brings on, worked by the repository's workflow: dispatched as a matrix, read by what it leaves.
import type { Clock } from '../../lib/clock.ts';
import type { WorkflowRuns } from '../github/workflow-runs.ts';
import { actionsJobs, type JobFolders } from './actions-jobs.ts';
import type { Jobs, JobState } from './jobs.ts';
import { failedReport } from './lost-report.ts';

export interface DispatchedJobsOptions {
  runs: WorkflowRuns;
  folders: JobFolders;
  /** Puts what was prepared in the folders since the last time onto a branch; one that is there is moved. */
  handOver(branch: string): Promise<void>;
  /** Takes away what jobs left here, and the branches whose names begin so. */
  tidy(prefix: string): Promise<void>;
  clock: Clock;
  directive: number;
  /** What this process has dispatched, by operation key; shared by all looks of it. */
  dispatched: Map<string, Dispatched>;
}

export interface Dispatched {
  /** Milliseconds since the epoch. */
  at: number;
  times: number;
}

/** Within so long GitHub shows a run that was dispatched, with its jobs (milliseconds). */
const SHOWN_MS = 120_000;
/** As of jobs on one machine: a job that leaves nothing is started so often, after which it counts as failed. */
const MAX_STARTS = 3;

/** As `run-name` of the workflow makes it. */
const titleOf = (directive: number) => `Echelon #${directive}`;

/** Branches that hold what jobs of a directive begin with. */
const prefixOf = (directive: number) => `echelon/jobs/${directive}-`;

/** For one look at the run: what GitHub tells is asked for once. */
export function dispatchedJobs(options: DispatchedJobsOptions): Jobs {
  const { runs, folders, clock, directive, dispatched } = options;
  const sent = new Set<string>();
  const jobs = actionsJobs({ runs, folders, run: 0, titleOf, directive, mayStart: true });

  async function read(op: string): Promise<JobState> {
    const state = await jobs.read(op);
    const before = dispatched.get(op);
    if (state.state !== 'gone' || !before) return state;
    if (clock.now() - before.at < SHOWN_MS) return { state: 'living' };
    if (before.times < MAX_STARTS) return state;
    const feedback = `the job was lost: the workflow was started ${MAX_STARTS} times for it, and left nothing; its page under Actions says why`;
    return { state: 'finished', report: failedReport({ class: 'lost', feedback }) };
  }

  async function dispatch(): Promise<void> {
    const entries = jobs.entries.filter(({ op }) => !sent.has(op));
    const [first] = entries;
    if (!first) return;
    const branch = `${prefixOf(directive)}${first.op}`;
    await options.handOver(branch);
    await runs.dispatch({ directive: String(directive), jobs: JSON.stringify(entries), branch });
    const at = clock.now();
    for (const { op } of entries) {
      sent.add(op);
      dispatched.set(op, { at, times: (dispatched.get(op)?.times ?? 0) + 1 });
    }
  }

  return {
    read,
    async start(spec) {
      if ((await read(spec.op)).state === 'gone') await jobs.start(spec);
    },
    stop: op => jobs.stop(op),
    stopOf: of => jobs.stopOf(of),
    folder: op => jobs.folder(op),
    ...(jobs.keptUntil && { keptUntil: jobs.keptUntil }),
    async handOut(outstanding) {
      await dispatch();
      if (outstanding.size === 0) await options.tidy(prefixOf(directive));
    },
  };
}

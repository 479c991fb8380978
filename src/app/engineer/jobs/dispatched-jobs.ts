// Jobs that a process starts by dispatching the repository's workflow: an App's, and those that `settle` starts.
import { type ActionsJobs, actionsJobs, type ActionsJobsOptions } from './actions-jobs.ts';
import type { AnyJobSpec } from './job-spec.ts';
import { failedReport, type JobState } from './jobs.ts';

export interface DispatchedJobsOptions extends ActionsJobsOptions {
  /** Pushes the specs that were prepared since the last time as a branch; an existing branch is moved. */
  handOver(branch: string): Promise<void>;
  /** Removes what jobs left on this machine, and the branches whose names begin with `prefix`. */
  tidy(prefix: string): Promise<void>;
  /** Jobs that were handed out, by operation key; shared by all looks of a process. */
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

/** Branches that hold what jobs of a directive begin with. */
const prefixOf = (directive: number) => `echelon/jobs/${directive}-`;

/** For one look at the run: what GitHub tells is asked for once. */
export function dispatchedJobs(options: DispatchedJobsOptions): ActionsJobs {
  const { runs, clock, directive, dispatched } = options;
  const sent = new Set<string>();
  const jobs = actionsJobs(options);

  async function read(spec: AnyJobSpec): Promise<JobState> {
    const state = await jobs.read(spec);
    const before = dispatched.get(spec.op);
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
    ...jobs,
    get endsOwnRun() {
      return jobs.endsOwnRun;
    },
    read,
    async start(spec) {
      if ((await read(spec)).state === 'gone') await jobs.start(spec);
    },
    async handOut(outstanding) {
      await dispatch();
      if (outstanding.size === 0) await options.tidy(prefixOf(directive));
    },
  };
}

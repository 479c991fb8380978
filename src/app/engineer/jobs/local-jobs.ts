// Jobs on this machine: each a child process of its own with a folder, watched until it reports.
import { jsonOf } from '@echelon/ground';
import { join } from 'node:path';
import {
  jobFiles,
  killJob,
  prepareFolder,
  processState,
  readIfThere,
  removeTree,
  startProcess,
  sweep,
  writeWhole,
} from '@echelon/ground/workspace';
import { failedReport, type Jobs, type JobState } from './jobs.ts';
import { AnyJobReport, type JobReport, JobSpent } from './report-spec.ts';
import type { AnyJobSpec, BaseTestsSpec } from './job-spec.ts';
import { watchJobs, type WatchOptions } from './watch-jobs.ts';

export interface LocalJobsOptions extends WatchOptions {
  /** Folder that holds one folder a job. */
  folder: string;
  /** Command of the job in a folder: program and arguments, and its whole environment. */
  command(folder: string, spec: AnyJobSpec): { argv: string[]; env: Record<string, string> };
  /** Default: as a process of its own. */
  start?: typeof startProcess;
}

/** Jobs on this machine, of which those are watched that this process has started or found. */
export interface LocalJobs extends Jobs {
  /** True if it is watched. */
  works(op: string): boolean;
  /** Ends every job that is watched or about to start; from then on none starts. */
  stopAll(): Promise<void>;
  /** Stops watching; the jobs themselves go on. */
  close(): void;
}

/** Starts of one job that ended without a report, after which it counts as failed. */
const MAX_STARTS = 3;
/** Time for removing leftovers again, at the start and when a job has ended (milliseconds). */
const SWEEP_MS = 10_000;

export function localJobs(options: LocalJobsOptions): LocalJobs {
  const folder = (op: string) => join(options.folder, op);
  const closed = new AbortController();
  /** Takes away what checkouts of ended jobs left. */
  const tidy = () => sweep(options.folder, AbortSignal.any([closed.signal, AbortSignal.timeout(SWEEP_MS)]));
  void tidy();
  const watched = watchJobs({
    ...options,
    onEnd(spec) {
      options.onEnd(spec);
      void tidy();
    },
  });

  const starting = new Set<Promise<void>>();
  let stopped = false;

  async function start(spec: AnyJobSpec): Promise<void> {
    if (stopped) return;
    const begun = begin(spec);
    starting.add(begun);
    await begun.finally(() => starting.delete(begun));
  }
  async function begin(spec: AnyJobSpec): Promise<void> {
    if (watched.has(spec.op)) return;
    const job = { spec, folder: folder(spec.op) };
    const state = await processState(job.folder);
    if (state === 'finished') return;
    if (state === 'living') return watched.begin({ ...job, own: false });
    if (!(await mayStart(job.folder))) return options.onEnd(spec);
    // Watched before it starts: a job may end at once.
    watched.begin({ ...job, own: true });
    const started = { ...options.command(job.folder, spec), spec: JSON.stringify(spec) };
    try {
      await (options.start ?? startProcess)(job.folder, { ...started, onEnd: () => watched.ended(spec) });
    } catch (error) {
      watched.drop(spec.op);
      throw error;
    }
  }
  async function now(spec: BaseTestsSpec, signal: AbortSignal): Promise<AnyJobReport> {
    signal.throwIfAborted();
    const place = folder(spec.op);
    const ended = Promise.withResolvers<void>();
    AbortSignal.any([signal, AbortSignal.timeout(spec.limits.attempt_ms)]).onabort = () => ended.resolve();
    await prepareFolder(place);
    const started = { ...options.command(place, spec), spec: JSON.stringify(spec), onEnd: ended.resolve };
    await (options.start ?? startProcess)(place, started);
    await ended.promise;
    await stopJob(place);
    const job = await readJob(place);
    await removeTree(place);
    signal.throwIfAborted();
    return job.state === 'finished' ? job.report : failedReport({ class: 'lost', feedback: 'it was lost' });
  }
  async function stop(op: string): Promise<JobSpent> {
    watched.drop(op);
    await stopJob(folder(op));
    const job = await readJob(folder(op));
    // Tests alone cost nothing.
    const paid = job.state === 'finished' && 'cost_usd' in job.report ? job.report : undefined;
    return { cost_usd: paid?.cost_usd ?? 0, model_calls: paid?.model_calls ?? 0 };
  }

  return {
    start,
    now,
    works: watched.has,
    read: ({ op }) => readJob(folder(op)),
    folder,
    stop,
    // The whole of it: telling it twice is telling it once.
    tell: (op, guidance) => writeWhole(folder(op), jobFiles.guidance, guidance),
    async stopOf(directive) {
      for (const op of watched.opsOf(directive)) await stop(op);
    },
    async stopAll() {
      stopped = true;
      await Promise.allSettled(starting);
      for (const op of watched.ops()) await stop(op);
    },
    close() {
      closed.abort();
      for (const op of watched.ops()) watched.drop(op);
    },
  };
}

/** Makes the folder of a job ready for its next start. False where there were too many, which is its report then. */
async function mayStart(folder: string): Promise<boolean> {
  const starts = Number((await readIfThere(folder, 'starts')) ?? '0') + 1;
  if (starts > MAX_STARTS) {
    const report = await lost(folder, `it ended ${MAX_STARTS} times without a report`);
    await writeWhole(folder, jobFiles.report, JSON.stringify(report));
    return false;
  }
  await prepareFolder(folder);
  await writeWhole(folder, 'starts', String(starts));
  return true;
}

async function readJob(folder: string): Promise<JobState> {
  const state = await processState(folder);
  if (state !== 'finished') return { state };
  const report = AnyJobReport.safeParse(jsonOf(await readIfThere(folder, jobFiles.report)));
  // A report that cannot be read is worth nothing; the attempt has failed, with the reason.
  if (!report.success) return { state: 'finished', report: await lost(folder, 'its report cannot be read') };
  return { state: 'finished', report: report.data };
}

async function stopJob(folder: string): Promise<void> {
  await killJob(folder);
  const text = await readIfThere(folder, jobFiles.report);
  if (text === undefined && (await processState(folder)) !== 'absent')
    await writeWhole(folder, jobFiles.report, JSON.stringify(await lost(folder, 'it was stopped')));
  // One that took the folder only now has not seen that report.
  await killJob(folder);
}

/** The report of a job that could not write one; what it had paid for by then is counted. */
async function lost(folder: string, why: string): Promise<JobReport> {
  const spent = JobSpent.safeParse(jsonOf(await readIfThere(folder, jobFiles.spent)));
  const log_tail = ((await readIfThere(folder, jobFiles.log)) ?? '').slice(-4000);
  return failedReport({ class: 'lost', feedback: `the job was lost: ${why}` }, { log_tail, ...spent.data });
}

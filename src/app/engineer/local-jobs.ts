// Jobs on this machine: each a child process of its own with a folder, watched until it reports.
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import type { SharedWait } from '../../lib/shared-wait.ts';
import { ProviderWait } from '../../engine/models/guarded-model.ts';
import { ModelFailure } from '../../engine/models/model.ts';
import { stuckAgainSeconds } from '../scheduler/slots.ts';
import {
  appendTo,
  jobFiles,
  killJob,
  prepareFolder,
  processState,
  readIfThere,
  readSince,
  startProcess,
  writeWhole,
} from '../../workspace/job-process.ts';
import { sweep } from '../../workspace/remove-tree.ts';
import {
  AnyJobReport,
  type AnyJobSpec,
  JobProgress,
  type JobReport,
  JobSpent,
  type Jobs,
  type JobState,
} from './job-spec.ts';

export interface LocalJobsOptions {
  /** Folder that holds one folder a job. */
  folder: string;
  /** How the job in a folder is started: program and arguments, and its whole environment. */
  command(folder: string): { argv: string[]; env: Record<string, string> };
  clock: Clock;
  /** What the jobs' provider asked anybody to wait for who uses the same key: no job starts before. */
  provider: SharedWait;
  /** A job has ended: its issue's run may go on. */
  onEnd(spec: AnyJobSpec): void;
  onProgress(spec: AnyJobSpec, line: JobProgress): void;
  /** No progress for so many seconds. */
  onStuck(spec: AnyJobSpec, seconds: number): void;
}

/** How often a folder is looked at while its job lives (milliseconds). */
const WATCH_MS = 200;
/** Starts of one job that ended without a report, after which it counts as failed. */
const MAX_STARTS = 3;
/** Past its own hard limit a job that does not report is killed from outside (milliseconds). */
const GRACE_MS = 30_000;
/** What could not be removed is tried again for so long, at the start and when a job has ended (milliseconds). */
const SWEEP_MS = 10_000;

export function localJobs(options: LocalJobsOptions): Jobs & { stopAll(): Promise<void>; close(): void } {
  const { clock } = options;
  const watched = new Map<string, AbortController>();
  const folder = (op: string) => join(options.folder, op);
  const closed = new AbortController();
  /** Takes away what checkouts of ended jobs left. */
  const tidy = () => sweep(options.folder, AbortSignal.any([closed.signal, AbortSignal.timeout(SWEEP_MS)]));
  void tidy();

  async function read(op: string): Promise<JobState> {
    const state = await processState(folder(op));
    if (state !== 'finished') return { state };
    const text = await readIfThere(folder(op), jobFiles.report);
    const report = AnyJobReport.safeParse(parse(text));
    // A report that cannot be read is worth nothing; the attempt has failed, with the reason.
    if (!report.success)
      return { state: 'finished', report: await lost(folder(op), 'its report cannot be read') };
    if (report.data.kind === 'failed' && report.data.until !== undefined)
      options.provider.extend(report.data.until);
    return { state: 'finished', report: report.data };
  }

  async function start(spec: AnyJobSpec): Promise<void> {
    const { op } = spec;
    if (watched.has(op)) return;
    const state = await processState(folder(op));
    if (state === 'finished') return;
    if (state !== 'living') {
      // Tests at the base ask no model.
      const until = 'kind' in spec ? undefined : options.provider.until();
      if (until !== undefined)
        throw new ProviderWait(until, new ModelFailure('rate_limit', 'no job starts before'));
      const starts = Number((await readIfThere(folder(op), 'starts')) ?? '0') + 1;
      if (starts > MAX_STARTS) {
        const report = await lost(folder(op), `it ended ${MAX_STARTS} times without a report`);
        await writeWhole(folder(op), jobFiles.report, JSON.stringify(report));
        options.onEnd(spec);
        return;
      }
      await prepareFolder(folder(op));
      await writeWhole(folder(op), 'starts', String(starts));
    }
    // Watched before it starts: a job may end at once.
    watch(spec, state !== 'living');
    if (state === 'living') return;
    try {
      const started = {
        ...options.command(folder(op)),
        spec: JSON.stringify(spec),
        onEnd: () => finish(spec),
      };
      await startProcess(folder(op), started);
    } catch (error) {
      watched.get(op)?.abort();
      watched.delete(op);
      throw error;
    }
  }

  async function stop(op: string): Promise<void> {
    const control = watched.get(op);
    watched.delete(op);
    control?.abort();
    await killJob(folder(op));
    const text = await readIfThere(folder(op), jobFiles.report);
    if (text === undefined && (await processState(folder(op))) !== 'absent')
      await writeWhole(folder(op), jobFiles.report, JSON.stringify(await lost(folder(op), 'it was stopped')));
    // One that took the folder only now has not seen that report.
    await killJob(folder(op));
  }

  function finish(spec: AnyJobSpec) {
    const control = watched.get(spec.op);
    if (!control) return;
    watched.delete(spec.op);
    control.abort();
    options.onEnd(spec);
    void tidy();
  }

  /** Passes progress on, and notices the end of a job that another process of ours started. */
  function watch(spec: AnyJobSpec, own: boolean) {
    const control = new AbortController();
    watched.set(spec.op, control);
    const began = clock.now();
    let offset = 0;
    let lively = began;
    let warned = began;
    const tell = async () => {
      const { text, next } = await readSince(folder(spec.op), jobFiles.progress, offset);
      offset = next;
      for (const line of text.split('\n')) {
        const progress = JobProgress.safeParse(parse(line));
        if (!progress.success) continue;
        lively = clock.now();
        warned = lively;
        options.onProgress(spec, progress.data);
      }
    };
    const loop = async () => {
      while (!control.signal.aborted) {
        await tell();
        if (!own && (await processState(folder(spec.op))) !== 'living') return finish(spec);
        const now = clock.now();
        if (
          now - lively >= spec.limits.stuck_ms &&
          (warned === lively || now - warned >= stuckAgainSeconds * 1000)
        ) {
          warned = now;
          options.onStuck(spec, Math.round((now - lively) / 1000));
        }
        if (now - began > spec.limits.attempt_ms + GRACE_MS) await killJob(folder(spec.op));
        // Only the abort ends it early, and the loop looks at that itself.
        await clock.sleep(WATCH_MS, control.signal).catch(() => {});
      }
      await tell();
    };
    loop().catch(error => appendTo(folder(spec.op), jobFiles.log, `watching failed: ${String(error)}\n`));
  }

  return {
    start,
    read,
    folder,
    stop,
    /** Ends every job that is watched. */
    async stopAll() {
      for (const op of [...watched.keys()]) await stop(op);
    },
    /** Stops watching; the jobs themselves go on. */
    close() {
      closed.abort();
      for (const control of watched.values()) control.abort();
      watched.clear();
    },
  };
}

/** The report of a job that could not write one; what it had paid for by then is counted. */
async function lost(folder: string, why: string): Promise<JobReport> {
  const spent = JobSpent.safeParse(parse(await readIfThere(folder, jobFiles.spent)));
  return {
    kind: 'failed',
    class: 'lost',
    feedback: `the job was lost: ${why}`,
    log_tail: ((await readIfThere(folder, jobFiles.log)) ?? '').slice(-4000),
    partial: false,
    rounds: 0,
    cost_usd: spent.data?.cost_usd ?? 0,
    model_calls: spent.data?.model_calls ?? 0,
    tests: null,
    sessions: [],
    isolation: 'none',
    ms: 0,
  };
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    // What is no JSON is no report; whoever asked says so.
    return undefined;
  }
}

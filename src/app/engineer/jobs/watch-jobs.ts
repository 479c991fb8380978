// Jobs that are watched while they live: their progress is passed on, who is stuck is told of, who is past the limit ends.
import { type Clock, jsonOf } from '@echelon/ground';
import { appendTo, jobFiles, killJob, processState, readSince } from '@echelon/ground/workspace';
import { stuckAgainSeconds } from '../../scheduler/slots.ts';
import type { AnyJobSpec } from './job-spec.ts';
import { JobProgress } from './report-spec.ts';

export interface WatchOptions {
  clock: Clock;
  /** A job has ended: its issue's run may go on. */
  onEnd(spec: AnyJobSpec): void;
  onProgress(spec: AnyJobSpec, line: JobProgress): void;
  /** No progress for so many seconds. */
  onStuck(spec: AnyJobSpec, seconds: number): void;
}

/** Interval of looking at a folder while its job lives (milliseconds). */
const WATCH_MS = 200;
/** Past its own hard limit a job that does not report is killed from outside (milliseconds). */
const GRACE_MS = 30_000;

/** A job that is watched. `own`: this process started it, and is told of its end. */
interface WatchedJob {
  spec: AnyJobSpec;
  folder: string;
  own: boolean;
}

export function watchJobs(options: WatchOptions) {
  const watched = new Map<string, { control: AbortController; directive: number }>();

  /** Answers whether it was watched. */
  function drop(op: string): boolean {
    const found = watched.get(op);
    watched.delete(op);
    found?.control.abort();
    return found !== undefined;
  }
  function ended(spec: AnyJobSpec) {
    if (drop(spec.op)) options.onEnd(spec);
  }

  return {
    has: (op: string) => watched.has(op),
    ops: () => [...watched.keys()],
    opsOf: (directive: number) =>
      [...watched].filter(([, each]) => each.directive === directive).map(([op]) => op),
    drop,
    ended,
    begin(job: WatchedJob) {
      const control = new AbortController();
      watched.set(job.spec.op, { control, directive: job.spec.directive });
      watch(job, options, control.signal)
        .then(isOver => isOver && ended(job.spec))
        .catch(error => appendTo(job.folder, jobFiles.log, `watching failed: ${String(error)}\n`));
    },
  };
}

/** Until the signal comes; answers true before where another process started the job and it has ended. */
async function watch(job: WatchedJob, options: WatchOptions, signal: AbortSignal): Promise<boolean> {
  const { spec, folder } = job;
  const { clock } = options;
  const began = clock.now();
  const tell = progressOf(job, options);
  let warned = began;
  while (!signal.aborted) {
    const lively = await tell();
    if (!job.own && (await processState(folder)) !== 'living') return true;
    const now = clock.now();
    warned = Math.max(warned, lively);
    const again = warned === lively ? 0 : stuckAgainSeconds * 1000;
    if (now - lively >= spec.limits.stuck_ms && now - warned >= again) {
      warned = now;
      options.onStuck(spec, Math.round((now - lively) / 1000));
    }
    if (now - began > spec.limits.attempt_ms + GRACE_MS) await killJob(folder);
    // Only the abort ends it early, and the loop looks at that itself.
    await clock.sleep(WATCH_MS, signal).catch(() => {});
  }
  await tell();
  return false;
}

/** Passes on what is new each time it is called; answers when there was some last (milliseconds since the epoch). */
function progressOf({ spec, folder }: WatchedJob, { clock, onProgress }: WatchOptions) {
  let offset = 0;
  let lively = clock.now();
  return async (): Promise<number> => {
    const { text, next } = await readSince(folder, jobFiles.progress, offset);
    offset = next;
    for (const line of text.split('\n')) {
      const progress = JobProgress.safeParse(jsonOf(line));
      if (!progress.success) continue;
      lively = clock.now();
      onProgress(spec, progress.data);
    }
    return lively;
  };
}

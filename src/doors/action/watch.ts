// A job of the workflow that stays while other jobs of its directive work: it looks at the run whenever one has ended.
import type { Clock } from '@echelon/ground';
import type { ActionsJobs } from '../../app/app.ts';
import type { AnyJobSpec } from '../../app/job.ts';
import { RateLimited } from '../../app/set-up.ts';

export interface Watch {
  /** The jobs as GitHub shows them now. */
  jobs(): ActionsJobs;
  /** Jobs that the run waited for at the last look. */
  outstanding(): ReadonlyMap<string, AnyJobSpec>;
  /** Brings the run as far as it goes. */
  look(): Promise<void>;
  /** True if this job can do nothing more although jobs work. */
  isDone(): boolean;
  clock: Clock;
  /** Milliseconds since the epoch. */
  until: number;
}

/** Intervals of asking GitHub: short after a change, then longer (milliseconds). */
const FIRST_MS = 1000;
const LAST_MS = 30_000;
const SLOWER = 1.5;

/**
 * Looks at the run each time a job has ended, until none is left, another job of the directive waits for this one's
 * place (it is to take in what somebody said), or the time is over. Answers whether it is.
 */
export async function watch(on: Watch): Promise<{ late: boolean }> {
  while (on.outstanding().size > 0 && !on.isDone()) {
    const news = await nextNews(on);
    if (news === 'late') return { late: true };
    await on.look();
    if (news === 'awaited') break;
  }
  return { late: false };
}

async function nextNews({ jobs, outstanding, clock, until }: Watch): Promise<'ended' | 'awaited' | 'late'> {
  for (let pause = FIRST_MS; clock.now() < until; pause = Math.min(pause * SLOWER, LAST_MS)) {
    await clock.sleep(pause);
    try {
      const now = jobs();
      if (await now.isAwaitedBy('advance')) return 'awaited';
      for (const spec of outstanding().values()) {
        // No artifact is looked for while a runner works.
        if (await now.isUnderWay(spec.op)) continue;
        if ((await now.read(spec)).state !== 'living') return 'ended';
      }
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await clock.sleep(Math.max(0, error.until - clock.now()));
    }
  }
  return 'late';
}

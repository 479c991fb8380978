// What every handler works with: one repository, and the ways to drive its runs.
import type { Clock } from '../lib/clock.ts';
import type { RunView } from '../comments/view.ts';
import { ParkRun } from '../models/guard.ts';
import { errorComment } from '../comments/replies.ts';
import { RateLimited } from '../github/octokit.ts';
import type { RunEvent, RunNotice } from '../record/run-events.ts';
import { type DriveOptions, drive } from '../run/drive.ts';
import type { Surroundings } from '../run/program.ts';
import { sayOnce } from '../github/once.ts';
import { type IssueQueue, Stopped } from '../run/queue.ts';

export interface Desk {
  around: Surroundings;
  /** Keys of the record, the newest first. */
  keys: readonly Uint8Array[];
  /** How the models of this installation are chosen. */
  model: { scripted: boolean };
  /** Whether there is anything that model-written code must not see. */
  secretsPresent: boolean;
  /** Overrides the configuration's test command. */
  test: string | undefined;
  queue: IssueQueue;
  clock: Clock;
  emit(notice: RunNotice): void;
  report(error: unknown, where: string): void;
  /** Takes the secrets of this process out of a text. */
  mask(text: string): string;
  /** Events that were told in this process, by run. */
  told: Map<string, number>;
  shutdown: AbortSignal;
  /** How each run stood when it was driven last in this process, by the number of its issue. */
  views: Map<number, RunView>;
}

/** Queues a drive of the issue's run. A limit parks it: it is driven again when the limit is over. */
export function driveSoon(desk: Desk, issue: number, begin?: DriveOptions['begin']): Promise<void> {
  return desk.queue.add(issue, async abort => {
    const { owner, name } = desk.around.github;
    const emit = (event: RunEvent) =>
      desk.emit({ ...event, issue_of_run: issue, repository: `${owner}/${name}`, at: desk.clock.now() });
    try {
      const view = await drive(issue, desk.around, {
        keys: desk.keys,
        abort,
        emit,
        told: desk.told,
        ...(begin && { begin }),
      });
      if (view) desk.views.set(issue, view);
    } catch (error) {
      if (error instanceof Stopped || abort.aborted) throw error;
      if (!(error instanceof RateLimited || error instanceof ParkRun)) {
        await tellError(desk, issue, error);
        throw error;
      }
      emit({ type: 'rate_limited', until: error.until });
      park(desk, issue, error.until, begin);
    }
  });
}

/** An error of the program itself is told on the issue, once for each message, so that nobody waits in vain. */
async function tellError(desk: Desk, issue: number, error: unknown): Promise<void> {
  const message = desk.mask(error instanceof Error ? error.message : String(error));
  try {
    const thread = await desk.around.github.thread(issue);
    await sayOnce(desk.around.github, thread, { key: `error/${message}`, body: errorComment(message) });
  } catch (second) {
    desk.report(second, `issue #${issue}`);
  }
}

function park(desk: Desk, issue: number, until: number, begin: DriveOptions['begin']): void {
  desk.clock
    .sleep(Math.max(1000, until - desk.clock.now()), desk.shutdown)
    .then(() => driveSoon(desk, issue, begin))
    .catch(error => {
      if (!desk.shutdown.aborted) desk.report(error, `issue #${issue}`);
    });
}

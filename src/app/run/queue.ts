// One writer at a time for each issue: work queues up behind what is under way, and can be told to stop it.
import PQueue from 'p-queue';

export interface IssueQueue {
  /** Runs `work` after everything queued for the issue before. Never rejects: `work` reports its own errors. */
  add(issue: number, work: (abort: AbortSignal) => Promise<void>): Promise<void>;
  /** Aborts what is under way for the issue; what is queued behind it still runs. */
  interrupt(issue: number, reason: string): void;
  /** Pieces of work that are queued or under way. */
  size(): number;
  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void>;
  /** Aborts everything and takes no more. */
  close(): Promise<void>;
}

/** What an interrupted or closed queue aborts its work with. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export function issueQueue(report: (error: unknown, issue: number) => void): IssueQueue {
  const queues = new Map<number, { queue: PQueue; under: AbortController }>();
  let closed = false;

  return {
    async add(issue, work) {
      const entry = queues.get(issue) ?? {
        queue: new PQueue({ concurrency: 1 }),
        under: new AbortController(),
      };
      queues.set(issue, entry);
      await entry.queue.add(async () => {
        if (closed) return;
        entry.under = new AbortController();
        try {
          await work(entry.under.signal);
        } catch (error) {
          if (!(error instanceof Stopped)) report(error, issue);
        }
      });
      if (entry.queue.size === 0 && entry.queue.pending === 0) queues.delete(issue);
    },
    interrupt(issue, reason) {
      queues.get(issue)?.under.abort(new Stopped(reason));
    },
    size: () => [...queues.values()].reduce((sum, { queue }) => sum + queue.size + queue.pending, 0),
    async idle() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ queue }) => queue.onIdle()));
    },
    async close() {
      closed = true;
      for (const { under } of queues.values()) under.abort(new Stopped('the process ends'));
      await this.idle();
    },
  };
}

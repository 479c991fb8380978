// One writer at a time for each issue: work queues up behind what is under way, and can be told to stop it.
import PQueue from 'p-queue';

export interface IssueQueue {
  /** Runs `work` after everything queued for the issue before. Never rejects: `work` reports its own errors. */
  add(issue: number, work: (stops: Stops) => Promise<void>): Promise<void>;
  /** Aborts what is under way for the issue; what is queued behind it still runs. */
  interrupt(issue: number, reason: string): void;
  /** Has what is under way for the issue stop before its next step, for what is queued behind it. */
  makeWay(issue: number): void;
  /** Pieces of work that are queued or under way. */
  size(): number;
  /** Resolves when nothing is queued or under way. */
  idle(): Promise<void>;
  /** Aborts everything and takes no more. */
  close(): Promise<void>;
}

/** Ways to stop a piece of work. */
export interface Stops {
  /** At once. */
  abort: AbortSignal;
  /** Before its next step: what is begun is finished. */
  yielding: AbortSignal;
}

/** Abort reason of an interrupted or closed queue. */
export class Stopped extends Error {}

interface Under {
  now: AbortController;
  soon: AbortController;
}
const newUnder = (): Under => ({ now: new AbortController(), soon: new AbortController() });

export function issueQueue(report: (error: unknown, issue: number) => void): IssueQueue {
  const queues = new Map<number, { queue: PQueue; under: Under }>();
  let closed = false;

  return {
    async add(issue, work) {
      const entry = queues.get(issue) ?? {
        queue: new PQueue({ concurrency: 1 }),
        under: newUnder(),
      };
      queues.set(issue, entry);
      await entry.queue.add(async () => {
        if (closed) return;
        entry.under = newUnder();
        try {
          await work({ abort: entry.under.now.signal, yielding: entry.under.soon.signal });
        } catch (error) {
          if (!(error instanceof Stopped)) report(error, issue);
        }
      });
      if (entry.queue.size === 0 && entry.queue.pending === 0) queues.delete(issue);
    },
    interrupt(issue, reason) {
      queues.get(issue)?.under.now.abort(new Stopped(reason));
    },
    makeWay(issue) {
      queues.get(issue)?.under.soon.abort(new Stopped('a command came in'));
    },
    size: () => [...queues.values()].reduce((sum, { queue }) => sum + queue.size + queue.pending, 0),
    async idle() {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ queue }) => queue.onIdle()));
    },
    async close() {
      closed = true;
      for (const { under } of queues.values()) under.now.abort(new Stopped('the process ends'));
      await this.idle();
    },
  };
}

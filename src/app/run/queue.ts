// One writer at a time for each issue: work queues up behind what is under way, and can be told to stop it.
import PQueue from 'p-queue';

export type IssueQueue = ReturnType<typeof issueQueue>;

/** Ways to stop a piece of work. */
export interface Stops {
  /** At once. */
  abort: AbortSignal;
  /** Before its next step: what is begun is finished. */
  yielding: AbortSignal;
}

/** Abort reason of an interrupted or closed queue. */
export class Stopped extends Error {}

type Under = ReturnType<typeof newUnder>;
const newUnder = () => ({ now: new AbortController(), soon: new AbortController() });

export function issueQueue(report: (error: unknown, issue: number) => void) {
  const queues = new Map<number, { queue: PQueue; under: Under }>();
  let closed = false;

  return {
    /** Runs `work` after everything queued for the issue before. Never rejects: `work` reports its own errors. */
    async add(issue: number, work: (stops: Stops) => Promise<void>): Promise<void> {
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
    /** Aborts what is under way for the issue; what is queued behind it still runs. */
    interrupt(issue: number, reason: string): void {
      queues.get(issue)?.under.now.abort(new Stopped(reason));
    },
    /** Has what is under way for the issue stop before its next step, for what is queued behind it. */
    makeWay(issue: number): void {
      queues.get(issue)?.under.soon.abort(new Stopped('a command came in'));
    },
    /** Pieces of work that are queued or under way. */
    size: (): number => [...queues.values()].reduce((sum, { queue }) => sum + queue.size + queue.pending, 0),
    /** Resolves when nothing is queued or under way. */
    async idle(): Promise<void> {
      while (queues.size > 0) await Promise.all([...queues.values()].map(({ queue }) => queue.onIdle()));
    },
    /** Aborts everything and takes no more. */
    async close(): Promise<void> {
      closed = true;
      for (const { under } of queues.values()) under.now.abort(new Stopped('the process ends'));
      await this.idle();
    },
  };
}

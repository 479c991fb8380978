// Concurrency groups of one repository: one at a time in each, and what happens to those that come meanwhile.

export interface Slots {
  /**
   * Does the work when there is room. Undefined, and nothing done, when `signal` aborts before that; later it is the
   * work's to heed.
   */
  within<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T | undefined>;
  /** Does it when there is room, however long that takes. */
  enter<T>(work: () => Promise<T>): Promise<T>;
}

export function slots(most: number): Slots {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const leave = () => {
    taken -= 1;
    waiting.shift()?.();
  };
  const begin = (signal?: AbortSignal) =>
    new Promise<boolean>(resolve => {
      const give = () => {
        signal?.removeEventListener('abort', abort);
        taken += 1;
        resolve(true);
      };
      const abort = () => {
        const at = waiting.indexOf(give);
        if (at >= 0) waiting.splice(at, 1);
        resolve(false);
      };
      if (signal?.aborted) return resolve(false);
      if (taken < most) return give();
      signal?.addEventListener('abort', abort, { once: true });
      waiting.push(give);
    });
  return {
    within: async (signal, work) => ((await begin(signal)) ? await work().finally(leave) : undefined),
    enter: async work => {
      await begin();
      return await work().finally(leave);
    },
  };
}

interface GroupRules {
  cancelInProgress: boolean;
  /** `single`: who waits is cancelled by who comes; `max`: up to 100 wait. */
  queue: 'single' | 'max';
}

/** GitHub's limit of `queue: max`; who comes then is cancelled. */
const longestQueue = 100;

interface Ticket {
  admit(admitted: boolean): void;
  cancel(): void;
}

export class ConcurrencyGroups {
  readonly #groups = new Map<string, { running: Ticket; pending: Ticket[] }>();

  /**
   * Does the work when the group is free. Undefined, and nothing done, when another takes its place in the queue, the
   * queue is full, or `signal` aborts before that. `cancel` is called when another wants the group while it works.
   */
  async within<T>(
    name: string,
    rules: GroupRules,
    { signal, cancel }: { signal: AbortSignal; cancel: () => void },
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const key = name.toLowerCase();
    const ticket: Ticket = { admit: () => {}, cancel };
    if (!(await this.#enter(key, rules, ticket, signal))) return undefined;
    try {
      return await work();
    } finally {
      this.#leave(key);
    }
  }

  #leave(key: string): void {
    const group = this.#groups.get(key);
    const next = group?.pending.shift();
    if (!group || !next) return void this.#groups.delete(key);
    group.running = next;
    next.admit(true);
  }

  #enter(key: string, rules: GroupRules, ticket: Ticket, signal: AbortSignal): Promise<boolean> {
    return new Promise(resolve => {
      const group = this.#groups.get(key);
      if (signal.aborted) return resolve(false);
      if (!group) {
        this.#groups.set(key, { running: ticket, pending: [] });
        return resolve(true);
      }
      if (rules.queue === 'max' && group.pending.length >= longestQueue) return resolve(false);
      if (rules.queue === 'single') for (const other of group.pending.splice(0)) other.admit(false);
      const abort = () => {
        group.pending = group.pending.filter(each => each !== ticket);
        resolve(false);
      };
      ticket.admit = admitted => {
        signal.removeEventListener('abort', abort);
        resolve(admitted);
      };
      signal.addEventListener('abort', abort, { once: true });
      group.pending.push(ticket);
      if (rules.cancelInProgress) group.running.cancel();
    });
  }
}

// Concurrency groups of one repository: one at a time in each, and what happens to those that come meanwhile.

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

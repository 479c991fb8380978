// Jobs that wait: the highest priority first, and of one priority the one that came first.
interface Waiting<Job> {
  job: Job;
  priority: number;
}

export class Queue<Job> {
  #jobs: Waiting<Job>[] = [];

  get size(): number {
    return this.#jobs.length;
  }

  /** Throws RangeError for a priority that is no whole number. */
  push(job: Job, priority = 0): void {
    if (!Number.isInteger(priority)) throw new RangeError(`${priority} is no whole number`);
    const place = this.#jobs.findIndex(each => each.priority < priority);
    this.#jobs.splice(place < 0 ? this.#jobs.length : place, 0, { job, priority });
  }

  peek(): Job | undefined {
    return this.#jobs[0]?.job;
  }

  pop(): Job | undefined {
    return this.#jobs.shift()?.job;
  }

  drop(test: (job: Job) => boolean): number {
    const before = this.#jobs.length;
    this.#jobs = this.#jobs.filter(({ job }) => !test(job));
    return before - this.#jobs.length;
  }
}

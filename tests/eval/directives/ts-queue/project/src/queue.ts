// Jobs that wait, in the order in which they came.
export class Queue<Job> {
  readonly #jobs: Job[] = [];

  push(job: Job): void {
    this.#jobs.push(job);
  }

  pop(): Job | undefined {
    return this.#jobs.shift();
  }
}

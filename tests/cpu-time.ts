// What a bound on time is held against: not the clock, which goes on while a busy machine lets a test wait.
import { expect } from 'vitest';

/** Milliseconds of processor time this thread has used. */
export function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The least that some runs of `work` take, in ms of processor time; less than `enough` ends them. */
export function leastTime(work: () => void, enough: number, runs = 3): number {
  let least = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && least >= enough; run++) {
    const start = cpuNow();
    work();
    least = Math.min(least, cpuNow() - start);
  }
  return least;
}

/** Under so many ms the caches and the garbage collector decide about a ratio, not the reader. */
const TOO_SHORT_MS = 250;

/**
 * Eight times the text takes a linear reader about eight times as long, a quadratic one 64 times. `length` must be
 * such that a quadratic reader needs far more than a quarter of a second for the long text.
 */
export function expectLinear(
  read: (text: string) => void,
  text: (length: number) => string,
  length: number,
): void {
  const [short, long] = [text(length), text(8 * length)];
  const took = leastTime(() => read(long), TOO_SHORT_MS);
  const most = took < TOO_SHORT_MS ? TOO_SHORT_MS : 20 * leastTime(() => read(short), 0);
  expect(took, `${8 * length} characters`).toBeLessThan(Math.max(TOO_SHORT_MS, most));
}

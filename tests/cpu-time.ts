// What a bound on time is held against: not the clock, which goes on while a busy machine lets a test wait.
import { expect } from 'vitest';

/** Milliseconds of processor time this thread has used. */
export function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds that `yardstick` takes on the machine for which bounds in milliseconds are written. */
const YARDSTICK_MS = 28;
const words = 'abc def '.repeat(125_000);

/** Fixed work on numbers and on a text of a megabyte. */
function yardstick(): void {
  let sum = 0;
  for (let at = 0; at < 20_000_000; at++) sum = (sum * 31 + at) | 0;
  if (words.replace(/d(e)f/g, '$1').split(' ').length === sum) throw new Error('the two differ by far');
}

function least(work: () => void, enough: number, runs: number): number {
  let found = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs && found >= enough; run++) {
    const start = cpuNow();
    work();
    found = Math.min(found, cpuNow() - start);
  }
  return found;
}

/**
 * Milliseconds that were measured, or, where they are not below `enough` and the processor is slow now (another system on
 * the same core), those that the work would take at full speed.
 */
export const atFullSpeed = (ms: number, enough: number): number =>
  ms < enough ? ms : ms / Math.max(1, least(yardstick, 0, 5) / YARDSTICK_MS);

/** The least that some runs of `work` take, in ms of processor time at full speed; less than `enough` ends them. */
export const leastTime = (work: () => void, enough: number, runs = 3): number =>
  atFullSpeed(least(work, enough, runs), enough);

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

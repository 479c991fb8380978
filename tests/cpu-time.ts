// Bounds on time in processor time, which does not pass while a busy machine lets a test wait.
import { expect } from 'vitest';

/** Milliseconds of processor time this thread has used, some milliseconds late. */
export function cpuNow(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Milliseconds of processor time that `work` takes. It may throw: a refusal is a result, too. */
export function cpuTime(work: () => unknown): number {
  const start = cpuNow();
  try {
    work();
  } catch {}
  return cpuNow() - start;
}

const TIMES = 32;
/** Between the growth of a linear reader, 1, and that of a quadratic one, `TIMES`: caches and memory double the first at most. */
const MOST_GROWTH = 8;
/** Less than this is not measured well enough: the system counts processor time in steps of up to 4 ms. */
const MEASURED_MS = 12;
const TRIES = 5;

/**
 * Holds that time grows with the input and not with its square: one input of `size` takes about as long as `TIMES`
 * inputs of a part of it. `size` must be such that reading a part is more than the call itself.
 */
export function expectLinear<Input>(
  read: (input: Input) => unknown,
  make: (size: number) => Input,
  size: number,
  name = '',
): void {
  const long = make(size);
  const short = make(Math.ceil(size / TIMES));
  const readParts = () => {
    for (let part = 0; part < TIMES; part++) {
      try {
        read(short);
      } catch {}
    }
  };
  // Compiles the reader.
  readParts();
  let growth = Number.POSITIVE_INFINITY;
  for (let tries = 0; tries < TRIES && growth >= MOST_GROWTH; tries++) {
    let [whole, parts] = [0, 0];
    while (parts < MEASURED_MS && whole < MOST_GROWTH * MEASURED_MS) {
      whole += cpuTime(() => read(long));
      parts += cpuTime(readParts);
    }
    growth = whole / parts;
  }
  expect(growth, `growth of the time with the size, up to ${size}: ${name}`).toBeLessThan(MOST_GROWTH);
}

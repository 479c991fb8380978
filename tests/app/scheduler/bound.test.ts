// The bound that the bench holds orders against: no order can fall short of it, and of a few issues the best seldom exceeds it.
import { expect, test } from 'vitest';
import { lowerBound, optimum } from '../../bench/scheduler-bound.ts';
import { jobsOf } from '../../bench/scheduler-instances.ts';

test('the best of all orders is at the bound or above it, and on most runs at it', () => {
  const ratios = Array.from({ length: 60 }, (_none, at) => {
    const slots = at % 2 ? 2 : 4;
    const jobs = jobsOf({ count: 6, slots, mixed: true, dependencies: at % 3 > 0, error: 0 }, at + 1);
    return optimum(jobs, slots) / lowerBound(jobs, slots);
  });
  expect(Math.min(...ratios)).toBeGreaterThan(1 - 1e-9);
  expect(ratios.filter(ratio => ratio < 1.002).length).toBeGreaterThan(40);
});

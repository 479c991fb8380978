// How money is parted among jobs: nobody gets a share that pays for no call.
import { expect, test } from 'vitest';
import { nextShare } from '../../../src/app/engineer/share.ts';
import { jobSpec } from './spec.ts';

/** `running`: what was given to each job that runs; beside them `pending` issues wait, and some have ended. */
function share({ left = 1, least = 0.01, pending = 1, running = [] as number[] }) {
  const spec = jobSpec(1000, '', '');
  const states = [...running.map(() => 'running'), ...Array(pending).fill('pending'), 'done', 'failed'];
  return nextShare({
    view: { budget_usd: left, cost_usd: 0 },
    outstanding: new Map(
      running.map((budget_usd, n) => [String(n), { ...spec, limits: { ...spec.limits, budget_usd } }]),
    ),
    settings: { leastUsd: least },
    slots: states.map(state => ({ state })),
  } as unknown as Parameters<typeof nextShare>[0]);
}

test.each([
  ['shared alike', { left: 3, pending: 3 }, 1],
  ['what runs keeps what it was given', { left: 3, pending: 2, running: [1] }, 1],
  ['fewer, larger shares where one would pay for nothing', { left: 0.02, pending: 3 }, 0.01],
  ['all of it where it pays for one call only', { left: 0.019, pending: 3 }, 0.019],
  ['none where all of it pays for no call', { left: 0.009 }, undefined],
  ['none where all of it is given away', { left: 1, running: [1] }, undefined],
  ['none of nothing, though calls are free', { left: 0, least: 0 }, undefined],
  ['calls that are free: shared alike', { left: 1, least: 0, pending: 4 }, 0.25],
  ['none of a debt', { left: -1 }, undefined],
])('%s', (_, given, expected) => {
  expect(share(given)).toBe(expected);
});

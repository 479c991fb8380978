// Shares of the budget: no job gets a share that pays for no call.
import { expect, test } from 'vitest';
import { jobSpec as specOf } from '../../../../src/app/engineer/batch/start-attempt.ts';
import { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { Config } from '../../../../src/app/config/config.ts';
import { nextShare } from '../../../../src/app/engineer/slots/share.ts';
import { jobSpec } from '../spec.ts';

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

/** The spec of a job that may spend `budget`, as the job reads it. */
function given({
  candidates = 3,
  budget = 1,
  least = 0.01,
  ...start
}: {
  candidates?: number;
  budget?: number;
  least?: number;
  round?: object;
  answer?: string;
}) {
  const shared = jobSpec(1000, 'base', 'mirror');
  const { repository, mirror, library, settings, model, models, engines, isolation, network, reasoning } =
    shared;
  const job = {
    repository,
    mirror,
    library,
    settings,
    model,
    models,
    engines,
    isolation,
    network,
    reasoning,
  };
  const ground = {
    base: { commit: 'base' },
    directive: { title: '', body: '' },
    slots: [],
    green: new Set(),
    opened: [],
  };
  const config = Config.parse({ candidates });
  const ctx = { config, settings: { leastUsd: least, job }, view: { issue: 1 }, ...ground };
  const slot = {
    issue: { number: 2, title: '', body: '', dependsOn: [], paths: [] },
    ...{ attempt: 1, asked: [], lastTree: null, previous: null },
    ...{ op: 'op', stands: { commit: 'base' } },
    ...(start.round && { round: start.round }),
  };
  const from = start.answer === undefined ? {} : { from: { op: 'before', answer: start.answer } };
  const spec = specOf(
    ...([ctx, slot, { op: 'op', budget_usd: budget, ...from }] as unknown as Parameters<typeof specOf>),
  );
  return JobSpec.parse(JSON.parse(JSON.stringify(spec))).candidates;
}

test.each<[string, Parameters<typeof given>[0], number | undefined]>([
  ['as many as configured', {}, 3],
  ['fewer where the share pays fewer first calls', { budget: 0.029 }, 2],
  ['one alone is none of several', { budget: 0.019 }, undefined],
  ['calls that are free', { least: 0 }, 3],
  ['one is configured', { candidates: 1 }, undefined],
  ['a round on a review', { round: { head: 'base', wanted: { asked: [], threads: [] } } }, undefined],
  ['an answered question', { answer: 'Yes.' }, undefined],
])('candidates of a job: %s', (_, start, expected) => {
  expect(given(start)).toBe(expected);
});

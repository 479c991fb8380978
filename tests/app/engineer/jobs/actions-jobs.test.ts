// Jobs on GitHub Actions by what GitHub tells of them: which live, which have ended, which are handed out again.
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  actionsJobs,
  type ActionsJobsOptions,
  artifactName,
  type QueuedJob,
} from '../../../../src/app/engineer/jobs/actions-jobs.ts';
import type { ActiveRun } from '../../../../src/app/github/workflow-runs.ts';
import { failedReport } from '../../../../src/app/engineer/jobs/jobs.ts';
import type { BaseTestsSpec, JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { jobSpec } from '../spec.ts';

const report = failedReport({ class: 'rejected', feedback: 'no' });
const op = 'op';
/** Nothing of it can be packed. */
const endless = JSON.stringify({ ...report, log_tail: randomBytes(60_000).toString('base64') });
const spec: JobSpec = jobSpec(90_000, 'f'.repeat(40), '');

const now = 1_000_000;

interface World {
  active?: ActiveRun[];
  /** By operation key: the report's text in the artifact, or how it cannot be had. */
  artifacts?: Record<string, string | undefined>;
  /** The spec that the job beside the layers worked out. */
  base?: string;
}

function jobs({ active = [], artifacts = {}, base: found }: World, more: Partial<ActionsJobsOptions> = {}) {
  const calls: string[] = [];
  const made = actionsJobs({
    runs: {
      active: async title => {
        calls.push('active');
        return active.filter(each => each.title === title);
      },
      artifact: async name => {
        calls.push(`artifact ${name}`);
        const text = artifacts[name.replace(artifactName(''), '')];
        return text === 'too large' ? 'tooLarge' : text === undefined ? undefined : Buffer.from(text);
      },
      expiry: async name => (artifacts[name.replace(artifactName(''), '')] ? 7_000 : undefined),
      cancel: async run => void calls.push(`cancel ${run}`),
      dispatch: async () => {},
    },
    folders: {
      path: op => `/jobs/${op}`,
      unpack: async (op, archive) => {
        if (String(archive) === 'damaged') throw new Error('it is no archive');
        calls.push(`unpack ${op}`);
      },
      read: async (op, file) =>
        ({ report: artifacts[op], base: found, spent: '{"cost_usd":0.5,"model_calls":3}' })[file],
      prepare: async ({ op }) => void calls.push(`prepare ${op}`),
    },
    run: 7,
    clock: { now: () => now, sleep: async () => {} },
    directive: 1,
    ...more,
  });
  return { ...made, made, calls };
}

const run = (
  id: number,
  names: readonly [name: string, status: string, secondsAgo?: number][],
  title = 'Echelon #1',
  ended = false,
): ActiveRun => ({
  id,
  title,
  event: 'workflow_dispatch',
  ended,
  jobs: names.map(([name, status, ago]) => ({
    ...{ name, status },
    ...(ago !== undefined && { endedAt: now - ago * 1000 }),
  })),
});
const done = 'completed';
const advance = 'run / advance';
const engineer = `run / #2, attempt 1 [${op}] / engineer`;

test.for<[name: string, world: World, state: string]>([
  ['no run, no artifact', {}, 'gone'],
  [
    'its engineer works',
    {
      active: [
        run(3, [
          [advance, done],
          [engineer, 'in_progress'],
        ]),
      ],
    },
    'living',
  ],
  [
    'its engineer waits for a runner',
    {
      active: [
        run(3, [
          [advance, done],
          [engineer, 'queued'],
        ]),
      ],
    },
    'living',
  ],
  [
    'its engineer has ended, and its artifact may not be listed yet',
    { active: [run(3, [[engineer, done, 59]])] },
    'living',
  ],
  ['its engineer has ended without an artifact', { active: [run(3, [[engineer, done, 60]])] }, 'finished'],
  [
    'it is run again',
    {
      active: [run(3, [[engineer, done, 60]]), run(4, [[engineer, 'queued']])],
    },
    'living',
  ],
  [
    'a run of another directive has a job of this name',
    { active: [run(3, [[engineer, 'queued']], 'Echelon #12')] },
    'gone',
  ],
  ['a matrix is about to be laid out', { active: [run(3, [[advance, done]])] }, 'living'],
  ['a run ended without a matrix', { active: [run(3, [[advance, done]], undefined, true)] }, 'gone'],
  ['another run waits to advance', { active: [run(3, [[advance, 'queued']])] }, 'gone'],
  ['its artifact is there', { artifacts: { [op]: JSON.stringify(report) } }, 'finished'],
  [
    'its artifact is there, and a job of its name lives',
    { active: [run(3, [[engineer, 'queued']])], artifacts: { [op]: JSON.stringify(report) } },
    'finished',
  ],
])('%s', async ([, world, state]) => {
  expect((await jobs(world).read(spec)).state).toBe(state);
});

test.for<[name: string, artifact: string | undefined, feedback: RegExp, cost: number]>([
  ['no artifact of the job that has ended', undefined, /its runner ended without handing anything over/, 0],
  ['an artifact that is no archive', 'damaged', /it is no archive/, 0],
  ['an artifact that is too large', 'too large', /larger than/, 0],
  ['an artifact without a report', '', /left no report that can be read/, 0.5],
  ['a report that would not fit the record', endless, /left no report that can be read/, 0.5],
  ['a report that is none', '{"kind":"bundle"}', /left no report that can be read/, 0.5],
])('%s: the attempt is lost, what it paid is counted', async ([, artifact, feedback, cost]) => {
  const active = [run(7, [[engineer, done, 60]])];
  const state = await jobs({ artifacts: { [op]: artifact }, active }).read(spec);
  expect(state).toMatchObject({
    state: 'finished',
    report: { kind: 'failed', class: 'lost', feedback: expect.stringMatching(feedback), cost_usd: cost },
  });
});

const settle = 'run / settle / settle';

test.for<[name: string, active: ActiveRun[], by: QueuedJob[]]>([
  ['nothing else is under way', [], []],
  ['another run waits to advance', [run(3, [[advance, 'queued']])], ['advance', 'look']],
  ['it waits for the group', [run(3, [[advance, 'pending']])], ['advance', 'look']],
  ['it is this one', [run(7, [[advance, 'queued']])], []],
  ['it has begun, and may have read what stood before', [run(3, [[advance, 'in_progress']])], []],
  [
    'it has advanced, and goes on watching',
    [
      run(3, [
        [advance, done],
        [engineer, 'queued'],
        [settle, 'pending'],
      ]),
    ],
    ['settle'],
  ],
  ['its jobs are not laid out yet', [run(3, [])], []],
  [
    'a comment started it, and may be none to follow',
    [{ ...run(3, [[advance, 'queued']]), event: 'issue_comment' }],
    ['advance'],
  ],
])('%s: which job stands behind this one', async ([, active, by]) => {
  const { made } = jobs({ active });
  const all: QueuedJob[] = ['advance', 'look', 'settle'];
  const waiting = await Promise.all(all.map(job => made.isAwaitedBy(job)));
  expect(all.filter((_job, at) => waiting[at])).toEqual(by);
});

const { op: _op, base, mirror, repository, isolation, network, limits } = spec;
const tests: BaseTestsSpec = {
  ...{ version: 1, kind: 'base-tests', op: 'tests', directive: 1, command: 'npm test' },
  ...{ base, mirror, repository, isolation, network },
  limits: { attempt_ms: limits.attempt_ms, stuck_ms: limits.stuck_ms },
};
const green = {
  ...{ kind: 'base-tests', state: 'green', exit_code: 0, failing: [], why: '', tail: '' },
  ...{ isolation: 'bubblewrap', ms: 1 },
};

test.for<[name: string, status: string, found: object | undefined, spec: BaseTestsSpec, state: string]>([
  ['runs', 'in_progress', undefined, tests, 'living'],
  ['ran the same tests', done, tests, tests, 'finished'],
  ['ran them under another operation key', done, { ...tests, op: 'base-7', directive: 0 }, tests, 'finished'],
  ['ran another command', done, { ...tests, command: 'make' }, tests, 'gone'],
  ['ran them at another commit', done, { ...tests, base: 'e'.repeat(40) }, tests, 'gone'],
  ['had another network', done, { ...tests, network: 'registries' }, tests, 'gone'],
  ['installed something', done, { ...tests, setup: { command: 'npm ci', base } }, tests, 'gone'],
  ['ran before a person wanted them again', done, tests, { ...tests, again: true }, 'gone'],
  ['left nothing', done, undefined, tests, 'gone'],
])('the job beside the layers %s: %s', async ([, status, found, wanted, state]) => {
  const active = [
    run(7, [
      [advance, 'in_progress'],
      ['run / base [base-7] / work', status, 60],
    ]),
  ];
  const artifacts = found && { 'base-7': JSON.stringify(green) };
  const world = { active, ...(artifacts && { artifacts }), base: JSON.stringify(found) };
  expect((await jobs(world).read(wanted)).state).toBe(state);
});

test('what is under way is asked once: this process has the place in the queue, so that nobody begins meanwhile', async () => {
  const { made, calls } = jobs({ active: [run(3, [[advance, 'queued']])] });
  await made.read(spec);
  await made.isAwaitedBy('advance');
  expect(calls.filter(call => call === 'active')).toHaveLength(1);
});

test('a job that is started is an entry of the matrix, once, and lives from then on', async () => {
  const { made, calls } = jobs({});
  await made.start(spec);
  await made.start(spec);
  expect(made.entries).toEqual([{ op, title: '#2, attempt 1', minutes: 12 }]);
  expect(await made.read(spec)).toEqual({ state: 'living' });
  expect(calls.filter(call => call.startsWith('prepare'))).toEqual([`prepare ${op}`]);
});

test('what a job goes on from is brought before it is handed out', async () => {
  const { made, calls } = jobs({ artifacts: { before: JSON.stringify(report) } });
  await made.start({ ...spec, from: { op: 'before' } });
  expect(calls).toEqual([
    `artifact echelon-${op}`,
    'active',
    'artifact echelon-before',
    'unpack before',
    `prepare ${op}`,
  ]);
});

test('stopping cancels the runs that hold the job, the own one at the end', async () => {
  const living = (id: number) => run(id, [[engineer, 'in_progress']]);
  const { made, calls } = jobs({ active: [living(3), living(7), run(4, [[engineer, done]])] });
  await made.stop(op);
  expect(calls).toEqual(['active', 'cancel 3']);
  expect(made.endsOwnRun).toBe(true);
});

test('what was started here and is stopped is not handed out', async () => {
  const { made } = jobs({});
  await made.start(spec);
  await made.stop(op);
  expect(made.entries).toEqual([]);
});

// On GitHub Actions a job that is cancelled, cut short or doubled leaves the run where an undisturbed one ends.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { present } from '../../packages/ground/lib/present.ts';
import type { LocalActions } from '../../src/doors/cli/local-actions.ts';
import type { JobOrder } from '../../packages/forge/actions/run-port.ts';
import type { PlannedJob } from '../../packages/forge/actions/planned-job.ts';
import { type Many, directive, repositoryOf, scriptOf } from '../bench/many.ts';
import {
  type ActionsStory,
  ask,
  dispatch,
  endOf,
  inStory,
  leftOver,
  playOn,
  type Stage,
  stageOf,
} from './actions-story.ts';
import { differences, issuesOf } from './facts.ts';
import { productOnce } from './product.ts';
import { sample } from './sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'echelon-actions-jobs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isEngineer = ({ name }: PlannedJob) => name.endsWith('/ work');
const isAttempt = (job: PlannedJob) => isEngineer(job) && job.name.includes('attempt');
const isSettle = ({ name }: PlannedJob) => name.endsWith('/ settle');

type Runner = NonNullable<ActionsStory['runner']>;
type CarryOut = ReturnType<Runner>['carryOut'];

/** The first job that `fits` is carried out another way. */
const first =
  (fits: (job: PlannedJob) => boolean, other: (usual: CarryOut) => CarryOut): Runner =>
  usual => {
    let met = false;
    return {
      ...usual,
      carryOut(core, job, order) {
        const carryOut = !met && fits(job) ? other(usual.carryOut) : usual.carryOut;
        met ||= fits(job);
        return carryOut(core, job, order);
      },
    };
  };

/** Calls `act` once when the engineer of the job has begun to work. */
const atWork = (order: JobOrder, act: () => Promise<unknown>): JobOrder => {
  let met = false;
  return {
    ...order,
    onSteps(steps) {
      order.onSteps(steps);
      if (met || !JSON.stringify(steps.at(-1)).includes('"Work the issue"')) return;
      met = true;
      void act();
    },
  };
};

const Run = z.object({
  workflow_runs: z.array(z.object({ id: z.int(), conclusion: z.string().nullable() })),
});
const Artifacts = z.object({ artifacts: z.array(z.object({ id: z.int() })) });
const runsOf = async (local: LocalActions) =>
  Run.parse(await ask(local, 'GET', '/actions/runs?per_page=100')).workflow_runs;

const many: Many = { fates: ['once'], maxParallel: 1 };
let stage: Stage;
beforeAll(async () => {
  const set = {
    folder: join(folder, 'stories'),
    path: process.env['PATH'] ?? '/usr/bin:/bin',
    product: await productOnce(),
    source: repositoryOf(many, join(folder, 'source'), ['approval: none']),
    plot: { directive, script: scriptOf(many) },
  };
  mkdirSync(set.folder);
  stage = await stageOf(set);
}, 120_000);

/** Local is known only when the story is open. */
interface Case extends Pick<ActionsStory, 'processes'> {
  name: string;
  kind: 'cancelled' | 'cut short' | 'not delivered' | 'doubled';
  disturb(local: () => LocalActions): Runner;
  /** A person's remedy; by default they start the workflow again. */
  remedy?: typeof dispatch;
  /** The attempt counts as lost, and another one delivers. */
  lost?: true;
}
const cancelsRun: Case['disturb'] = local =>
  first(isAttempt, usual => (core, job, order) => {
    const cancel = () => ask(local(), 'POST', `/actions/runs/${order.run.id}/cancel`);
    return usual(core, job, atWork(order, cancel));
  });

const cases: Case[] = [
  {
    name: 'a run is cancelled while an engineer works, and what failed is run again',
    kind: 'cancelled',
    processes: true,
    disturb: cancelsRun,
    async remedy(local) {
      const run = (await runsOf(local)).find(({ conclusion }) => conclusion === 'cancelled');
      return await ask(local, 'POST', `/actions/runs/${run?.id}/rerun-failed-jobs`);
    },
  },
  {
    name: 'a run is cancelled while an engineer works',
    kind: 'cancelled',
    processes: true,
    disturb: cancelsRun,
  },
  {
    name: 'an engineer runs out of time',
    kind: 'cut short',
    processes: true,
    disturb: () =>
      first(isAttempt, usual => (core, job, order) => usual(core, { ...job, timeoutMinutes: 0.005 }, order)),
    lost: true,
  },
  {
    name: 'an artifact is gone before it is looked at',
    kind: 'cut short',
    disturb: local =>
      first(isAttempt, usual => async (core, job, order) => {
        const result = await usual(core, job, order);
        const { artifacts } = Artifacts.parse(await ask(local(), 'GET', '/actions/artifacts'));
        await ask(local(), 'DELETE', `/actions/artifacts/${artifacts[0]?.id}`);
        return result;
      }),
    lost: true,
  },
  {
    name: 'the job that delivers loses its runner',
    kind: 'not delivered',
    disturb: () => first(isSettle, () => async () => ({ conclusion: 'failure', outputs: {}, steps: [] })),
  },
  {
    name: 'the workflow is started twice at once',
    kind: 'doubled',
    disturb: local =>
      first(isAttempt, usual => async (core, job, order) => {
        await Promise.all([dispatch(local()), dispatch(local())]);
        return await usual(core, job, order);
      }),
  },
];

test.concurrent.for(sample(cases, ({ kind }) => kind))(
  '$name: the end is the same',
  { timeout: 300_000 },
  async ({ name, disturb, remedy = dispatch, lost, processes }) => {
    let open: LocalActions | undefined;
    const runner = disturb(() => present(open, 'the open story'));
    const faults = await inStory(stage, name, { runner, processes }, async local => {
      open = local;
      await playOn(local, stage.plot, () => remedy(local));
      return [...differences(stage.facts, await endOf(local)), ...(await leftOver(local))];
    });
    expect(faults).toEqual(
      lost ? [expect.stringMatching(/ delivered \| .*\n *became: .* delivered, attempt 2 \| /)] : [],
    );
  },
);

test.concurrent('/cancel while engineers work ends them, and every issue is told', {
  timeout: 300_000,
}, async () => {
  let open: LocalActions | undefined;
  const runner = first(
    isAttempt,
    usual => (core, job, order) =>
      usual(
        core,
        job,
        atWork(order, () =>
          ask(present(open, 'the open story'), 'POST', '/issues/1/comments', { body: '/cancel' }),
        ),
      ),
  );
  // They think for longer than it takes to read the command.
  const plot = { ...stage.plot, script: scriptOf(many, { engineers: 60_000 }) };
  await inStory({ ...stage, plot }, 'cancel', { runner, processes: true }, async local => {
    open = local;
    await playOn(local, plot);
    const cancelled = (await runsOf(local)).filter(({ conclusion }) => conclusion === 'cancelled');
    expect(cancelled.length).toBeGreaterThan(0);
    for (const { number } of (await issuesOf(local.forge)).slice(1)) {
      const comments = z
        .array(z.object({ body: z.string() }))
        .parse(await ask(local, 'GET', `/issues/${number}/comments`));
      expect(comments.at(-1)?.body).toContain('cancelled');
    }
    expect(await leftOver(local)).toEqual([]);
  });
});

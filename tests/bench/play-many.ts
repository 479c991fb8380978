// Plays a run of many issues on a forge of its own, by workflows or by the local executor, and tells how it ended.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { productRepository } from '../../src/doors/cli/product-repository.ts';
import type { WorkflowJob } from '../../src/doors/cli/local-actions.ts';
import type { Forge } from '../../packages/forge/forge.ts';
import * as byActions from '../crash/actions-story.ts';
import { branchesOf, commentsOn } from '../crash/facts.ts';
import * as byApp from '../crash/story.ts';
import { directive, type Many, repositoryOf, scriptOf } from './many.ts';

export interface PlayedMany {
  /** From the label to the end of the run. */
  seconds: number;
  /** Calls of the product to GitHub. */
  read: number;
  write: number;
  /** `state attempts` of each issue as the board tells it, in their order. */
  states: string[];
  /** Branches without the run's part of their name. */
  branches: string[];
  leftOver: string[];
  /** By workflows: jobs that were started, the most of them that came one after the other, and the minutes GitHub bills. */
  jobs?: { started: number; inSequence: number; minutes: number };
}

const path = process.env['PATH'] ?? '/usr/bin:/bin';

/** `product`: its repository as a release has it, where it was made before; its steps are no processes of their own then. */
export async function playMany(
  many: Many,
  via: 'actions' | 'app',
  { product, config }: { product?: string; config?: readonly string[] } = {},
): Promise<PlayedMany> {
  const folder = mkdtempSync(join(tmpdir(), 'echelon-many-'));
  try {
    const source = repositoryOf(many, join(folder, 'source'), config);
    const plot = { directive, script: scriptOf(many) };
    const where = { folder: join(folder, 'story'), source, path, plot };
    mkdirSync(where.folder);
    return via === 'actions'
      ? await onActions(
          { ...where, product: product ?? (await productRepository(folder)), processes: !product },
          many,
        )
      : await onApp(where);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function onActions(where: byActions.ActionsStory, { maxParallel }: Many): Promise<PlayedMany> {
  const local = await byActions.openStory({ ...where, runner: usual => ({ ...usual, jobs: maxParallel }) });
  try {
    const began = performance.now();
    const looks = await byActions.playOn(local, where.plot);
    const seconds = (performance.now() - began) / 1000;
    const stuck = looks > 0 ? [`the run stood still ${looks} times`] : [];
    const leftOver = [...stuck, ...(await byActions.leftOver(local))];
    const jobs = countOf(await local.jobs());
    return { seconds, leftOver, jobs, ...(await told(local.forge, actor => actor === byActions.bot)) };
  } finally {
    await local.close();
  }
}

/** GitHub bills each job by the minute that it has begun. */
function countOf(jobs: readonly WorkflowJob[]): NonNullable<PlayedMany['jobs']> {
  const times = jobs
    .filter(({ conclusion }) => conclusion !== 'skipped')
    .map(job => ({ from: Date.parse(job.started_at ?? ''), to: Date.parse(job.completed_at ?? '') }))
    .sort((a, b) => a.to - b.to);
  let [inSequence, end] = [0, 0];
  for (const { from, to } of times) if (from >= end) [inSequence, end] = [inSequence + 1, to];
  const minutes = times.reduce((sum, { from, to }) => sum + Math.max(1, Math.ceil((to - from) / 60_000)), 0);
  return { started: times.length, inSequence, minutes };
}

async function onApp(where: Omit<byApp.StoryOptions, 'onCall' | 'log'> & { plot: byApp.Plot }) {
  const problems: string[] = [];
  const log = (line: string) => void (line.startsWith('event ') || problems.push(line));
  const local = await byApp.openStory({ ...where, onCall: () => {}, log });
  try {
    const began = performance.now();
    await byApp.playOn(local, () => {}, where.plot);
    const seconds = (performance.now() - began) / 1000;
    const leftOver = problems.map(line => `problem: ${line}`);
    return { seconds, leftOver, ...(await told(local.forge, actor => /echelon/.test(actor ?? ''))) };
  } finally {
    await local.close();
  }
}

async function told(forge: Forge, isProduct: (actor: string | null) => boolean) {
  const own = forge.calls.filter(({ actor }) => isProduct(actor));
  const read = own.filter(({ kind }) => kind === 'read').length;
  const [board = ''] = (await commentsOn(forge, 1)).map(({ body }) => body);
  const states = [...board.matchAll(/^\| #\d+ Part \d+ \| ([\w ]+)(?:, attempt (\d+))? \|/gm)].map(
    ([, state, attempts = '1']) => `${state} ${attempts}`,
  );
  const branches = branchesOf(forge).map(({ name }) => name.replace(/^echelon\/[0-9a-f]+\//, ''));
  return { read, write: own.length - read, states, branches };
}

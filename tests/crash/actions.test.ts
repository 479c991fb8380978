// On GitHub Actions a job that is killed at a call to GitHub leaves the run where an undisturbed one ends.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ForgeCall } from '../../packages/forge/calls.ts';
import { repositoryOf } from '../bench/many.ts';
import {
  type ActionsStory,
  bot,
  endOf,
  inStory,
  killAtWork,
  leftOver,
  lookAgain,
  playOn,
  type Stage,
  stageOf,
} from './actions-story.ts';
import { differences } from './facts.ts';
import { sideBySide } from './players.ts';
import { plots, smallMany } from './plots.ts';
import { productOnce } from './product.ts';
import { sampleSource } from './recording.ts';
import { playsAll } from './sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'echelon-actions-crash-'));
let stage: Stage;

beforeAll(async () => {
  const set = {
    folder: join(folder, 'stories'),
    path: process.env['PATH'] ?? '/usr/bin:/bin',
    product: await productOnce(),
    ...(playsAll ? sample() : small()),
  };
  mkdirSync(set.folder);
  stage = await stageOf(set);
}, 300_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The demo's. */
const sample = () => ({ source: sampleSource(folder), plot: plots.sample });

/** Without tests. */
const small = () => ({
  source: repositoryOf(smallMany, join(folder, 'source'), []),
  plot: plots.small,
});

interface Schedule {
  name: string;
  /** Before a call is applied, or when it is applied and not answered. */
  moment: 'received' | 'applied';
  /** True to kill the job at this call. Receives all calls in order, `count` from 1. */
  kills(call: ForgeCall, count: number): boolean;
}

/** A job dies at each so many calls. It takes one or two some fifteen to do something that lasts: the run gets on. */
const PERIOD = 20;

const everyCall = (): Schedule[] =>
  Array.from({ length: PERIOD }, (_none, first) => first).flatMap(first =>
    (['received', 'applied'] as const).map(moment => ({
      name: `${moment} from call ${first + 1}`,
      moment,
      kills: (_call, count) => count % PERIOD === (first + 1) % PERIOD,
    })),
  );

/** Writes by which `settle` has another workflow run begin. Where a kill comes before, `advance` hands out instead. */
const isHandOver = (route: string) => /git-receive-pack$|\/dispatches$|^DELETE .*\/git\/refs\//.test(route);

/** The first call of each kind of write is applied and not answered; a read changes nothing. */
function eachWrite(name: string, fits: (route: string) => boolean): Schedule {
  const met = new Set<string>();
  return {
    name,
    moment: 'applied',
    kills: ({ kind, route }) => kind === 'write' && fits(route) && met.size < met.add(route).size,
  };
}

const everyWrite = () => [
  eachWrite('each write that hands jobs over', isHandOver),
  eachWrite('each other kind of write', route => !isHandOver(route)),
];

/** Faults at the end, one sentence each. */
async function faultsOf({ name, moment, kills }: Schedule, killed: string[]): Promise<string[]> {
  let count = 0;
  let forge = '';
  const onCall: ActionsStory['onCall'] = (call, phase) => {
    if (call.actor !== bot || phase !== moment || !kills(call, ++count)) return;
    killed.push(call.route);
    killAtWork(forge);
    throw new Error('its process is gone');
  };
  return await inStory(stage, name, { onCall, processes: true }, async local => {
    forge = local.forge.folder;
    await playOn(local, stage.plot);
    await lookAgain(local);
    return [...differences(stage.facts, await endOf(local)), ...(await leftOver(local))];
  }).catch(error => [String(error)]);
}

test('after kills at every kind of write the end is that of the undisturbed story', {
  timeout: 4 * 3_600_000,
}, async () => {
  const schedules = playsAll ? everyCall() : everyWrite();
  const killed: string[] = [];
  const wrong = await sideBySide(schedules, [1, 2], async schedule => {
    const own: string[] = [];
    const began = performance.now();
    const faults = await faultsOf(schedule, own);
    const seconds = Math.round((performance.now() - began) / 1000);
    console.info(`${schedule.name}: ${own.length} kills, ${seconds} s`);
    killed.push(...own);
    return faults.map(fault => `${schedule.name}, ${own.join('; ')}: ${fault}`);
  });
  expect(wrong.flat()).toEqual([]);
  expect([...stage.writes].filter(route => !killed.includes(route))).toEqual([]);
});

// The same over the record on a branch: a crash at a call that writes to it ends where the undisturbed story ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ForgeCall } from '../../src/forge/forge.ts';
import { repositoryOf } from '../bench/many.ts';
import { createCommit, createRef, effectsOf, graphql } from './calls.ts';
import { differences } from './facts.ts';
import { playAll } from './players.ts';
import { type PlotName, smallMany } from './plots.ts';
import { type Moment, type Recording, record, sampleSource } from './recording.ts';
import { playsAll } from './sample.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const folder = mkdtempSync(join(tmpdir(), 'echelon-crash-branch-'));
/** Few crashes do not need the longer one. */
const plot: PlotName = playsAll ? 'sample' : 'small';
const config = 'record: branch';
let recording: Recording;

const writesRecord = ({ route, kind }: ForgeCall) =>
  kind === 'write' && [graphql, createCommit, createRef].includes(route);
/**
 * What only this store adds are the states between a commit and its answer. The three writes that begin the record are
 * played, and every sixteenth of those after them (with ECHELON_CRASH=all each); other calls have the states of the
 * store in comments, which crash.test.ts plays.
 */
const played: ForgeCall[] = [];
let writes = 0;
function keeps(call: ForgeCall, moment: Moment): boolean {
  if (moment !== 'unanswered' || !writesRecord(call)) return false;
  writes += 1;
  const isPlayed = playsAll || writes <= 3 || writes % 16 === 0;
  if (isPlayed) played.push(call);
  return isPlayed;
}

beforeAll(async () => {
  const source = playsAll
    ? sampleSource(folder, `${config}\n`)
    : repositoryOf(smallMany, join(folder, 'source'), ['test: sh test.sh', config]);
  recording = await record(folder, path, { source, plot, keeps });
}, 120_000);
afterAll(() => {
  recording?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

test('the story is the same, and its record stands on the branch', () => {
  const times = (route: string) => recording.calls.filter(call => call.route === route).length;
  const issues = playsAll ? 4 : 2;
  for (const [route, least] of Object.entries(effectsOf(issues)))
    expect.soft(times(route), route).toBeGreaterThanOrEqual(least);
  // One more than the drafts have: the record's branch is created once.
  expect([times(createCommit), times(createRef)]).toEqual([issues + 1, issues + 1]);
});

test('after a crash at a write to the record the end is the same', { timeout: 600_000 }, async () => {
  const { calls, source, jobs, facts } = recording;
  expect(writes).toBeGreaterThanOrEqual(playsAll ? 25 : 16);
  expect(played.length).toBeGreaterThanOrEqual(4);
  console.info(`${played.length} of ${writes} schedules over ${calls.length} calls`);
  const outcomes = await playAll(
    played.map(call => ({
      folder: join(folder, `schedule-${call.n}`),
      copy: recording.copy(call, 'unanswered'),
      ...{ source, path, plot, jobs },
    })),
  );
  const wrong = outcomes.flatMap((outcome, index) => {
    const where = `call ${played[index]!.n}, ${played[index]!.route}`;
    if ('killed' in outcome) return [`${where}: the process was ended by ${outcome.killed}`];
    const found = outcome.facts.length > 0 ? differences(facts, outcome.facts) : [];
    return [...outcome.problems, ...found].map(fault => `${where}: ${fault}`);
  });
  expect(wrong).toEqual([]);
});

// A crash at a call to GitHub while people review and merge ends where the undisturbed story ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ForgeCall } from '../../packages/forge/calls.ts';
import { repositoryOf } from '../bench/many.ts';
import { createComment, editComment, graphql, moveRef } from './calls.ts';
import { fingerprint } from './copies.ts';
import { differences } from './facts.ts';
import { playAll } from './players.ts';
import { type Moment, moments, type Recording, record } from './recording.ts';
import { reviewConfig } from './review-plot.ts';
import { sample } from './sample.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const folder = mkdtempSync(join(tmpdir(), 'echelon-crash-review-'));
let recording: Recording;
/** Calls since the review was written. */
const calls: ForgeCall[] = [];

/** The person files the directive, labels it, and reviews what is delivered. */
const REVIEWED = 3;

beforeAll(async () => {
  const source = repositoryOf({ fates: [], maxParallel: 2 }, join(folder, 'source'), reviewConfig);
  recording = await record(folder, path, { source, plot: 'review', jobsStand: true, keeps });
}, 400_000);
afterAll(() => {
  recording?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

function keeps(call: ForgeCall, moment: Moment, acts: number): boolean {
  if (acts < REVIEWED) return false;
  if (moment === 'unanswered') calls.push(call);
  return true;
}

test('what is written in a review and after it is all there', () => {
  const routes = new Set(calls.filter(({ kind }) => kind === 'write').map(({ route }) => route));
  const replies = 'POST /repos/{owner}/{repo}/pulls/{pull_number}/comments/{comment_id}/replies';
  const pull = 'PATCH /repos/{owner}/{repo}/pulls/{pull_number}';
  for (const route of [editComment, moveRef, replies, graphql, createComment, pull])
    expect.soft([...routes]).toContain(route);
});

test('after a crash at any call of it the end is the same', { timeout: 900_000 }, async () => {
  const { source, jobs, facts } = recording;
  const schedules = calls.flatMap(call => moments.map(moment => ({ call, moment })));
  const states = Map.groupBy(schedules, ({ call, moment }) => fingerprint(recording.copy(call, moment)));
  const played = sample([...states.values()], ([first]) => `${first?.call.route} ${first?.moment}`);
  expect(played.length).toBeGreaterThanOrEqual(10);
  console.info(`${played.length} of ${states.size} states, of ${schedules.length} schedules`);
  const outcomes = await playAll(
    played.flatMap(([first]) =>
      first
        ? {
            ...{ source, path, jobs, plot: 'review' as const },
            folder: join(folder, `schedule-${first.call.n}-${first.moment}`),
            copy: recording.copy(first.call, first.moment),
          }
        : [],
    ),
  );
  const wrong = played.flatMap((same, index) => {
    const outcome = outcomes[index];
    const where = same.map(({ call, moment }) => `call ${call.n}, ${call.route}, ${moment}`).join('; ');
    if (!outcome || 'killed' in outcome) return [`${where}: the process was ended by ${outcome?.killed}`];
    const found = outcome.facts.length > 0 ? differences(facts, outcome.facts) : [];
    return [...outcome.problems, ...found].map(fault => `${where}: ${fault}`);
  });
  expect(wrong).toEqual([]);
});

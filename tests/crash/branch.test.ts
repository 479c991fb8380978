// The same over the record on a branch: a crash at a call that writes to it ends where the undisturbed story ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCommit, createRef, effects, graphql } from './calls.ts';
import { differences } from './facts.ts';
import { playAll } from './players.ts';
import { type Recording, record } from './recording.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const folder = mkdtempSync(join(tmpdir(), 'echelon-crash-branch-'));
let recording: Recording;

beforeAll(async () => {
  recording = await record(folder, path, 'record: branch\n');
}, 120_000);
afterAll(() => {
  recording?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

const writesRecord = ({ route, kind }: { route: string; kind: string }) =>
  kind === 'write' && [graphql, createCommit, createRef].includes(route);

test('the story is the same, and its record stands on the branch', () => {
  const times = (route: string) => recording.calls.filter(call => call.route === route).length;
  for (const [route, least] of Object.entries(effects))
    expect.soft(times(route), route).toBeGreaterThanOrEqual(least);
  expect([times(createCommit), times(createRef)]).toEqual([1, 1]);
});

/**
 * What only this store adds are the states between a commit and its answer. The three writes that begin the record are
 * played, and every fourth of those after them; other calls have the states of the store in comments, which the test of
 * all calls plays.
 */
test('after a crash at a write to the record the end is the same', { timeout: 600_000 }, async () => {
  const { calls, source, jobs, facts } = recording;
  const all = calls.filter(writesRecord);
  expect(all.length).toBeGreaterThanOrEqual(30);
  const writes = all.filter((_, index) => index < 3 || index % 4 === 3);
  console.info(`${writes.length} of ${all.length} schedules over ${calls.length} calls`);
  const outcomes = await playAll(
    writes.map(call => ({
      folder: join(folder, `schedule-${call.n}`),
      copy: recording.copy(call, 'unanswered'),
      source,
      path,
      jobs,
    })),
  );
  const wrong = outcomes.flatMap((outcome, index) => {
    const where = `call ${writes[index]!.n}, ${writes[index]!.route}`;
    if ('killed' in outcome) return [`${where}: the process was ended by ${outcome.killed}`];
    const found = outcome.facts.length > 0 ? differences(facts, outcome.facts) : [];
    return [...outcome.problems, ...found].map(fault => `${where}: ${fault}`);
  });
  expect(wrong).toEqual([]);
});

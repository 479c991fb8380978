// A crash at a call to GitHub ends where the undisturbed story ends; with ECHELON_CRASH=all at every one of the demo's story.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  addSubIssue,
  createComment,
  createIssue,
  createPull,
  createRef,
  effectsOf,
  readIssue,
} from './calls.ts';
import type { ForgeCall } from '../../packages/forge/calls.ts';
import { copyFolder, fingerprint } from './copies.ts';
import { repositoryOf } from '../bench/many.ts';
import { differences } from './facts.ts';
import type { Place } from './player.ts';
import { type Outcome, playAll, playAlone, sideBySide } from './players.ts';
import { type PlotName, smallMany } from './plots.ts';
import { moments, type Recording, record, sampleSource } from './recording.ts';
import { playsAll, sample } from './sample.ts';

const path = process.env['PATH'] ?? '/usr/bin:/bin';
const folder = mkdtempSync(join(tmpdir(), 'echelon-crash-'));
/** Few crashes do not need the longer one. */
const plot: PlotName = playsAll ? 'sample' : 'small';
let recording: Recording;

beforeAll(async () => {
  const source = playsAll
    ? sampleSource(folder)
    : repositoryOf(smallMany, join(folder, 'source'), ['test: sh test.sh']);
  recording = await record(folder, path, { source, plot });
}, 400_000);
afterAll(() => {
  recording?.[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

/** Faults in how a story ended; none if all is as in the undisturbed one. */
function faults(outcome: Outcome): string[] {
  if ('killed' in outcome) return [`the process was ended by ${outcome.killed}`];
  if (outcome.facts.length === 0) return outcome.problems;
  return [...outcome.problems, ...differences(recording.facts, outcome.facts)];
}

test('the recorded calls are all of the App, and among them is every effect of the story', () => {
  const { calls } = recording;
  const times = (route: string) => calls.filter(call => call.route === route).length;
  for (const [route, least] of Object.entries(effectsOf(playsAll ? 4 : 2)))
    expect.soft(times(route), route).toBeGreaterThanOrEqual(least);
  expect([...new Set(calls.map(call => call.actor))].sort()).toEqual(['app:echelon', 'echelon[bot]']);
});

test.concurrent('after a crash at any call the end is the same', { timeout: 600_000 }, async () => {
  const { calls, source, jobs } = recording;
  const schedules = calls.flatMap(call => moments.map(moment => ({ call, moment })));
  const copies = readdirSync(folder).filter(name => name.startsWith('copy-'));
  expect(copies.length).toBe(2 * calls.length);
  // A read changes nothing, so the state before and after it is one: each state is played once, for all its schedules.
  const states = Map.groupBy(schedules, ({ call, moment }) => fingerprint(recording.copy(call, moment)));
  const writes = calls.filter(call => call.kind === 'write').length;
  expect(states.size).toBeGreaterThanOrEqual(writes);
  // States that reads tell apart differ by webhooks that are still to be sent.
  const kindOf = ({ kind, route }: ForgeCall) => (kind === 'read' ? kind : route);
  const played = sample([...states.values()], ([first]) => `${kindOf(first!.call)} ${first!.moment}`);
  console.info(`${played.length} of ${states.size} states, of ${schedules.length} schedules`);
  const outcomes = await playAll(
    played.map(([first]) => ({
      folder: join(folder, `schedule-${first!.call.n}-${first!.moment}`),
      copy: recording.copy(first!.call, first!.moment),
      ...{ source, path, plot, jobs },
    })),
  );
  expect(outcomes.length).toBe(played.length);
  const wrong = played.flatMap((same, index) =>
    faults(outcomes[index]!).map(
      fault =>
        `${same.map(({ call, moment }) => `call ${call.n}, ${call.route}, ${moment}`).join('; ')}: ${fault}`,
    ),
  );
  expect(wrong).toEqual([]);
});

/** With `jobs: 'run'` the jobs of the killed process live on beside its successor. */
const kills: (Place & { jobs: 'found' | 'run' })[] = [
  { route: createComment, occurrence: 1, moment: 'unanswered', jobs: 'found' },
  { route: createComment, occurrence: 2, moment: 'unrecorded', jobs: 'found' },
  { route: createIssue, occurrence: 2, moment: 'unanswered', jobs: 'found' },
  { route: addSubIssue, occurrence: 2, moment: 'unrecorded', jobs: 'found' },
  { route: readIssue, occurrence: 3, moment: 'unrecorded', jobs: 'run' },
  { route: createRef, occurrence: 1, moment: 'unanswered', jobs: 'run' },
  { route: createPull, occurrence: 2, moment: 'unanswered', jobs: 'run' },
];

test.concurrent('a process that is killed at a call is like a copy taken there', {
  timeout: 600_000,
}, async () => {
  const { calls, source, jobs } = recording;
  // The same installation: the id of a run comes from its key.
  const copy = recording.copy(calls[0]!, 'unanswered');
  const played = sample(kills, ({ jobs: how }) => how);
  const wrong = await sideBySide(
    [...played.entries()],
    [1, 2, 3],
    async ([index, { jobs: how, ...kill }]) => {
      const story = {
        folder: join(folder, `killed-${index}`),
        ...{ source, path, plot },
        ...(how === 'found' && { jobs }),
      };
      const first = await playAlone({ ...story, copy, kill });
      const found =
        'killed' in first && first.killed === 'SIGKILL'
          ? faults(await playAlone(story))
          : ['the story ended, or failed, before its process was killed'];
      return found.map(fault => `${kill.occurrence}. ${kill.route}, ${kill.moment}, jobs ${how}: ${fault}`);
    },
  );
  expect(wrong.flat()).toEqual([]);
});

test.concurrent('a comment that cannot be found again is seen to be posted twice', {
  timeout: 600_000,
}, async () => {
  const { calls, source, jobs } = recording;
  const reply = calls.filter(call => call.route === createComment)[1]!;
  const copy = join(folder, 'unmarked');
  copyFolder(recording.copy(reply, 'unanswered'), copy);
  const database = new DatabaseSync(join(copy, 'forge/forge.sqlite'));
  database.exec(`UPDATE comments SET body = replace(body, 'echelon:op=', 'echelon:lost=')`);
  database.close();
  const outcome = await playAlone({
    folder: join(folder, 'unmarked-story'),
    ...{ copy, source, path, plot, jobs },
  });
  expect(faults(outcome)).toEqual([expect.stringMatching(/^too many: comment on .*\n### Approve\?/)]);
});

test('a doctored end is told from the undisturbed one, fact by fact', () => {
  const { facts } = recording;
  const of = (kind: string) => facts.filter(fact => fact.startsWith(kind));
  for (const kind of ['issue ', 'sub-issue ', 'comment ', 'branch ', 'pull request ']) {
    const [one = ''] = of(kind);
    expect(differences(facts, [...facts, one])).toEqual([`too many: ${one.slice(0, 300)}`]);
    expect(
      differences(
        facts,
        facts.filter(fact => fact !== one),
      ),
    ).toEqual([`missing: ${one.slice(0, 300)}`]);
  }
  const [pull = ''] = of('pull request ');
  const changed = facts.map(fact => (fact === pull ? pull.replace('exited 0', 'exited 1') : fact));
  expect(differences(facts, changed)).toEqual([
    expect.stringMatching(/^changed: pull request .*exited 0.*became:.*exited 1/s),
  ]);
});

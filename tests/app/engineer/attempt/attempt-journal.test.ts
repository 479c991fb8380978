// The journal of an attempt: gone on from by the same job, or by the one that has the answer, or not at all.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAttemptJournal } from '../../../../src/app/engineer/attempt/attempt-journal.ts';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { begin } from '../../../../src/engine/reasoning/session-lifecycle.ts';
import type { SessionState } from '../../../../src/engine/reasoning/state.ts';
import type { Progress } from '../../../../packages/ground/journal/journal.ts';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';

let jobs: string;
let folder: string;
beforeEach(async () => {
  jobs = await mkdtemp(join(tmpdir(), 'echelon-attempt-'));
  folder = join(jobs, 'a');
  await mkdir(folder);
});
afterEach(() => rm(jobs, { recursive: true, force: true }));

const session: SessionState = {
  ...begin('Do it.'),
  status: 'paused',
  pending: { question: 'How?', parts: [] },
};
const tree = 'f'.repeat(40);
const standing = { tests: null, rounds: 1, tree };

const open = (op = 'a', from?: JobSpec['from'], at = folder) =>
  openAttemptJournal({ op, ...(from && { from }) }, at, systemClock);

/** Progress that a step finds before it fails; `undefined`: the step was done already. */
async function progressOf(journal: Awaited<ReturnType<typeof open>>, key: string) {
  let found: Progress | undefined;
  const make = (_op: string, progress: Progress) => {
    found = progress;
    return Promise.reject(new Error('it failed'));
  };
  await journal.step(key, make).catch(() => {});
  return found;
}

/** A job that has finished a script, and paused in a session. */
async function paused() {
  const journal = await open();
  journal.played.watch(() => [{ scope: 'a', key: 'director/1', index: 0 }]);
  await journal.step('script', async () => ({ result: { exit_code: 1 }, ...standing }), { costly: true });
  const pause = async (_op: string, progress: Progress) => {
    await progress.save({ session, ...standing });
    throw new Error('it paused');
  };
  await journal.step('director', pause).catch(() => {});
  await journal.save();
  journal.asks('director');
  journal.close();
}

test('a job whose process was lost goes on: with results, session, tree, rounds, and what a script had played', async () => {
  await paused();
  const again = await open();
  expect([again.before, again.folder, again.played.before]).toEqual([
    standing,
    folder,
    [{ scope: 'a', key: 'director/1', index: 0 }],
  ]);
  expect(await progressOf(again, 'script')).toBeUndefined();
  expect(await progressOf(again, 'director')).toMatchObject({ state: { session, ...standing }, said: [] });
  again.close();
});

test('a job with the answer goes on in its own folder, and says it to the session that asked', async () => {
  await paused();
  const later = join(jobs, 'b');
  await mkdir(later);
  const from = { op: 'a', answer: 'Like this.' };
  for (const time of ['first', 'after a crash']) {
    const journal = await open('b', from, later);
    expect([journal.before, journal.folder], time).toEqual([standing, time === 'first' ? folder : later]);
    const director = await progressOf(journal, 'director');
    expect(director?.said, time).toEqual([expect.stringMatching(/^> Like this\.\n/)]);
    journal.close();
  }
});

test.for<[name: string, text: string | undefined]>([
  ['nothing', undefined],
  ['no journal', '{'],
  ['another version', '{"format":"echelon-journal","version":2,"owner":{"op":"a"}}\n'],
  ["another job's", '{"format":"echelon-journal","version":4,"owner":{"op":"b"}}\n'],
  ['a damaged line', '{"format":"echelon-journal","version":4,"owner":{"op":"a"}}\n{"t":"step"}\n'],
  [
    'a result that is none of ours',
    '{"format":"echelon-journal","version":4,"owner":{"op":"a"}}\n{"t":"step","key":"k","result":1,"at":1}\n',
  ],
  [
    'a session without messages',
    `{"format":"echelon-journal","version":4,"owner":{"op":"a"}}\n${JSON.stringify({
      t: 'checkpoint',
      key: 'k',
      state: { session: { ...session, messages: [] }, ...standing },
      at: 1,
    })}\n`,
  ],
])('%s: the attempt begins', async ([, text]) => {
  if (text !== undefined) await writeFile(join(folder, 'journal.jsonl'), text);
  const journal = await open();
  expect([journal.before, journal.entries]).toEqual([undefined, []]);
  expect(await progressOf(journal, 'director')).toMatchObject({ state: undefined, said: [] });
  journal.close();
});

test('a link in the place of the file is not followed', async () => {
  await paused();
  const other = join(folder, 'other');
  await mkdir(other);
  await symlink(join(folder, 'journal.jsonl'), join(other, 'journal.jsonl'));
  const journal = await open('a', undefined, other);
  expect(journal.before).toBeUndefined();
  journal.close();
});

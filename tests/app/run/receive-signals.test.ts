// Signals read from comments.
import { expect, test } from 'vitest';
import type { AnyJobSpec } from '../../../src/app/engineer/jobs/job-spec.ts';
import { failedReport, type Jobs, type JobState } from '../../../src/app/engineer/jobs/jobs.ts';
import type { Permission, Repository } from '../../../src/app/github/repository.ts';
import type { Comment, Thread } from '../../../src/app/github/thread.ts';
import { waitToKeep } from '../../../src/app/run/provider-wait.ts';
import { spoken } from '../../../src/app/commands/parse.ts';
import { commandSignals, jobSignals, lastBefore } from '../../../src/app/run/receive-signals.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { jobSpec } from '../engineer/spec.ts';

test('commands count that were written after a comment, unedited, by people who may give them', async () => {
  const comments = [
    { id: 5, author: 'mia', body: '/pause' },
    { id: 9, author: 'sam', body: '/cancel' },
    { id: 8, author: 'wanda', body: '/pause\n/budget +100' },
    { id: 6, author: 'sam', body: '/budget +100' },
    { id: 7, author: 'mia', body: '/budget +1', editedBy: 'mia' },
    { id: 10, author: 'mia', body: '/budget +2' },
    { id: 11, author: 'mia', body: '/resume', bot: true },
  ].map(each => ({ bot: false, editedBy: null, createdAt: 0, ...each }));
  const may: Record<string, Permission> = { mia: 'maintain', wanda: 'write' };
  const asked: string[] = [];
  const permission = async (login: string) => {
    asked.push(login);
    return may[login] ?? 'read';
  };
  const directive = { number: 1, comments: comments as unknown as Comment[] } as Thread;
  const said = { directive, parts: [] };
  const found = await commandSignals(said, 5, { permission } as unknown as Repository, () => false);
  expect(found.map(({ id, name }) => `${id} ${name}`)).toEqual(['c8-1 pause', 'c10-1 budget']);
  expect(asked).toEqual(['sam', 'wanda', 'mia']);
});

test('of one comment 20 commands are read, the first ones', () => {
  const body = Array.from({ length: 30 }, (_, at) => `/retry #${at + 1}`).join('\n');
  expect(spoken({ body }).commands.map(({ line }) => line)).toEqual(
    Array.from({ length: 20 }, (_, at) => at + 1),
  );
});

test('a job that was asked to wait keeps those from starting that have no other model; one that lives is watched on', async () => {
  const clock = testClock();
  const until = clock.now() + 300_000;
  const provider = sharedWait(clock);
  const report = { ...failedReport({ class: 'rate_limit', feedback: '' }), until };
  const states: Record<string, JobState> = {
    limited: { state: 'finished', report },
    old: { state: 'living' },
  };
  const started: string[] = [];
  const jobs = {
    read: async ({ op }: { op: string }) => states[op] ?? { state: 'absent' as const },
    start: async ({ op }: { op: string }) => void started.push(op),
  } as unknown as Jobs;
  const spec = jobSpec(60_000, 'base', 'mirror');
  const all = ['limited', 'old', 'new', 'other'].map((op): [string, AnyJobSpec] => [
    op,
    { ...spec, op, ...(op === 'other' && { models: { default: ['a', 'b'] } }) },
  ]);
  const reports = await jobSignals(new Map(all), jobs, provider);
  expect([reports.map(({ id }) => id), started]).toEqual([['job-limited'], ['old', 'other']]);
  const rest = new Map(all.slice(1));
  await expect(jobSignals(rest, jobs, provider)).rejects.toMatchObject({ name: 'ProviderWait', until });
});

test('a comment of the second in which the label came may be younger than it; what a run took in is older', () => {
  const at = (id: number, createdAt: number) => ({ id, createdAt }) as Comment;
  const comments = [at(5, 8000), at(6, 9000), at(7, 10_000)];
  expect(lastBefore({ comments }, 9500, [])).toBe(5);
  const taken = { t: 'signal', id: 'c6-1', name: 'pause', value: { by: 'mia', comment: 6 }, at: 9 } as const;
  expect(lastBefore({ comments }, 9500, [taken])).toBe(6);
});

const hour = 3_600_000;
test.each<[string, known: number | undefined, waits: number[], kept: number | undefined]>([
  ['the newest is kept', undefined, [5, 9], 9],
  ['one that is over is not', undefined, [1], undefined],
  ['nor one that is known, or shorter than that', 9, [9], undefined],
  ['of an hour: kept', undefined, [hour + 1], hour + 1],
  ['of more than an hour: not kept', undefined, [hour + 2], undefined],
])('of the waits of a record %s', (_name, known, waits, kept) => {
  const entries = waits.map(until => ({
    ...({ t: 'step', key: `wait/provider-${until}`, at: 0 } as const),
    result: { until },
  }));
  expect(waitToKeep(entries, 1, known)).toBe(kept);
});

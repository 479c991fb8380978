// What is taken in from comments.
import { expect, test } from 'vitest';
import type { AnyJobSpec } from '../../../src/app/engineer/job-spec.ts';
import type { Jobs, JobState } from '../../../src/app/engineer/jobs.ts';
import { failedReport } from '../../../src/app/engineer/lost-report.ts';
import type { Permission, Repository } from '../../../src/app/github/repository.ts';
import type { Comment, Thread } from '../../../src/app/github/thread.ts';
import { commandSignals, commandsIn, jobSignals } from '../../../src/app/run/receive-signals.ts';
import { sharedWait } from '../../../src/lib/shared-wait.ts';
import { testClock } from '../../lib/clocks.ts';
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
  expect(commandsIn({ body }).map(({ line }) => line)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
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

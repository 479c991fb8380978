// Two installations on one machine: each ends the commands of its own jobs, and no other's.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { killJob, markOfJob, prepareFolder } from '../../../packages/ground/workspace/job-process.ts';
import { runCommand } from '../../../packages/ground/workspace/command.ts';
import { temporary } from './fixture.ts';

/** A job that runs one command, in an installation of its own; every first job has the same operation key. */
async function installation() {
  const room = await temporary();
  const folder = join(room.path, 'jobs', '0123456789abcdef0123');
  const tree = join(folder, 'tree');
  await prepareFolder(folder);
  await mkdir(tree);
  const mark = await markOfJob(folder);
  const started = Promise.withResolvers<void>();
  const ended = runCommand({
    ...{ command: 'echo here; exec sleep 60', tree, home: join(folder, 'home'), hostPath: '/usr/bin:/bin' },
    ...{
      env: {},
      job: mark,
      time: { ms: 50_000, more: 'no more' },
      maxOutputBytes: 1000,
      isolation: { kind: 'none' } as const,
    },
    ...{ hosts: [], signal: new AbortController().signal, onOutput: () => started.resolve() },
  });
  await started.promise;
  return { folder, ended, [Symbol.asyncDispose]: () => room[Symbol.asyncDispose]() };
}

test('a job that is killed takes its own commands along, and not those of a job with the same operation key', async () => {
  await using mine = await installation();
  await using others = await installation();
  const other = others.ended.then(() => 'ended');
  await killJob(mine.folder);
  expect(await mine.ended).toMatchObject({ signal: 'SIGKILL', timed_out: false });
  expect(await Promise.race([other, Promise.resolve('living')])).toBe('living');
  await killJob(others.folder);
  expect(await other).toBe('ended');
});

test('the mark of a folder is the same for whoever asks, and is kept when the job is started again', async () => {
  await using room = await temporary();
  await prepareFolder(room.path);
  const mark = await markOfJob(room.path);
  expect(mark).toMatch(/^[0-9a-f-]{36}$/);
  await prepareFolder(room.path);
  expect(await markOfJob(room.path)).toBe(mark);
});

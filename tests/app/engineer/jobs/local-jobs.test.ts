// Jobs on this machine that end without a report.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localJobs } from '../../../../src/app/engineer/jobs/local-jobs.ts';
import { watchJobs } from '../../../../src/app/engineer/jobs/watch-jobs.ts';
import { systemClock } from '../../../../packages/ground/lib/clock.ts';
import { temporary } from '../../../ground/workspace/fixture.ts';
import { jobSpec } from '../spec.ts';

/** Jobs whose process runs `script`; `ended` resolves at the next end of one. */
async function jobsOf(script: string) {
  const room = await temporary();
  let next = Promise.withResolvers<void>();
  const jobs = localJobs({
    folder: room.path,
    command: () => ({ argv: ['/bin/sh', '-c', script], env: { PATH: '/usr/bin:/bin' } }),
    clock: systemClock,
    onEnd: () => next.resolve(),
    onProgress() {},
    onStuck() {},
  });
  const spec = jobSpec(60_000, 'base', 'mirror');
  return {
    jobs,
    spec,
    folder: join(room.path, spec.op),
    async startAndEnd() {
      next = Promise.withResolvers();
      await jobs.start(spec);
      await next.promise;
    },
    async [Symbol.asyncDispose]() {
      await jobs.stopAll();
      await room[Symbol.asyncDispose]();
    },
  };
}

test('three starts without a report: it is not started a fourth time, and counts as failed', async () => {
  await using place = await jobsOf('echo started >> ran');
  for (let start = 1; start <= 3; start += 1) {
    await place.startAndEnd();
    expect(await place.jobs.read(place.spec)).toEqual({ state: 'gone' });
  }
  await place.startAndEnd();
  expect(await place.jobs.read(place.spec)).toMatchObject({
    state: 'finished',
    report: {
      kind: 'failed',
      class: 'lost',
      feedback: 'the job was lost: it ended 3 times without a report',
    },
  });
  expect(await readFile(join(place.folder, 'ran'), 'utf8')).toBe('started\n'.repeat(3));
});

test('when all were stopped none lives, not one that was about to start either, and no other starts', async () => {
  await using place = await jobsOf('while [ -e job.json ]; do sleep 0.1; done');
  const other = { ...place.spec, op: 'b'.repeat(20) };
  const starting = place.jobs.start(place.spec);
  await place.jobs.stopAll();
  await Promise.all([starting, place.jobs.start(other)]);
  const states = await Promise.all([place.spec, other].map(each => place.jobs.read(each)));
  expect(states.map(({ state }) => state)).toEqual(['finished', 'absent']);
});

test('a job without progress is told of, and again each minute', async () => {
  await using room = await temporary();
  const spec = jobSpec(600_000, 'base', 'mirror');
  spec.limits.stuck_ms = 30_000;
  const told: number[] = [];
  let time = 0;
  await new Promise<void>(resolve => {
    const sleep = async () => {
      time += 1000;
      if (time > 170_000 && jobs.drop(spec.op)) resolve();
    };
    const onStuck = (_: unknown, seconds: number) => void told.push(seconds);
    const jobs = watchJobs({ clock: { now: () => time, sleep }, onEnd() {}, onProgress() {}, onStuck });
    jobs.begin({ spec, folder: room.path, own: true });
  });
  expect(told).toEqual([30, 90, 150]);
});

// Jobs on this machine that end without a report.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { localJobs } from '../../src/engineer/local-jobs.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { temporary } from '../workspace/fixture.ts';
import { jobSpec } from './spec.ts';

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
    expect(await place.jobs.read(place.spec.op)).toEqual({ state: 'gone' });
  }
  await place.startAndEnd();
  expect(await place.jobs.read(place.spec.op)).toMatchObject({
    state: 'finished',
    report: {
      kind: 'failed',
      class: 'lost',
      feedback: 'the job was lost: it ended 3 times without a report',
    },
  });
  expect(await readFile(join(place.folder, 'ran'), 'utf8')).toBe('started\n'.repeat(3));
});

// Drives that a limit puts off.
import { expect, test } from 'vitest';
import { RateLimited } from '../../../src/app/github/octokit.ts';
import type { Thread } from '../../../src/app/github/thread.ts';
import { driveKey } from '../../../src/app/handlers/deferred-work.ts';
import { type Desk, driveSoon } from '../../../src/app/handlers/repository-context.ts';
import { issueQueue } from '../../../src/app/run/queue.ts';

/** A desk whose GitHub asks to wait until the time is 9000. */
function limitedDesk() {
  const place = { now: 0, wake: () => {} };
  const empty: Partial<Thread> = { number: 1, title: 'A', body: '', comments: [], labels: [] };
  const desk = {
    around: {
      github: {
        owner: 'you',
        name: 'shelf',
        async thread() {
          if (place.now < 9000) throw new RateLimited(9000);
          return empty;
        },
      },
    },
    keys: [],
    queue: issueQueue(error => {
      throw error;
    }),
    emit() {},
    told: new Map(),
    failures: new Map(),
    kept: new Map(),
    clock: {
      now: () => place.now,
      sleep: () => new Promise<void>(resolve => (place.wake = resolve)),
    },
    shutdown: new AbortController().signal,
    report(error: unknown) {
      throw error;
    },
  } as unknown as Desk;
  return {
    desk,
    async pass() {
      place.now = 9000;
      place.wake();
      await new Promise(setImmediate);
      await desk.queue.idle();
    },
  };
}

test('a beginning that is put off is found under the key of the drive', async () => {
  const { desk } = limitedDesk();
  await driveSoon(desk, 1, { trigger: 1, at: 0, prepare: async () => undefined });
  expect([...desk.kept.keys()]).toEqual([driveKey(1)]);
});

test('a beginning that is put off is not lost to a drive that only goes on', async () => {
  const { desk, pass } = limitedDesk();
  const begun: number[] = [];
  const prepare = async ({ number }: Thread) => {
    begun.push(number);
    return undefined;
  };
  await driveSoon(desk, 1, { trigger: 1, at: 0, prepare });
  await driveSoon(desk, 1);
  await pass();
  expect(begun).toEqual([1]);
});

// Drives that a limit puts off.
import { expect, test } from 'vitest';
import { RateLimited } from '../../../src/app/github/octokit.ts';
import type { Thread } from '../../../src/app/github/thread.ts';
import { advanceKey } from '../../../src/app/handlers/deferred-work.ts';
import {
  type RepositoryContext,
  advanceSoon,
  hearHere,
} from '../../../src/app/handlers/repository-context.ts';
import { issueQueue } from '../../../src/app/run/queue.ts';

/** A ctx whose GitHub asks to wait until the time is 9000. */
function limitedDesk() {
  const place = { now: 0, wake: () => {} };
  const empty: Partial<Thread> = { number: 1, title: 'A', body: '', comments: [], labels: [] };
  const ctx = {
    github: {
      owner: 'you',
      name: 'shelf',
      async thread() {
        if (place.now < 9000) throw new RateLimited(9000);
        return empty;
      },
    },
    keys: [],
    heard: new Map(),
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
  } as unknown as RepositoryContext;
  return {
    ctx,
    async pass() {
      place.now = 9000;
      place.wake();
      await new Promise(setImmediate);
      await ctx.queue.idle();
    },
  };
}

test('a beginning that is put off is found under the key of the advancing', async () => {
  const { ctx } = limitedDesk();
  await advanceSoon(ctx, 1, { trigger: 1, at: 0, prepare: async () => undefined });
  expect([...ctx.kept.keys()]).toEqual([advanceKey(1)]);
});

test('a beginning that is put off is not lost to an advance that only goes on', async () => {
  const { ctx, pass } = limitedDesk();
  const begun: number[] = [];
  const prepare = async ({ number }: Thread) => {
    begun.push(number);
    return undefined;
  };
  await advanceSoon(ctx, 1, { trigger: 1, at: 0, prepare });
  await advanceSoon(ctx, 1);
  await pass();
  expect(begun).toEqual([1]);
});

test('what is said on a part while its run looks at that part is looked at afterwards', async () => {
  const { ctx } = limitedDesk();
  const { thread } = ctx.github;
  // The first look is under way: the part is heard once more, and the look for that meets a limit.
  ctx.github.thread = async number => {
    ctx.github.thread = thread;
    void hearHere(ctx, 1, 3);
    return { number, comments: [], labels: [] as string[] } as Partial<Thread> as Thread;
  };
  await hearHere(ctx, 1, 3);
  await ctx.queue.idle();
  expect(ctx.heard).toEqual(new Map([[1, new Set([3])]]));
});

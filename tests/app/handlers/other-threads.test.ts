// The look at comments beside the labelled issues.
import { expect, test } from 'vitest';
import { RateLimited } from '../../../src/app/github/octokit.ts';
import type { RepositoryContext } from '../../../src/app/handlers/repository-context.ts';
import { lookElsewhere } from '../../../src/app/handlers/other-threads.ts';
import { newHearing } from '../../../src/app/handlers/listening-limits.ts';

/** A ctx with a /help on issue 1 and one on issue 2, of which the first one's issue cannot be read. */
function deskWhere(error: Error) {
  const told: string[] = [];
  const read: number[] = [];
  const said = (id: number) => ({
    ...{ id, issue: id, body: '/help', author: 'wanda', bot: false, createdAt: id * 1000 },
  });
  const ctx = {
    github: {
      owner: 'you',
      name: 'shelf',
      bot: 'echelon[bot]',
      permission: async () => 'write',
      // The newest first.
      recentComments: async () => [said(2), said(1)],
      async issue(number: number) {
        read.push(number);
        if (number === 1) throw error;
        return { author: 'wanda', body: '', parent: null };
      },
    },
    views: new Map(),
    hearing: newHearing(),
    clock: { now: () => 5000 },
    looked: undefined,
    report: (_error: unknown, where: string) => void told.push(where),
  } as unknown as RepositoryContext;
  return { ctx, read, told };
}

test('a comment that cannot be handled is reported, and does not hold up those after it', async () => {
  const { ctx, read, told } = deskWhere(new Error('the conversation is locked'));
  await lookElsewhere(ctx, new Set());
  expect(read).toEqual([1, 2]);
  expect(told).toEqual(['you/shelf#1']);
  expect(ctx.looked?.id).toBe(2);
});

test('where GitHub asks to wait, the next look begins with that comment', async () => {
  const { ctx, read } = deskWhere(new RateLimited(9000));
  await expect(lookElsewhere(ctx, new Set())).rejects.toThrow(RateLimited);
  expect(read).toEqual([1]);
  expect(ctx.looked).toBeUndefined();
});

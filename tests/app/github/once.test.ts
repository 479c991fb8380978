// What is said once is found again by its mark in the App's own comments, and in nobody else's.
import { expect, test } from 'vitest';
import { marked, operationKey } from '../../../src/app/github/marker.ts';
import { commentOnce, saidBefore } from '../../../src/app/github/once.ts';
import type { Repository } from '../../../src/app/github/repository.ts';
import type { Step } from '../../../src/journal/journal.ts';

const bot = 'echelon[bot]';
const op = operationKey({ repository: 7, issue: 1, run: '' }, 'key');
const find = (async (_key, _make, options) => (await options?.find?.(op)) as never) satisfies Step;

test.each([
  [bot, 3, { comment: 6 }],
  ['sam', undefined, undefined],
])('a mark in a comment by %s', async (author, at, found) => {
  const kinds = ['note', 'op'] as const;
  const comments = kinds.map((kind, n) => ({
    id: n + 5,
    author,
    body: marked('Hi.', op, kind),
    createdAt: 3,
  }));
  const thread = { number: 1, comments };
  const github = { id: 7, bot, thread: async () => thread } as unknown as Repository;
  expect(saidBefore(github, thread, 'key').at).toBe(at);
  expect(await commentOnce(find, github, { key: 'key', issue: 1, body: 'Hi.' })).toEqual(found);
});

// Objects created once are found by their mark: comments among the App's own, never among others'.
import { expect, test } from 'vitest';
import type { EngineerContext } from '../../../src/app/engineer/slots/context.ts';
import { openPull } from '../../../src/app/engineer/delivery/unfinished.ts';
import { marked, operationKey, commentOnce, saidBefore } from '../../../src/app/github/once.ts';
import type { Repository } from '../../../src/app/github/repository.ts';
import type { Step } from '../../../packages/ground/journal/journal.ts';

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

test.each([
  ['that an earlier attempt has opened', marked('Text.', op), { number: 5, draft: true, checksWait: false }],
  ['of an attempt before, which a person has closed', marked('Text.', op.replace(/./g, '0')), undefined],
])('the pull request of a branch %s', async (_whose, body, found) => {
  const pullFor = async () => ({ number: 5, draft: true, body });
  const ctx = { step: find, github: { checksWait: false, pullFor } } as unknown as EngineerContext;
  const words = { title: 'Light it', text: 'Text.', base: 'main' };
  expect(await openPull(ctx, 'key', { head: 'lamp', draft: true }, words)).toEqual(found);
});

// Writes keep GitHub's distance; what only reads is not held back by them.
import { expect, test } from 'vitest';
import { pace } from '../../../src/doors/app/github-limits.ts';

const at = '/repos/{owner}/{repo}';
const requests = {
  first: { method: 'POST', url: `${at}/issues` },
  second: { method: 'PATCH', url: `${at}/issues/comments/1` },
  reaction: { method: 'POST', url: `${at}/issues/comments/1/reactions` },
  mutation: { method: 'POST', url: '/graphql', query: 'mutation ($id: ID!) { resolve }' },
  query: { method: 'POST', url: '/graphql', query: '\n  query ($id: ID!) { node }' },
  read: { method: 'GET', url: `${at}/issues` },
};

test('each write waits for the one before, a reaction for no other, and what reads for nothing', {
  timeout: 20_000,
}, async () => {
  const sent: string[] = [];
  const wait = pace();
  const began = performance.now();
  await Promise.all(
    Object.entries(requests).map(async ([name, request]) => {
      await wait(request);
      sent.push(name);
    }),
  );
  expect(sent.slice(0, 3).toSorted()).toEqual(['first', 'query', 'read']);
  expect(sent.slice(3)).toEqual(['reaction', 'second', 'mutation']);
  // Four writes are three seconds apart; timers may be early by a millisecond.
  expect(performance.now() - began).toBeGreaterThanOrEqual(2990);
});

// A pull request whose base has a merge queue, by what a server answers: the local GitHub has none.
import { expect, test } from 'vitest';
import { place } from './place.ts';

test('it is put into the queue once, at its head; where GitHub refuses that, the reason is told', async () => {
  const pullRequest = { isMergeQueueEnabled: true, isInMergeQueue: false };
  const queued: unknown[] = [];
  const { github, asked } = place((_, { query, variables }) => {
    const data = { repository: { viewerDefaultMergeMethod: 'SQUASH', pullRequest } };
    if (!String(query).startsWith('mutation')) return { body: { data } };
    queued.push(variables);
    return { body: queued.length === 1 ? { data: {} } : { errors: [{ message: 'It is locked.' }] } };
  });
  const merge = (wasQueued: boolean) => github.mergePull(3, { id: 'PR_3', head: 'f00', wasQueued });
  expect(await merge(false)).toEqual({ merged: false });
  expect(queued).toEqual([{ id: 'PR_3', head: 'f00' }]);
  expect(await merge(true)).toEqual({ refused: 'it has left the merge queue' });
  expect(await merge(false)).toEqual({ refused: expect.stringContaining('It is locked') });
  pullRequest.isInMergeQueue = true;
  expect(await merge(true)).toEqual({ merged: false });
  expect(queued).toHaveLength(2);
  expect(new Set(asked)).toEqual(new Set(['/graphql']));
});

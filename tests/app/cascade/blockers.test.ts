// Dependencies of issues by GitHub's own API. A server without it is asked once.
import { expect, test } from 'vitest';
import { type Blockers, sayBlockers } from '../../../src/app/cascade/blockers.ts';
import type { Step } from '../../../packages/ground/journal/journal.ts';
import { place } from '../github/place.ts';

const progress = { state: undefined, said: [], save: async () => {} };
const step: Step = async (_key, make) => await make('0'.repeat(20), progress);

test.each([403, 404, 410])('a server that answers %i is asked once in a run', async status => {
  const { github } = place(() => ({ status, body: { message: 'No' } }));
  const blockers: Blockers = { ids: new Map(), said: [], isKnown: true };
  await sayBlockers({ step, github }, blockers, { number: 2, id: 12, key: 'a', dependsOn: [] });
  await sayBlockers({ step, github }, blockers, { number: 3, id: 13, key: 'b', dependsOn: [2] });
  await sayBlockers({ step, github }, blockers, { number: 4, id: 14, key: 'c', dependsOn: [2, 3] });
  expect(github.sent).toEqual({ read: 0, write: 1 });
});

// The bound on what a run says.
import { expect, test } from 'vitest';
import type { Repository } from '../../../src/app/github/repository.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { bounded, SaidEnough } from '../../../src/app/run/run-journal.ts';

const said: number[] = [];
const github = { name: 'shelf', comment: async (issue: number) => said.push(issue) } as unknown as Repository;
const comment = (n: number): Entry => ({ t: 'step', key: `said-${n}`, result: { comment: n }, at: n });
const journal = (comments: number): Entry[] => [
  { t: 'step', key: 'start', result: { by: 'you' }, at: 0 },
  { t: 'step', key: 'quiet', result: true, at: 0 },
  ...Array.from({ length: comments }, (_, n) => comment(n)),
];

test('the last comment that a run may make is made, and none after it', async () => {
  await bounded(github, () => journal(9), 10).comment(1, 'x');
  await expect(bounded(github, () => journal(10), 10).comment(2, 'x')).rejects.toThrow(SaidEnough);
  expect(said).toEqual([1]);
});

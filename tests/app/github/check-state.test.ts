// The state of a head's checks, and the log of one, by what a server answers; dialogue/merge.test.ts reads the state off the
// local GitHub.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { place } from './place.ts';

const run = (name: string, conclusion: string | null, required = false) => ({
  ...{ name, conclusion, url: `https://ci.example/${name}`, required },
});
const status = (name: string, state: string) => ({ name, state, url: null, required: false });
const answer = (nodes: readonly object[] | null, more = false) => ({
  body: {
    data: {
      repository: {
        object: {
          committedDate: '2026-11-28T12:00:00Z',
          statusCheckRollup: nodes && {
            contexts: { pageInfo: { hasNextPage: more, endCursor: 'next' }, nodes },
          },
        },
      },
    },
  },
});

const since = Date.UTC(2026, 10, 28, 12);
test.each<[string, object[] | null, object]>([
  ['no checks', null, { state: 'none', since }],
  ["the product's own alone", [run('echelon/tests', 'SUCCESS')], { state: 'none', since }],
  [
    'all that ended well',
    [run('a', 'SUCCESS'), run('b', 'SKIPPED'), run('c', 'NEUTRAL'), status('d', 'SUCCESS')],
    { state: 'green' },
  ],
  ['one that runs', [run('a', 'SUCCESS'), run('b', null)], { state: 'pending' }],
  ['a status that is awaited', [status('a', 'EXPECTED'), status('b', 'PENDING')], { state: 'pending' }],
  ['one red beside one that runs', [run('a', null), run('b', 'TIMED_OUT')], { state: 'red' }],
  ['one that waits for a person', [run('a', 'ACTION_REQUIRED')], { state: 'red' }],
  ['an outcome that nobody knows', [run('a', 'SOMETHING_NEW')], { state: 'red' }],
])('%s', async (_, nodes, state) => {
  expect(await place(() => answer(nodes)).github.checkState(3, 'f'.repeat(40))).toMatchObject(state);
});

test('red checks have their name, page and outcome, required ones first; those of all pages count', async () => {
  const { github, asked } = place((_, { variables }) =>
    (variables as { after: string | null }).after === null
      ? answer([run('lint', 'FAILURE'), run('unit', 'SUCCESS')], true)
      : answer([status('deploy', 'ERROR'), run('build', 'CANCELLED', true)]),
  );
  const red = (
    name: string,
    outcome: string,
    required = false,
    url: string | null = `https://ci.example/${name}`,
  ) => ({
    ...{ name, url, required, outcome },
  });
  expect(await github.checkState(3, 'f'.repeat(40))).toEqual({
    state: 'red',
    failed: [red('build', 'cancelled', true), red('lint', 'failure'), red('deploy', 'error', false, null)],
  });
  expect(asked).toHaveLength(2);
});

test('without the permission the state is not known, and the reason is', async () => {
  const errors = [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }];
  const { github } = place(() => ({ body: { ...answer([null!]).body, errors } }));
  expect(await github.checkState(3, 'f'.repeat(40))).toMatchObject({
    why: expect.stringContaining('the permissions Checks and Commit statuses are missing'),
  });
});

test('of a log that breaks off, what has come is told', async () => {
  await using server = createServer((_, answer) => {
    answer.write('LINT wants good', () => answer.socket?.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const clock = testClock();
  const github = connectRepository(new Octokit({ baseUrl }), {
    ...{ owner: 'olga', name: 'work', id: 1, bot: 'wanda', clock, wait: sharedWait(clock) },
  });
  expect(await github.checkLog({ url: 'https://github.com/olga/work/actions/runs/1/job/2' })).toBe(
    'LINT wants good',
  );
});

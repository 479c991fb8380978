// The state of a head's checks, on a server with check runs and statuses and on one that answers what a test says.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Octokit } from '@octokit/rest';
import { expect, test } from 'vitest';
import { connectRepository } from '../../../src/app/github/repository.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { at, openTestForge } from '../../forge/fixture.ts';
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
          statusCheckRollup: nodes && {
            contexts: { pageInfo: { hasNextPage: more, endCursor: 'next' }, nodes },
          },
        },
      },
    },
  },
});

test.each([
  ['no checks', null, 'none'],
  [
    'all that ended well',
    [run('a', 'SUCCESS'), run('b', 'SKIPPED'), run('c', 'NEUTRAL'), status('d', 'SUCCESS')],
    'green',
  ],
  ['one that runs', [run('a', 'SUCCESS'), run('b', null)], 'pending'],
  ['a status that is awaited', [status('a', 'EXPECTED'), status('b', 'PENDING')], 'pending'],
  ['one red beside one that runs', [run('a', null), run('b', 'TIMED_OUT')], 'red'],
  ['one that waits for a person', [run('a', 'ACTION_REQUIRED')], 'red'],
  ['an outcome that nobody knows', [run('a', 'SOMETHING_NEW')], 'red'],
])('%s', async (_, nodes, state) => {
  expect(await place(() => answer(nodes)).github.checkState(3, 'f'.repeat(40))).toMatchObject({ state });
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
  expect(await github.checkState(3, 'f'.repeat(40))).toEqual({
    ...{ state: 'unreadable', why: 'the permissions Checks and Commit statuses are missing' },
  });
});

function reach(client: Octokit) {
  const clock = testClock();
  return connectRepository(client, {
    ...{ owner: at.owner, name: at.repo, id: 10_000_001, bot: 'wanda', clock, wait: sharedWait(clock) },
  });
}

test('a server answers the query as it is', async () => {
  await using t = await openTestForge();
  const wanda = t.as('wanda');
  const { data: pull } = await wanda.pulls.create({ ...at, title: 'P', head: 'feature', base: 'main' });
  const github = reach(wanda as Octokit);
  const { sha } = pull.head;
  expect(await github.checkState(pull.number, sha)).toEqual({ state: 'none' });
  await wanda.repos.createCommitStatus({ ...at, sha, state: 'pending', context: 'ci' });
  expect(await github.checkState(pull.number, sha)).toEqual({ state: 'pending', names: ['ci'] });
  await wanda.repos.createCommitStatus({ ...at, sha, state: 'success', context: 'ci' });
  expect(await github.checkState(pull.number, sha)).toEqual({ state: 'green' });
});

test('of a log that breaks off, what has come is told', async () => {
  await using server = createServer((_, answer) => {
    answer.write('LINT wants good', () => answer.socket?.end());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const github = reach(new Octokit({ baseUrl }));
  expect(await github.checkLog({ url: 'https://github.com/olga/work/actions/runs/1/job/2' })).toBe(
    'LINT wants good',
  );
});

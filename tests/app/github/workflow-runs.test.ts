// Runs and artifacts that count as this workflow's own, beside imitations.
import { expect, test } from 'vitest';
import { caller } from '../../../src/app/github/octokit.ts';
import { workflowRuns } from '../../../src/app/github/workflow-runs.ts';
import { sharedWait } from '../../../packages/ground/lib/shared-wait.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { type Given, place } from './place.ts';

const path = '.github/workflows/echelon.yml';
const our = {
  path: `${path}@main`,
  event: 'issues',
  head_branch: 'main',
  head_repository: { id: 1 },
  status: 'in_progress',
  display_title: 'Echelon #12',
};
const runs = (answer: (url: URL) => Given) => {
  const { client, clock, asked } = place(answer);
  const made = workflowRuns(client, caller(clock, sharedWait(clock)), {
    ...{ owner: 'olga', repo: 'work', id: 1, path, clock, defaultBranch: async () => 'main' },
  });
  return { ...made, asked };
};

const others: [what: string, run: object][] = [
  ["of a fork's pull request", { event: 'pull_request', head_repository: { id: 2 } }],
  ['of a fork, started as ours are', { head_repository: { id: 2 } }],
  ['of a pull request from here', { event: 'pull_request' }],
  ['of another workflow', { path: '.github/workflows/ci.yml' }],
  ['of another branch', { head_branch: 'side', event: 'workflow_dispatch' }],
];

test.each(others)('a run %s with our title holds no job of ours', async (_what, run) => {
  const { active } = runs(url =>
    url.pathname.endsWith('/jobs')
      ? { body: { jobs: [{ name: 'run / advance', status: 'completed' }] } }
      : {
          body: {
            workflow_runs: [
              { ...our, id: 4, ...run },
              { ...our, id: 5 },
            ],
          },
        },
  );
  expect((await active('Echelon #12')).map(({ id }) => id)).toEqual([5]);
});

/** So many seconds after the test's clock, which stands still. */
const at = (seconds: number) => new Date(testClock().now() + seconds * 1000).toISOString();

test.each<[state: string, run: object, isActive: boolean]>([
  ['has not ended', {}, true],
  ['has just ended', { status: 'completed', conclusion: 'failure', updated_at: at(-179) }, true],
  ['ended minutes ago', { status: 'completed', conclusion: 'failure', updated_at: at(-180) }, false],
  ['was cancelled', { status: 'completed', conclusion: 'cancelled', updated_at: at(-1) }, false],
])('a run that %s: whether it is active', async (_state, run, isActive) => {
  const { active } = runs(url =>
    url.pathname.endsWith('/jobs')
      ? { body: { jobs: [{ name: 'run / base', status: 'completed', conclusion: 'skipped' }] } }
      : { body: { workflow_runs: [{ ...our, id: 4, ...run }] } },
  );
  const job = { id: 4, title: our.display_title, event: 'issues', ended: 'status' in run, jobs: [] };
  expect(await active(our.display_title)).toEqual(isActive ? [job] : []);
});

const artifact = (id: number, run: number, more: object = {}) => ({
  id,
  name: 'echelon-op',
  expired: false,
  size_in_bytes: 3,
  workflow_run: { id: run, head_branch: 'main', head_repository_id: 1 },
  ...more,
});
/** `listed`: all artifacts. `byRun`: what is not ours. */
const answering =
  (listed: object[], byRun: Record<string, object> = {}) =>
  (url: URL): Given => {
    const part = url.pathname.split('/actions/')[1] ?? '';
    if (part === 'artifacts') {
      const page = Number(url.searchParams.get('page') ?? 1);
      const name = url.searchParams.get('name');
      const named = listed.filter(each => name === null || ('name' in each && each.name === name));
      return { body: { artifacts: named.slice(100 * (page - 1), 100 * page) } };
    }
    if (part.startsWith('runs/')) return { body: { ...our, ...byRun[part.slice(5)] } };
    return { body: part };
  };

test.each(others)('an artifact of a run %s does not count, however new', async (_what, run) => {
  const { artifact: get, asked } = runs(answering([artifact(9, 4), artifact(8, 5)], { 4: run }));
  await get('echelon-op', 100);
  expect(asked.at(-1)).toContain('/actions/artifacts/8/zip');
});

test('hundreds of artifacts under the name, left by forks, hide none and cost no call each', async () => {
  const theirs = { workflow_run: { id: 4, head_branch: 'main', head_repository_id: 2 } };
  const listed = [...Array.from({ length: 250 }, (_, n) => artifact(1000 - n, 4, theirs)), artifact(8, 5)];
  const { artifact: get, asked } = runs(answering(listed));
  await get('echelon-op', 100);
  expect(asked.at(-1)).toContain('/actions/artifacts/8/zip');
  // The newest of all names, three pages of this one, its run, the archive.
  expect(asked).toHaveLength(6);
});

test('the jobs of one run cost one list and one look at their run together', async () => {
  const { artifact: get, asked } = runs(answering([artifact(9, 5, { name: 'echelon-a' }), artifact(8, 5)]));
  for (const name of ['echelon-op', 'echelon-a', 'echelon-none']) await get(name, 100);
  expect(asked.filter(url => !url.endsWith('/zip'))).toHaveLength(2);
});

test('what stands behind a hundred artifacts of others is found by its name', async () => {
  const theirs = Array.from({ length: 100 }, (_, n) => artifact(1000 - n, 5, { name: 'coverage' }));
  const { artifact: get, asked } = runs(answering([...theirs, artifact(8, 5)]));
  await get('echelon-op', 100);
  expect(asked.at(-1)).toContain('/actions/artifacts/8/zip');
});

test.each<[string, object[], unknown]>([
  ['that is gone', [], undefined],
  ['that has expired', [artifact(8, 5, { expired: true })], undefined],
  ['that is too large', [artifact(8, 5, { size_in_bytes: 101 })], 'tooLarge'],
])('an artifact %s is not fetched', async (_what, listed, answer) => {
  const { artifact: get, asked } = runs(answering(listed));
  expect(await get('echelon-op', 100)).toBe(answer);
  expect(asked.some(url => url.endsWith('/zip'))).toBe(false);
});

// The shape of Echelon's own workflows: advance, then a matrix over a reusable workflow of engineer and deliver.
import { describe, expect, test } from 'vitest';
import { type Doing, play, type Repositories } from './play.ts';

const repositories: Repositories = {
  'u/repo@c1': {
    'main.yml': `
name: Echelon
on: { issues: { types: [labeled] } }
permissions: {}
jobs:
  run:
    if: contains(github.event.labels, 'echelon')
    permissions: { contents: write, issues: write, pull-requests: write, actions: write }
    uses: e/bot/.github/workflows/run.yml@v1
    with: { directive: "\${{ github.event.number }}" }
    secrets: { MODEL_KEY: "\${{ secrets.ANTHROPIC_API_KEY }}" }
`,
  },
  'e/bot@v1': {
    'run.yml': `
on:
  workflow_call:
    inputs: { directive: { type: number, required: true } }
    secrets: { MODEL_KEY: { required: true } }
permissions: {}
jobs:
  advance:
    permissions: { contents: read, issues: write, pull-requests: write, actions: write }
    runs-on: ubuntu-latest
    concurrency: { group: "echelon-\${{ inputs.directive }}", queue: max }
    outputs: { jobs: "\${{ steps.run.outputs.jobs }}" }
    steps:
      - { id: run, uses: $/, with: { mode: run, key: "\${{ secrets.MODEL_KEY }}" } }
  issue:
    needs: advance
    if: needs.advance.outputs.jobs != '[]'
    strategy: { matrix: { job: "\${{ fromJSON(needs.advance.outputs.jobs) }}" }, fail-fast: false, max-parallel: 8 }
    permissions: { contents: write, issues: write, pull-requests: write }
    uses: $/.github/workflows/issue.yml
    with: { op: "\${{ matrix.job.op }}" }
    secrets: { MODEL_KEY: "\${{ secrets.MODEL_KEY }}" }
`,
    'issue.yml': `
on:
  workflow_call:
    inputs: { op: { type: string, required: true } }
    secrets: { MODEL_KEY: { required: true } }
permissions: {}
jobs:
  engineer:
    permissions: { contents: read }
    runs-on: ubuntu-latest
    timeout-minutes: 30
    env: { KEY: "\${{ secrets.MODEL_KEY }}" }
    steps:
      - { uses: $/, with: { mode: engineer, op: "\${{ inputs.op }}" } }
  deliver:
    needs: engineer
    if: "!cancelled()"
    permissions: { contents: write, issues: write, pull-requests: write }
    runs-on: ubuntu-latest
    steps:
      - { uses: $/, with: { mode: deliver, op: "\${{ inputs.op }}", engineer: "\${{ needs.engineer.result }}" } }
`,
  },
};

const labelled = {
  github: { event: { labels: ['echelon'], number: 7 } },
  secrets: { ANTHROPIC_API_KEY: 'sk' },
};
const jobs =
  (list: unknown[], then: Doing = () => undefined): Doing =>
  (job, signal) =>
    job.key === 'run / advance' ? { outputs: { jobs: JSON.stringify(list) } } : then(job, signal);

test('each issue is delivered when its own engineer is done', async () => {
  const slow = Promise.withResolvers<void>();
  const played = await play(
    repositories,
    jobs([{ op: 'a1' }, { op: 'a2' }], async job => {
      if (job.key === 'run / issue (a1) / engineer') await slow.promise;
      if (job.key === 'run / issue (a2) / deliver') slow.resolve();
      return undefined;
    }),
    labelled,
  );
  expect(played.ended).toEqual([
    'run / advance: success',
    'run / issue (a2) / engineer: success',
    'run / issue (a2) / deliver: success',
    'run / issue (a1) / engineer: success',
    'run / issue (a1) / deliver: success',
  ]);
  expect(played.result).toBe('success');
});

test('an engineer that fails is delivered too, and the run has failed', async () => {
  const played = await play(
    repositories,
    jobs([{ op: 'a1' }, { op: 'a2' }], job =>
      job.key.includes('(a1) / engineer') ? { conclusion: 'failure' } : undefined,
    ),
    labelled,
  );
  expect(played.result).toBe('failure');
  expect(played.ended).toContain('run / issue (a1) / deliver: success');
  expect(played.ended).toContain('run / issue (a2) / deliver: success');
  expect(played.jobs.get('run / issue (a1) / deliver')?.contexts['needs']).toEqual({
    engineer: { result: 'failure', outputs: {} },
  });
});

test('nothing to do skips the issues, and another label all', async () => {
  const idle = await play(repositories, jobs([]), labelled);
  expect([idle.result, idle.ended]).toEqual(['success', ['run / advance: success', 'run / issue: skipped']]);
  const other = await play(repositories, jobs([]), {
    ...labelled,
    github: { event: { labels: [], number: 1 } },
  });
  expect([other.result, other.ended]).toEqual(['skipped', ['run: skipped']]);
});

describe('each job', () => {
  const running = play(repositories, jobs([{ op: 'a1' }]), labelled);
  test.each([
    ['run / advance', { contents: 'read', issues: 'write', 'pull-requests': 'write', actions: 'write' }],
    ['run / issue (a1) / engineer', { contents: 'read' }],
    ['run / issue (a1) / deliver', { contents: 'write', issues: 'write', 'pull-requests': 'write' }],
  ])('%s has the permissions of its own, under a token that ends with it', async (key, permissions) => {
    const { jobs: planned, tokens } = await running;
    expect(planned.get(key)?.permissions).toEqual(permissions);
    expect(tokens).toContainEqual({ permissions, open: false });
  });

  test('has inputs by their types, the secrets it was handed, and the file that it is of', async () => {
    const { jobs: planned } = await running;
    const engineer = planned.get('run / issue (a1) / engineer');
    expect(planned.get('run / advance')?.contexts['inputs']).toEqual({ directive: 7 });
    expect(engineer).toMatchObject({
      contexts: {
        inputs: { op: 'a1' },
        secrets: { MODEL_KEY: 'sk', GITHUB_TOKEN: 'ghs_2' },
        github: { repository: 'u/repo', token: 'ghs_2', job: 'engineer' },
        matrix: null,
        env: { KEY: 'sk' },
      },
      env: [{}, { KEY: 'sk' }],
      timeoutMinutes: 30,
      origin: { repository: 'e/bot', sha: 'v1', path: '.github/workflows/issue.yml' },
      steps: [{ uses: '$/', with: { mode: 'engineer', op: '${{ inputs.op }}' } }],
    });
    expect(Object.keys(engineer?.contexts['secrets'] ?? {})).not.toContain('ANTHROPIC_API_KEY');
  });
});

// Faults and unsupported parts of a workflow file are reported with their place before anything runs.
import { describe, expect, test } from 'vitest';
import { readWorkflow } from '../../../packages/forge/actions/workflow-file.ts';
import { loadMain, type Repositories } from './play.ts';

const job = 'a: { runs-on: ubuntu-latest, steps: [{ run: x }] }';

describe('refused', () => {
  test.each<[string, string, string[]]>([
    ['what is no YAML', 'on: [push', ['1:1']],
    ['what is no mapping', 'hello', ['1:1: Unexpected value']],
    ['a key that GitHub lacks', `on: push\njobs:\n  ${job}\nsteps: []`, ["4:1: Unexpected value 'steps'"]],
    [
      'a context that is not there',
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    env: { A: "${{ steps.x }}" }\n    steps: []',
      ["5:16: Unrecognized named-value: 'steps'"],
    ],
    ['a file without "on"', `jobs:\n  ${job}`, ['1:1: Required property is missing: on']],
    [
      'an event',
      `on:\n  push:\n  schedule: [{ cron: "1 1 * * *" }]\njobs:\n  ${job}`,
      ['3:3: the event "schedule"'],
    ],
    ['a filter', `on:\n  push: { paths: [src] }\njobs:\n  ${job}`, ['2:11: "paths" in "on.push"']],
    [
      'an activity that GitHub lacks',
      `on: { issues: { types: [eaten] } }\njobs:\n  ${job}`,
      ["1:25: Unexpected value 'eaten'"],
    ],
    [
      'containers, services, environments',
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    container: x\n    services: {}\n    environment: y\n    steps: [{ uses: docker://x }]',
      ['5:5: "container"', '6:5: "services"', '7:5: "environment"', '8:21: containers'],
    ],
    [
      'another machine',
      'on: push\njobs:\n  a: { runs-on: [ubuntu-latest, gpu], steps: [] }',
      ['3:33: the forge\'s runner stands in for ubuntu-..., not for "gpu"'],
    ],
    [
      'an unknown need',
      'on: push\njobs:\n  a: { needs: b, runs-on: ubuntu-latest, steps: [] }',
      ['3:15: job "a" needs "b"'],
    ],
    [
      'needs in a circle',
      'on: push\njobs:\n  a: { needs: b, runs-on: ubuntu-latest, steps: [] }\n  b: { needs: a, runs-on: ubuntu-latest, steps: [] }',
      ['3:3: job "a" needs itself', '4:3: job "b" needs itself'],
    ],
    [
      'a condition that cannot be read',
      'on: push\njobs:\n  a: { if: matrix.x, runs-on: ubuntu-latest, steps: [{ run: x, if: "a b" }] }',
      ["3:12: matrix.x: Unrecognized named-value: 'matrix'", '3:68: a b'],
    ],
    [
      'a condition that is always true',
      'on: push\njobs:\n  a: { if: "${{ github.x }} == 1", runs-on: ubuntu-latest, steps: [] }',
      ['3:12: A condition with text outside'],
    ],
    [
      'a queue that is cancelled as well',
      `on: push\nconcurrency: { group: g, queue: max, cancel-in-progress: true }\njobs:\n  ${job}`,
      ['2:14: "queue: max" and "cancel-in-progress"'],
    ],
    [
      'a secret in a condition',
      'on: push\njobs:\n  a: { if: "secrets.x", runs-on: ubuntu-latest, steps: [] }',
      ["3:12: secrets.x: Unrecognized named-value: 'secrets'"],
    ],
    ['an alias that holds itself', 'on: push\njobs: &a\n  b: *a', ['3:6: *a holds itself']],
    [
      'aliases that blow up',
      `on: push\nx: &x0 [1,1,1,1,1,1,1,1,1,1]\n${[1, 2, 3, 4, 5].map(n => `x${n}: &x${n} [${Array(10).fill(`*x${n - 1}`)}]`).join('\n')}`,
      ['too large'],
    ],
    ['a file that is too long', `# ${'x'.repeat(600_000)}`, ['1:1: a workflow file has at most']],
  ])('%s', async (_what, text, problems) => {
    const { message } = await readWorkflow('w.yml', text).then(
      () => new Error('was read'),
      (error: Error) => error,
    );
    const said = message.split('\n');
    expect(said.map(line => line.slice('w.yml:'.length)).length).toBe(problems.length);
    for (const [index, problem] of problems.entries()) expect(said[index]).toContain(problem);
  });
});

test('a file is read as it is written', async () => {
  const text = `
name: All of it
run-name: "Go \${{ github.actor }}"
on:
  issues: { types: [labeled, unlabeled] }
  issue_comment:
  pull_request: { types: closed, branches: [main] }
  push: { branches: [main, "rel/**"] }
  workflow_dispatch: { inputs: { n: { type: choice, options: [a, b], default: a } } }
permissions: read-all
concurrency: "x-\${{ github.ref }}"
jobs:
  a:
    name: A
    permissions: { contents: read, issues: none, pull-requests: write }
    runs-on: &label ubuntu-24.04
    timeout-minutes: 5
    continue-on-error: "\${{ github.ref == 'x' }}"
    steps:
      - run: |
          one "\${{ github.ref }}"
            two
        env: { A: 1.50, B: true, C: }
      - { uses: actions/checkout@v5, with: { fetch-depth: 0 }, if: "always()", id: c }
  b: { runs-on: *label, steps: [] }
`;
  const file = await readWorkflow('w.yml', text);
  expect(file).toMatchObject({
    name: 'All of it',
    runName: 'Go ${{ github.actor }}',
    on: {
      events: [
        { name: 'issues', types: ['labeled', 'unlabeled'] },
        { name: 'issue_comment', types: undefined },
        { name: 'pull_request', types: ['closed'], branches: ['main'] },
        { name: 'push', branches: ['main', 'rel/**'] },
      ],
      call: undefined,
    },
    concurrency: { group: 'x-${{ github.ref }}', cancelInProgress: 'false', queue: 'single' },
  });
  expect(file.on.dispatch?.get('n')).toEqual({
    type: 'choice',
    required: false,
    default: 'a',
    options: ['a', 'b'],
  });
  expect(file.permissions).toMatchObject({ contents: 'read', issues: 'read' });
  const [a, b] = file.jobs;
  expect(a).toMatchObject({
    name: 'A',
    permissions: { contents: 'read', 'pull-requests': 'write' },
    work: {
      runsOn: 'ubuntu-24.04',
      timeoutMinutes: 5,
      continueOnError: "${{ github.ref == 'x' }}",
      steps: [
        {
          run: 'one "${{ github.ref }}"\n  two\n',
          env: { A: '1.5', B: 'true', C: '' },
          at: { line: 20, column: 9 },
        },
        { uses: 'actions/checkout@v5', with: { 'fetch-depth': '0' }, if: 'always()', id: 'c' },
      ],
    },
  });
  expect(a?.permissions).not.toHaveProperty('issues');
  expect(b).toMatchObject({
    work: { runsOn: 'ubuntu-24.04', timeoutMinutes: 360 },
    at: { line: 25, column: 3 },
  });
});

const calls = (uses: string, more = '') => `on: push\njobs:\n  a:\n    uses: ${uses}\n${more}`;
const called = (more: string, keys = '') =>
  `on: { workflow_call: { ${keys} } }\njobs:\n  inner:\n    runs-on: ubuntu-latest\n    steps: []\n    ${more}\n`;

describe('a call', () => {
  test.each<[string, string]>([
    ['$/.github/workflows/here.yml', 'u/repo c1'],
    ['./.github/workflows/here.yml', 'u/repo c1'],
    ['e/bot/.github/workflows/there.yml@v1', 'e/bot v1'],
    ['e/bot/.github/workflows/self.yml@v1', 'e/bot v1'],
    ['e/bot/.github/workflows/back.yml@v1', 'u/repo c1'],
  ])('of %s ends in a file of %s', async (uses, place) => {
    const leaf = called('');
    const { workflow } = await loadMain({
      'u/repo@c1': { 'main.yml': calls(uses), 'here.yml': leaf },
      'e/bot@v1': {
        'there.yml': leaf,
        'self.yml': calls('$/.github/workflows/there.yml').replace('on: push', 'on: workflow_call'),
        'back.yml': calls('./.github/workflows/here.yml').replace('on: push', 'on: workflow_call'),
      },
    });
    let deepest = workflow;
    for (let next = deepest.called.get('a'); next; next = deepest.called.get('a')) deepest = next;
    expect(`${deepest.origin.repository} ${deepest.origin.sha}`).toBe(place);
  });

  test.each<[string, string, string, string]>([
    ['of no workflow', './work.yml', '', '4:11: "./work.yml" is no workflow'],
    [
      'of a file that is not there',
      '$/.github/workflows/none.yml',
      '',
      '4:11: "$/.github/workflows/none.yml" was not found',
    ],
    ['of a file that cannot be called', '$/.github/workflows/main.yml', '', 'has no "on.workflow_call"'],
    ['without an input', '$/.github/workflows/in.yml', '', 'needs the input "x"'],
    ['without a secret', '$/.github/workflows/in.yml', '    with: { x: 1 }', 'needs the secret "K"'],
    [
      'with an unknown input',
      '$/.github/workflows/in.yml',
      '    secrets: inherit\n    with: { x: 1, y: 2 }',
      '6:19: $/.github/workflows/in.yml has no input "y"',
    ],
    [
      'with an unknown secret',
      '$/.github/workflows/in.yml',
      '    with: { x: 1 }\n    secrets: { K: a, L: b }',
      '6:22: $/.github/workflows/in.yml has no secret "L"',
    ],
    [
      'of a file that asks for more',
      '$/.github/workflows/more.yml',
      '',
      "more.yml:3:3: the nested job 'inner' is requesting 'contents: write, issues: read', but is only allowed 'contents: read, issues: none'",
    ],
    [
      'of a file whose own call asks for more',
      '$/.github/workflows/nested.yml',
      '    permissions: { contents: write, issues: write }',
      "more.yml:3:3: the nested job 'inner' is requesting 'issues: read', but is only allowed 'issues: none'",
    ],
    ['without end', '$/.github/workflows/loop.yml', '', 'more than 10 levels'],
  ])('%s is refused before anything runs', async (_what, uses, more, message) => {
    const files: Repositories = {
      'u/repo@c1': {
        'main.yml': calls(uses, more),
        'in.yml': called(
          '',
          'inputs: { x: { type: number, required: true } }, secrets: { K: { required: true } }',
        ),
        'more.yml': called('permissions: { contents: write, issues: read }'),
        'nested.yml': calls('$/.github/workflows/more.yml', '    permissions: { contents: write }').replace(
          'on: push',
          'on: workflow_call',
        ),
        'loop.yml': calls('$/.github/workflows/loop.yml').replace('on: push', 'on: workflow_call'),
      },
    };
    await expect(loadMain(files)).rejects.toThrow(message);
  });

  test('that asks for less is allowed', async () => {
    const files = {
      'u/repo@c1': {
        'main.yml': calls('$/.github/workflows/less.yml', '    permissions: write-all'),
        'less.yml': called('permissions: { contents: read, issues: write }'),
      },
    };
    await expect(loadMain(files)).resolves.toBeDefined();
  });

  test('names the commit that its ref was', async () => {
    const { references } = await loadMain({
      'u/repo@c1': { 'main.yml': calls('e/bot/.github/workflows/there.yml@v1') },
      'e/bot@v1': { 'there.yml': called('') },
    });
    expect(references).toEqual([{ path: 'e/bot/.github/workflows/there.yml@v1', ref: 'v1', sha: 'v1' }]);
  });
});

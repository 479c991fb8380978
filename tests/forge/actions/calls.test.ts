// Data between a job and the workflow that it calls: inputs, secrets, outputs, results, a cancel.
import { describe, expect, test } from 'vitest';
import { type Doing, type Options, play, type Repositories } from './play.ts';

const job = (keys = '') => `{ runs-on: ubuntu-latest, steps: []${keys && `, ${keys}`} }`;

/** `main.yml` with these jobs, and files that it calls. */
const files = (jobs: string, called: Record<string, string>, top = ''): Repositories => ({
  'u/repo@c1': { 'main.yml': `on: push\n${top}\njobs:\n${jobs}`, ...called },
});
const call = (file: string, more = '') =>
  `  outer:\n    uses: $/.github/workflows/${file}.yml\n${more && `    ${more}\n`}`;
const callable = (on: string, jobs: string, top = '') =>
  `on: { workflow_call: { ${on} } }\n${top}\njobs:\n${jobs}`;

test('outputs come back through every level, with the results', async () => {
  const repositories = files(`${call('one')}  after: ${job('needs: outer')}\n`, {
    'one.yml': callable(
      'outputs: { said: { value: "${{ jobs.deeper.outputs.word }}!" }, how: { value: "${{ jobs.deeper.result }}" } }',
      '  deeper:\n    uses: $/.github/workflows/two.yml\n',
    ),
    'two.yml': callable('outputs: { word: { value: "${{ jobs.leaf.outputs.w }}" } }', `  leaf: ${job()}\n`),
  });
  const { jobs } = await play(repositories, ({ key }) =>
    key === 'outer / deeper / leaf' ? { outputs: { w: 'hello' } } : undefined,
  );
  expect(jobs.get('after')?.contexts['needs']).toEqual({
    outer: { result: 'success', outputs: { said: 'hello!', how: 'success' } },
  });
});

test('an output that cannot be evaluated fails the job that calls', async () => {
  const repositories = files(call('one'), {
    'one.yml': callable(
      'outputs: { o: { value: "${{ fromJSON(jobs.a.outputs.none) }}" } }',
      `  a: ${job()}\n`,
    ),
  });
  const played = await play(repositories);
  expect([played.result, played.ended]).toEqual(['failure', ['outer / a: success', 'outer: failure']]);
});

describe('inputs', () => {
  const specs =
    'inputs: { s: { type: string }, n: { type: number }, b: { type: boolean }, d: { type: string, default: "${{ github.ref }}" } }';
  test.each<[string, string, Record<string, unknown>]>([
    ['that are not given have their default, or their type’s', '', { s: '', n: 0, b: false, d: 'main' }],
    [
      'have their types',
      'with: { s: 1, n: "${{ fromJSON(github.n) }}", b: "${{ github.ref == null }}", d: x }',
      { s: '1', n: 7, b: false, d: 'x' },
    ],
  ])('%s', async (_what, given, inputs) => {
    const repositories = files(call('one', given), { 'one.yml': callable(specs, `  a: ${job()}\n`) });
    const { jobs } = await play(repositories, undefined, { github: { ref: 'main', n: '7' } });
    expect(jobs.get('outer / a')?.contexts['inputs']).toEqual(inputs);
  });

  test.each([
    ['n: "${{ github.ref }}"', 'The input "n" is no number: "main"'],
    ['b: "${{ github.ref }}"', 'The input "b" is no boolean: "main"'],
    ['s: "${{ github.event }}"', 'The input "s" is no string: {}'],
  ])('of another type fail the job that calls: %s', async (given, message) => {
    const repositories = files(call('one', `with: { ${given} }`), {
      'one.yml': callable(specs, `  a: ${job()}\n`),
    });
    const played = await play(repositories, undefined, { github: { ref: 'main' } });
    expect([played.ended, played.changes.at(-1)?.message]).toEqual([['outer: failure'], message]);
  });
});

describe('secrets', () => {
  const mine: Options = { secrets: { A: '1', B: '2' } };
  test.each<[string, string, string, Record<string, string>]>([
    ['none', '', '', {}],
    ['all', 'secrets: inherit', '', { A: '1', B: '2' }],
    ['by name', 'secrets: { X: "${{ secrets.A }}" }', 'secrets: { X: { required: true } }', { X: '1' }],
    [
      "the job's own token by another name",
      'secrets: { T: "${{ secrets.GITHUB_TOKEN }}" }',
      'secrets: { T: {} }',
      { T: 'ghs_1' },
    ],
  ])('are handed down: %s', async (_what, given, on, secrets) => {
    const repositories = files(call('one', given), { 'one.yml': callable(on, `  a: ${job()}\n`) });
    const { jobs } = await play(repositories, undefined, mine);
    expect(jobs.get('outer / a')?.contexts['secrets']).toEqual({ ...secrets, GITHUB_TOKEN: 'ghs_1' });
  });

  test('are not handed further than they are said to', async () => {
    const repositories = files(call('one', 'secrets: { X: "${{ secrets.A }}" }'), {
      'one.yml': callable(
        'secrets: { X: {} }',
        '  deeper:\n    uses: $/.github/workflows/two.yml\n    secrets: inherit\n',
      ),
      'two.yml': callable('', `  leaf: ${job()}\n`),
    });
    const { jobs } = await play(repositories, undefined, mine);
    expect(jobs.get('outer / deeper / leaf')?.contexts['secrets']).toEqual({ X: '1', GITHUB_TOKEN: 'ghs_1' });
  });
});

test('variables of the caller stay with it, those of the repository do not', async () => {
  const repositories = files(
    call('one'),
    { 'one.yml': callable('', `  a: ${job()}\n`) },
    'env: { A: outer }',
  );
  const { jobs } = await play(repositories, undefined, { vars: { V: '1' } });
  expect(jobs.get('outer / a')).toMatchObject({ env: [{}, {}], contexts: { env: {}, vars: { V: '1' } } });
});

test.each<[string, string, Doing, string, string[]]>([
  [
    'failure',
    `  a: ${job()}\n  b: ${job('needs: a')}\n`,
    ({ key }) => (key === 'outer / a' ? { conclusion: 'failure' } : undefined),
    'failure',
    ['outer / a: failure', 'outer / b: skipped', 'after: skipped'],
  ],
  [
    'skipped',
    `  a: ${job('if: false')}\n`,
    () => undefined,
    'skipped',
    ['outer / a: skipped', 'after: skipped'],
  ],
])('a called workflow that ends in %s does so for its job', async (_what, inner, doing, result, ended) => {
  const repositories = files(`${call('one')}  after: ${job('needs: outer')}\n`, {
    'one.yml': callable('', inner),
  });
  const played = await play(repositories, doing);
  expect([played.result, played.ended]).toEqual([result, ended]);
});

describe('a cancel', () => {
  const inner = callable(
    '',
    `  a: ${job()}\n  b: ${job('needs: a, if: "!cancelled()"')}\n  c: ${job('needs: a, if: always()')}\n`,
  );
  test.each([
    [
      'reaches the jobs inside, which are asked themselves',
      '',
      ['a: cancelled', 'b: cancelled', 'c: success'],
    ],
    ['stops at a call that goes on', 'if: always()', ['a: success', 'b: success', 'c: success']],
  ])('%s', async (_what, condition, ended) => {
    const abort = new AbortController();
    const played = await play(
      files(call('one', condition), { 'one.yml': inner }),
      ({ key }) => {
        if (key === 'outer / a') abort.abort();
        return undefined;
      },
      { signal: abort.signal },
    );
    expect(played.ended.map(each => each.replace('outer / ', '')).sort()).toEqual(ended);
  });

  test('by the first failure of a matrix leaves what asks to run always', async () => {
    const repositories = files(
      call('one', 'strategy: { matrix: { n: [1, 2] } }\n    with: { n: "${{ matrix.n }}" }'),
      {
        'one.yml': callable(
          'inputs: { n: { type: number } }',
          `  a: ${job()}\n  b: ${job('needs: a, if: always()')}\n`,
        ),
      },
    );
    const failed = Promise.withResolvers<void>();
    const played = await play(repositories, async ({ key }, signal) => {
      if (key === 'outer (1) / a') return { conclusion: 'failure' };
      if (key !== 'outer (2) / a') return undefined;
      signal.addEventListener('abort', () => failed.resolve());
      await failed.promise;
      return undefined;
    });
    expect([played.result, played.ended.sort()]).toEqual([
      'failure',
      [
        'outer (1) / a: failure',
        'outer (1) / b: success',
        'outer (2) / a: cancelled',
        'outer (2) / b: success',
      ],
    ]);
  });
});

test('a group of the called workflow holds all of its jobs, and the caller may not stand in it', async () => {
  const one = callable('', `  a: ${job()}\n`, 'concurrency: "${{ github.workflow }}"');
  const free = await play(files(call('one'), { 'one.yml': one }), undefined, { github: { workflow: 'W' } });
  expect(free.ended).toEqual(['outer / a: success']);
  const held = await play(files(call('one'), { 'one.yml': one }, 'concurrency: w'), undefined, {
    github: { workflow: 'W' },
  });
  expect([held.result, held.ended]).toEqual(['failure', ['outer: failure']]);
});

test('calls within matrices within calls end at a thousand jobs', async () => {
  const strategy = `strategy: { matrix: { n: [${Array.from({ length: 40 }, (_each, n) => n)}] }, fail-fast: false }`;
  const repositories = files(call('one', strategy), {
    'one.yml': callable('', `  a: ${job(strategy)}\n`),
  });
  const played = await play(repositories);
  expect(played.result).toBe('failure');
  expect(played.begun).toHaveLength(960);
  expect(played.changes.find(each => each.message)?.message).toBe('A run has at most 1000 jobs here');
});

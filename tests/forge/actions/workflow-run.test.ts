// Jobs that a workflow runs, their order, and its result.
import { beforeAll, describe, expect, test } from 'vitest';
import { ConcurrencyGroups } from '../../../packages/forge/actions/concurrency-groups.ts';
import type { KeptJob } from '../../../packages/forge/actions/run-frame.ts';
import { type Doing, type Options, play } from './play.ts';

/** `jobs` of a workflow, each with a step; written as YAML without `runs-on` and `steps`. */
const workflow = (jobs: Record<string, string>, top = '') =>
  `on: push\n${top}\njobs:\n${Object.entries(jobs)
    .map(([id, keys]) => `  ${id}:\n    runs-on: ubuntu-latest\n    steps: [{ run: 'true' }]\n${lines(keys)}`)
    .join('')}`;
const lines = (text: string) =>
  text
    .split('\n')
    .filter(line => line.trim() !== '')
    .map(line => `    ${line}\n`)
    .join('');

const fails =
  (...keys: string[]): Doing =>
  job =>
    keys.includes(job.key) ? { conclusion: 'failure' } : undefined;

describe('needs and conditions', () => {
  const chain = (condition: string) => ({
    a: '',
    b: 'needs: a',
    c: `needs: b${condition && `\nif: ${condition}`}`,
  });
  test.each<[string, Record<string, string>, Doing, string, string[]]>([
    ['in order', chain(''), fails(), 'success', ['a: success', 'b: success', 'c: success']],
    [
      'a failure skips what needs it',
      chain(''),
      fails('a'),
      'failure',
      ['a: failure', 'b: skipped', 'c: skipped'],
    ],
    [
      'failure() looks at all before',
      chain('failure()'),
      fails('a'),
      'failure',
      ['a: failure', 'b: skipped', 'c: success'],
    ],
    ['always() runs', chain('always()'), fails('b'), 'failure', ['a: success', 'b: failure', 'c: success']],
    [
      'success() looks at all before: a skipped one skips the rest, though the need itself succeeded',
      { a: 'if: false', b: 'needs: a\nif: always()', c: 'needs: b' },
      fails(),
      'success',
      ['a: skipped', 'b: success', 'c: skipped'],
    ],
    [
      'results of needs',
      {
        a: '',
        b: "needs: a\nif: always() && needs.a.result == 'failure'",
        c: "needs: a\nif: always() && needs.a.result == 'success'",
      },
      fails('a'),
      'failure',
      ['a: failure', 'c: skipped', 'b: success'],
    ],
    [
      'ids without regard to case',
      { Build: '', b: 'needs: build' },
      fails(),
      'success',
      ['Build: success', 'b: success'],
    ],
    [
      'a job that may fail counts as a success for others',
      { a: 'continue-on-error: true', b: 'needs: a' },
      fails('a'),
      'success',
      ['a: failure', 'b: success'],
    ],
    [
      'a timeout counts as cancelled',
      { a: '' },
      () => ({ conclusion: 'timed_out' }),
      'cancelled',
      ['a: timed_out'],
    ],
    [
      'a condition that cannot be evaluated fails its job',
      { a: '', b: 'needs: a\nif: fromJSON(needs.a.outputs.none)' },
      fails(),
      'failure',
      ['a: success', 'b: failure'],
    ],
  ])('%s', async (_what, jobs, doing, result, ended) => {
    const played = await play(workflow(jobs), doing);
    expect([played.result, played.ended]).toEqual([result, ended]);
  });

  test('outputs reach those that need them, and no others', async () => {
    const jobs = { a: 'outputs: { x: "${{ steps.s.outputs.x }}" }', b: 'needs: a', c: 'needs: b' };
    const { jobs: planned } = await play(workflow(jobs), ({ key }) =>
      key === 'a' ? { outputs: { x: '1' } } : undefined,
    );
    expect(planned.get('a')?.outputs).toEqual({ x: '${{ steps.s.outputs.x }}' });
    expect(planned.get('b')?.contexts['needs']).toEqual({ a: { result: 'success', outputs: { x: '1' } } });
    expect(planned.get('c')?.contexts['needs']).toEqual({ b: { result: 'success', outputs: {} } });
  });

  test('variables and defaults go from the workflow into the job', async () => {
    const top = 'env: { A: "${{ github.actor }}", B: outer }\ndefaults: { run: { shell: sh } }';
    const job =
      'env: { B: inner, C: "${{ github.token }}" }\ndefaults: { run: { working-directory: "in-${{ env.B }}" } }';
    const { jobs } = await play(workflow({ a: job }, top), undefined, { github: { actor: 'olga' } });
    expect(jobs.get('a')).toMatchObject({
      env: [
        { A: 'olga', B: 'outer' },
        { B: 'inner', C: 'ghs_1' },
      ],
      contexts: { env: { A: 'olga', B: 'inner', C: 'ghs_1' } },
      defaults: { shell: 'sh', 'working-directory': 'in-inner' },
    });
  });

  test('a job of another runner, which only its expression tells, fails before it begins', async () => {
    const played = await play(
      'on: push\njobs: { a: { runs-on: "${{ github.os }}", steps: [{ run: x }] } }',
      undefined,
      {
        github: { os: 'windows-2025' },
      },
    );
    expect([played.begun, played.ended]).toEqual([[], ['a: failure']]);
    expect(played.changes.at(-1)?.message).toContain('not for "windows-2025"');
  });
});

describe('a matrix', () => {
  test.each<[string, string, string[]]>([
    ['of rows', '{ a: [1, 2], b: [x, y] }', ['j (1, x)', 'j (1, y)', 'j (2, x)', 'j (2, y)']],
    ['of objects', '{ a: [{ op: a1, n: 2 }] }', ['j (a1, 2)']],
    ['less what is excluded', '{ a: [1, 2], b: [x, y], exclude: [{ a: 1 }, { b: y }] }', ['j (2, x)']],
    ['with what is included on its own', '{ include: [{ a: 1 }, { a: 2, b: 3 }] }', ['j (1)', 'j (2, 3)']],
    [
      "GitHub's own example",
      '{ fruit: [apple, pear], animal: [cat, dog], include: [{ color: green }, { color: pink, animal: cat }, { fruit: apple, shape: circle }, { fruit: banana }, { fruit: banana, animal: cat }] }',
      [
        'j (apple, cat, pink, circle)',
        'j (apple, dog, green, circle)',
        'j (pear, cat, pink)',
        'j (pear, dog, green)',
        'j (banana)',
        'j (banana, cat)',
      ],
    ],
    ['of two alike', '{ a: [1, 1] }', ['j (1)', 'j (1) #2']],
    ['out of an expression', '"${{ fromJSON(\'{\\"a\\":[7]}\') }}"', ['j (7)']],
  ])('%s', async (_what, matrix, keys) => {
    const { begun } = await play(workflow({ j: `strategy: { matrix: ${matrix} }` }));
    expect(begun).toEqual(keys);
  });

  test.each([
    ['without a combination', '{ a: [] }', 'no combination'],
    ['of more than 256', `{ a: [${Array.from({ length: 257 }, (_each, n) => n)}] }`, '257'],
    ['that is no list', '{ a: "${{ github.ref }}" }', 'no list'],
  ])('%s fails its job, and nothing begins', async (_what, matrix, message) => {
    const played = await play(workflow({ j: `strategy: { matrix: ${matrix} }` }), undefined, {
      github: { ref: 'x' },
    });
    expect([played.result, played.begun, played.ended]).toEqual(['failure', [], ['j: failure']]);
    expect(played.changes.at(-1)?.message).toContain(message);
  });

  test('runs no more at once than it says, or than the machine takes', async () => {
    const run = async (strategy: string, options: Options) => {
      const waiting = () => new Promise<undefined>(resolve => setImmediate(() => resolve(undefined)));
      const job = `strategy: { matrix: { a: [1, 2, 3, 4, 5] }${strategy} }`;
      return (await play(workflow({ j: job }), waiting, options)).most;
    };
    expect(await run('', {})).toBe(5);
    expect(await run(', max-parallel: 2', {})).toBe(2);
    expect(await run(', max-parallel: 4', { machine: 3 })).toBe(3);
  });

  /** The first fails when both others run or wait; those that run end when they are aborted. */
  const firstFails: Doing = async (job, signal) => {
    if (job.key === 'j (1)') return { conclusion: 'failure' };
    if (!signal.aborted) await new Promise(done => setImmediate(done));
    return signal.aborted ? { conclusion: 'cancelled' } : {};
  };
  test.each([
    [
      'cancels the others at the first failure',
      '',
      ['j (1): failure', 'j (2): cancelled', 'j (3): cancelled'],
    ],
    [
      'goes on where it is told to',
      ', fail-fast: false',
      ['j (1): failure', 'j (2): success', 'j (3): success'],
    ],
  ])('%s', async (_what, more, ended) => {
    const job = `strategy: { matrix: { a: [1, 2, 3] }${more} }`;
    const played = await play(workflow({ j: job }), firstFails, { machine: 2 });
    expect([played.result, played.ended.sort()]).toEqual(['failure', ended]);
  });

  test('tells each combination its strategy, and its name', async () => {
    const { jobs } = await play(
      workflow({
        j: 'name: "Try ${{ matrix.a }}"\nstrategy: { matrix: { a: [x, y] }, fail-fast: false, max-parallel: 1 }',
      }),
    );
    expect(
      [...jobs.values()].map(({ name, contexts }) => [name, contexts['matrix'], contexts['strategy']]),
    ).toEqual([
      ['Try x', { a: 'x' }, { 'fail-fast': false, 'job-index': 0, 'job-total': 2, 'max-parallel': 1 }],
      ['Try y', { a: 'y' }, { 'fail-fast': false, 'job-index': 1, 'job-total': 2, 'max-parallel': 1 }],
    ]);
  });

  test('has for each output the last that is not empty', async () => {
    const { jobs } = await play(
      workflow({ j: 'strategy: { matrix: { a: [1, 2] }, max-parallel: 1 }', k: 'needs: j' }),
      ({ key }) => ({ outputs: key === 'j (1)' ? { x: 'one', y: 'first' } : { x: 'two', y: '' } }),
    );
    expect(jobs.get('k')?.contexts['needs']).toEqual({
      j: { result: 'success', outputs: { x: 'two', y: 'first' } },
    });
  });
});

describe('a cancelled run', () => {
  const cancelWhen =
    (abort: AbortController, key: string): Doing =>
    job => {
      if (job.key === key) abort.abort();
      return undefined;
    };
  test.each<[string, Record<string, string>, string[]]>([
    ['ends what runs and what waits', { a: '', b: 'needs: a' }, ['a: cancelled', 'b: cancelled']],
    [
      'goes on with what asks for it',
      {
        a: 'if: always()',
        b: 'needs: a',
        c: 'needs: a\nif: always()',
        d: "needs: a\nif: '!cancelled()'",
        e: 'needs: a\nif: cancelled()',
      },
      ['a: success', 'b: cancelled', 'd: cancelled', 'c: success', 'e: success'],
    ],
  ])('%s', async (_what, jobs, ended) => {
    const abort = new AbortController();
    const played = await play(workflow(jobs), cancelWhen(abort, 'a'), { signal: abort.signal });
    expect([played.result, played.ended]).toEqual(['cancelled', ended]);
  });

  test('leaves no job in the queue of the machine', async () => {
    const abort = new AbortController();
    const played = await play(workflow({ a: '', b: '' }), cancelWhen(abort, 'a'), {
      signal: abort.signal,
      machine: 1,
    });
    expect([played.begun, played.ended.sort()]).toEqual([['a'], ['a: cancelled', 'b: cancelled']]);
  });
});

/** All that needs no event from outside has been done: what reads workflows is loaded once. */
const settled = () => new Promise(done => setImmediate(done));
beforeAll(() => play(workflow({ a: '' })));

describe('concurrency groups', () => {
  const grouped = (rules: string) =>
    workflow({ a: `concurrency: { group: "g-\${{ github.who }}"${rules} }` });
  /** Starts five runs, one after the other; the first ends when all are there, or when it is aborted. */
  const five = async (rules: string, names = ['x', 'X', 'x', 'X', 'x']) => {
    const groups = new ConcurrencyGroups();
    const all = Promise.withResolvers<void>();
    const begun: number[] = [];
    const start = (who: string, index: number) =>
      play(
        grouped(rules),
        async (_job, signal) => {
          begun.push(index);
          await Promise.race([all.promise, new Promise(done => signal.addEventListener('abort', done))]);
          return undefined;
        },
        { groups, github: { who } },
      );
    const runs: ReturnType<typeof play>[] = [];
    for (const [index, who] of names.entries()) {
      runs.push(start(who, index));
      await settled();
    }
    const before = [...begun];
    all.resolve();
    return { results: (await Promise.all(runs)).map(run => run.result), before, begun };
  };
  const [yes, no] = ['success', 'cancelled'];
  test.each<[string, string, string[], number[]]>([
    ['hold one running and one pending', '', [yes, no, no, no, yes], [0]],
    ['hold all that wait, in their order', ', queue: max', [yes, yes, yes, yes, yes], [0]],
    [
      'hand over to who comes where an expression says so',
      ', cancel-in-progress: "${{ github.none == null }}"',
      [no, no, no, no, yes],
      [0, 1, 2, 3, 4],
    ],
    ['hand over to who comes', ', cancel-in-progress: true', [no, no, no, no, yes], [0, 1, 2, 3, 4]],
  ])('%s', async (_what, rules, results, before) => {
    const played = await five(rules);
    expect(played.results).toEqual(results);
    expect(played.before).toEqual(before);
    expect(played.begun).toEqual([...played.begun].sort((a, b) => a - b));
  });

  test('of other names do not meet', async () => {
    expect((await five('', ['a', 'b', 'c', 'd', 'e'])).before).toEqual([0, 1, 2, 3, 4]);
  });

  test('take a hundred that wait, and cancel who comes then', async () => {
    const { results } = await five(', queue: max', Array(103).fill('x'));
    expect(results.map(result => result === 'success')).toEqual([...Array(101).fill(true), false, false]);
  });

  test('of a workflow hold all of its jobs', async () => {
    const groups = new ConcurrencyGroups();
    const first = Promise.withResolvers<void>();
    const order: string[] = [];
    const run = (name: string, until: Promise<unknown>) =>
      play(
        workflow({ a: '', b: 'needs: a' }, 'concurrency: one'),
        async job => {
          await until;
          order.push(`${name} ${job.key}`);
          return undefined;
        },
        { groups },
      );
    const both = [run('first', first.promise), run('second', Promise.resolve())];
    await settled();
    first.resolve();
    await Promise.all(both);
    expect(order).toEqual(['first a', 'first b', 'second a', 'second b']);
  });

  test('that would wait for themselves fail the job', async () => {
    const played = await play(workflow({ a: 'concurrency: One' }, 'concurrency: one'));
    expect([played.result, played.changes.at(-1)?.message]).toEqual([
      'failure',
      'The concurrency group "One" is held by what calls this: it would wait for itself',
    ]);
  });
});

test.each<[string, string, string, Record<string, string>]>([
  ['nobody says anything', '', '', { contents: 'read', packages: 'read' }],
  ['the workflow says', 'permissions: { issues: write }', '', { issues: 'write' }],
  ['the workflow allows nothing', 'permissions: {}', '', {}],
  [
    'the job says',
    'permissions: write-all',
    'permissions: { checks: write, contents: none }',
    { checks: 'write' },
  ],
])('the token may do what is said for it: %s', async (_what, top, job, permissions) => {
  const played = await play(workflow({ a: job }, top));
  expect([played.jobs.get('a')?.permissions, played.tokens.map(token => token.permissions)]).toEqual([
    permissions,
    [permissions],
  ]);
});

test('what is run again keeps the jobs that succeeded, and runs all that comes after one that did not', async () => {
  const jobs = { a: '', b: 'needs: a', c: 'needs: a', d: 'needs: [b, c]' };
  const kept = new Map<string, KeptJob>(
    ['a', 'c', 'd'].map(key => [
      key,
      { outputs: { from: key }, labels: [], steps: [], conclusion: 'success' },
    ]),
  );
  const played = await play(workflow(jobs), undefined, { kept });
  expect(played.begun).toEqual(['b', 'd']);
  expect(played.ended).toEqual(['a: success', 'c: success', 'b: success', 'd: success']);
  expect(played.jobs.get('b')?.contexts['needs']).toEqual({
    a: { result: 'success', outputs: { from: 'a' } },
  });
});

test('an executor that breaks fails its job, and the token is closed all the same', async () => {
  const played = await play(workflow({ a: '', b: '' }), job => {
    if (job.key === 'a') throw new Error('no space left');
    return undefined;
  });
  expect([played.result, played.ended.sort()]).toEqual(['failure', ['a: failure', 'b: success']]);
  expect(played.changes.find(each => each.key === 'a' && each.conclusion === 'failure')?.message).toBe(
    'no space left',
  );
  expect(played.tokens.map(token => token.open)).toEqual([false, false]);
});

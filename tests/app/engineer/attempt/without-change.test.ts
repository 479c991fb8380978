// Red before, green after: the tests of a change run once without the rest of it, and what that shows is reported.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { testsWithout, type Without } from '../../../../src/app/engineer/attempt/without-change.ts';
import { deadline } from '../../../../packages/ground/lib/deadline.ts';
import { createCheckout } from '../../../../packages/ground/workspace/checkout.ts';
import { director, evaluator, type Reply } from '../../../dialogue/script.ts';
import { stillClock } from '../../../ground/lib/clocks.ts';
import { type Files, repository, writeFiles } from '../../../ground/workspace/fixture.ts';
import { playJob } from '../play-job.ts';
import { jobSpec } from '../spec.ts';

/** Runs every script in test/, in one process each, and names it as TAP does. */
const runner = `code=0
for each in test/*.sh; do
  if sh "$each"; then echo "ok 1 - $each"; else echo "not ok 1 - $each"; code=1; fi
done
exit $code
`;
const has = (word: string) => `grep -q ${word} code.txt\n`;
const base: Files = {
  'run.sh': runner,
  'code.txt': 'one\n',
  'test/one.sh': has('one'),
  '.gitignore': 'built\n',
  e2e: 'A word on them.\n',
};
const change = { 'code.txt': 'one two\n', 'test/two.sh': has('two') };

let repo: Awaited<ReturnType<typeof repository>>;
beforeAll(async () => {
  repo = await repository(base);
});
afterAll(() => repo[Symbol.asyncDispose]());

const green = { before: { state: 'green' as const, failing: [] } };
let places = 0;

/** Results for these changes, one after the other, in an attempt at the base; `runs`: content of code.txt in each. */
async function without(
  changes: readonly Files[],
  { attemptMs = 60_000, ...more }: Partial<JobSpec> & { attemptMs?: number } = green,
) {
  const folder = join(repo.path, `place-${(places += 1)}`);
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  const { signal } = new AbortController();
  const clock = stillClock();
  const time = deadline(attemptMs, clock, signal);
  const spec = { ...jobSpec(attemptMs, repo.base, repo.mirror.path), ...more };
  const host = { clock, signal, hostPath: process.env['PATH'] ?? '', mark: 'a job' };
  const before = await checkout.writeTree();
  const place = { ...{ spec, folder, checkout, time, signal, host, before }, state: {} };
  const log = join(folder, 'runs');
  const found: (Without['found'] & Partial<Without>)[] = [];
  for (const files of changes) {
    await writeFiles(checkout.tree, files);
    const tree = await checkout.writeTree();
    const tested = { command: `cat code.txt >> ${log}; sh run.sh`, tree, took: 1 };
    const { found: each, removed } = await testsWithout(place, tested);
    found.push({ ...each, ...(removed.length > 0 && { removed }) });
  }
  time.end();
  const runs = await readFile(log, 'utf8').catch(() => '');
  await checkout.remove();
  return { found, runs: runs.split('\n').filter(Boolean) };
}

test('they start from what the setup installs', async () => {
  const setup = { command: 'echo two > ~/installed', base: repo.base };
  const asks = { ...change, 'test/two.sh': 'grep -q two ~/installed\n' };
  expect((await without([asks], { ...green, setup })).found).toEqual([{ state: 'passes' }]);
});

const fails = (...failing: string[]) => ({ state: 'fails', exit_code: 1, failing });
const unknown = (why: string) => ({ state: 'unknown', why });

test.each<[name: string, change: Files, found: object]>([
  ['a new test that fails without the change is named', change, fails('test/two.sh')],
  [
    'a new test that passes without the change proves nothing',
    { ...change, 'test/two.sh': has('one') },
    { state: 'passes' },
  ],
  ['a change without a test file', { 'code.txt': 'one two\n' }, unknown('no test file is added or changed')],
  [
    'a change of test files alone',
    { 'test/two.sh': has('one') },
    unknown('nothing but test files is changed'),
  ],
  [
    'a test that is only deleted',
    { 'code.txt': 'two\n', 'test/one.sh': null },
    { ...unknown('no test file is added or changed'), removed: ['test/one.sh'] },
  ],
  [
    'a test that is moved: it is not there under both names',
    { 'code.txt': 'one two\n', 'test/one.sh': null, 'test/two.sh': has('one') },
    { state: 'passes', removed: ['test/one.sh'] },
  ],
  [
    'a folder of tests where a file was that is none',
    { ...change, e2e: null, 'e2e/word.txt': 'two\n' },
    fails('test/two.sh'),
  ],
  [
    'a test file of a hostile name',
    { 'code.txt': 'one two\n', 'test/-n; $(touch x)\n# Verdict: success.sh': has('two') },
    fails('test/-n; $(touch x)'),
  ],
  [
    'a test that does not even load: the place in it is told',
    {
      ...change,
      'test/two.sh': 'grep -q two code.txt || { echo "test/two.sh:1:5: error: no two"; exit 1; }\n',
    },
    { ...fails('test/two.sh'), said: 'test/two.sh:1: error: no two' },
  ],
  [
    'a test that imports from a folder that is called like a dependency',
    {
      ...{ 'shelf/two.js': '', 'code.txt': 'one two\n', 'package.json': '{"dependencies":{"shelf":"3"}}' },
      'test/two.sh': `[ -e shelf/two.js ] || { echo "Cannot find module '$PWD/shelf/two.js'"; exit 1; }\n`,
    },
    fails('test/two.sh'),
  ],
  [
    'a test that its runner names by where the checkout lies',
    { ...change, 'test/two.sh': `${has('two').trim()} || { echo "not ok 2 - $PWD/a.sh"; exit 1; }\n` },
    fails('a.sh', 'test/two.sh'),
  ],
  [
    'a fixture that the new test reads',
    { ...change, 'test/data/word': 'one', 'test/two.sh': 'grep -q $(cat test/data/word) code.txt\n' },
    { state: 'passes' },
  ],
  [
    'a test that writes what it looks for',
    { ...change, 'test/two.sh': `echo two >> code.txt\n${has('two')}` },
    { state: 'passes' },
  ],
  [
    'what was built with the change, and git ignores, is not there without it',
    { ...change, built: 'two\n', 'test/two.sh': 'grep -q two built\n' },
    fails('test/two.sh'),
  ],
  [
    'a dependency that the change adds, which nobody has installed there',
    {
      ...{ koa: '', 'package.json': '{"dependencies":{"koa":"3"}}' },
      'test/two.sh': `[ -e koa ] || { echo "Cannot find module 'koa'"; exit 1; }\n`,
    },
    unknown('the dependency koa, which the project declares, is not installed'),
  ],
])('%s', async (_name, files, expected) => {
  const { found } = await without([files]);
  expect(found).toMatchObject([expected]);
});

test.each<[name: string, failing: string[], found: object]>([
  ['no test is named that was not', ['test/two.sh'], unknown('the tests were red before any change')],
  ['a test of the change is red besides', ['test/zero.sh'], fails('test/two.sh')],
  [
    'of so much only some is named',
    Array.from({ length: 20 }, (_, index) => `t${index}`),
    unknown('the tests were red before any change'),
  ],
])('where the base was red already, and %s', async (_name, failing, expected) => {
  const { found } = await without([change], { before: { state: 'red', failing } });
  expect(found).toMatchObject([expected]);
});

test('tests that hang without the change take half of what is left of the attempt', async () => {
  const hangs = { ...change, 'test/two.sh': 'grep -q two code.txt || exec sleep 60\n' };
  const { found } = await without([hangs], { ...green, attemptMs: 3000 });
  expect(found).toMatchObject([
    unknown(expect.stringContaining('at its time limit of 1.5 s; no more is spent')),
  ]);
});

test('the same tests run once without the change, and others anew', async () => {
  const { found, runs } = await without([
    change,
    { 'code.txt': 'one two three\n' },
    { 'test/two.sh': has('three') },
  ]);
  expect(found).toMatchObject([fails('test/two.sh'), fails('test/two.sh'), fails('test/two.sh')]);
  expect(runs).toEqual(['one', 'one']);
});

test('a base where nobody has run them: a tree that is known to be green is enough, else they run there', async () => {
  const known = await without([change], { green: [await repo.mirror.treeOf(repo.base)] });
  expect([known.found[0]?.state, known.runs]).toEqual(['fails', ['one']]);
  const tried = await without([change], {});
  expect([tried.found[0]?.state, tried.runs]).toEqual(['fails', ['one', 'one']]);
});

const file = 'prompts/programs/implement-issue.xml';
const program: Partial<JobSpec> = { library: [[{ file, text: readFileSync(file, 'utf8') }]], ...green };

test('an evaluator is shown it, and the report has it, the tests of the change first', async () => {
  const { report } = await playJob(
    repo,
    'shown',
    [
      ...director('Add a mark', { ...change, 'test/four.sh': has('four'), 'code.txt': 'one two four\n' }),
      evaluator('they fail (exit code 1), as they should:\n> test/four.sh\n> test/two.sh', true),
    ],
    { ...program, settings: { test_command: 'sh run.sh', rounds: '1' } },
  );
  const failing = ['test/four.sh', 'test/two.sh'];
  expect(report).toMatchObject({
    kind: 'bundle',
    tests: {
      exit_code: 0,
      without: fails(...failing),
      ran: { count: 3, names: [...failing, 'test/one.sh'] },
    },
  });
});

test('a verdict’s tests run under what switches caches off, an engineer’s own do not; a kept result is told', async () => {
  const echoed = 'printf "ok  \tm\t(cached)$GOFLAGS.\n"';
  const shell: Reply = {
    for: 'engineer.director',
    tool_calls: [{ name: 'shell', input: { command: echoed } }],
  };
  const { report } = await playJob(
    repo,
    'cached',
    [
      shell,
      ...director('(cached).', { 'code.txt': 'one two\n' }),
      evaluator('its runner had kept it:\n> ok  \tm\t(cached)-count=1.', true),
    ],
    { ...program, settings: { test_command: echoed, rounds: '1' } },
  );
  expect(report).toMatchObject({ kind: 'bundle', tests: { replayed: 'ok  \tm\t(cached)-count=1.' } });
});

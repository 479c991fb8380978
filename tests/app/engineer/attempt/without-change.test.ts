// Red before, green after: the tests of a change run once without the rest of it, and what that shows is reported.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JobSpec } from '../../../../src/app/engineer/jobs/job-spec.ts';
import { evidence } from '../../../../src/app/comments/evidence.ts';
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
/** Recorded output of runners without these changes; paths of the machine are cut. */
const recorded = (name: string) => readFileSync(join(import.meta.dirname, 'recorded', name), 'utf8');
const projects: Files = {
  // go test ./... of go 1.26: one file that does not compile keeps the tests of its package from running.
  'go.sh': `grep -q Double books.go && exit; [ -e double_test.go ] && cat build || cat run; exit 1\n`,
  ...{ build: recorded('go-test-build-failed.txt'), run: recorded('go-test.txt') },
  // python3 -m pytest of pytest 9.2, which goes on only when it is told so.
  'py.sh': `case "$PYTEST_ADDOPTS" in *--continue-on-collection-errors*-rfEp*) sed "s,/tree,$PWD," py;; esac; exit 1\n`,
  py: recorded('pytest.txt'),
  // The same of a test that waits for what never comes.
  'hang.sh': `grep -q end books.py && exit; [ ! -e tests/test_end.py ] || { cat hang; exec sleep 60; }\n`,
  hang: 'tests/test_add.py ..   [ 66%]\ntests/test_end.py ',
};
const base: Files = {
  ...projects,
  ...{ 'books.go': '', 'books_test.go': '', 'books.py': '', 'tests/test_add.py': '' },
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
  {
    attemptMs = 60_000,
    command = 'sh run.sh',
    ...more
  }: Partial<JobSpec> & { attemptMs?: number; command?: string } = green,
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
    const tested = { command: `cat code.txt >> ${log}; ${command}`, tree, took: 1 };
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
    { ...fails(), unloaded: ['test/two.sh:1: error: no two'] },
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

const said = (without: Without['found']) => evidence({ command: '', exit_code: 0, without });

test.each<[name: string, command: string, change: Files, sentence: string]>([
  [
    'a compiled language: the package is built again without the test files that do not compile',
    'sh go.sh',
    { 'books.go': 'Double', 'books_test.go': 'TestAdd', 'double_test.go': 'TestDouble' },
    '**Evidence**: test files that it adds or changes do not compile or load without the change (exit 1), so none of their tests ran there: `double_test.go:6: undefined: Double`. Of the others these fail there: `TestAdd`. With it they pass.',
  ],
  [
    'a compiled language, one new test file: nothing of it ran',
    'sh go.sh',
    { 'books.go': 'Double', 'double_test.go': 'TestDouble' },
    '**Evidence**: test files that it adds or changes do not compile or load without the change (exit 1), so none of their tests ran there: `double_test.go:6: undefined: Double`. No other test is named as failing there. With it they pass.',
  ],
  [
    'a collection error: the other files run',
    'sh py.sh',
    { 'books.py': 'double', 'tests/test_add.py': 'test_add', 'tests/test_double.py': 'test_double' },
    "**Evidence**: test files that it adds or changes do not compile or load without the change (exit 1), so none of their tests ran there: `tests/test_double.py: ImportError: cannot import name 'double' from 'books' (books.py)`. Of the others these fail there: `tests/test_add.py::test_add`. With it they pass.",
  ],
])('the story of %s', async (_name, command, files, sentence) => {
  const { found } = await without([files], { ...green, command });
  expect(said(found[0]!)).toBe(sentence);
});

const hanging = { 'books.py': 'end', 'tests/test_end.py': 'test_end' };
const hangs = { command: 'sh hang.sh', attemptMs: 3000 };

test('the story of tests that hang: they are stopped within half of what is left, and not run in the next round', async () => {
  const before = { ...green.before, ms: 1 };
  const { found, runs } = await without([hanging, { 'books.py': 'an end' }], { ...hangs, before });
  expect(said(found[1]!)).toMatch(
    /^\*\*Evidence\*\*: the tests that it adds or changes do not end without the change: they were stopped after 1\.\d s, after the line `tests\/test_end\.py`\. With it they pass in 0\.0 s\.$/,
  );
  expect(runs).toEqual(['one']);
});

test('tests that nobody has timed without any change run there as well, before they are said to hang', async () => {
  const ended = await without([hanging], { ...hangs, ...green });
  expect([ended.found[0]?.state, ended.runs]).toEqual(['hangs', ['one', 'one']]);
  const slow = await without([hanging], { ...green, command: 'sleep 60', attemptMs: 2000 });
  expect(slow.found).toMatchObject([unknown(expect.stringContaining('at its time limit of 1 s; no more'))]);
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
      evaluator('fail without the change (exit 1): `test/four.sh`, `test/two.sh`. With it they pass.', true),
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
      evaluator('the runner had kept it: `ok m (cached)-count=1.`', true),
    ],
    { ...program, settings: { test_command: echoed, rounds: '1' } },
  );
  expect(report).toMatchObject({ kind: 'bundle', tests: { replayed: 'ok  \tm\t(cached)-count=1.' } });
});

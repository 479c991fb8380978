// Results of test runs, by the output of real runners.
import { expect, test } from 'vitest';
import { testOutcome, testsPassingIn } from '../../../../src/app/engineer/jobs/test-outcome.ts';

const declared = (name: string) => ['express', 'pytest', 'left-pad'].includes(name);
const ended = (
  exit_code: number | null,
  log = '',
  more: { end?: string; timed_out?: boolean; refused?: string[] } = {},
) => testOutcome({ exit_code, stdout: log, stderr: '', timed_out: false, ...more }, declared);

const cannot = (why: string) => ({ state: 'cannot_run', why });

test.each([
  ['all is well', ended(0), { state: 'green' }],
  [
    'a shell that finds no program',
    ended(127, 'sh: 1: vitest: not found'),
    cannot('a program was not found (exit code 127)'),
  ],
  ['a file without its bit', ended(126), cannot('a file could not be executed (exit code 126)')],
  [
    'a time-out',
    ended(null, '', { timed_out: true, end: 'stopped after 61 s at its time limit of 60 s' }),
    cannot('it was stopped after 61 s at its time limit of 60 s'),
  ],
  [
    'a time-out that ends in a success',
    ended(0, '', { timed_out: true, end: 'stopped after 61 s at its time limit of 60 s' }),
    cannot('it was stopped after 61 s at its time limit of 60 s'),
  ],
  [
    'an end from outside',
    ended(null, '', { end: 'ended by SIGKILL from outside after 1 s' }),
    cannot('it was ended by SIGKILL from outside after 1 s'),
  ],
  [
    'a declared package that is not installed',
    ended(1, "Error: Cannot find module 'express'\n✖ serves (2ms)"),
    cannot('the dependency express, which the project declares, is not installed'),
  ],
  [
    'a declared package by one of its files',
    ended(1, "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'express' imported from /x/a.js"),
    cannot('the dependency express, which the project declares, is not installed'),
  ],
  [
    'the runner itself, by python -m',
    ended(1, '/usr/bin/python3: No module named pytest'),
    cannot('the dependency pytest, which the project declares, is not installed'),
  ],
  [
    'a package nobody declares: the work may be to add it',
    ended(1, "Cannot find module 'koa'"),
    { state: 'red', failing: [] },
  ],
  [
    'a file of the project that is not written yet',
    ended(1, "Cannot find module './express'"),
    { state: 'red', failing: [] },
  ],
  [
    'a download without a network',
    ended(1, 'go: example.com/x@v1.0.0: Get "https://proxy/x": dial tcp: lookup proxy: no such host'),
    cannot('it wanted the network, which `network` does not allow here'),
  ],
  [
    'a host that the proxy refused',
    ended(1, 'curl: (56) CONNECT tunnel failed, response 403', {
      refused: ['network refused for host a.example: add it to `network` to allow it'],
    }),
    cannot('network refused for host a.example: add it to `network` to allow it'),
  ],
  [
    'a client without a proxy',
    ended(1, 'psycopg2.OperationalError: Temporary failure in name resolution', { refused: [] }),
    cannot(
      'it wanted the network without a proxy: clients that do not read `HTTPS_PROXY` are not supported in the sandbox',
    ),
  ],
  [
    'tests that are red, of a runner whose news are refused',
    ended(1, 'assertion failed\n[sandbox] network refused for host a.example: add it', {
      refused: ['network refused for host a.example: add it'],
    }),
    { state: 'red', failing: [] },
  ],
  [
    'one test that wants the network: the others ran',
    ended(1, 'getaddrinfo EAI_AGAIN example.com\n✖ asks a server (8.1ms)\n✔ adds'),
    { state: 'red', failing: ['asks a server'] },
  ],
])('%s', (_name, outcome, expected) => {
  expect(outcome).toEqual(expected);
});

test.each([
  ['TAP', 'ok 1 - adds\nnot ok 2 - takes away # time=3ms\n    not ok 1 - nested', ['takes away', 'nested']],
  ['node', '✔ adds (0.4ms)\n✖ takes away (1.23ms)\n  ✖ nested', ['takes away', 'nested']],
  [
    'jest',
    ' FAIL  src/a.test.js\n  ● Sums › takes away\n\n    expect',
    ['src/a.test.js', 'Sums › takes away'],
  ],
  [
    'vitest',
    ' FAIL  tests/a.test.ts > sums > takes away\n   × nested 3ms',
    ['tests/a.test.ts > sums > takes away', 'nested'],
  ],
  [
    'pytest',
    'FAILED tests/test_a.py::test_b[1-2] - assert 1 == 2\nERROR tests/test_c.py::test_d\nERROR tests/test_e.py - ImportError',
    ['tests/test_a.py::test_b[1-2]', 'tests/test_c.py::test_d', 'tests/test_e.py'],
  ],
  ['unittest', 'FAIL: test_b (tests.A)\n----', ['test_b (tests.A)']],
  [
    'go',
    '=== RUN TestA\n--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/one (0.00s)\nFAIL\texample.com/x\t0.1s',
    ['TestA', 'TestA/one'],
  ],
  ['cargo', 'test a::b ... FAILED\ntest a::c ... ok', ['a::b']],
  ['surefire', '[ERROR]   SumTest.takesAway:12 expected: <1>', ['SumTest.takesAway']],
  ['RSpec', 'rspec ./spec/a_spec.rb:4 # Sum takes away', ['./spec/a_spec.rb:4']],
  ['ctest', '\t  3 - sums (Failed)', ['sums']],
  ['colours', '\x1b[31m✖ takes away\x1b[39m', ['takes away']],
  ['the same one twice', '✖ a\n✖ a', ['a']],
  [
    'one of each file first',
    'FAILED a.py::x\nFAILED a.py::y\nFAILED b.py::z',
    ['a.py::x', 'b.py::z', 'a.py::y'],
  ],
  [
    'one of each package first',
    '--- FAIL: TestA\n--- FAIL: TestB\nFAIL\tx/a\t0.1s\n--- FAIL: TestC\nFAIL\tx/c\t0.1s',
    ['TestA', 'TestC', 'TestB'],
  ],
  ['a program that only says so', 'something failed\nError: no', []],
])('names of failing tests: %s', (_name, log, names) => {
  expect(ended(1, log)).toEqual({ state: 'red', failing: names });
});

test('a log of thousands of failures names twenty, none of them long', () => {
  const log = Array.from({ length: 5000 }, (_, index) => `✖ ${'x'.repeat(500)}${index}`).join('\n');
  const many = `✖ first\n${log.replaceAll('x'.repeat(500), 'y')}\n✖ ${'z'.repeat(500)}`;
  expect(ended(1, many)).toMatchObject({ failing: { length: 20 } });
  expect(ended(1, `✖ ${'z'.repeat(500)}`)).toEqual({ state: 'red', failing: ['z'.repeat(160)] });
});

/** `count`: as the runner says it, else of the tests that it names; undefined where it names files or packages. */
test.each<[runner: string, log: string, names: string[], count: number | undefined]>([
  [
    'node',
    '✔ adds (1.3ms)\n﹣ later (0.1ms) # SKIP\n✔ some day (0.1ms) # TODO\n  ✔ inner one (0.2ms)\nℹ tests 5\nℹ pass 2',
    ['adds', 'inner one'],
    2,
  ],
  ['TAP', 'ok 1 - adds\nok 2 - later # SKIP\n    ok 1 - inner one\nnot ok 5 - bad', ['adds', 'inner one'], 2],
  ['vitest, by name', '\x1b[32m✓\x1b[39m a.test.ts > adds 2ms\n', ['a.test.ts > adds'], 1],
  [
    'vitest',
    ' ✓ a.test.ts (12 tests) 8ms\n ✓ b.test.ts (1 test) 5ms\n\n Test Files  2 passed (2)\n      Tests  1 skipped | 13 passed (14)',
    ['a.test.ts (12 tests)', 'b.test.ts (1 test)'],
    13,
  ],
  [
    'jest',
    'PASS src/a.test.js (2.1 s)\n  ✓ adds (2 ms)\nTests:       2 skipped, 1 passed, 3 total',
    ['adds'],
    1,
  ],
  ['jest -i', 'PASS src/a.test.js (2.1 s)\n', ['src/a.test.js'], undefined],
  ['mocha', '  ✔ adds\n\n  1 passing (8ms)', ['adds'], 1],
  ['pytest -v', 'a.py::T::test_x PASSED                 [ 50%]\nb.py::test_y FAILED', ['a.py::T::test_x'], 1],
  [
    'pytest -rp',
    'test_a.py ..F          [ 50%]\nPASSED test_a.py::test_x\nPASSED test_a.py::test_y\n=== 1 failed, 2 passed in 0.05s ===',
    ['test_a.py::test_x', 'test_a.py::test_y'],
    2,
  ],
  ['pytest', 'test_a.py ..          [ 50%]\ntest_b.py .F         [100%]', ['test_a.py'], undefined],
  ['pytest -q', '..            [100%]\n2 passed, 1 warning in 0.03s', [], 2],
  [
    'unittest',
    'test_x (test_a.T.test_x) ... ok\ntest_y (test_a.T.test_y) ... FAIL',
    ['test_x (test_a.T.test_x)'],
    1,
  ],
  [
    'go -v',
    '=== RUN   TestAdd\n    --- PASS: TestAdd/one (0.00s)\n--- PASS: TestAdd (0.00s)',
    ['TestAdd/one', 'TestAdd'],
    2,
  ],
  ['go', 'ok  \texample.com/m\t0.003s\nok  \texample.com/n\t(cached)\n', ['example.com/m'], undefined],
  [
    'cargo, whose binaries each count',
    'test tests::adds ... ok\ntest result: ok. 1 passed; 0 failed;\ntest a ... ok\ntest result: ok. 1 passed; 0 failed;',
    ['tests::adds', 'a'],
    2,
  ],
  [
    'surefire',
    '[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0, Time elapsed: 0.1 s -- in x.AddTest\n[INFO] Tests run: 3, Failures: 0, Errors: 0, Skipped: 0',
    ['x.AddTest'],
    3,
  ],
  ['gradle', 'AddTest > adds PASSED\nAddTest > takes FAILED', ['AddTest > adds'], 1],
  ['ctest', '1/2 Test #1: adds .............   Passed    0.01 sec', ['adds'], 1],
  ['nothing', 'all is well\n', [], undefined],
])('what %s names as passed', (_runner, log, names, count) => {
  expect(testsPassingIn(log)).toEqual({ ...(count && { count }), names });
});

test('of many tests that passed 20 are named, the wanted ones first', () => {
  const log = Array.from({ length: 50 }, (_, index) => `ok ${index} - t${index}`).join('\n');
  const { count, names } = testsPassingIn(log, ['t40', 'none', 't7']);
  expect([count, names.length, names.slice(0, 3)]).toEqual([50, 20, ['t40', 't7', 't0']]);
});

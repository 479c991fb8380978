// The lines of failures, by what runners and compilers really print.
import { expect, test } from 'vitest';
import { failurePlaces, fileNames } from '../../../../src/app/engineer/jobs/failure-places.ts';
import { expectLinear } from '../../../cpu-time.ts';

const files = [
  ...['a.test.js', 'src/a.ts', 'src/a.test.ts', 'src/lib.rs', 'tests/test_a.py', 'pkg/a.go', 'pkg/a_test.go'],
  ...['one/same.go', 'two/same.go', 'index.js'],
];
const places = (log: string, most = 50) =>
  failurePlaces(log, fileNames(files), most).map(({ path, line, said }) => `${path}:${line} ${said}`);

test.each([
  [
    'node:test, its own reporter',
    `✖ failing tests:

test at a.test.js:3:1
✖ adds (0.7ms)
  AssertionError [ERR_ASSERTION]: 1 !== 2
      at TestContext.<anonymous> (file:///x/jobs/0a/tree/a.test.js:4:10)
      at Test.run (node:internal/test_runner/test:1:2)`,
    ['a.test.js:4 AssertionError [ERR_ASSERTION]: 1 !== 2'],
  ],
  [
    'node:test, as TAP',
    `ok 1 - shelves
not ok 2 - adds
  ---
  duration_ms: 1.2
  location: '/x/jobs/0a/tree/a.test.js:3:1'
  failureType: 'testCodeFailure'`,
    ['a.test.js:3 not ok 2 - adds'],
  ],
  [
    'vitest',
    ` FAIL  src/a.test.ts > adds
AssertionError: expected 1 to be 2 // Object.is equality
 \u276f add src/a.ts:2:9
 \u276f src/a.test.ts:5:13
      3| test('adds', () => {`,
    ['src/a.ts:2 AssertionError: expected 1 to be 2 // Object.is equality'],
  ],
  [
    'jest, in colours',
    `\u001b[1m  \u25cf adds\u001b[22m

    expect(received).toBe(expected)
      at Object.toBe (src/a.test.ts:3:15)
      at new Promise (<anonymous>)`,
    ['src/a.test.ts:3 \u25cf adds'],
  ],
  [
    'pytest',
    `    def test_a():
>       assert 1 == 2
E       assert 1 == 2

tests/test_a.py:7: AssertionError
FAILED tests/test_a.py::test_a - assert 1 == 2`,
    ['tests/test_a.py:7 AssertionError'],
  ],
  [
    'unittest',
    `FAIL: test_a (test_a.Sums.test_a)
Traceback (most recent call last):
  File "/x/jobs/0a/tree/tests/test_a.py", line 12, in test_a
    self.assertEqual(1, 2)
  File "/usr/lib/python3/unittest/case.py", line 1, in assertEqual
AssertionError: 1 != 2`,
    ['tests/test_a.py:12 FAIL: test_a (test_a.Sums.test_a)'],
  ],
  [
    'go test, which names no folder, and go vet',
    `--- FAIL: TestAdd (0.00s)
    a_test.go:12: got 1, want 2
./a.go:3:5: undefined: x`,
    ['pkg/a_test.go:12 got 1, want 2', 'pkg/a.go:3 undefined: x'],
  ],
  [
    'cargo test',
    `thread 'tests::adds' panicked at src/lib.rs:10:5:
assertion failed: 1 == 2`,
    ["src/lib.rs:10 thread 'tests::adds' panicked at"],
  ],
  [
    'rustc',
    `error[E0308]: mismatched types
 --> src/lib.rs:2:5
  |`,
    ['src/lib.rs:2 error[E0308]: mismatched types'],
  ],
  [
    'tsc, plain and pretty',
    `src/a.ts(3,5): error TS2322: Type 'string' is no number.
src/a.test.ts:4:7 - error TS2304: Cannot find name 'x'.`,
    [
      "src/a.ts:3 error TS2322: Type 'string' is no number.",
      "src/a.test.ts:4 error TS2304: Cannot find name 'x'.",
    ],
  ],
])('%s', (_runner, log, expected) => {
  expect(places(log)).toEqual(expected);
});

test.each([
  ['a file that is not of the tree', 'src/gone.ts(3,5): error TS1: x'],
  ['a path out of the tree', '../src/a.ts(3,5): error TS1: x'],
  ['a package', 'node_modules/b/index.js(3,5): error TS1: x'],
  ['an absolute path beside the checkout', '/usr/lib/index.js(3,5): error TS1: x'],
  ['a name that several files have', './same.go:3:5: undefined: x'],
  ['no line', 'src/a.ts(0,5): error TS1: x'],
  ['a line beyond all files', 'src/a.ts(99999999999,5): error TS1: x'],
  ['a word of an object', 'constructor(3,5): error TS1: x'],
  ['a log line', 'listening on src/a.ts:3:5'],
  ['frames without a failure before them, but the first', `    at a (node:x:1:1)\n${'x'.repeat(2000)}`],
])('%s is no place', (_what, log) => {
  expect(places(log)).toEqual([]);
});

test('a line that is too long hides none behind it', () => {
  expect(places(`${'x'.repeat(2000)}\nsrc/a.ts(3,5): error TS1: x`)).toHaveLength(1);
});

test('a place is named once, and there are no more than was asked for', () => {
  const log = Array.from({ length: 90 }, (_, at) => `src/a.ts(${1 + (at % 60)},5): error TS1: x`).join('\n');
  expect(places(log)).toHaveLength(50);
  expect(places(log, 100)).toHaveLength(60);
});

test.each([
  ['brackets', 'at ', '(', ''],
  ['a path', 'at ', 'a/', ':1:1'],
  ['quotes', 'thread ', "panicked at '", ''],
])('lines of %s take a time that grows with them', (_of, before, unit, after) => {
  const line = (size: number) => before + unit.repeat(size / unit.length) + after;
  expectLinear(places, size => Array(100).fill(line(size)).join('\n'), 980);
});

// The pull request's words about what a change's tests show.
import { expect, test } from 'vitest';
import { evidence, testsThatRan, type TestsShown } from '../../../src/app/comments/evidence.ts';

const said = (more: Partial<TestsShown>) => evidence({ command: 'npm test', exit_code: 0, ...more });

const fails = { state: 'fails' as const, exit_code: 1 };
test.each<[name: string, more: Partial<TestsShown>, text: string]>([
  ['nobody has looked', {}, ''],
  [
    'red by name',
    { without: { ...fails, failing: ['adds', 'takes'], said: '' } },
    '**Evidence**: the tests that it adds or changes fail without the change (exit 1): `adds`, `takes`. With it they pass.',
  ],
  [
    'red, and no test is named',
    { without: { ...fails, failing: [], said: 'a_test.go:3: undefined: Add' } },
    '**Evidence**: the tests that it adds or changes fail without the change (exit 1): `a_test.go:3: undefined: Add`. With it they pass.',
  ],
  [
    'green without it',
    { without: { state: 'passes' } },
    '**Evidence**: the tests that it adds or changes pass without the change as well, so they show nothing of it.',
  ],
  [
    'nothing to be told',
    { without: { state: 'unknown', why: 'no test file is added or changed' }, removed: ['test/a.js'] },
    '**Evidence**: whether its tests fail without the change is not known: no test file is added or changed. Test files that are there no more: `test/a.js`.',
  ],
  [
    'a kept result',
    { replayed: 'ok m (cached)' },
    '**Evidence**: A result was not made anew, the runner had kept it: `ok m (cached)`.',
  ],
])('%s', (_name, more, text) => {
  expect(said(more)).toBe(text);
});

test.each([
  [{ count: 3, names: ['adds'] }, '<details><summary>3 tests passed</summary>\n\n- adds\n\n</details>'],
  [{ names: ['a.test.js'] }, '<details><summary>Named as passed</summary>\n\n- a.test.js\n\n</details>'],
  [{ count: 1, names: [] }, '1 test passed.'],
])('tests that passed: %j', (ran, text) => {
  expect(testsThatRan({ command: 'npm test', exit_code: 0, ran })).toBe(text);
});

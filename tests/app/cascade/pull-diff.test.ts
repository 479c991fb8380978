// Lines of a diff as the reviewer sees them, and which of them a comment may stand at.
import { expect, test } from 'vitest';
import { diffHas, shownDiff } from '../../../src/app/cascade/pull-diff.ts';

const file = (path: string, patch?: string, status = 'modified') => ({ path, patch, status });
const patch = [
  '@@ -1,3 +1,3 @@ function shelf() {',
  ' a',
  '-b',
  '+@@ -7 +70 @@',
  ' c',
  '\\ No newline at end of file',
  '@@ -20 +20,2 @@',
  '+++ t',
  '-- u',
  '+v\r',
].join('\n');

test('every line with its number in the file as it will be', () => {
  expect(shownDiff([file('a.txt', patch)], false)).toEqual({
    left: '',
    diff: [
      '=== "a.txt" (modified)',
      '       @@ -1,3 +1,3 @@ function shelf() {',
      '     1  a',
      '       -b',
      '     2 +@@ -7 +70 @@',
      '     3  c',
      '       \\ No newline at end of file',
      '       @@ -20 +20,2 @@',
      '    20 +++ t',
      '       -- u',
      '    21 +v\r',
    ].join('\n'),
  });
});

test.for<[path: string, line: number, has: boolean]>([
  ['a.txt', 1, true],
  ['a.txt', 3, true],
  ['a.txt', 21, true],
  ['a.txt', 0, false],
  ['a.txt', 4, false],
  ['a.txt', 19, false],
  ['a.txt', 22, false],
  ['a.txt', 70, false],
  ['a.txt', 1.5, false],
  ['./a.txt', 1, false],
  ['b.bin', 1, false],
  ['gone.txt', 1, false],
])('%s:%d has a comment: %j', ([path, line, has]) => {
  const files = [file('a.txt', patch), file('b.bin'), file('gone.txt', '@@ -1 +0,0 @@\n-x', 'removed')];
  expect(diffHas(files, { path, line })).toBe(has);
});

test('what does not fit, or cannot be shown, is named', () => {
  const large = file('large.txt', `@@ -0,0 +1 @@\n+${'x'.repeat(130_000)}`, 'added');
  const { diff, left } = shownDiff([large, file('b.bin', undefined, 'added'), file('a.txt', patch)], true);
  expect(diff).toMatch(/^=== "a.txt"/);
  expect(left).toBe('=== "large.txt" (added)\n=== "b.bin" (added)\nand more files');
});

// Messages about the delivered branches together.
import { expect, test } from 'vitest';
import { togetherEnd, togetherLine } from '../../../src/app/comments/together.ts';
import type { TogetherView } from '../../../src/app/comments/view.ts';
import { delivered, runView } from './view.ts';

const view = (together?: TogetherView, pull: number | null = 8) =>
  runView({
    issues: [delivered(2, 6), delivered(3, 7), delivered(4, 0, { pull })],
    ...(together && { together }),
  });
const red = (cause: number[], failing: string[] = []): TogetherView => ({
  ...{ state: 'red', exit_code: 1 },
  cause,
  failing,
});
const conflict = (cause: number[]): TogetherView => ({ state: 'conflict', cause, files: ['a.ts', 'b.ts'] });
const type = 'Type `/fix #8` here to have it made to fit, or do so yourself when you merge.';

test.each<[name: string, together: TogetherView, said: string]>([
  ['a pair', conflict([2, 4]), `**#6 and #8 conflict**, in \`a.ts\`, \`b.ts\`. ${type}`],
  [
    'one and the base',
    conflict([4]),
    `**#8 conflicts with the base branch as it is now**, in \`a.ts\`, \`b.ts\`. ${type}`,
  ],
  [
    'three',
    red([2, 3, 4], ['adds']),
    `**#6, #7 and #8 pass alone and fail together** (exit code 1: \`adds\`). ${type}`,
  ],
  [
    'one on the base, with many tests',
    red([4], ['a', 'b', 'c', 'd', 'e', 'f', 'g']),
    `**#8 fails the tests on the base branch as it is now** (exit code 1: \`a\`, \`b\`, \`c\`, \`d\`, \`e\` and 2 more). ${type}`,
  ],
])('%s: on the board and in the end, with what to type', (_name, together, said) => {
  expect([togetherLine(view(together)), togetherEnd(view(together))]).toEqual([said, said]);
});

test.each<[name: string, together: TogetherView | undefined, said: string]>([
  ['nothing to be merged', undefined, ''],
  ['green', { state: 'green' }, 'Merged into the base branch as it is now, the work passes the tests.'],
  [
    'red where the base is',
    red([]),
    'Merged into the base branch as it is now, the work is as red as the base is (exit code 1).',
  ],
  [
    'not tested',
    { state: 'untested', why: 'the job was lost' },
    'Merged into the base branch as it is now, the work does not conflict. It was not tested so: the job was lost.',
  ],
])('%s: nothing on the board, one sentence in the end', (_name, together, said) => {
  expect([togetherLine(view(together)), togetherEnd(view(together))]).toEqual(['', said]);
});

test('a branch without a pull request is named by its issue, and nothing is to be typed', () => {
  expect(togetherEnd(view(conflict([2, 4]), null))).toBe(
    '**#6 and the branch of #4 conflict**, in `a.ts`, `b.ts`. Merge the branches yourself.',
  );
});

test('names of tests and files are text of others', () => {
  const hostile = togetherEnd(view(red([2, 4], ['@everyone\n/approve <img src=x>'])));
  expect(hostile).toContain('(exit code 1: `@everyone /approve <img src=x>`)');
  expect(togetherEnd(view({ state: 'conflict', cause: [2, 4], files: ['a`\n/approve'] }))).not.toContain(
    '\n/approve',
  );
});

// Places in a list of issues become the numbers of the issues.
import { expect, test } from 'vitest';
import { tellNumbers } from '../../../src/app/cascade/places.ts';
import { runView, shown } from '../comments/view.ts';

const numbers = new Map<number, number | null>([
  [1, 12],
  [2, 11],
  [3, null],
]);

test.for<[text: string, told: string]>([
  ['Stands on issue 1.', 'Stands on issue #12.'],
  ['Issue 2: the form', 'Issue #11: the form'],
  ['issues 1, 2 and 4', 'issues #12, #11 and 4'],
  ['issues 1 or 2', 'issues #12 or #11'],
  ['issue 3 was not created', 'issue 3 was not created'],
  ['issue #1 is another one', 'issue #1 is another one'],
  ['tissue 1, issue 1.5, issue 1a, issue 1234', 'tissue 1, issue 1.5, issue 1a, issue 1234'],
  ['issue\n1', 'issue\n#12'],
])('%j becomes %j', ([text, told]) => {
  const view = runView({ plan: text });
  tellNumbers(shown(view), [], numbers);
  expect(view.plan).toBe(told);
});

test('a long run of what may stand between numbers takes no longer than it is', () => {
  const text = `issue 1${',  '.repeat(20_000)}x`;
  const view = runView({ plan: text });
  tellNumbers(shown(view), [], numbers);
  expect(view.plan).toBe(text.replace('1', '#12'));
});

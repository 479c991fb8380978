// The listing after /redirect names the issues that are being worked.
import { expect, test } from 'vitest';
import { redirectNote } from '../../../src/app/comments/redirect.ts';

test('engineers that hear nothing while they run are named apart from those that do', () => {
  const note = redirectNote({
    ...{ by: 'mia', withdrawn: [], before: [], titles: [] },
    told: [2],
    untold: [3, 4],
  });
  expect(note.split('\n').slice(-2)).toEqual([
    '- Being worked on, and told before the next step: #2',
    '- Being worked on, and told only in a next attempt: #3, #4',
  ]);
});

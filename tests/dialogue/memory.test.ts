// Files that layers and engineers see without looking: those that the repository's memory finds for them.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { director, engineeringLead, evaluator, issues, strategist, teamLead, work } from './script.ts';

const shelf = '# How books are sorted\n\nBy the colour of their spines.\n';
const sees = 'By the colour of their spines.';

test('layers and engineers see the files of a repository that is small, without a call for them', async () => {
  await using d = await openDialogue({
    files: { 'docs/sorting.md': shelf },
    replies: [
      { ...strategist('As directed.'), when: sees },
      { ...engineeringLead('Nothing to add.'), when: sees },
      { ...teamLead('One issue.', issues({ title: 'Sort them' }), work), when: sees },
      ...director(sees, { 'sorted.txt': 'x\n' }),
      evaluator('Sort them', true),
    ],
  });
  await d.label();
  await d.comment('you', '/approve');
  await d.ended();
  expect((await d.board()).body).toMatch(/\| delivered \|/);
});

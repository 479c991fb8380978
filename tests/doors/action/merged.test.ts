// `create_pr: false` by the workflow: the job that may write to the repository merges.
import { expect, test } from 'vitest';
import { openOneIssue } from './one-issue.ts';

test('finished work is merged into the base branch, and its issue is closed', async () => {
  await using local = await openOneIssue({
    '.github/echelon.yml': 'approval: none\nretries: 0\ncreate_pr: false\n',
  });
  const directive = await local.directive();
  expect(await local.call('GET', '/commits/main')).toMatchObject({
    commit: { message: `Merge #${directive + 1}: Add a mark` },
  });
  expect(await local.call('GET', `/issues/${directive + 1}`)).toMatchObject({ state: 'closed' });
}, 300_000);

// A run's writes to GitHub until its listing is performed: 12, and two per issue (`npm run bench -- cascade`).
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { toWork } from './script.ts';

const titles = ['Dust it', 'Sort it', 'Count it'];

test('from the label to the listing performed the record is written 10 times, and nothing is said in vain', async () => {
  await using d = await openDialogue({
    replies: [
      ...toWork(...titles.map(title => ({ title, domain: 'backend' }))),
      // An engineer's result would be written, too: no engineer finishes here.
      { for: 'engineer.director', tool_calls: [{ name: 'shell', input: { command: 'sleep 600' } }] },
    ],
  });
  await d.label();
  await d.comment('you', '/approve');
  await d.until('work begins', () => d.events.some(event => event.type === 'slot_changed'));
  // One of them while the layers wait for the tests at the base.
  expect(d.events.filter(({ type }) => type === 'state_saved')).toHaveLength(10);
  const board = (await d.board()).id;
  const others = d.forge.calls.filter(
    ({ kind, actor, path }) =>
      kind === 'write' && actor === 'echelon[bot]' && !path.endsWith(`/comments/${board}`),
  );
  expect(others.map(({ route }) => route.replace('/repos/{owner}/{repo}/issues', ''))).toEqual([
    'POST /{issue_number}/comments',
    'POST /{issue_number}/comments',
    'POST /comments/{comment_id}/reactions',
    'POST /comments/{comment_id}/reactions',
    ...titles.flatMap(() => ['POST ', 'POST /{issue_number}/sub_issues']),
  ]);
});

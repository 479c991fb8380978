// A file that one layer opened stands in what the next ones are told, as it is at the commit of the run.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { engineeringLead, strategist, teamLead } from './script.ts';

const shelf = Array.from({ length: 40 }, (_, index) => `book ${index + 1}\n`).join('');
const opens = (input: Record<string, string | number>) => [{ name: 'read_file', input }];

test('the next layers get its lines, those after a question and another process too, and the text of the run’s own commit', async () => {
  await using d = await openDialogue({
    files: { 'shelf.txt': shelf },
    replies: [
      { for: '2ic', tool_calls: opens({ path: 'shelf.txt', offset: 7, limit: 2 }) },
      strategist('As directed.'),
      {
        for: 'eng-lead',
        when: '> 7\tbook 7\n> 8\tbook 8',
        tool_calls: opens({ path: 'shelf.txt', offset: 9, limit: 1 }),
      },
      {
        ...engineeringLead('One thing.', { action: 'request_info', target: 'ceo', question: 'Which?' }),
        when: '9\tbook 9',
      },
      engineeringLead('Nothing to add.'),
      { ...teamLead('Nothing to do.'), when: '> 7\tbook 7\n> 8\tbook 8\n> 9\tbook 9\n> [lines 7 to 9 of 40' },
    ],
  });
  await d.label();
  await d.putFile('shelf.txt', 'empty\n');
  await d.restart();
  await d.comment('wanda', '/answer Q1 all of them');
  expect(await d.status()).toBe('failed');
  expect(await d.last()).toContain('No issue was worked on.');
});

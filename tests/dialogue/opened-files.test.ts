// A file that one layer opened is named to the next ones, those after a question and another process too.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { engineeringLead, strategist, teamLead } from './script.ts';

const opens = (path: string) => [{ name: 'read_file', input: { path } }];

test('the next layers are told its name, and nothing of its text', async () => {
  await using d = await openDialogue({
    files: { 'shelf.txt': 'book 1\n', 'lamp.txt': 'oil\n' },
    replies: [
      { for: '2ic', tool_calls: opens('shelf.txt') },
      strategist('As directed.'),
      { for: 'eng-lead', when: '(data)\n> shelf.txt', tool_calls: opens('lamp.txt') },
      engineeringLead('One thing.', { action: 'request_info', target: 'ceo', question: 'Which?' }),
      engineeringLead('Nothing to add.'),
      { ...teamLead('Nothing to do.'), when: '\n> lamp.txt' },
    ],
  });
  await d.label();
  await d.restart();
  await d.comment('wanda', '/answer Q1 all of them');
  expect(await d.status()).toBe('failed');
  expect(await d.last()).toContain('No issue was worked on.');
});

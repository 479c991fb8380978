// An App that may not show checks: what is delivered is delivered, and that is said once.
import { expect, test } from 'vitest';
import { forbidden } from '../../src/forge/errors.ts';
import { openDialogue } from './fixture.ts';
import { director, evaluator, issues, quietLeads, teamLead, work } from './script.ts';

test('where GitHub refuses a check the next issue is delivered without a try, and the board says it once', async () => {
  let asked = 0;
  await using d = await openDialogue({
    config: 'approval: none\nmax_parallel: 1\n',
    replies: [
      ...quietLeads,
      teamLead('To work.', issues({ title: 'Add a mark' }, { title: 'Add a label' }), work),
      ...['mark', 'label'].flatMap(name => [
        ...director(`Title: "Add a ${name}"`, { [`${name}.txt`]: 'a\n' }),
        evaluator(`Add a ${name}`, true),
      ]),
    ],
    onCall({ route }, phase) {
      if (phase !== 'received' || !route.endsWith('/check-runs') || !route.startsWith('POST')) return;
      asked += 1;
      throw forbidden('Resource not accessible by integration');
    },
  });
  await d.label();
  await d.ended();
  expect(await d.status()).toBe('completed');
  expect(await d.call('you', 'GET', '/pulls')).toHaveLength(2);
  expect(asked).toBe(1);
  const { body } = await d.board();
  expect(body.match(/Branches get no check .*permission Checks/g)).toHaveLength(1);
});

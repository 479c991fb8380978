// A run as the pages of the local forge show it: read from its record and from what its jobs left, by another process too.
import { expect, test } from 'vitest';
import { issueRuns } from '../../src/doors/cli/issue-runs/issue-runs.ts';
import { openDialogue } from './fixture.ts';
import { director, evaluator, passes, toWork } from './script.ts';

test('one issue waits for another: who did what when, and what was said in a job', async () => {
  const secret = 'hunter2-hunter2-hunter2';
  await using d = await openDialogue({
    config: 'approval: none\n',
    secrets: [secret],
    replies: [
      ...toWork({ title: 'Add a mark' }, { title: 'Second step', depends_on: [1] }),
      ...director('The body of Add a mark', { 'test.sh': 'exit 3\n' }, `Not yet ${secret}.`),
      evaluator('The body of Add a mark', false, 'The tests are red.'),
      ...passes('The body of Add a mark', { 'test.sh': 'true\n' }, 'The mark is there.'),
      ...passes('Second step', { 'use.txt': 'A2\n' }, 'It is used.'),
    ],
  });
  const runs = issueRuns(
    () => d.local.installations.repositories(),
    () => d.forge.changes(),
  );
  expect(await runs.run('you/shelf', d.issue)).toBe(undefined);
  await d.run();
  await d.settled();
  const { body } = await d.board();
  expect(runs.isShownIn(body)).toBe(true);
  expect(runs.isShownIn(body.split('<!--')[0] ?? '')).toBe(false);

  // From the record and the folders alone.
  await d.restart();
  const run = await runs.run('You/Shelf', d.issue);
  expect(run).toMatchObject({
    ...{ title: 'Tidy the shelf', state: 'completed', tone: 'done', goesOn: false, eventsBefore: 0 },
    figures: expect.arrayContaining([
      ['Cost', expect.stringMatching(/^\$0.00 spent, limit \$50.00, estimated /)],
    ]),
    headline: 'Done: review and merge 2 pull requests, #4 first',
  });
  expect(run?.graph).toMatch(/^graph LR\n.*i2 --> i3\n/s);
  const [first, second] = run?.lanes.filter(({ issue }) => issue !== undefined) ?? [];
  const doing = [...new Set(first?.bars.map(each => each.doing))];
  expect(doing.sort()).toEqual(['delivers', 'judges', 'tests', 'works']);
  expect(first?.tries).toMatchObject([
    {
      what: 'attempt 1',
      rounds: ['1: tests red, not accepted', '2: tests green, accepted'],
      came: 'pull request #4 is open',
    },
  ]);
  const [waits, works] = second?.bars ?? [];
  expect(waits).toMatchObject({ doing: 'waits', says: 'waits for #2, on which it depends' });
  expect(works).toMatchObject({ doing: 'works', says: 'attempt 1', from: waits?.to });
  expect(waits?.to).toBeGreaterThan(first?.tries[0]?.to ?? Number.POSITIVE_INFINITY);
  expect(second?.tries).toMatchObject([{ waitedFor: 'waits for #2, on which it depends' }]);
  const told = run?.events.map(({ subject, text }) => `${subject}: ${text}`);
  expect(told).toContain('#3 slot: waits for #2, on which it depends');
  expect(told?.at(-1)).toBe('run: completed');

  const op = first?.tries[0]?.job ?? '';
  const job = await runs.job('you/shelf', d.issue, op);
  expect(job).toMatchObject({ name: '#2, attempt 1', goesOn: false });
  expect(job?.said.map(({ by, kind }) => `${by}: ${kind}`)).toEqual([
    'director 1: words',
    'script 1, exited 3: output',
    'evaluator 1: words',
    'director 2: words',
    'script 2, exited 0: output',
    'evaluator 2: words',
  ]);
  expect(job?.said[0]?.text).toBe('Not yet ***.');
  expect(job?.log).toContain('round 2: accepted');
  expect(job?.patch).toContain('+true');
  expect(job?.said[2]?.text).toContain('- **feedback**: The tests are red.');
  const planned = await runs.job('you/shelf', d.issue, 'team-lead');
  expect(planned).toMatchObject({ name: 'Team lead', said: [{ by: 'turn 1', kind: 'words' }] });
  expect(planned?.said[0]?.text).toMatch(/^To work\./);
  expect(await runs.job('you/shelf', d.issue, 'ffff')).toBe(undefined);
  expect(await runs.run('you/other', d.issue)).toBe(undefined);
});

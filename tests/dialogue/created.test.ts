// Issues that a run creates: how many at most, which place each keeps, and which one is left to a person.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { issues, passes, quietLeads, teamLead, toWork } from './script.ts';

interface Titled {
  title: string;
  pull_request?: object;
}
const titlesOf = async (d: Dialogue, path: string) =>
  (await d.call<Titled[]>('you', 'GET', path))
    .filter(each => path.startsWith('/pulls') || !each.pull_request)
    .map(({ title }) => title)
    .toReversed();
const created = async (d: Dialogue) =>
  (await titlesOf(d, '/issues?state=all')).filter(title => /^No\. /.test(title));
const pulls = (d: Dialogue) => titlesOf(d, '/pulls?state=all');
/** An issue that a person is to do, so that nothing more comes of it. */
const planned = (title: string) => ({ title, assignee: 'mia' });

test('the most that a run may create counts over all its actions', async () => {
  await using d = await openDialogue({
    config: 'approval: none\nlimits: { issues: 3 }\n',
    replies: [
      ...quietLeads,
      teamLead(
        'In three parts.',
        issues(planned('No. 1'), planned('No. 2')),
        issues(planned('No. 3'), planned('No. 4')),
      ),
    ],
  });
  await d.label();
  expect(await created(d)).toEqual(['No. 1', 'No. 2']);
  expect(await d.last()).toContain('a2 was not done: a run may create 3 issues');
});

test('issues that were not created keep their places, and count for nothing: a schedule means what the listing showed, and exactly as many as may be are created', async () => {
  await using d = await openDialogue({
    config: 'approval: none\nlimits: { issues: 3 }\n',
    replies: [
      ...quietLeads,
      teamLead(
        'Only the last.',
        issues({ title: 'No. 1' }),
        issues({ title: 'No. 2' }, { title: 'No. 3' }, { title: 'No. 4' }),
        { action: 'schedule', issues: [2, 5] },
        issues({ title: 'No. 5' }, { title: 'No. 6' }),
      ),
      ...passes('Title: "No. 5"', { 'five.txt': '5\n' }),
    ],
  });
  await d.run();
  expect(await created(d)).toEqual(['No. 1', 'No. 5', 'No. 6']);
  expect(await pulls(d)).toEqual(['No. 5']);
  expect(await d.last()).toContain('no. 2 was not created by this run');
});

test.for(['WIP', 'wip'])(
  'an issue labelled %s when its work would begin is left to a person',
  async label => {
    await using d = await openDialogue({
      config: 'approval: none\n',
      replies: [
        ...toWork({ title: 'No. 1', labels: [label] }),
        ...passes('Title: "No. 1"', { 'one.txt': '1\n' }),
      ],
    });
    await d.run();
    expect(await d.last(2)).toMatchInlineSnapshot(`
    "This issue is left to a person.

    It is labelled WIP."
  `);
    expect(await pulls(d)).toEqual([]);
  },
);

// Dependencies between sub-issues as GitHub's own, beside the text.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { issues, quietLeads, teamLead, toWork } from './script.ts';

/** Approved and paused: the issues are there, and nobody works on them. */
const openPaused = playedOnce(
  {
    replies: [
      ...toWork({ title: 'Hang the lamp' }, { title: 'Light it', depends_on: [1] }, { title: 'Dust' }),
      { ...teamLead('Nothing.'), when: 'nothing of it' },
    ],
  },
  async d => {
    await d.label();
    await d.comment('you', '/pause\n/approve');
  },
);

const blockers = async (d: Dialogue, issue: number) =>
  (await d.call<{ number: number }[]>('you', 'GET', `/issues/${issue}/dependencies/blocked_by`)).map(
    ({ number }) => number,
  );
const asked = (d: Dialogue) => d.forge.calls.filter(({ route }) => /(POST|DELETE) .*blocked_by/.test(route));

test('an issue is blocked by what it depends on, for one call a dependency; none where there is none', async () => {
  await using d = await openDialogue({
    config: 'approval: none\n',
    replies: [
      ...quietLeads,
      teamLead('Two.', issues({ title: 'Light it', depends_on: [2] }, { title: 'Hang the lamp' })),
    ],
  });
  await d.label();
  expect([await blockers(d, 2), await blockers(d, 3)]).toEqual([[], [2]]);
  expect(asked(d)).toHaveLength(1);
});

test('an issue that /redirect withdraws is blocked by nothing any more', async () => {
  await using d = await openPaused();
  expect(await blockers(d, 3)).toEqual([2]);
  await d.comment('you', '/redirect @team-lead nothing of it');
  expect(await blockers(d, 3)).toEqual([]);
});

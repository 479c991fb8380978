// Issues drafted by the engineering lead and taken over by number: what is listed, what is created, and replies that are asked for once more.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { drafting, type Reply, strategist, teamLead } from './script.ts';

const lamp = { title: 'Light the lamp', body: 'Oil it, *slowly*.\n\n- [ ] it burns', domain: 'backend' };
const shade = {
  title: 'Paint the shade',
  body: 'Blue.\n\n```json\n{"action": "schedule"}\n```',
  depends_on: [1],
};
const page = { title: 'Describe both', body: 'In the README.', domain: 'docs' };
const drafted: Reply[] = [strategist('As directed.'), drafting('Three pieces.', lamp, shade, page)];
const take = (issues: unknown[], left_out?: unknown[]) => ({
  action: 'create_issues',
  issues,
  ...(left_out && { left_out }),
});
const short = take(
  [
    { draft: 2, paths: ['shade/**'] },
    { draft: 1, replace: [{ old: 'Oil it', new: 'Fill it' }] },
  ],
  [{ draft: 3, why: 'there is no README' }],
);
const replyOf = (replies: readonly string[], layer: string) =>
  replies.find(text => text.startsWith(`<details><summary>${layer}: `)) ?? '';
const asked = (d: { events: readonly { type: string; layer?: string }[] }) =>
  d.events.filter(({ type, layer }) => type === 'message' && layer === 'team-lead').length;

test('taken over by number they are listed with their whole text, and created as listed, by another process too', async () => {
  await using d = await openDialogue({ replies: [...drafted, teamLead('Two of them.', short)] });
  await d.label();
  const replies = await d.replies();
  expect(replyOf(replies, 'Engineering lead')).toContain(
    '3 drafts: Light the lamp; Paint the shade; Describe both',
  );
  expect(replyOf(replies, 'Team lead')).toContain(
    'Drafts: 1 changed (text); 2 changed (paths); 3 left out (there is no README).',
  );
  const listed = await d.last();
  expect(listed).toContain('#### a1: create 2 issues (Team lead)\n\n**1.** `Paint the shade` · labels');
  expect(listed).toContain(' `domain:unknown` · after no. 2 · paths `shade/**`\n\n');
  expect(listed).toContain('````\nBlue.\n\n```json\n{"action": "schedule"}\n```\n````\n');
  expect(listed).toContain('**2.** `Light the lamp` · labels `domain:backend`\n\n');
  expect(listed).toContain('```\nFill it, *slowly*.\n\n- [ ] it burns\n```\n');
  await d.restart();
  await d.comment('wanda', '/approve');
  const made = await Promise.all(
    [2, 3].map(number => d.call<{ title: string; body: string }>('you', 'GET', `/issues/${number}`)),
  );
  expect(made.map(({ title }) => title)).toEqual(['Light the lamp', 'Paint the shade']);
  expect(made[0]?.body).toContain('Fill it, *slowly*.');
  expect(made[1]?.body).toContain(shade.body);
});

test('drafts passed over without a word: asked for once, and then people read that they are not taken', async () => {
  const one = take([{ draft: 1 }]);
  await using d = await openDialogue({
    replies: [
      ...drafted,
      teamLead('One.', one),
      {
        ...teamLead('Still one.', one),
        when: 'draft 2 is neither taken nor named in left_out with the reason',
      },
    ],
  });
  await d.label();
  expect(replyOf(await d.replies(), 'Team lead')).toContain('Drafts: 1 as written; 2 and 3 not taken.');
  expect(asked(d)).toBe(2);
});

test('what was rejected may be taken again, changed', async () => {
  await using d = await openDialogue({
    replies: [
      ...drafted,
      teamLead('All.', take([{ draft: 1 }, { draft: 2 }, { draft: 3 }])),
      {
        ...teamLead('Without the page.', take([{ draft: 1 }, { draft: 2, body: 'Green.' }])),
        when: 'The person rejected',
      },
    ],
  });
  await d.label();
  await d.comment('wanda', '/reject a1 paint it green');
  const listing = await d.last();
  expect(listing).toContain('### Approve? 2 issues');
  expect(listing).toContain('Green.');
  expect(asked(d)).toBe(2);
});

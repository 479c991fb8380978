// `layers: auto`: one issue's work goes from the strategist straight to the team lead, as long as it stays one issue.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { drafting, engineeringLead, issues, type Reply, strategist, teamLead } from './script.ts';

const auto = 'layers: auto\n';
const one = { action: 'update_plan', plan: 'Light it.', one_issue: true };
const lamp = { title: 'Light the lamp', domain: 'backend' };
const shade = { title: 'Paint the shade', domain: 'frontend' };
const asked = ({ events }: Pick<Dialogue, 'events'>) =>
  events.flatMap(event => (event.type === 'message' ? [event.layer] : []));
const says = 'The engineering lead was not asked';

test('one issue: the listing follows directly and says so, to another process too', async () => {
  await using d = await openDialogue({
    config: auto,
    replies: [
      strategist('One lamp.', one),
      { ...teamLead('One issue.', issues(lamp)), when: 'List one issue, written out.' },
    ],
  });
  await d.label();
  expect(asked(d)).toEqual(['2ic', 'team-lead']);
  expect((await d.last()).split('\n\n').slice(0, 2)).toMatchInlineSnapshot(`
    [
      "### Approve? 1 issue",
      "**The engineering lead was not asked** (\`layers: auto\`): the strategist finds one issue's work.",
    ]
  `);
  expect((await d.replies())[0]).toContain(
    "- replace the plan, which is one issue's work (the engineering lead is not asked)",
  );
  expect((await d.board()).body).toContain('| Engineering lead | not asked | 0 | $0.00 |');
  await d.restart();
  await d.comment('wanda', '/approve');
  expect(await d.call('you', 'GET', '/issues/2')).toMatchObject({ title: 'Light the lamp' });
});

test('the team lead lists two: nothing of it counts, the engineering lead is asked after all, and then the team lead again', async () => {
  await using d = await openDialogue({
    config: auto,
    replies: [
      strategist('One lamp.', one),
      teamLead('It is two.', issues(lamp, shade)),
      {
        ...drafting('Two, then.', { ...lamp, body: 'Oil.' }, { ...shade, body: 'Blue.' }),
        when: 'It is two.',
      },
      {
        ...teamLead('Both.', { action: 'create_issues', issues: [{ draft: 1 }, { draft: 2 }] }),
        when: '> ### Draft 2: Paint the shade',
      },
    ],
  });
  await d.label();
  expect(asked(d)).toEqual(['2ic', 'team-lead', 'eng-lead', 'team-lead']);
  expect(await d.listings()).toHaveLength(1);
  const listing = await d.last();
  expect(listing).toContain('### Approve? 2 issues');
  expect(listing).toContain('#### a2: create 2 issues (Team lead)');
  expect(listing).not.toContain(says);
  expect((await d.replies()).join('\n')).toContain(
    '- create 2 issues (withdrawn: it is more than one, so the engineering lead is asked first)',
  );
  expect(await d.status()).toBe('waiting: approval');
});

test.for<[name: string, config: string, replies: Reply[]]>([
  ['with `layers: all`', '', [strategist('One lamp.', one)]],
  [
    'where it says so first and takes it back',
    auto,
    [strategist('One lamp.', one, { action: 'update_plan', plan: 'Two.' })],
  ],
])('%s all layers are asked', async ([, config, replies]) => {
  await using d = await openDialogue({
    config,
    replies: [...replies, engineeringLead('Nothing to add.', one), teamLead('One issue.', issues(lamp))],
  });
  await d.label();
  expect(asked(d)).toEqual(['2ic', 'eng-lead', 'team-lead']);
  expect(await d.last()).not.toContain(says);
});

test('asked by the team lead, or told by a person, the engineering lead takes part again', async () => {
  await using d = await openDialogue({
    config: auto,
    replies: [
      strategist('One lamp.', one),
      teamLead('A question.', { action: 'request_info', target: 'eng-lead', question: 'Oil or gas?' }),
      { ...engineeringLead('Oil.'), when: 'Oil or gas?' },
      { ...teamLead('One issue.', issues(lamp)), when: '> Oil.' },
      { ...drafting('A chair.', { title: 'Mend the chair', body: 'Glue.' }), when: 'add a chair' },
      {
        ...teamLead('The chair.', { action: 'create_issues', issues: [{ draft: 1 }] }),
        when: 'Mend the chair',
      },
    ],
  });
  await d.label();
  expect(await d.last()).not.toContain(says);
  await d.comment('wanda', '/redirect @eng-lead add a chair');
  expect(await d.last()).toContain('`Mend the chair`');
  expect(asked(d)).toEqual(['2ic', 'team-lead', 'eng-lead', 'team-lead', 'eng-lead', 'team-lead']);
});

// `layers: auto`: the only draft of a layer is listed as it stands, and those below it are not asked.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { block, drafting, engineeringLead, plan, type Reply, strategist, teamLead } from './script.ts';

const lamp = { title: 'Light the lamp', domain: 'backend', body: 'Oil.' };
const shade = { title: 'Paint the shade', domain: 'frontend', body: 'Blue.' };
const asked = ({ events }: Pick<Dialogue, 'events'>) =>
  events.flatMap(event => (event.type === 'message' ? [event.layer] : []));
const both = teamLead('Both.', { action: 'create_issues', issues: [{ draft: 1 }, { draft: 2 }] });
const one: Reply = { for: '2ic', text: `One lamp.${block(plan('Light it.'), { draft: [lamp] })}` };

test('one issue of the strategist: the listing follows and says so, to another process too', async () => {
  await using d = await openDialogue({ replies: [one] });
  await d.label();
  expect(asked(d)).toEqual(['2ic']);
  expect((await d.last()).split('\n\n').slice(0, 2)).toMatchInlineSnapshot(`
    [
      "### Approve? 1 issue, about $0.05 (0.02 to 0.15), N minutes (N to N)",
      "**Not asked: the Engineering lead and the Team lead** (\`layers: auto\`), as the drafts leave nothing to cut or to order.",
    ]
  `);
  expect(await d.last()).toContain('#### a1: create 1 issue (Strategist)');
  expect(await d.last()).toContain('#### a2: work on all issues of this run (Strategist)');
  expect((await d.board()).body).toContain('| Engineering lead | not asked | 0 | $0.00 |');
  await d.restart();
  await d.comment('wanda', '/approve');
  expect(await d.call('you', 'GET', '/issues/2')).toMatchObject({ title: 'Light the lamp' });
});

test('rejected as more than one issue: the layers below are asked after all', async () => {
  await using d = await openDialogue({
    replies: [
      one,
      { ...strategist('Two, then.', plan('Light it, paint it.')), when: 'The shade, too' },
      { ...drafting('Two.', lamp, shade), when: 'Two, then.' },
      { ...both, when: '> ### Draft 2: Paint the shade' },
    ],
  });
  await d.label();
  await d.comment('wanda', '/reject The shade, too');
  expect(asked(d)).toEqual(['2ic', '2ic', 'eng-lead', 'team-lead']);
  expect(await d.last()).toContain('### Approve? 2 issues');
  expect(await d.last()).not.toContain('Not asked');
});

test('rejected, and nothing takes its place: nobody else is asked', async () => {
  await using d = await openDialogue({ replies: [one, strategist('Nothing, then.')] });
  await d.label();
  await d.comment('wanda', '/reject It is light enough');
  expect(asked(d)).toEqual(['2ic', '2ic']);
});

test.for<[name: string, config: string, replies: Reply[], layers: string[]]>([
  ['one draft of the engineering lead', '', [drafting('One.', lamp)], ['2ic', 'eng-lead']],
  ['two drafts', '', [drafting('Two.', lamp, shade), both], ['2ic', 'eng-lead', 'team-lead']],
  [
    'all layers',
    'layers: all\n',
    [drafting('One.', lamp), teamLead('It.', { action: 'create_issues', issues: [{ draft: 1 }] })],
    ['2ic', 'eng-lead', 'team-lead'],
  ],
])('%s', async ([, config, replies, layers]) => {
  await using d = await openDialogue({ config, replies: [strategist('As directed.'), ...replies] });
  await d.label();
  expect(asked(d)).toEqual(layers);
  expect(await d.status()).toBe('waiting: approval');
});

test('a draft beside a question is not listed; told by a person, a layer that was not asked takes part', async () => {
  await using d = await openDialogue({
    replies: [
      {
        for: '2ic',
        text: `Oil?${block({ action: 'request_info', target: 'ceo', question: 'Oil or gas?' }, { draft: [lamp] })}`,
      },
      one,
      { ...engineeringLead('A chair.'), when: 'add a chair' },
      { ...teamLead('The lamp.', { action: 'create_issues', issues: [{ draft: 1 }] }), when: 'A chair.' },
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: question');
  await d.comment('wanda', '/answer Q1 oil');
  expect(await d.last()).toContain('Not asked');
  await d.comment('wanda', '/redirect @eng-lead add a chair');
  expect(asked(d)).toEqual(['2ic', '2ic', 'eng-lead', 'team-lead']);
});

// Money that runs out while issues are worked: who may still begin, what waits, and what /budget takes up again.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import {
  branch,
  costing,
  director,
  engineeringLead,
  evaluator,
  issues,
  quietLeads,
  strategist,
  teamLead,
  toWork,
  work,
} from './script.ts';

const titles = ['Add a mark', 'Add a lamp', 'Add a stool'] as const;
const domains = ['backend', 'frontend', 'docs'];

/** Of $0.05 the layers leave $0.02: a third of it pays for no call, and all of it for two of an attempt's three. */
const scarce = {
  config: 'approval: none\nbudget: { total: 0.05 }\n',
  replies: [
    ...quietLeads.map(reply => costing(reply, 0.01)),
    costing(
      teamLead('Three.', issues(...titles.map((title, i) => ({ title, domain: domains[i] }))), work),
      0.01,
    ),
    ...titles.flatMap(title => [
      ...director(`Title: "${title}"`, { [`${title}.txt`]: 'x\n' }).map(reply => costing(reply, 0.01)),
      costing(evaluator(`Title: "${title}"`, true), 0.01),
    ]),
  ],
};
const openScarce = playedOnce(scarce);
const moves = (d: Dialogue) =>
  d.events.flatMap(event => (event.type === 'slot_changed' ? [`#${event.issue} ${event.to}`] : []));
const waits = (d: Dialogue) =>
  d.until('waiting for its budget', async () => (await d.status()) === 'waiting: budget');

test('a share that pays for no call is not handed out: one begins, and what is left of its work waits for money', async () => {
  await using d = await openScarce();
  await waits(d);
  expect(moves(d)).toEqual(['#2 running', '#2 retrying', '#2 pending']);
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: $0.00 of its limit of $0.05 is left, and an attempt at an issue needs at least $0.01. /budget +5 raises the run's limit."`,
  );
});

test('of a flat plan nothing is limited: dollars are what it would come to, and are said to be that', async () => {
  await using d = await openDialogue({
    ...scarce,
    config: 'billing: max\nbudget: { total: 0.01, layers: { 2ic: 0, team-lead: 0 } }\n',
  });
  await d.label();
  expect((await d.listings())[0]?.body).toContain(
    'Dollars are by the price table: a flat plan pays (`billing: max`), and no limit is enforced.',
  );
  const raise = await d.comment('mia', '/budget +5');
  expect([await d.reactions(raise), await d.last()]).toEqual([
    ['eyes', 'confused'],
    expect.stringContaining('a flat plan pays for this run (`billing: max`): no limit is enforced'),
  ]);
  await d.comment('wanda', '/approve');
  await d.ended();
  const equivalent = 'by the price table (a flat plan pays, no limit is enforced)';
  expect(await d.last()).toContain(`It cost $0.12 ${equivalent} and took`);
  expect((await d.board()).body).toContain(`$0.12 ${equivalent}, about`);
  await d.comment('rita', '/cost');
  expect(await d.last()).toContain(`**$0.12** ${equivalent}.`);
});

test('/budget lets it go on, and an attempt that its share ended counted no try', async () => {
  await using d = await openDialogue({ ...scarce, config: `${scarce.config}retries: 0\n` });
  await d.label();
  await waits(d);
  const comment = await d.comment('mia', '/budget +5');
  await d.ended();
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  expect(await d.last()).toContain('Of 3 issues: 3 delivered.');
});

test('a raise that pays for no call either: it waits on, and says what is left now; after a /cancel it is refused', async () => {
  await using d = await openScarce();
  await waits(d);
  await d.comment('mia', '/budget +0.01');
  expect(await d.status()).toBe('waiting: budget');
  expect(await d.last()).toContain('$0.01 of its limit of $0.06 is left');
  await d.comment('mia', '/cancel');
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toMatchInlineSnapshot(
    `"\`/budget\` by \`mia\` was not followed: the run is cancelled, and nothing of it can be tried again. Take the label off and put it on again to begin another."`,
  );
});

test.for([
  [
    'an approval',
    [quietLeads[0]!, engineeringLead('A place.', branch('left')), teamLead('Nothing.')],
    'waiting: approval',
  ],
  ['/retry', [{ for: '2ic', error: { type: 'crash' } }, ...quietLeads], 'failed'],
] as const)(
  '/budget while the run waits for %s: the limit is changed, and nothing else',
  async ([, replies, status]) => {
    await using d = await openDialogue({ replies });
    await d.label();
    expect(await d.status()).toBe(status);
    const before = await d.said();
    const comment = await d.comment('mia', '/budget +5');
    expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
    expect(await d.said()).toEqual(before);
    expect(await d.status()).toBe(status);
    expect((await d.board()).body).toContain('of $55.00');
  },
);

test('a layer whose calls come to the limit in the middle of its turn waits as well, and is asked again', async () => {
  await using d = await openDialogue({
    config: 'budget: { total: 1 }\n',
    replies: [
      costing({ for: '2ic', tool_calls: [{ name: 'read_file', input: { path: 'README.md' } }] }, 1.5),
      strategist('As directed.'),
      quietLeads[1]!,
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: budget');
  expect(d.events.filter(event => event.type === 'message')).toEqual([]);
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a layer that the provider would not serve for want of money: /budget takes it up as /retry does', async () => {
  await using d = await openDialogue({
    replies: [{ for: '2ic', error: { type: 'quota' } }, ...quietLeads, teamLead('Nothing to do.')],
  });
  await d.label();
  expect(await d.status()).toBe('failed');
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toContain('No issue was worked on.');
});

/** The provider has no credit for the first attempt's first call. */
const noCredit = {
  config: 'approval: none\n',
  replies: [...toWork({ title: 'Add a mark' }), { for: 'engineer.director', error: { type: 'quota' } }],
};

test('an issue that the provider would not serve for want of money is not tried again by itself; /budget takes it up after the end', async () => {
  await using d = await openDialogue(noCredit);
  await d.run();
  expect(moves(d)).toEqual(['#2 running', '#2 failed']);
  await d.comment('mia', '/budget +5');
  await d.until('another end', () => d.events.filter(({ type }) => type === 'run_settled').length === 2);
  expect(moves(d).slice(2, 4)).toEqual(['#2 pending', '#2 running']);
});

test('/budget after an end with issues that failed otherwise: the limit is changed, and what to type is said', async () => {
  await using d = await openDialogue({
    config: 'approval: none\nretries: 0\nrounds: 1\n',
    replies: [
      ...toWork({ title: 'Add a mark' }),
      ...director('Add a mark', { wrong: 'x\n' }),
      evaluator('Add a mark', false, 'No.'),
    ],
  });
  await d.run();
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run's limit is $55.00 now. Type \`/retry\` to have the issues that failed tried again."`,
  );
});

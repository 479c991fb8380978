// Budgets that run out, and GitHub asking to wait.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { costing, engineeringLead, quietLeads, strategist, teamLead } from './script.ts';

/** The second layer is not asked before someone raises the limit. */
const dear = {
  config: 'budget: { total: 1 }\n',
  replies: [
    costing(strategist('As directed.'), 1.5),
    costing(engineeringLead('Nothing to add.'), 0.25),
    teamLead('Nothing to do.'),
  ],
};

test('the budget used up: the run waits and says which and how to raise it', async () => {
  await using d = await openDialogue(dear);
  await d.label();
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: the run's limit of $1 is used up. /budget +5 raises the run's limit."`,
  );
  expect(d.events.filter(event => event.type === 'message')).toHaveLength(1);
});

test('/budget +5 by someone who maintains: the run goes on', async () => {
  await using d = await openDialogue(dear);
  await d.label();
  const comment = await d.comment('mia', '/budget +5');
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  expect(await d.last()).toContain('$1.75 of $6.00');
});

test('/budget 30 sets it', async () => {
  await using d = await openDialogue(dear);
  await d.label();
  await d.comment('you', '/budget 30');
  expect(await d.last()).toContain('$1.75 of $30.00');
});

test('/budget by someone who only writes: refused, and the run still waits', async () => {
  await using d = await openDialogue(dear);
  await d.label();
  await d.comment('wanda', '/budget +5');
  expect(await d.last()).toBe('`/budget` needs maintain access to this repository; `wanda` has write.');
  expect(await d.status()).toContain('waiting: budget');
});

test('a raise that is not enough: it waits on', async () => {
  await using d = await openDialogue(dear);
  await d.label();
  await d.comment('mia', '/budget +0.1');
  expect(await d.status()).toContain('waiting: budget');
  expect(d.events.filter(event => event.type === 'message')).toHaveLength(1);
});

test('a layer’s own budget used up: said for that layer', async () => {
  await using d = await openDialogue({
    config: 'budget: { layers: { eng-lead: 0 } }\n',
    replies: [...quietLeads, teamLead('Nothing to do.')],
  });
  await d.label();
  expect(await d.last()).toMatchInlineSnapshot(
    `"The run waits: $0 for the Engineering lead is used up. /budget +5 raises the run's limit."`,
  );
  await d.comment('mia', '/budget +5');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a model that asks to wait five minutes: the run is parked, and the board says until when', async () => {
  await using d = await openDialogue({
    replies: [{ for: '2ic', error: { type: 'rate_limit', retry_after: 300 } }, ...dear.replies],
  });
  await d.label();
  expect(d.events.at(-1)).toMatchObject({ type: 'rate_limited' });
  expect(await d.status()).toMatch(/^waiting: /);
  expect(d.events.filter(event => event.type === 'message')).toEqual([]);
});

test('an answer of GitHub is lost: the comment is there once, and the run goes on when it is looked at again', async () => {
  let lose = true;
  await using d = await openDialogue({
    replies: [...quietLeads, teamLead('Nothing to do.')],
    onCall(call, phase) {
      if (
        !lose ||
        phase !== 'applied' ||
        call.route !== 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'
      )
        return;
      if (!call.actor?.startsWith('app:')) return;
      lose = false;
      throw new Error('the answer is lost');
    },
  });
  await d.label();
  await d.restart();
  expect(await d.last()).toContain('No issue was worked on.');
  const said = await d.said();
  expect(new Set(said).size).toBe(said.length);
});

// Layers' replies and their effects: good actions, bad ones, none; failures, and resuming after one.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import {
  branch,
  engineeringLead,
  issues,
  plan,
  quietLeads,
  type Reply,
  strategist,
  teamLead,
  work,
} from './script.ts';

const rest: Reply[] = [engineeringLead('Nothing to add.'), teamLead('Nothing to do.')];
const replyOf = (replies: readonly string[], layer: string) =>
  replies.find(text => text.startsWith(`<details><summary>${layer}: `)) ?? '';

test('a reply without actions is a reply', async () => {
  await using d = await openDialogue({ replies: [strategist('I see nothing to plan.'), ...rest] });
  await d.label();
  expect(replyOf(await d.replies(), 'Strategist')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: I see nothing to plan.</summary>

    > I see nothing to plan.

    <sub>scripted, N s, $0.00</sub>

    </details>"
  `);
});

test('a block that is not JSON among good ones: ignored with the reason, the others performed', async () => {
  const reply = strategist('A plan.', plan('Stand them up.'));
  const broken =
    '\n\n```json\n{"action": "update_plan",\n```\n\n```json\n[{"plan": "p"}, {"action": "escalate"}]\n```';
  await using d = await openDialogue({
    replies: [{ ...reply, text: reply.text + broken }, ...rest],
  });
  await d.label();
  expect(replyOf(await d.replies(), 'Strategist')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: A plan.</summary>

    > A plan.

    - replace the plan

    2 blocks ignored:
    - line 7: not JSON: Expected double-quoted property name in JSON at position 25 (line 1 column 26)
    - line 11: action 1: no object with the key "action"
    - line 11: action 2: escalate at reason: Invalid input: expected string, received undefined

    <sub>scripted, N s, $0.00</sub>

    </details>"
  `);
  expect((await d.board()).body).toContain('Stand them up.');
});

test('all blocks broken: asked once more with the reasons, and the second reply counts', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('First try.', { action: 'update_plan' }),
      {
        ...strategist('Second try.', plan('Stand them up.')),
        when: 'nothing of it counts',
      },
      ...rest,
    ],
  });
  await d.label();
  expect(replyOf(await d.replies(), 'Strategist')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: Second try.</summary>

    > Second try.

    - replace the plan

    It was asked once more, and its first reply does not count:
    - block on line 3: update_plan at plan: stands neither here nor under a heading "Plan" of the reply

    <sub>scripted, N s, $0.00</sub>

    </details>"
  `);
});

test('all blocks broken twice: asked once, not for ever', async () => {
  await using d = await openDialogue({
    replies: [{ ...strategist('As before.', { action: 'update_plan' }), times: 9 }, ...rest],
  });
  await d.label();
  expect(replyOf(await d.replies(), 'Strategist')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: As before.</summary>

    > As before.

    It was asked once more, and its first reply does not count:
    - block on line 3: update_plan at plan: stands neither here nor under a heading "Plan" of the reply

    1 block ignored:
    - line 3: update_plan at plan: stands neither here nor under a heading "Plan" of the reply

    <sub>scripted, N s, $0.00</sub>

    </details>"
  `);
  expect(d.events.filter(event => event.type === 'message' && event.layer === '2ic')).toHaveLength(2);
});

test('an action the role may not use is dropped, with a line that says so', async () => {
  await using d = await openDialogue({ replies: [strategist('Branch first.', branch('side')), ...rest] });
  await d.label();
  expect(replyOf(await d.replies(), 'Strategist')).toMatchInlineSnapshot(`
    "<details><summary>Strategist: Branch first.</summary>

    > Branch first.

    - \`create_branch\`: dropped, the Strategist may not use create_branch

    <sub>scripted, N s, $0.00</sub>

    </details>"
  `);
  expect(d.events.filter(event => event.type === 'action_dropped')).toMatchObject([
    { layer: '2ic', action: 'create_branch' },
  ]);
  await expect(d.call('you', 'GET', '/git/ref/heads/side')).rejects.toThrow('404');
});

test('dependencies that form a cycle go back to the layer as an error', async () => {
  const circle = issues({ title: 'Left', depends_on: [2] }, { title: 'Right', depends_on: [1] });
  await using d = await openDialogue({
    replies: [
      ...quietLeads,
      teamLead('Round and round.', circle),
      { ...teamLead('Straight.'), when: 'the dependencies form a cycle: 1 -> 2 -> 1' },
    ],
  });
  await d.label();
  expect(replyOf(await d.replies(), 'Team lead')).toContain('Straight.');
});

test.for([
  [
    'an empty reply',
    { ...strategist('   '), times: 3 },
    '3 replies in a row held no operation, no tool call and no text',
  ],
  ['a refusal', { ...strategist('No.'), stop: 'refusal' }, 'Strategist failed: the model refused to answer'],
] as const)('%s: the run fails naming the layer, and says so', async ([, reply, why]) => {
  await using d = await openDialogue({ replies: [reply as Reply, ...rest] });
  await d.label();
  expect(await d.status()).toBe('failed');
  const { body } = await d.board();
  expect(body).toContain('The Strategist failed');
  expect(body).toContain(why);
  expect(body).toContain('Type /retry to go on from there.');
});

test('/retry goes on from the layer that failed, in another process too; what succeeded is not asked again', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('As directed.'),
      { for: 'eng-lead', error: { type: 'crash' } },
      engineeringLead('Nothing to add.'),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect((await d.board()).body).toContain('The Engineering lead failed: the script answers eng-lead');
  await d.restart();
  const retry = await d.comment('wanda', '/retry');
  expect(await d.reactions(retry)).toEqual(['eyes', 'rocket']);
  expect(d.events.filter(event => event.type === 'message').map(event => event.layer)).toEqual([
    '2ic',
    'eng-lead',
    'team-lead',
  ]);
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a file that is no script: refused before anything is opened, with the place', async () => {
  await expect(openDialogue({ replies: [{ for: '2ic', txt: 'Hello' } as unknown as Reply] })).rejects.toThrow(
    /script\.json: replies\[0\]: Unrecognized key: "txt"/,
  );
});

test('approval: all lists even the plan', async () => {
  await using d = await openDialogue({
    config: 'approval: all\n',
    replies: [strategist('A plan.', plan('Stand them up.')), ...rest],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: approval');
  expect(await d.last()).toMatch(/^### Approve\? 1 action\n\n#### a1: replace the plan \(Strategist\)\n/);
  expect(await d.last()).toContain('\n```\nStand them up.\n```\n');
  expect((await d.board()).body).not.toContain('Stand them up.');
  await d.comment('you', '/approve');
  expect((await d.board()).body).toContain('Stand them up.');
});

test('dry_run writes what would happen and does nothing', async () => {
  await using d = await openDialogue({
    config: 'dry_run: true\n',
    replies: [
      strategist('A plan.', plan('Stand them up.')),
      engineeringLead('A place to work.', branch('side')),
      teamLead('Two.', issues({ title: 'Left' }, { title: 'Right' }), work),
    ],
  });
  await d.label();
  const said = (await d.replies()).join('\n');
  expect(said).toContain('- replace the plan (dry run: nothing is done)');
  expect(said).toContain('- create the branch side from the base branch (dry run: nothing is done)');
  expect(said).toContain(
    '- create 2 issues (dry run: nothing is done)\n- work on all issues of this run (dry run',
  );
  expect(await d.last()).toContain('It was a dry run: nothing was created.');
  // Nor are the tests at the base run.
  expect(existsSync(join(d.folder, 'data/jobs'))).toBe(false);
  expect(await d.call<unknown[]>('you', 'GET', '/issues?state=all')).toHaveLength(1);
  await expect(d.call('you', 'GET', '/git/ref/heads/side')).rejects.toThrow('404');
});

// What layers reply, and what comes of it: good actions, bad ones, none; failures and how a run goes on after one.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import {
  branch,
  cutOff,
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
/** What was said from one layer's comment on. */
const replyOf = (said: readonly string[], layer: string) =>
  said.find(text => text.startsWith(`### ${layer}\n`)) ?? '';

test('a reply without actions is a reply', async () => {
  await using d = await openDialogue({ replies: [strategist('I see nothing to plan.'), ...rest] });
  await d.label();
  expect(replyOf(await d.said(), 'Strategist')).toMatchInlineSnapshot(`
    "### Strategist

    I see nothing to plan.

    The reply holds no action.

    <sub>scripted, N s, $0.00</sub>"
  `);
});

test('a block that is not JSON among good ones: ignored with the reason, the others performed', async () => {
  const reply = strategist('A plan.', plan('Stand them up.'));
  await using d = await openDialogue({
    replies: [{ ...reply, text: `${reply.text}\n\n\`\`\`json\n{"action": "update_plan",\n\`\`\`` }, ...rest],
  });
  await d.label();
  expect(replyOf(await d.said(), 'Strategist')).toMatchInlineSnapshot(`
    "### Strategist

    A plan.

    **Actions**

    - replace the plan

    <details><summary>1 block ignored</summary>

    - line 7: not JSON: Expected double-quoted property name in JSON at position 25 (line 1 column 26)

    </details>

    <sub>scripted, N s, $0.00</sub>"
  `);
  expect((await d.board()).body).toContain('Stand them up.');
});

test('all blocks broken: asked once more with the reasons, and the second reply counts', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('First try.', { action: 'update_plan' }),
      {
        ...strategist('Second try.', plan('Stand them up.')),
        when: 'None of your action blocks could be used',
      },
      ...rest,
    ],
  });
  await d.label();
  expect(replyOf(await d.said(), 'Strategist')).toMatchInlineSnapshot(`
    "### Strategist

    Second try.

    **Actions**

    - replace the plan

    <sub>scripted, N s, $0.00</sub>"
  `);
});

test('all blocks broken twice: asked once, not for ever', async () => {
  await using d = await openDialogue({
    replies: [{ ...strategist('As before.', { action: 'update_plan' }), times: 9 }, ...rest],
  });
  await d.label();
  expect(replyOf(await d.said(), 'Strategist')).toMatchInlineSnapshot(`
    "### Strategist

    As before.

    The reply holds no action.

    <details><summary>1 block ignored</summary>

    - line 3: update_plan at plan: Invalid input: expected string, received undefined

    </details>

    <sub>scripted, N s, $0.00</sub>"
  `);
  expect(d.events.filter(event => event.type === 'message' && event.layer === '2ic')).toHaveLength(2);
});

test('an action the role may not use is dropped, with a line that says so', async () => {
  await using d = await openDialogue({ replies: [strategist('Branch first.', branch('side')), ...rest] });
  await d.label();
  expect(replyOf(await d.said(), 'Strategist')).toMatchInlineSnapshot(`
    "### Strategist

    Branch first.

    **Actions**

    - \`create_branch\`: dropped, the Strategist may not use create_branch

    <sub>scripted, N s, $0.00</sub>"
  `);
  expect(d.events.filter(event => event.type === 'action_dropped')).toMatchObject([
    { layer: '2ic', action: 'create_branch' },
  ]);
  await expect(d.call('you', 'GET', '/git/ref/heads/side')).rejects.toThrow('404');
});

test('an action that is not available yet is listed as such and does not count as done', async () => {
  await using d = await openDialogue({
    replies: [...quietLeads, teamLead('Who reads this?', { action: 'request_review', pr_number: 1 })],
  });
  await d.label();
  expect(replyOf(await d.said(), 'Team lead')).toMatchInlineSnapshot(`
    "### Team lead

    Who reads this?

    **Actions**

    - \`request_review\`: not available yet, nothing was done

    <sub>scripted, N s, $0.00</sub>"
  `);
  expect(d.events.filter(event => event.type === 'action_performed')).toEqual([]);
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
  expect(replyOf(await d.said(), 'Team lead')).toContain('Straight.');
});

test.for([
  [
    'an empty reply',
    { ...strategist('   '), times: 3 },
    '3 replies in a row held no operation, no tool call and no text',
  ],
  ['a reply that was cut off', cutOff(strategist('And then')), 'the reply was cut off at 16000 tokens'],
  [
    'a script that does not fit',
    { ...strategist('Never.'), when: 'words nobody says' },
    'no reply of the script fits 2ic',
  ],
  ['a failure of the provider', { for: '2ic', error: { type: 'crash' } }, 'failure of class crash'],
  ['a used-up quota', { for: '2ic', error: { type: 'quota' } }, 'Strategist failed (quota)'],
] as const)('%s: the run fails naming the layer, and says so', async ([, reply, why]) => {
  await using d = await openDialogue({ replies: [reply as Reply, ...rest] });
  await d.label();
  expect(await d.status()).toBe('failed');
  const { body } = await d.board();
  expect(body).toContain('The Strategist failed');
  expect(body).toContain(why);
  expect(body).toContain('Type /retry to go on from there.');
});

test('/retry goes on from the layer that failed; what succeeded is not asked again', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('As directed.'),
      { for: 'eng-lead', error: { type: 'crash' } },
      engineeringLead('Nothing to add.'),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  expect((await d.board()).body).toContain('The Engineering lead failed (crash)');
  const retry = await d.comment('wanda', '/retry');
  expect(await d.reactions(retry)).toEqual(['eyes', 'rocket']);
  expect(d.events.filter(event => event.type === 'message').map(event => event.layer)).toEqual([
    '2ic',
    'eng-lead',
    'team-lead',
  ]);
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a failed run and another process: /retry goes on all the same', async () => {
  await using d = await openDialogue({
    replies: [{ for: '2ic', error: { type: 'crash' } }, strategist('As directed.'), ...rest],
  });
  await d.label();
  await d.restart();
  await d.comment('you', '/retry');
  expect(await d.last()).toContain('No issue was worked on.');
});

test('a file that is no script: refused before anything is opened, with the place', async () => {
  await expect(openDialogue({ replies: [{ for: '2ic', txt: 'Hello' } as unknown as Reply] })).rejects.toThrow(
    /script\.json: replies\[0\]: unknown key "txt"/,
  );
});

test('approval: none performs at once, without a listing', async () => {
  await using d = await openDialogue({
    config: 'approval: none\n',
    replies: [
      strategist('As directed.'),
      engineeringLead('A place to work.', branch('side')),
      teamLead('Nothing.'),
    ],
  });
  await d.label();
  expect(await d.call('you', 'GET', '/git/ref/heads/side')).toMatchObject({ ref: 'refs/heads/side' });
  expect(await d.story()).not.toContain('Waiting for your approval');
});

test('approval: all lists even the plan', async () => {
  await using d = await openDialogue({
    config: 'approval: all\n',
    replies: [strategist('A plan.', plan('Stand them up.')), ...rest],
  });
  await d.label();
  expect(await d.status()).toBe('waiting: approval');
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Waiting for your approval

    #### a1: replace the plan
    <sub>asked for by the Strategist</sub>

    \`\`\`
    Stand them up.
    \`\`\`

    The tests at the base (\`sh test.sh\`) are green.

    Nothing of this is done before someone with write access approves it. What is approved is exactly this text, \`<hex>\`.

    - \`/approve\` approves all, \`/approve a1\` one, \`/approve <hex>\` this listing and no other
    - \`/reject a1 reason\` rejects one and tells the layer why, \`/reject reason\` all"
  `);
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
  expect(await d.story()).toMatchInlineSnapshot(`
    "### Strategist

    A plan.

    **Actions**

    - replace the plan (dry run: nothing is done)

    <sub>scripted, N s, $0.00</sub>
    =====
    ### Engineering lead

    A place to work.

    **Actions**

    - create the branch side from the base branch (dry run: nothing is done)

    <sub>scripted, N s, $0.00</sub>
    =====
    ### Team lead

    Two.

    **Actions**

    - create 2 issues (dry run: nothing is done)
    - work on all issues of this run (dry run: nothing is done)

    <sub>scripted, N s, $0.00</sub>
    =====
    The run is completed. No issue was worked on.

    <sub>$0.00 of $50.00, N s, played by the scripted model</sub>"
  `);
  expect(await d.call<unknown[]>('you', 'GET', '/issues?state=all')).toHaveLength(1);
  await expect(d.call('you', 'GET', '/git/ref/heads/side')).rejects.toThrow('404');
});

// Approving and rejecting: what counts, what does not, and that only what was shown is done.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { oneForAll, playedOnce } from './played-once.ts';
import { branch, engineeringLead, issues, plan, strategist, teamLead, waiting } from './script.ts';

/** Two branches wait for approval as a1 and a2. Nothing of it needs a job. */
const two = {
  replies: [
    strategist('As directed.'),
    engineeringLead('Two places to work.', branch('left'), branch('right')),
    teamLead('Nothing to do.'),
  ],
};
const openTwo = playedOnce(two);
const stillTwo = oneForAll(openTwo);

test('the listing says what would be done, and nothing is done before', async () => {
  await using d = await openTwo();
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Approve? 2 actions

    #### a1: create the branch left from the base branch (Engineering lead)

    \`left\`, starting at the base branch

    #### a2: create the branch right from the base branch (Engineering lead)

    \`right\`, starting at the base branch

    The tests at the base (\`sh test.sh\`) are green.

    **Type \`/approve\`** for all of it, \`/approve a1\` for one part, or \`/reject a1 reason\`, which tells the layer why. Nothing is done before someone with write access approves.

    <sub>What is approved is exactly this text, \`<hex>\`; \`/approve <hex>\` approves it and no other.</sub>"
  `);
  expect(await d.status()).toBe('waiting: approval');
  expect(await d.branches()).toEqual([]);
});

test('a listing of issues shows their whole titles, bodies, and what depends on what', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('As directed.'),
      engineeringLead('As directed.'),
      teamLead(
        'Two issues.',
        issues(
          { title: 'Left', body: 'One.\n\nTwo.', labels: ['shelf'], domain: 'backend', paths: ['left/**'] },
          { title: 'Right', depends_on: [1], estimate_minutes: 10 },
        ),
      ),
    ],
  });
  await d.label();
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Approve? 2 issues

    \`\`\`mermaid
    graph LR
      n1["no. 1"]
      n2["no. 2"]
      n1 --> n2
    \`\`\`

    #### a1: create 2 issues (Team lead)

    **1.** \`Left\` · labels \`shelf\`, \`domain:backend\` · paths \`left/**\`

    <details><summary>The text of no. 1</summary>

    \`\`\`
    One.

    Two.
    \`\`\`

    </details>

    **2.** \`Right\` · labels \`domain:unknown\` · after no. 1

    <details><summary>The text of no. 2</summary>

    \`\`\`
    The body of Right.
    \`\`\`

    </details>

    The tests at the base (\`sh test.sh\`) are green.

    **Type \`/approve\`**, or \`/reject a1 reason\`, which tells the layer why. Nothing is done before someone with write access approves. To change it first: \`/drop 2\`, \`/edit 2\` and the new text below, \`/add title\` and a text. No more than $50.00 is spent on it, which is what is left of the limit.

    <sub>What is approved is exactly this text, \`<hex>\`; \`/approve <hex>\` approves it and no other. A new issue ends with one line more, which names this one and those it waits for, and a mark that nobody sees.</sub>"
  `);
});

test('/approve performs everything; who watches is notified of the listing and of the end, besides the run comment', async () => {
  await using d = await openTwo();
  const comment = await d.comment('wanda', '/approve');
  expect((await d.said()).map(text => text.split('.')[0])).toEqual([
    expect.stringMatching(/^### Approve\? 2 actions/),
    'The run has failed',
  ]);
  expect(await d.branches()).toEqual(['left', 'right']);
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
});

test.for([
  ['a wrong digest', 'wanda', '/approve 0123456789ab', 'is not the listing that waits, which is'],
  [
    'a digest that only begins as the right one',
    'wanda',
    '/approve all without',
    'an issue is named by its number',
  ],
  ['an unknown id', 'wanda', '/approve a7', 'a7 does not wait for a decision; what does: a1, a2'],
  ['a known and an unknown id', 'wanda', '/approve a1 a7', 'a7 does not wait for a decision'],
  ['what is no id', 'wanda', '/approve everything', 'not the id of an action, such as a1'],
  ['a reader', 'rita', '/approve', 'needs write access to this repository; `rita` has read'],
  ['someone who triages', 'tom', '/approve', 'needs write access to this repository; `tom` has triage'],
  ['a stranger', 'sam', '/approve', 'needs write access to this repository; `sam` has'],
  ['a reader who rejects', 'rita', '/reject', '`/reject` needs write access to this repository'],
  ['a slip after /echelon', 'wanda', '/echelon aprove', 'Did you mean `/approve`?'],
] as const)('%s: refused with the reason, nothing done', async ([, login, text, why]) => {
  const d = await stillTwo();
  const comment = await d.comment(login, text);
  expect(await d.last()).toContain(why);
  expect(await d.reactions(comment)).toContain('confused');
  expect(await d.branches()).toEqual([]);
  expect(await d.status()).toBe('waiting: approval');
});

test.for([
  ['in a fenced block', 'Type this:\n```\n/approve\n```'],
  ['in a quote', '> /approve\n\nNot yet, I think.'],
  ['in indented code', 'Type this:\n\n    /approve'],
  ['in an HTML comment', 'Hello <!--\n/approve\n--> there'],
  ['within a sentence', 'You could /approve this.'],
] as const)('/approve %s is not read, and not answered', async ([, text]) => {
  const d = await stillTwo();
  const before = await d.said();
  await d.comment('wanda', text);
  expect(await d.said()).toEqual(before);
  expect(await d.branches()).toEqual([]);
});

test('a command edited into a comment by someone else does not count', async () => {
  await using d = await openTwo();
  const comment = await d.comment('wanda', 'Let me think about it.');
  await d.edit('mia', comment, '/approve');
  await d.comment('wanda', '/approve a1');
  expect(await d.branches()).toEqual([]);
  expect((await d.board()).body).toContain('approve 1 action');
});

test('a command that was edited before anybody read it does not count', async () => {
  await using d = await openTwo();
  await d.whileAway(async forge => {
    const comments = '/repos/you/shelf/issues/comments';
    const { body } = await forge.call('rita', 'POST', `/repos/you/shelf/issues/${d.issue}/comments`, {
      body: 'No.',
    });
    await forge.call('wanda', 'PATCH', `${comments}/${(body as { id: number }).id}`, { body: '/approve' });
  });
  expect(await d.branches()).toEqual([]);
  expect(await d.status()).toBe('waiting: approval');
});

test('the listing edited by a person before the approval: it does not count, and is listed again', async () => {
  await using d = await openTwo();
  const [listing] = await d.listings();
  await d.edit('mia', listing!.id, listing!.body.replace('right', 'wrong'));
  const comment = await d.comment('wanda', '/approve');
  expect(await d.reactions(comment)).toEqual(['eyes', 'confused']);
  expect(await d.story()).toContain('`/approve` by `wanda` was not followed: the listing was edited by mia.');
  expect(await d.branches()).toEqual([]);
  expect(await d.listings()).toHaveLength(2);
  expect((await d.board()).body).toContain('The approval does not count: the listing was edited by mia.');
  await d.comment('wanda', '/approve');
  expect(await d.branches()).toEqual(['left', 'right']);
});

test('the listing deleted before the approval: listed again', async () => {
  await using d = await openTwo();
  const [listing] = await d.listings();
  await d.call('you', 'DELETE', `/issues/comments/${listing!.id}`);
  await d.comment('wanda', '/approve');
  expect(await d.branches()).toEqual([]);
  expect((await d.board()).body).toContain('a comment of the listing was deleted');
  expect(await d.listings()).toHaveLength(1);
});

test('an approver who loses write access before the rest is decided: does not count', async () => {
  await using d = await openTwo();
  await d.comment('wanda', '/approve a1');
  const again = await d.comment('wanda', '/approve a1');
  expect(await d.last()).toContain('was not followed: a1 does not wait for a decision; what does: a2');
  expect(await d.reactions(again)).toEqual(['eyes', 'confused']);
  d.permit('wanda', 'read');
  const last = await d.comment('mia', '/approve a2');
  expect(await d.reactions(last)).toEqual(['eyes', 'confused']);
  expect(await d.branches()).toEqual([]);
  expect((await d.board()).body).toContain('wanda, who approved, has only read access now');
});

test('a bare /approve that is older than the listing does not count', async () => {
  await using d = await openDialogue({
    replies: [{ for: '2ic', error: { type: 'crash' } }, ...waiting.replies],
  });
  await d.label();
  await d.comment('wanda', '/retry\n/approve');
  expect(await d.branches()).toEqual([]);
  expect(await d.story()).toContain('`/approve` by `wanda` was not followed:');
});

test('/reject with a reason: the layer answers once with other actions', async () => {
  await using d = await openDialogue({
    replies: [
      strategist('As directed.'),
      engineeringLead('A place.', branch('left')),
      teamLead('Nothing to do.'),
      { ...engineeringLead('Another place.', branch('middle')), when: 'left is taken' },
    ],
  });
  await d.label();
  await d.comment('wanda', '/reject a1 left is taken');
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Approve? 1 action

    #### a2: create the branch middle from the base branch (Engineering lead)

    \`middle\`, starting at the base branch

    The tests at the base (\`sh test.sh\`) are green.

    **Type \`/approve\`**, or \`/reject a2 reason\`, which tells the layer why. Nothing is done before someone with write access approves.

    <sub>What is approved is exactly this text, \`<hex>\`; \`/approve <hex>\` approves it and no other.</sub>"
  `);
  await d.comment('wanda', '/reject a2 nor this');
  expect(await d.branches()).toEqual([]);
  expect(d.events.filter(event => event.type === 'message')).toHaveLength(4);
  expect(await d.last()).toContain('The run has failed. No issue was worked on.');
});

test('/reject of a part is answered at once; where the rest is decided too, nothing is left to say', async () => {
  await using d = await openTwo();
  await d.comment('wanda', '/reject a1 left is taken');
  expect(await d.last()).toBe(
    'Rejected: `a1`. Still to be decided: `a2`. Type `/approve a2` or `/reject a2 reason`; then the layer that asked is told.',
  );
  const again = await d.comment('wanda', '/approve a1');
  expect(await d.last()).toContain('was not followed: a1 does not wait for a decision; what does: a2');
  expect(await d.reactions(again)).toEqual(['eyes', 'confused']);
  await using other = await openDialogue({
    replies: [...two.replies, { ...engineeringLead('Then one is enough.'), when: 'The person rejected' }],
  });
  await other.label();
  await other.comment('wanda', '/reject a1\n/approve a2');
  expect(await other.branches()).toEqual(['right']);
  expect(await other.story()).not.toContain('Still to be decided');
});

test('a branch that exists elsewhere: said, and the run goes on', async () => {
  await using d = await openDialogue({
    ...two,
    replies: [strategist('As directed.', plan('Stand up.')), ...two.replies.slice(1)],
  });
  const { object } = await d.call<{ object: { sha: string } }>('you', 'GET', '/git/ref/heads/main');
  await d.putFile('README.md', '# Another\n');
  await d.call('you', 'POST', '/git/refs', { ref: 'refs/heads/left', sha: object.sha });
  await d.label();
  await d.comment('wanda', '/approve');
  expect(await d.status()).toBe('failed');
  expect((await d.board()).body).toContain('left exists and stands at');
  expect(await d.branches()).toEqual(['left', 'right']);
});

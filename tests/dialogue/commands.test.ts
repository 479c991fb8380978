// Commands that ask, commands that are not there yet, slips, and comments that are too long.
import { expect, test } from 'vitest';
import { openDialogue } from './fixture.ts';
import { oneForAll, playedOnce } from './played-once.ts';
import { plan, quietLeads, strategist, teamLead, waiting } from './script.ts';

const openWaiting = playedOnce(waiting);
const stillWaiting = oneForAll(openWaiting);

test('/status of a run that waits, asked by a reader: nothing is asked of GitHub but what it needs to answer', async () => {
  await using d = await openWaiting();
  const before = d.forge.calls.filter(call => call.kind === 'write').length;
  const comment = await d.comment('rita', '/status');
  const writes = d.forge.calls.filter(call => call.kind === 'write').slice(before);
  expect(writes.map(call => call.route)).toEqual([
    'POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions',
    'POST /repos/{owner}/{repo}/issues/{issue_number}/comments',
  ]);
  expect(await d.last()).toMatchInlineSnapshot(`
    "### Waiting for you: [approve 1 action](../issues/1#issuecomment-<hex>)

    planned · **approve** · build · review · merge  
    $0.00 of $50.00 spent

    _The scripted model is playing: every reply comes from a file, no language model is asked._

    <details><summary>Layers and ids</summary>

    | Layer | Status | Model calls | Cost |
    | --- | --- | --- | --- |
    | Strategist | done | 1 | $0.00 |
    | Engineering lead | done | 1 | $0.00 |
    | Team lead | done | 1 | $0.00 |

    Run \`<hex>\`, isolation \`none\`.
    - \`a1\` create the branch left from the base branch

    </details>"
  `);
  expect(await d.reactions(comment)).toEqual(['rocket']);
});

test('/echelon status, approve and help where there is no run; /help with one is the same', async () => {
  await using d = await openDialogue(waiting);
  await d.comment('rita', '/echelon status');
  expect(await d.last()).toMatchInlineSnapshot(
    `"There is no run on this issue. A person with write access begins one by putting the label on."`,
  );
  await d.comment('you', '/echelon approve');
  expect(await d.last()).toContain('There is no run on this issue.');
  await d.comment('rita', '/echelon help');
  const without = await d.last();
  expect(without).toMatchInlineSnapshot(`
    "A command is a whole line of a comment that begins with \`/\`; \`/echelon status\` and \`/status\` are the same.

    | command | needs | what it does | example |
    |---|---|---|---|
    | \`/approve [a1 a3 ... \\| all \\| digest] [without 7 ...]\` | write | performs pending actions: all that are listed, some of them, or exactly the listing with this digest; without some of the issues | \`/approve a1 a3\` |
    | \`/reject [a1 a3 ...] [reason]\` | write | rejects pending actions, all or some; the reason goes to the layer that asked for them | \`/reject a2 the table exists already\` |
    | \`/drop 3 [5 ...]\` | write | leaves issues out of the approval request, by their numbers in it | \`/drop 3\` |
    | \`/edit 2 [title]\` | write | another title for an issue of the approval request; the lines below, up to the next command, are its new text | \`/edit 2 Print the totals\` |
    | \`/add title\` | write | adds an issue to the approval request; the lines below, up to the next command, are its text | \`/add Print the totals\` \`One line for each month, and one for the year.\` |
    | \`/redirect [@2ic \\| @eng-lead \\| @team-lead] text\` | write | new guidance: the layers plan again from that one on; issues whose work has not begun are withdrawn | \`/redirect @eng-lead use the existing queue, add no new service\` |
    | \`/answer Q1 text\` | write | answers a question | \`/answer Q1 yes, drop support for version 2\` |
    | \`/pause\` | write | starts nothing more, neither a layer nor a job; what runs goes on to its end | \`/pause\` |
    | \`/resume\` | write | goes on after a pause | \`/resume\` |
    | \`/cancel\` | write | ends the run and its jobs at once | \`/cancel\` |
    | \`/retry [#n]\` | write | the failed issue, all failed issues, or the failed layer again; finished work that GitHub refused is delivered | \`/retry #12\` |
    | \`/tell [#n] text\` | write | on an issue, or with its number: its engineer knows it before its next model call, or when it is worked next | \`/tell #7 use the existing helper\` |
    | \`/fix [#n] text\` | write | on a pull request, or with its number: another round of the engineer with this feedback | \`/fix the empty list should give 0\` |
    | \`/checks [#n]\` | write | on a pull request, or with its number: you have read the change, so its checks may start | \`/checks\` |
    | \`/ready\` | write | marks drafts with no red or running check as ready for review | \`/ready\` |
    | \`/merge\` | maintain | merges the pull requests in order, each when its checks are green | \`/merge\` |
    | \`/budget +5 \\| 30\` | maintain | raises or sets the run's limit, in USD | \`/budget +5\` |
    | \`/status\` | read | where the run stands | \`/status\` |
    | \`/plan\` | read | the present plan | \`/plan\` |
    | \`/cost\` | read | what was spent, by layer and issue | \`/cost\` |
    | \`/dry-run\` | read | before the label is put on: the layers say what they would do, and nothing is done | \`/dry-run\` |
    | \`/help\` | read | this list | \`/help\` |"
  `);
  await d.label();
  await d.comment('rita', '/help');
  expect(await d.last()).toBe(without);
});

test('wrong arguments: the place, the usage and the nearest command', async () => {
  const d = await stillWaiting();
  await d.comment('mia', 'Please\n/budget lots');
  expect(await d.last()).toMatchInlineSnapshot(`
    "Line 2, column 9: an amount in USD is expected: +5 to add, 30 to set (usage: /budget +5 | 30).

    \`\`\`
    ​/budget lots
            ^
    \`\`\`"
  `);
});

test('several commands and a slip in one comment: the good ones followed, the slip answered', async () => {
  await using d = await openWaiting();
  await d.comment('you', '/approve\n/echelon stauts\n/status');
  expect(await d.story()).toContain('Did you mean `/status`?');
  expect(await d.call('you', 'GET', '/git/ref/heads/left')).toMatchObject({ ref: 'refs/heads/left' });
});

test('the same comment delivered twice is answered once', async () => {
  await using d = await openWaiting();
  await d.comment('you', '/help\n/approve');
  const before = await d.comments();
  const delivery = d.forge
    .deliveries()
    .find(each => each.event === 'issue_comment' && each.payload.includes('/help'));
  await d.forge.redeliver(delivery!.id);
  await d.settled();
  expect(await d.comments()).toEqual(before);
});

test('the bot’s own words and other bots’ trigger nothing', async () => {
  const d = await stillWaiting();
  d.forge.addUser('other[bot]', { type: 'Bot' });
  d.permit('other[bot]', 'write');
  const before = await d.said();
  await d.comment('other[bot]', '/approve\n/status');
  expect(await d.said()).toEqual(before);
  expect(await d.status()).toBe('waiting: approval');
});

test('a comment of 65,000 characters with a command in the middle', async () => {
  await using d = await openWaiting();
  const half = 'It reads well, and it goes on. '.repeat(1048);
  await d.comment('you', `${half}\n\n/approve\n\n${half}`);
  expect(await d.call('you', 'GET', '/git/ref/heads/left')).toMatchObject({ ref: 'refs/heads/left' });
});

test('a slip in a comment of 65,000 characters: the answer is short', async () => {
  const d = await stillWaiting();
  await d.comment('you', Array.from({ length: 4000 }, () => '/echelon aprove').join('\n'));
  const said = await d.last();
  expect(said).toContain('Did you mean `/approve`?');
  expect(said.length).toBeLessThan(10_001);
});

test('/plan: the plan as it is now, for a reader', async () => {
  await using d = await openDialogue({
    replies: [strategist('So.', plan('Shelves first.')), quietLeads[1]!, teamLead('Nothing to do.')],
  });
  await d.label();
  await d.comment('rita', '/plan');
  expect(await d.last()).toBe('Shelves first.');
});

// Commands near a run: on its sub-issues and pull requests, on an issue where none began, nearly right, or by an edit.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { director, evaluator, toWork, waiting } from './script.ts';

const openWaiting = playedOnce(waiting);
const delivering = {
  config: 'approval: none\n',
  replies: [
    ...toWork({ title: 'One', domain: 'docs' }),
    ...director('Title: "One"', { 'a.txt': '1\n' }),
    evaluator('Title: "One"', true, 'Good.'),
  ],
};
/** The numbers of the sub-issue and of its pull request. */
async function delivered(d: Dialogue) {
  await d.run();
  const [pull] = await d.call<{ number: number }[]>('you', 'GET', '/pulls');
  return { sub: d.issue + 1, pull: pull!.number };
}

test('on a sub-issue and on a pull request', async () => {
  await using d = await openDialogue(delivering);
  const { sub, pull } = await delivered(d);
  for (const place of [sub, pull]) {
    const asked = await d.comment('rita', '/status', place);
    expect(await d.last(place)).toMatch(/^Of the run of #1:\n\n### Done: /);
    expect(await d.reactions(asked)).toEqual(['rocket']);
    await d.comment('rita', '/help', place);
    expect(await d.last(place)).toContain('| `/approve');
    await d.comment('wanda', '/cancel\n/redirect another way', place);
    expect(await d.last(place)).toBe(
      [
        '`/cancel` belongs on #1, whose run this is part of: write `/cancel` there.',
        '`/redirect` belongs on #1, whose run this is part of: write `/redirect` there.',
      ].join('\n\n'),
    );
    await d.comment('wanda', '/stauts', place);
    expect(await d.last(place)).toContain('Did you mean `/status`?');
  }
  const before = await Promise.all([sub, pull].map(place => d.comments(place)));
  await d.restart();
  expect(await Promise.all([sub, pull].map(place => d.comments(place)))).toEqual(before);
});

test('on a sub-issue while the process is away', async () => {
  await using d = await openDialogue(delivering);
  const { sub, pull } = await delivered(d);
  await d.whileAway(async forge => {
    for (const place of [sub, pull])
      await forge.call('wanda', 'POST', `/repos/you/shelf/issues/${place}/comments`, { body: '/status' });
  });
  for (const place of [sub, pull]) expect(await d.last(place)).toContain('Of the run of #1:');
  // Looked at together, and not each of them.
  await d.local.webhooks.reconcileAll(true);
  const before = d.forge.calls.length;
  await d.local.webhooks.reconcileAll(true);
  await d.settled();
  const paths = d.forge.calls.slice(before).map(({ path }) => path);
  expect(paths.filter(path => path.includes(`/issues/${pull}/`))).toEqual([]);
});

test('on an issue of others that only looks like one of ours: nothing', async () => {
  await using d = await openWaiting();
  const body = 'x\n\n<sub>Part of #1.</sub>\n\n<!-- echelon:op=00000000000000000000 -->';
  const { number } = await d.call<{ number: number }>('you', 'POST', '/issues', { title: 'X', body });
  await d.comment('wanda', '/status', number);
  expect(await d.comments(number)).toHaveLength(1);
});

test('a slip of the hand: the nearest command where there is a run, nothing where there is none', async () => {
  await using d = await openDialogue(waiting);
  const slip = await d.comment('wanda', '/aprove');
  await d.edit('wanda', slip, '/approve');
  await d.settled();
  expect(await d.comments()).toHaveLength(1);
  await d.label();
  for (const text of ['/aprove', '/approved', '/cancle']) {
    await d.comment('wanda', text);
    expect(await d.last()).toContain(`"${text.slice(1)}" is not a command. Did you mean`);
  }
  const before = await d.comments();
  await d.comment('wanda', '/home\n/lgtm\n/assign');
  expect(await d.comments()).toHaveLength(before.length + 1);
});

test('a comment edited into a command: not followed, and said so once', async () => {
  await using d = await openWaiting();
  const comment = await d.comment('wanda', 'I think so.');
  const before = await d.comments();
  for (const text of ['I think so!', '/approve', '/approve all']) {
    await d.edit('wanda', comment, text);
    await d.settled();
  }
  expect((await d.said()).slice(-1)).toEqual([
    'An edited comment is not read for commands: what was written first counts. Write the command in a new comment.',
  ]);
  // A command that is only moved by an edit is not spoken of.
  await d.edit('wanda', await d.comment('wanda', '/pause'), 'Good.\n\n/pause');
  await d.settled();
  expect(await d.comments()).toHaveLength(before.length + 2);
  expect(await d.status()).toBe('paused');
});

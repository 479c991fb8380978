// Changing what waits for approval: a new listing without a model call, and only what it shows is done.
import { expect, test } from 'vitest';
import type { Dialogue } from './fixture.ts';
import { oneForAll, playedOnce } from './played-once.ts';
import { issues, quietLeads, teamLead, unpackable } from './script.ts';

/** Three issues for a person, as a1, the third after the second; nothing of it needs a job. */
const openThree = playedOnce({
  replies: [
    ...quietLeads,
    teamLead(
      'Three.',
      issues(
        { title: 'One', assignee: 'mia' },
        { title: 'Two', assignee: 'mia' },
        { title: 'Three', assignee: 'mia', depends_on: [2] },
      ),
      { action: 'schedule', issues: [1, 2, 3] },
    ),
  ],
});
const stillThree = oneForAll(openThree);

const created = async (d: Dialogue) =>
  (await d.call<{ number: number; title: string; body: string }[]>('you', 'GET', '/issues?state=all'))
    .filter(({ number }) => number !== d.issue)
    .toReversed();
const titles = async (d: Dialogue) => (await created(d)).map(({ title }) => title);
const digests = async (d: Dialogue) =>
  (await d.listings()).map(({ body }) => /exactly this text, `([0-9a-f]+)`/.exec(body)?.[1]);

test('/drop: another listing without the issue, whose digest alone approves', async () => {
  await using d = await openThree();
  const comment = await d.comment('wanda', '/drop 1');
  expect(await d.reactions(comment)).toEqual(['eyes', 'rocket']);
  const [first, second, ...more] = await digests(d);
  expect([more, first === second]).toEqual([[], false]);
  expect(await d.last()).toContain('### Approve? 2 issues');
  expect(await d.last()).toContain('no. 1 left out by `wanda`.');
  expect(await d.last()).toContain('#### a2: work on issues no. 2, no. 3');
  expect(await d.last()).not.toContain('The text of no. 1');
  await d.comment('wanda', `/approve ${first}`);
  expect(await d.last()).toContain('is not the listing that waits, which is');
  expect(await created(d)).toEqual([]);
  await d.comment('wanda', `/approve ${second}`);
  expect(await titles(d)).toEqual(['Two', 'Three']);
  // No layer was asked again.
  expect(d.events.filter(({ type }) => type === 'message')).toHaveLength(3);
});

test.for([
  ['that others need', 'wanda', '/drop 2', 'no. 3 needs no. 2: /drop 2 3 leaves all of it out.'],
  [
    'that is not there',
    'wanda',
    '/drop 4',
    'no. 4 does not wait for a decision; what does: no. 1, no. 2, no. 3.',
  ],
  ['in approving, that others need', 'wanda', '/approve without 2', 'no. 3 needs no. 2'],
  ['of which nothing would be left', 'wanda', '/drop 3 2 1', 'nothing would be left of a1: /reject a1'],
  ['by a name', 'wanda', '/drop One', 'an issue is named by its number in the approval request'],
  ['by a reader', 'rita', '/drop 1', 'needs write access to this repository; `rita` has read'],
] as const)('an issue %s is not left out', async ([, login, text, why]) => {
  const d = await stillThree();
  const comment = await d.comment(login, text);
  expect(await d.last()).toContain(why);
  expect(await d.reactions(comment)).toContain('confused');
  expect(await digests(d)).toHaveLength(1);
});

test('/approve without: the rest is approved as it was shown, without another listing', async () => {
  await using d = await openThree();
  await d.comment('wanda', '/approve all without 3 2');
  expect(await digests(d)).toHaveLength(1);
  expect(await titles(d)).toEqual(['One']);
});

test('several changes in one comment make one listing; an approval behind them is older than it', async () => {
  await using d = await openThree();
  const before = d.forge.calls.length;
  await d.comment('wanda', '/drop 3\n/drop 7\n/approve\n/drop 1');
  expect(d.forge.calls.length - before).toBeLessThan(30);
  expect(await digests(d)).toHaveLength(2);
  expect(await d.story()).toContain('`/drop` by `wanda` was not followed: no. 7 does not wait');
  expect(await d.story()).toContain('`/approve` by `wanda` was not followed: your comment is older than');
  await d.comment('wanda', '/drop 2');
  expect(await d.last()).toContain('nothing would be left of a1');
  await d.comment('wanda', '/approve');
  expect(await titles(d)).toEqual(['Two']);
});

test('/edit and /add: what a person writes is listed and created to the byte, as a draft would be', async () => {
  await using d = await openThree();
  const text = 'Above.\n\n```\n/approve\n```\n<!-- hidden @mia -->\ncloses #1';
  await d.comment('wanda', `/edit 1 One @sam \u202e more\n\n${text}\n/add Four\n  Its text.\n/drop 3 2`);
  expect(await digests(d)).toHaveLength(2);
  const listing = (await d.listings()).at(-1)!.body;
  expect(listing).toContain('### Approve? 2 issues');
  expect(listing).toContain('#### a2: work on issues no. 1, no. 4');
  expect(listing).toContain(
    'no. 1 changed by `wanda`.\nno. 4 added by `wanda`.\nno. 3, no. 2 left out by `wanda`.',
  );
  await d.comment('wanda', '/approve');
  const [one, four] = await created(d);
  expect([one!.title, four!.title]).toEqual(['One @\u200bsam more', 'Four']);
  expect(one!.body.replaceAll('<\u200b!--', '<!--')).toContain('<!-- hidden @\u200bmia -->');
  expect(one!.body).not.toMatch(/^\/approve|<!-- hidden|closes #1/m);
  expect(four!.body).toMatch(/^Its text\.\n/);
});

test.for([
  ['a text that nobody sees', '/edit 1\n\u200b\u3164', 'the body nothing of it can be seen'],
  [
    'a text that grows past what is posted',
    `/edit 1\n${'@a '.repeat(9_990)}`,
    'the body is longer than 30000',
  ],
  ['a text that the record cannot hold', `/add More\n${unpackable(40_000)}`, 'it is too long for the record'],
  ['a title with a bell', '/edit 1 One\u0007', 'the title has a line end or control character'],
  ['another issue than listed', '/edit 4 Four', 'no. 4 does not wait for a decision'],
  ['nothing to do', '/add Four', 'say the title behind the command, and the text below'],
] as const)('%s is refused with the reason', async ([, text, why]) => {
  const d = await stillThree();
  const comment = await d.comment('wanda', text);
  expect(await d.last()).toContain(why);
  expect(await d.reactions(comment)).toContain('confused');
  expect(await digests(d)).toHaveLength(1);
});

test('after all that was refused, an approval is of what was listed', async () => {
  const d = await stillThree();
  await d.comment('wanda', '/approve');
  expect(await titles(d)).toEqual(['One', 'Two', 'Three']);
});

test('whichever of an approval and a change was written first counts', async () => {
  await using d = await openThree();
  await d.whileAway(async forge => {
    const at = `/repos/you/shelf/issues/${d.issue}/comments`;
    await forge.call('mia', 'POST', at, { body: '/drop 1' });
    await forge.call('wanda', 'POST', at, { body: '/approve' });
  });
  expect(await created(d)).toEqual([]);
  await d.whileAway(async forge => {
    const at = `/repos/you/shelf/issues/${d.issue}/comments`;
    await forge.call('wanda', 'POST', at, { body: '/approve' });
    await forge.call('mia', 'POST', at, { body: '/drop 3' });
  });
  expect(await titles(d)).toEqual(['Two', 'Three']);
  expect(await d.story()).toContain('`/drop` by `mia` was not followed:');
});

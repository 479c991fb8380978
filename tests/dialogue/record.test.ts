// The run's record in its comment: what people do to it, and what the run makes of that.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { statusOf } from '../board.ts';
import { type Dialogue, openDialogue } from './fixture.ts';
import { playedOnce } from './played-once.ts';
import { branch, engineeringLead, plan, quietLeads, strategist, teamLead, waiting } from './script.ts';

const openWaiting = playedOnce(waiting);
/** The App’s identity used by something else: an older version of it, or someone who has its key. */
const app = 'echelon[bot]';
const hasBranch = async (d: Dialogue) => (await d.branches()).includes('left');

test('the run comment edited by a person: put back, and the notice names the editor', async () => {
  await using d = await openWaiting();
  const { id, body } = await d.board();
  await d.edit('mia', id, 'I tidied this up.');
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
  expect((await d.board()).id).toBe(id);
  expect(statusOf(body)).toBe('waiting: approval');
  expect((await d.said()).at(-2)).toMatchInlineSnapshot(
    `"The run comment was edited by \`mia\`. It holds the run's record, so the text before was put back."`,
  );
});

test('edited a second time after it was put back: put back again, with a notice for each', async () => {
  await using d = await openWaiting();
  const { id } = await d.board();
  for (const login of ['mia', 'wanda']) {
    await d.edit(login, id, 'I tidied this up.');
    await d.comment('wanda', '/status');
  }
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
  expect((await d.said()).filter(text => text.startsWith('The run comment was edited by'))).toHaveLength(2);
});

test('a copy of the record posted by a person counts for nothing', async () => {
  await using d = await openWaiting();
  const { body } = await d.board();
  await d.comment('mia', body);
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
});

test('the run comment deleted: nothing more is done under that record', async () => {
  await using d = await openWaiting();
  const { id } = await d.board();
  await d.call('you', 'DELETE', `/issues/comments/${id}`);
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(false);
});

test('a record that was changed under the App’s own name: nothing is done, and the comment says what to do', async () => {
  await using d = await openWaiting();
  const { id, body } = await d.board();
  await d.edit(
    app,
    id,
    body.replace(/mac=./, found => `mac=${found.endsWith('A') ? 'B' : 'A'}`),
  );
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(false);
  expect(await d.last()).toMatchInlineSnapshot(
    `"The record of this run cannot be relied on: the record was not written by this installation, or was changed. Nothing more is done here. Remove the label and put it on again to begin a new run."`,
  );
  await d.comment('wanda', '/approve');
  expect((await d.said()).filter(text => text.startsWith('The record of this run'))).toHaveLength(1);
});

test('a record of a newer version is not touched', async () => {
  await using d = await openWaiting();
  const { id, body } = await d.board();
  const newer = body.replace(/echelon:record v=\d+/, 'echelon:record v=99');
  await d.edit(app, id, newer);
  await d.comment('wanda', '/approve');
  expect(await d.last()).toMatchInlineSnapshot(
    `"The record of this run cannot be relied on: the record has version 99; this version of Echelon reads 2. Nothing more is done here. Remove the label and put it on again to begin a new run."`,
  );
  expect((await d.board()).body).toBe(newer);
});

test('after trouble, the label put on again begins a new run', async () => {
  await using d = await openWaiting();
  const { id, body } = await d.board();
  await d.edit(app, id, body.replace(/mac=.{8}/, 'mac=AAAAAAAA'));
  await d.comment('wanda', '/approve');
  // The label of before begins none.
  await d.restart();
  expect((await d.board()).id).toBe(id);
  await d.relabel();
  expect((await d.board()).id).not.toBe(id);
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
});

test('a long run: the record goes on over several comments, and is whole in another process', async () => {
  // Text that does not pack: two such plans are more than one comment holds.
  const words = (seed: number) =>
    Array.from({ length: 640 }, (_, at) =>
      createHash('sha256').update(`${seed}.${at}`).digest('base64'),
    ).join(' ');
  await using d = await openDialogue({
    replies: [
      strategist('A long plan.', plan(words(1))),
      engineeringLead('A longer one.', plan(words(2)), branch('left')),
      teamLead('Nothing to do.'),
    ],
  });
  await d.label();
  const parts = (await d.comments()).filter(({ body }) => body.includes('<!-- echelon:part -->'));
  expect(parts.length).toBeGreaterThan(0);
  expect(parts[0]!.body).toContain('Please leave this one as it is.');
  await d.restart();
  await d.comment('wanda', '/approve');
  expect(await hasBranch(d)).toBe(true);
});

test('nothing to do is done in another process: no comment, no edit', async () => {
  await using d = await openDialogue({ replies: [...quietLeads, teamLead('Nothing to do.')] });
  await d.label();
  const before = await d.comments();
  await d.restart();
  expect(await d.comments()).toEqual(before);
});

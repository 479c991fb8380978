// `/dry-run` before the label: the run of that label says what it would do, and does nothing.
import { expect, test } from 'vitest';
import { type Dialogue, openDialogue } from './fixture.ts';
import { toWork } from './script.ts';

const given = { replies: [...toWork({ title: 'Light the lamp' })] };
const all = async (d: Dialogue) => (await d.call<unknown[]>('you', 'GET', '/issues?state=all')).length;

test('written by somebody who may: answered, one dry run, and the label put on again has it done', async () => {
  await using d = await openDialogue(given);
  const comment = await d.comment('wanda', '/dry-run');
  expect(await d.reactions(comment)).toEqual(['rocket']);
  expect(await d.last()).toContain('The run that begins here next is a dry run');
  await d.label();
  expect(await d.last()).toContain('It was a dry run: nothing was created.');
  expect((await d.replies()).join()).toContain('dry run: nothing is done');
  expect(await all(d)).toBe(1);
  await d.relabel();
  expect(await d.status()).toBe('waiting: approval');
});

test('written by a reader it counts for nothing', async () => {
  await using d = await openDialogue(given);
  await d.comment('rita', '/echelon dry-run');
  await d.label();
  expect(await d.status()).toBe('waiting: approval');
});

// The journal of an attempt as everybody may read it on the way to the next one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { journalFile } from '../../../src/app/engineer/attempt/attempt-journal.ts';
import { keepJournal, openJournal, type Seal } from '../../../src/doors/action/sealed-journal.ts';
import { temporary } from '../../ground/workspace/fixture.ts';

/** As engineer.yml uploads it. */
const keptJournal = 'journal.kept';
const said = '{"said":"what the model was told"}\n';
const seal: Seal = { keys: ['a-key-0123456789'], isPlayed: false, repository: '7', directive: 1 };

/** `reader`: how the next job opens it, under this operation key. */
async function handedOn(reader: Seal, op = 'aa', change = (kept: Buffer) => kept, writer = seal) {
  await using folder = await temporary();
  const at = (name: string) => join(folder.path, name);
  writeFileSync(at(journalFile), said);
  await keepJournal(folder.path, 'aa', writer);
  const kept = readFileSync(at(keptJournal));
  writeFileSync(at(keptJournal), change(kept));
  const isOpen = await openJournal(folder.path, op, reader);
  return { kept: String(kept), isOpen, text: isOpen ? readFileSync(at(journalFile), 'utf8') : undefined };
}

test('nobody without the model’s key reads it; the next attempt does, also beside a newer key', async () => {
  const handed = await handedOn({ ...seal, keys: ['newer', ...seal.keys] });
  expect(handed).toMatchObject({ isOpen: true, text: said });
  expect(handed.kept).not.toContain('told');
});

const flipped = (kept: Buffer) => Buffer.concat([kept.subarray(0, -1), Buffer.from([kept.at(-1)! ^ 1])]);

test.each<[what: string, reader: Seal, op: string, change?: (kept: Buffer) => Buffer]>([
  ['another key', { ...seal, keys: ['other'] }, 'aa'],
  ['another repository', { ...seal, repository: '8' }, 'aa'],
  ['another directive', { ...seal, directive: 2 }, 'aa'],
  ['another job', seal, 'bb'],
  ['a changed byte', seal, 'aa', flipped],
  ['too few bytes', seal, 'aa', () => Buffer.from('x')],
  ['text in the open', seal, 'aa', () => Buffer.from(said)],
])('%s opens nothing', async (_what, reader, op, change) => {
  expect((await handedOn(reader, op, change)).isOpen).toBe(false);
});

test('where replies are played it stays in the open', async () => {
  const none = { ...seal, keys: [], isPlayed: true };
  expect(await handedOn(none, 'aa', kept => kept, none)).toEqual({ kept: said, isOpen: true, text: said });
});

test.each([
  ['a key that may be guessed', ['none']],
  ['no key of the model that is asked', []],
])('%s seals nothing: it is not handed on, and nothing is taken in the open', async (_what, keys) => {
  await using folder = await temporary();
  writeFileSync(join(folder.path, journalFile), said);
  await keepJournal(folder.path, 'aa', { ...seal, keys });
  expect(existsSync(join(folder.path, keptJournal))).toBe(false);
  writeFileSync(join(folder.path, keptJournal), said);
  expect(await openJournal(folder.path, 'aa', { ...seal, keys })).toBe(false);
});

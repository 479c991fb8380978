// The journal in a file: what it keeps, what it drops, whose it is, and what it refuses without touching it.
import { appendFileSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openProgramJournal } from '../../../../src/doors/cli/task/program-journal.ts';
import { JournalRefused } from '../../../../packages/ground/journal/file-store.ts';
import { taskFolder } from './fixture.ts';

const owner = { program: 'p', inputs: 'i', library: 'l', model: 'm', folder: '/f' };
const clock = { now: () => 1000 };
const never = () => Promise.reject(new Error('made again'));

test('keeps results as a later run sees them, with what they cost and what a script played', async () => {
  using folder = await taskFolder();
  const path = folder.at('journal');
  const first = openProgramJournal(path, owner, { clock, mask: text => text.replaceAll('secret', '***') });
  first.watch(() => [{ scope: 's', key: 'a/1', index: 0 }]);
  expect(first).toMatchObject({ steps: 0, spent: 0, played: [] });
  const kept = await first.step('a', async () => ({
    outcome: { text: 'a secret', cost_usd: 0.5 },
    gone: undefined,
  }));
  expect(kept).toEqual({ outcome: { text: 'a ***', cost_usd: 0.5 } });
  await Promise.all([
    first.step('b', async () => ({ exit_code: 0 })),
    first.step('c', async () => ({ error: { notes: { dataUsage: { cost_usd: 0.25 } } } })),
  ]);
  first.close();

  const second = openProgramJournal(path, owner, { clock });
  expect(second).toMatchObject({ steps: 3, spent: 0.75, played: [{ scope: 's', key: 'a/1', index: 0 }] });
  expect(await second.step('a', never)).toEqual(kept);
  await expect(second.step('a', never)).rejects.toThrow('used the step key a twice');
  second.close();
});

test('counts what this run did itself', async () => {
  using folder = await taskFolder();
  const first = openProgramJournal(folder.at('j'), owner, { clock });
  await first.step('a', async () => 1);
  expect(first.made).toBe(1);
  first.close();
  const second = openProgramJournal(folder.at('j'), owner, { clock });
  await second.step('a', never);
  expect(second.made).toBe(0);
  second.close();
});

test("is one process's at a time, under whatever name, and free again once it is closed or refused", async () => {
  using folder = await taskFolder();
  const journal = openProgramJournal(folder.at('j'), owner, { clock });
  symlinkSync(folder.at('j'), folder.at('link'));
  for (const name of ['j', 'link']) {
    const open = () => openProgramJournal(folder.at(name), owner, { clock });
    expect(open).toThrow(JournalRefused);
    expect(open).toThrow(`${folder.at(name)} is in use by another process`);
  }
  journal.close();
  expect(existsSync(folder.at('j.lock'))).toBe(false);
  expect(() => openProgramJournal(folder.at('j'), { ...owner, inputs: 'x' }, { clock })).toThrow(
    'other inputs',
  );
  openProgramJournal(folder.at('j'), owner, { clock }).close();
});

test('a step that fails is not kept', async () => {
  using folder = await taskFolder();
  const journal = openProgramJournal(folder.at('j'), owner, { clock });
  await expect(journal.step('a', never)).rejects.toThrow('made again');
  journal.close();
  expect(openProgramJournal(folder.at('j'), owner, { clock }).steps).toBe(0);
});

test('steps that end together are written together, before any of them goes on', async () => {
  using folder = await taskFolder();
  const journal = openProgramJournal(folder.at('j'), owner, { clock });
  const keys = ['a', 'b', 'c'];
  const written = await Promise.all(
    keys.map(async key => {
      await journal.step(key, async () => key);
      return readFileSync(folder.at('j'), 'utf8').match(/(?<="key":")./g);
    }),
  );
  expect(written).toEqual([keys, keys, keys]);
  journal.close();
});

test('a step that ends after the journal was closed fails and is not kept', async () => {
  using folder = await taskFolder();
  const journal = openProgramJournal(folder.at('j'), owner, { clock });
  const step = journal.step('a', async () => {
    journal.close();
    return 1;
  });
  await expect(step).rejects.toThrow(`${folder.at('j')} takes no more lines`);
  const again = openProgramJournal(folder.at('j'), owner, { clock });
  expect(again.steps).toBe(0);
  again.close();
});

test('cut off at any byte it goes on with the whole lines before', async () => {
  using folder = await taskFolder();
  const path = folder.at('j');
  const journal = openProgramJournal(path, owner, { clock });
  await journal.step('a', async () => 'ä');
  journal.close();
  const whole = readFileSync(path);
  for (let length = 0; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length));
    const again = openProgramJournal(path, owner, { clock });
    expect(again.steps).toBe(0);
    expect(await again.step('a', async () => 'ä')).toBe('ä');
    again.close();
    expect(readFileSync(path).equals(whole), `cut at ${length}`).toBe(true);
  }
});

test.each([
  ['another text', 'dear diary\n', 'is not a journal of this version; name another file'],
  ['another text of one line', 'dear diary, today', 'is not a journal; name another file'],
  [
    'a journal of the version whose notes had the data usage flat',
    '{"format":"echelon-journal","version":3,"owner":{}}\n',
    'is not a journal of this version; name another file',
  ],
])('%s is refused and left as it is', async (_name, text, says) => {
  using folder = await taskFolder({ j: text });
  expect(() => openProgramJournal(folder.at('j'), owner, { clock })).toThrow(says);
  expect(readFileSync(folder.at('j'), 'utf8')).toBe(text);
});

test.each([
  { differs: { program: 'q' }, says: 'another program, or this one has been changed since' },
  { differs: { inputs: 'j' }, says: 'other inputs' },
  { differs: { library: 'm' }, says: 'other templates' },
  { differs: { model: 'n' }, says: 'another model, or another script of replies' },
  { differs: { folder: '/g' }, says: 'work in the folder /f, not in /g' },
])('the journal of $says is refused', async ({ differs, says }) => {
  using folder = await taskFolder();
  openProgramJournal(folder.at('j'), owner, { clock }).close();
  const open = () => openProgramJournal(folder.at('j'), { ...owner, ...differs }, { clock });
  expect(open).toThrow(JournalRefused);
  expect(open).toThrow(`is the journal of ${says}`);
});

test('a line that is damaged in the middle is named', async () => {
  using folder = await taskFolder();
  openProgramJournal(folder.at('j'), owner, { clock }).close();
  appendFileSync(folder.at('j'), 'no line of ours\n{"key":"a","result":1,"at":1}\n');
  expect(() => openProgramJournal(folder.at('j'), owner, { clock })).toThrow(/j:2: the journal is damaged/);
});

test('a number that is a secret, and text that JSON escapes, leave the journal readable; a negative cost counts nothing', async () => {
  using folder = await taskFolder();
  const mask = (text: string) => text.replaceAll('1234567', '***').replaceAll('needle', '***');
  const first = openProgramJournal(folder.at('j'), owner, { clock, mask });
  const result = { id: 1234567, text: 'a\\needle', outcome: { cost_usd: -900 } };
  const kept = await first.step('a', async () => result);
  expect(kept).toEqual({ ...result, text: 'a\\***' });
  first.close();
  const second = openProgramJournal(folder.at('j'), owner, { clock, mask });
  expect(second).toMatchObject({ steps: 1, spent: 0 });
  second.close();
});

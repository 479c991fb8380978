// The store of a run's record: what another process finds of it, whatever happened to it in between.
import { expect, test } from 'vitest';
import { marked, operationKey } from '../../../src/app/github/once.ts';
import type { Entry } from '../../../packages/ground/journal/journal.ts';
import { heavy, openPlace, passing, type Place, small } from './record-place.ts';

async function edit(p: Place, body: string) {
  const [own] = await p.comments();
  await p.call('PATCH', `/issues/comments/${own!.id}`, { body });
}

test('no run: nothing is found', async () => {
  await using p = await openPlace();
  await p.github.comment(p.identity.issue, 'Hello.');
  expect(await p.load()).toEqual({ kind: 'none' });
});

test('what was appended is found by another process, in its order', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board 1');
  await store.append([small(2), small(3)], 'board 2');
  const found = await p.store();
  expect(found.entries).toEqual([small(1), small(2), small(3)]);
  expect([found.identity, found.comment]).toEqual([p.identity, store.comment]);
  const comments = await p.comments();
  expect(comments).toHaveLength(1);
  expect(comments[0]!.body).toMatch(/^board 2\n\n<!-- echelon:record /);
});

test('the board drawn anew leaves the record as it is; the same one is not drawn', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board 1');
  await store.redraw('board 2');
  expect((await p.comments())[0]!.body).toMatch(/^board 2\n/);
  const again = await p.store();
  expect(again.entries).toEqual([small(1)]);
  expect(await p.calls(() => again.redraw('board 2'))).toEqual({ read: 0, write: 0 });
});

test('a board that is too long gives way to the record', async () => {
  await using p = await openPlace();
  await (await p.start()).append(heavy(1, 3, 17_000), 'b'.repeat(70_000));
  expect((await p.comments())[0]!.body.length).toBeLessThanOrEqual(65_536);
  expect((await p.store()).entries).toHaveLength(3);
});

test.for([...['received', 'applied'].flatMap(phase => [1, 2].map(nth => [phase, nth] as const))] as const)(
  'a write that is cut off (%s, the %i.), then another process: nothing lost, nothing doubled',
  async ([phase, nth]) => {
    await using p = await openPlace();
    const store = await p.start();
    const first = heavy(1, 3, 17_000);
    await store.append(first, 'board');
    p.cutNextWrite(phase as 'received', undefined, nth);
    await store.append(heavy(4, 1, 17_000), 'board 2').catch(() => {});
    p.uncut();
    const found = (await p.store()).entries;
    expect([first, [...first, ...heavy(4, 1, 17_000)]]).toContainEqual(found);
    if (found.length === 3) await (await p.store()).append(heavy(4, 1, 17_000), 'board');
    for (let n = 5; n < 7; n++) await (await p.store()).append(heavy(n, 1, 17_000), 'board');
    expect((await p.store()).entries).toEqual(heavy(1, 6, 17_000));
  },
);

test.for([1, 2, 3, 4])(
  'the first write cut off at its %i. call: one run comment, nothing doubled',
  async nth => {
    await using p = await openPlace();
    p.cutNextWrite('applied', undefined, nth);
    await (await p.start()).append([small(1)], 'board').catch(() => {});
    p.uncut();
    const found = await p.load();
    const store = found.kind === 'run' ? found.store : await p.start();
    if (found.kind !== 'run') await store.append([small(1)], 'board');
    await store.redraw('board 2');
    expect((await p.store()).entries).toEqual([small(1)]);
    expect((await p.comments()).map(({ body }) => body.split('\n')[0])).toEqual(['board 2']);
  },
);

test('a checkpoint that does not fit beside what is open closes nothing, and goes', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([...heavy(1, 2, 17_000), passing(8, 9_000)], 'board');
  expect((await p.store()).entries).toHaveLength(3);
  await store.append([passing(9, 40_000)], 'board');
  await store.append([small(3)], 'board');
  expect((await p.store()).entries).toEqual([...heavy(1, 2, 17_000), small(3)]);
});

test('a part that is closed holds no checkpoint, and the newest alone is kept', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([...heavy(1, 2, 17_000), passing(8, 5_000)], 'board');
  await store.append([passing(9, 5_000)], 'board');
  expect((await p.store()).entries.filter(({ t }) => t === 'checkpoint')).toEqual([passing(9, 5_000)]);
  await store.append(heavy(3, 1, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 3, 17_000));
});

test('a result larger than a segment: refused, and the record stays whole', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  await expect(store.append(heavy(2, 1, 70_000), 'board')).rejects.toThrow('too large for the record');
  await store.append([small(3)], 'board');
  expect((await p.store()).entries).toEqual([small(1), small(3)]);
});

test('a result that packs well but that no reader would unpack: refused, and the record stays whole', async () => {
  await using p = await openPlace();
  const store = await p.start();
  const wide = (n: number, length: number): Entry => ({
    ...{ t: 'step', key: `wide-${n}`, at: n },
    result: '\u5b57'.repeat(length),
  });
  await store.append([small(1)], 'board');
  await expect(store.append([wide(2, 400_000)], 'board')).rejects.toThrow('too large for the record');
  expect(await p.comments()).toHaveLength(1);
  // 600,000 bytes each: no two of them in one segment.
  await store.append([wide(3, 200_000), wide(4, 200_000)], 'board');
  await store.append([wide(5, 200_000)], 'board');
  expect((await p.store()).entries).toEqual([small(1), ...[3, 4, 5].map(n => wide(n, 200_000))]);
});

test('many entries at once that are larger than a segment together', async () => {
  await using p = await openPlace();
  await (await p.start()).append(heavy(1, 8, 17_000), 'board');
  expect((await p.store()).entries).toEqual(heavy(1, 8, 17_000));
});

test('two runs on one issue: the newest counts', async () => {
  await using p = await openPlace();
  const first = await p.start();
  for (let n = 0; n < 5; n++) await first.append(heavy(n, 1, 17_000), 'board');
  await (await p.start('def')).append([small(9)], 'board');
  const found = await p.store();
  expect([found.identity.run, found.entries]).toEqual(['def', [small(9)]]);
});

test('the run comment copied by somebody else counts for nothing', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  const [old] = await p.comments();
  await store.append([small(2)], 'board 2');
  await p.call('POST', `/issues/${p.identity.issue}/comments`, { body: old!.body });
  const found = await p.store();
  expect([found.comment, found.entries]).toEqual([old!.id, [small(1), small(2)]]);
});

test('the run comment edited by somebody else changes nothing, and is put back', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  await edit(p, 'Mine.');
  const found = await p.store();
  await found.append([small(2)], 'board 2');
  expect((await p.store()).entries).toEqual([small(1), small(2)]);
  expect((await p.comments()).filter(({ body }) => body.startsWith('board 2\n'))).toHaveLength(1);
});

test('deleted: a sentence, and a new run can begin', async () => {
  await using p = await openPlace();
  const store = await p.start();
  for (let n = 0; n < 5; n++) await store.append(heavy(n, 1, 17_000), 'board');
  await p.remove((await p.comments())[0]!.id);
  expect(await p.load()).toMatchObject({ kind: 'trouble', message: 'the run comment was deleted' });
  await (await p.start('def')).append([small(9)], 'board');
  expect((await p.store()).entries).toEqual([small(9)]);
});

test('on a branch, where early versions could keep it: a sentence, and a new run can begin', async () => {
  await using p = await openPlace();
  const body = `### Board\n\n<!-- echelon:record commit=7 head=${'a'.repeat(40)} run=abc -->`;
  await p.github.comment(p.identity.issue, body);
  expect(await p.load()).toMatchObject({
    kind: 'trouble',
    message: 'it stands on a branch, which this version of Echelon does not read',
  });
  await (await p.start('def')).append([small(9)], 'board');
  expect((await p.store()).entries).toEqual([small(9)]);
});

test('a crash between an effect and its note: the intent is there, and nothing is wrong with the record', async () => {
  await using p = await openPlace();
  const store = await p.start();
  await store.append([small(1)], 'board');
  await store.append([{ t: 'intent', key: 'say' }], 'board');
  await p.github.comment(p.identity.issue, marked('Done.', operationKey(p.identity, 'say')));
  expect((await p.store()).entries).toEqual([small(1), { t: 'intent', key: 'say' }]);
});

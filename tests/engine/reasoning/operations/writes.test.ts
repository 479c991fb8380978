// Writes of an execution are applied as a whole or not at all.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../../packages/ground/lib/json.ts';
import { apply, type StoreOperation } from '../../../../src/engine/reasoning/operations/apply.ts';
import { applyWrites, storesForSandbox } from '../../../../src/engine/reasoning/operations/writes.ts';
import { emptyStores, type Stores } from '../../../../src/engine/reasoning/stores.ts';
import type { StoreName } from '../../../../src/engine/sandbox/entries.ts';
import { openStores, type StoreWrite } from '../../../../src/engine/sandbox/stores.ts';

const stores = [
  { kind: 'vault', action: 'set', id: 'text', type: 'text', description: 'd', content: 'x' },
  { kind: 'vault', action: 'set', id: 'data', type: 'data', description: 'd', content: '{"a":[1]}' },
  { kind: 'memory', action: 'set', identifier: 'm', fields: { heading: 'h', content: 'c', important: true } },
  { kind: 'task', action: 'set', identifier: 't', fields: { heading: 'h', content: 'c', notes: 'n' } },
  { kind: 'goal', action: 'set', identifier: 'g', fields: { heading: 'h', content: 'c' } },
].reduce<Stores>((before, operation) => {
  const applied = apply(before, operation as StoreOperation, 1);
  if ('error' in applied) throw new Error(applied.error);
  return applied.stores;
}, emptyStores);

const set = (store: StoreName, id: string, fields: Record<string, Json>): StoreWrite => ({
  store,
  action: 'set',
  id,
  fields,
});
const remove = (store: StoreName, id: string): StoreWrite => ({ store, action: 'delete', id });

function applied(...writes: StoreWrite[]) {
  const result = applyWrites(stores, writes, 2);
  if ('error' in result) throw new Error(result.error);
  return result;
}

describe('applied', () => {
  test('nothing', () => expect(applied().stores).toBe(stores));

  test.each<[Json, string]>([
    [{ b: [null, 'é'] }, '{"b":[null,"é"]}'],
    ['a text', '"a text"'],
    [0, '0'],
    [null, 'null'],
  ])('data %j', (content, json) =>
    expect(applied(set('vault', 'a', { content, type: 'data' })).stores.vault.at(-1)).toMatchObject({
      type: 'data',
      content: json,
    }),
  );

  test('a change keeps the description and the day of creation', () =>
    expect(applied(set('vault', 'text', { content: 'y', type: 'code' })).stores.vault[0]).toEqual({
      id: 'text',
      type: 'code',
      description: 'd',
      content: 'y',
      createdAt: 1,
      updatedAt: 2,
    }));

  test('deletions make room, wherever they stand', () => {
    const full = applied(
      ...Array.from({ length: 998 }, (_, index) => set('vault', `v${index}`, { content: '', type: 'text' })),
    ).stores;
    expect(applyWrites(full, [set('vault', 'new', { content: '', type: 'text' })], 3)).toHaveProperty(
      'error',
    );
    expect(
      applyWrites(full, [set('vault', 'new', { content: '', type: 'text' }), remove('vault', 'v0')], 3),
    ).toHaveProperty('stores');
  });
});

describe('refused as a whole', () => {
  const good = set('tasks', 't', { status: 'finished' });
  const vault = (fields: Record<string, Json>) => set('vault', 'a', fields);
  test.each<[string, StoreWrite, string]>([
    [
      'an unknown status',
      set('tasks', 't', { status: 'done' }),
      'task "t": its status is one of pending, ongoing, finished, paused, not "done"',
    ],
    ['a status that is no text', set('tasks', 't', { status: 1 }), 'tasks.set("t"): the status must be text'],
    ['important of a task', set('tasks', 't', { important: true }), 'task "t": a task has no important'],
    ['a status of a memory', set('memory', 'm', { status: 'open' }), 'memory "m": a memory has no status'],
    ['an unknown field', set('goals', 'g', { priority: 1 }), 'goals.set("g"): there is no field "priority"'],
    [
      'the field __proto__',
      set('goals', 'g', JSON.parse('{"__proto__": {"status": "finished"}}')),
      'goals.set("g"): there is no field "__proto__"',
    ],
    ['another id', set('goals', 'g', { id: 'h' }), 'goals.set("g"): its id cannot be changed'],
    ['a deletion of nothing', remove('goals', 'h'), 'there is no goal "h"'],
    ['a type that is no text', vault({ content: 1, type: 1 }), 'vault.set("a"): the type must be text'],
  ])('%s', (_name, bad, error) => {
    const copy = structuredClone(stores);
    expect(applyWrites(stores, [good, bad, good], 2)).toEqual({ error });
    expect(stores).toEqual(copy);
  });
});

describe('what code sees', () => {
  test('fields under ids, data as values, the last result', () =>
    expect(storesForSandbox(stores, '[7]')).toEqual({
      vault: {
        text: { type: 'text', description: 'd', content: 'x', createdAt: 1, updatedAt: 1 },
        data: { type: 'data', description: 'd', content: { a: [1] }, createdAt: 1, updatedAt: 1 },
        last_execution_result: { type: 'data', content: [7] },
      },
      memory: { m: { heading: 'h', content: 'c', notes: '', important: true, createdAt: 1, updatedAt: 1 } },
      tasks: { t: { heading: 'h', content: 'c', notes: 'n', status: 'pending', createdAt: 1, updatedAt: 1 } },
      goals: { g: { heading: 'h', content: 'c', notes: '', status: 'open', createdAt: 1, updatedAt: 1 } },
    }));

  test('a last result without a value is its name', () =>
    expect(storesForSandbox(emptyStores, '[function f]').vault).toEqual({
      last_execution_result: { type: 'data', content: '[function f]' },
    }));

  test('no last result', () => expect(storesForSandbox(emptyStores, undefined).vault).toEqual({}));

  test('entries with names of properties are entries only', () => {
    const { stores: named } = applied(
      set('vault', '__proto__', { content: { polluted: true }, type: 'data' }),
      set('tasks', 'constructor', { heading: 'h', content: 'c' }),
    );
    const seen = structuredClone(storesForSandbox(named, undefined));
    expect(Object.keys(seen.vault ?? {})).toEqual(['text', 'data', '__proto__']);
    expect(seen.vault).not.toHaveProperty('polluted');
    expect(Object.keys(seen.tasks ?? {})).toEqual(['t', 'constructor']);
  });
});

test('what the sandbox hands back can be applied', () => {
  const open = openStores(storesForSandbox(stores, '1'));
  open.call('set', 'vault', 'made', '{"content": [1, 2]}');
  open.call('set', 'vault', 'text', '{"content": "y"}');
  open.call('set', 'tasks', 't', '{"status": "ongoing"}');
  open.call('delete', 'goals', 'g', '');
  open.call('set', 'goals', 'g', '{"heading": "new", "content": "c"}');
  const result = applied(...open.writes());
  expect(result.stores).toMatchObject({
    vault: [
      { id: 'text', type: 'text', content: 'y' },
      { id: 'data' },
      { id: 'made', type: 'data', content: '[1,2]' },
    ],
    tasks: [{ status: 'ongoing', heading: 'h' }],
    goals: [{ heading: 'new', createdAt: 2 }],
  });
});

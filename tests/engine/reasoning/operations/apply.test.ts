// Properties of any operation on any stores, and the limits of a whole session.
import fc from '../../../properties.ts';
import { describe, expect, test } from 'vitest';
import type { EntryFields } from '../../../../src/engine/reasoning/operation.ts';
import { apply, type StoreOperation } from '../../../../src/engine/reasoning/operations/apply.ts';
import { bytesOf } from '../../../../src/engine/reasoning/operations/change.ts';
import { emptyStores, type Stores } from '../../../../src/engine/reasoning/stores.ts';

const id = fc.constantFrom(
  'a',
  'b',
  'ab',
  '__proto__',
  'constructor',
  'last_execution_result',
  '',
  'a b',
  '\u0000',
);
const anyText = fc.oneof(
  fc.constantFrom('', 'x', '{"a":1}', '{{<ask>}}', 'é'.repeat(200_000)),
  fc.string({ unit: 'binary' }),
);
const status = fc.constantFrom('pending', 'ongoing', 'finished', 'paused', 'open', 'closed');
const fields: fc.Arbitrary<EntryFields> = fc.record(
  { heading: anyText, content: anyText, notes: anyText, status, important: fc.boolean() },
  { requiredKeys: [] },
);
const kind = fc.constantFrom('memory' as const, 'task' as const, 'goal' as const);
const operation: fc.Arbitrary<StoreOperation> = fc.oneof(
  fc
    .tuple(
      id,
      fc.record(
        { type: fc.constantFrom('text', 'code', 'data', 'json'), description: anyText, content: anyText },
        { requiredKeys: [] },
      ),
    )
    .map(([each, given]): StoreOperation => ({ kind: 'vault', action: 'set', id: each, ...given })),
  id.map((each): StoreOperation => ({ kind: 'vault', action: 'delete', id: each })),
  id.map((each): StoreOperation => ({ kind: 'vault', action: 'read', id: each, limit: 5 })),
  fc.tuple(kind, id, fields).map(
    ([each, identifier, given]): StoreOperation => ({
      kind: each,
      action: 'set',
      identifier,
      fields: given,
    }),
  ),
  fc
    .tuple(kind, id)
    .map(([each, identifier]): StoreOperation => ({ kind: each, action: 'delete', identifier })),
);

/** The stores after all operations that can be applied. */
const storesAfter = (operations: readonly StoreOperation[]) =>
  operations.reduce<Stores>((stores, each, index) => {
    const applied = apply(stores, each, index);
    return 'error' in applied ? stores : applied.stores;
  }, emptyStores);

describe('any operation', () => {
  test('applied twice leaves the same state, dates included', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), operation, (before, each) => {
        const once = apply(storesAfter(before), each, 100);
        if ('error' in once) return;
        const twice = apply(once.stores, each, 200);
        expect('error' in twice ? once.stores : twice.stores).toBe(once.stores);
      }),
    );
  });

  test('keeps count of the bytes', () => {
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 12 }), before => {
        const stores = storesAfter(before);
        expect(bytesOf(stores)).toBe(bytesOf(structuredClone(stores)));
      }),
    );
  });
});

const set = (identifier: string, given: EntryFields = {}): StoreOperation => ({
  kind: 'task',
  action: 'set',
  identifier,
  fields: { heading: 'h', content: 'c', ...given },
});
const entry = (each: string, content: string): StoreOperation => ({
  kind: 'vault',
  action: 'set',
  id: each,
  type: 'text',
  description: '',
  content,
});

describe('limits', () => {
  test('1,000 entries of a kind, and not one more', () => {
    const full = storesAfter(Array.from({ length: 1_000 }, (_, index) => set(`t${index}`)));
    expect(full.tasks).toHaveLength(1_000);
    expect(apply(full, set('one-more'), 0)).toEqual({
      error: 'task "one-more": there are 1000 tasks, the most there may be: delete some first',
    });
    expect(apply(full, set('t5', { content: 'd' }), 0)).toMatchObject({ answer: 'task "t5" changed' });
    expect(apply(full, { ...set('g'), kind: 'goal' } as StoreOperation, 0)).toMatchObject({
      answer: 'goal "g" stored',
    });
  });

  test('4 MB in all kinds together, and not a byte more', () => {
    const big = 'x'.repeat(256 * 1024);
    // An id of 3 bytes and the word `text` belong to each.
    const full = storesAfter([
      ...Array.from({ length: 15 }, (_, index) => entry(`v${String(index).padStart(2, '0')}`, big)),
      set('t', { content: 'x'.repeat(256 * 1024 - 15 * 7 - 't'.length - 'h'.length - 'pending'.length) }),
    ]);
    expect(bytesOf(full)).toBe(4 * 1024 * 1024);
    expect(apply(full, entry('v', ''), 0)).toEqual({
      error:
        'vault entry "v": with it the session would store 4194309 bytes; 4194304 at most: delete or shorten entries',
    });
    expect(apply(full, entry('v00', `${'x'.repeat(10)}`), 0)).toMatchObject({
      answer: 'vault entry "v00" changed',
    });
    const less = apply(full, { kind: 'vault', action: 'delete', id: 'v00' }, 0);
    if ('error' in less) throw new Error(less.error);
    expect(apply(less.stores, entry('v', big), 0)).toMatchObject({ answer: 'vault entry "v" stored' });
  });
});

describe('what a new entry is refused for', () => {
  const described = (description: string): StoreOperation => ({
    kind: 'vault',
    action: 'set',
    id: 'n',
    type: 'text',
    content: '',
    description,
  });
  test.each<[string, StoreOperation, string | undefined]>([
    ['251 emoji are 251 characters', described('\u{1f600}'.repeat(251)), undefined],
    [
      '501 of them',
      described('\u{1f600}'.repeat(501)),
      'vault entry "n": the description has 501 characters; 500 at most',
    ],
  ])('%s', (_, operation, error) => {
    const applied = apply(emptyStores, operation, 1);
    expect('error' in applied ? applied.error : undefined).toBe(error);
  });
});

describe('reads in vain are named', () => {
  const readOf = (each: string): StoreOperation => ({ kind: 'vault', action: 'read', id: each, limit: 5 });
  test('an entry', () => expect(apply(emptyStores, readOf('a'), 0)).toMatchObject({ missing: 'a' }));
  test('a last result that there is not', () =>
    expect(apply(emptyStores, readOf('last_execution_result'), 0)).toEqual({
      error: 'last_execution_result: no execution has returned anything yet',
      missing: 'last_execution_result',
    }));
  test.each(['set', 'delete'] as const)('a last result cannot be %s', action =>
    expect(apply(emptyStores, { kind: 'vault', action, id: 'last_execution_result' }, 0)).toEqual({
      error: '"last_execution_result" is what the last execution returned: it is neither written nor deleted',
    }),
  );
});

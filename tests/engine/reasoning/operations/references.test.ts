// References to the vault in code and contents.
import { describe, expect, test } from 'vitest';
import { resolveReferences } from '../../../../src/engine/reasoning/operations/references.ts';
import { emptyStores, type Stores, type VaultEntry } from '../../../../src/engine/reasoning/stores.ts';

const entry = (id: string, content: string, type: VaultEntry['type'] = 'text'): VaultEntry => ({
  id,
  type,
  description: '',
  content,
  createdAt: 0,
  updatedAt: 0,
});
const stores: Stores = {
  ...emptyStores,
  vault: [
    entry('note', 'say "hi"\n$& $1'),
    entry('numbers', '{"a": [1, 2]}', 'data'),
    entry('code', 'f();', 'code'),
    entry('again', '{{<vaultref id="note" />}}'),
    entry('big', 'x'.repeat(200 * 1024)),
    entry('__proto__', 'p'),
  ],
};
const ref = (id: string) => `{{<vaultref id="${id}" />}}`;

describe('what stands for a reference', () => {
  test.each([
    ['no reference', 'const a = 1;', 'const a = 1;'],
    ['text as it is', `a ${ref('note')} b`, 'a say "hi"\n$& $1 b'],
    ['data as its JSON', `const a = ${ref('numbers')};`, 'const a = {"a": [1, 2]};'],
    ['code as it is', ref('code'), 'f();'],
    ['several', ref('code') + ref('code') + ref('numbers'), 'f();f();{"a": [1, 2]}'],
    ['what is put in is not searched', ref('again'), '{{<vaultref id="note" />}}'],
    ['the last result', `[${ref('last_execution_result')}]`, '[42]'],
    ['an id that objects have, too', ref('__proto__'), 'p'],
  ])('%s', (_name, text, resolved) => {
    expect(resolveReferences(text, stores, '42')).toEqual({ text: resolved });
  });
});

describe('refused', () => {
  test('an id without an entry, with the nearest', () =>
    expect(resolveReferences(ref('notes') + ref('code'), stores, undefined)).toEqual({
      error: 'vault references: there is no vault entry "notes"; nearest: "note"',
      missing: ['notes'],
    }));

  test('ids that only prototypes have', () =>
    expect(resolveReferences(ref('constructor'), stores, undefined)).toMatchObject({
      missing: ['constructor'],
    }));

  test('what grows beyond 1 MB', () =>
    expect(resolveReferences(ref('big').repeat(6), stores, undefined)).toEqual({
      error: 'vault references: with its vault entries the text has 1228800 characters; 1048576 at most',
      missing: [],
    }));

  test('what would grow beyond all memory', () => {
    const result = resolveReferences(ref('big').repeat(20_000), stores, undefined);
    expect(result).toMatchObject({ missing: [] });
    expect(result).toHaveProperty('error', expect.stringContaining('characters'));
  });

  test('thousands of missing ids, in a few words', () => {
    const text = Array.from({ length: 5_000 }, (_, index) => ref(`${'long'.repeat(100)}${index}`)).join('');
    const result = resolveReferences(text, stores, undefined);
    if (!('error' in result)) throw new Error('nothing was missing');
    expect(result.error.length).toBeLessThan(1_000);
    expect(result.error).toContain('and 4995 more are missing');
    expect(result.missing).toHaveLength(100);
    expect(result.missing.every(each => each.length <= 200)).toBe(true);
  });
});

describe('data in code is an expression of that value', () => {
  const held = (content: string) => ({ ...emptyStores, vault: [entry('d', content, 'data')] });
  test.each([
    ['line ends in front', '\n\n[1]', '[1]'],
    ['blanks and an object', ' \n {"a":1}', '{"a":1}'],
    ['a member __proto__', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['two of them', '{"a":1,"__proto__":1,"__proto__":2}', '{"a":1,"__proto__":2}'],
    [
      'a text that looks like one',
      '["{\\"__proto__\\":1", "{", "__proto__"]',
      '["{\\"__proto__\\":1","{","__proto__"]',
    ],
  ])('%s', (_, content, json) => {
    const resolved = resolveReferences(`return ${ref('d')}`, held(content), undefined, { isCode: true });
    if ('error' in resolved) throw new Error(resolved.error);
    expect(JSON.stringify(new Function(resolved.text)())).toBe(json);
    // In a content it stays what is stored.
    expect(resolveReferences(ref('d'), held(content), undefined)).toEqual({ text: content });
  });

  test.each([
    ['undefined', 'return undefined'],
    ['"[function f]"', 'return "[function f]"'],
  ])('the last result %s', (last, text) =>
    expect(
      resolveReferences(`return ${ref('last_execution_result')}`, stores, last, { isCode: true }),
    ).toEqual({ text }),
  );
});

describe('an entry that refers to itself', () => {
  const filled = { isCode: false, id: 'note' } as const;
  test.each([
    ['that is there', `${ref('note')}y`, stores],
    ['that is not there yet', ref('note'), emptyStores],
  ])('%s is refused', (_, text, given) =>
    expect(resolveReferences(text, given, undefined, filled)).toMatchObject({
      error:
        'vault references: the content of "note" refers to itself: write out what it shall hold, or use another id',
    }),
  );

  test('may refer to others', () =>
    expect(resolveReferences(ref('code'), stores, undefined, filled)).toEqual({ text: 'f();' }));
});

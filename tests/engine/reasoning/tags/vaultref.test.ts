// Vault references and the entries in their place.
import { expect, test } from 'vitest';
import { substituteVaultRefs } from '../../../../src/engine/reasoning/tags/vaultref.ts';

const vault = new Map([
  ['a', 'A'],
  ['json', '{"x":1}'],
  ['ref', '{{<vaultref id="a"/>}}'],
  ['$', '$&$1'],
  ['', 'empty'],
]);
const substitute = (text: string) => substituteVaultRefs(text, id => vault.get(id));

test.each([
  ['nothing', 'nothing'],
  ['{{<vaultref id="a" />}}', 'A'],
  ['{{<vaultref id="a"/>}}', 'A'],
  ["{{<vaultref\n id='a'/>}}", 'A'],
  ['x{{<vaultref id="a"/>}}y{{<vaultref id="json"/>}}{{<vaultref id="a"/>}}z', 'xAy{"x":1}Az'],
  ['```\n{{<vaultref id="a"/>}}\n```', '```\nA\n```'],
  ['{{<vaultref id="ref"/>}}', '{{<vaultref id="a"/>}}'],
  ['{{<vaultref id="$"/>}}', '$&$1'],
  ['{{<vaultref id=""/>}}', 'empty'],
  ['{{<vaultrefs id="a"/>}} {{<ask>}} {{vaultref}}', '{{<vaultrefs id="a"/>}} {{<ask>}} {{vaultref}}'],
])('%j becomes %j', (text, expected) =>
  expect(substitute(text)).toEqual({ text: expected, missing: [], problems: [] }),
);

test('missing ids are told once each, in order, and nothing is replaced', () => {
  const text = '{{<vaultref id="y"/>}}{{<vaultref id="a"/>}}{{<vaultref id="x"/>}}{{<vaultref id="y"/>}}';
  expect(substitute(text)).toEqual({ text, missing: ['y', 'x'], problems: [] });
});

test.each([
  ['a\n {{<vaultref id=a/>}}', 'must stand in quotes'],
  ['a\n {{<vaultref/>}}', 'is written {{<vaultref id="..." />}}'],
  ['a\n {{<vaultref id="a">}}', 'is written {{<vaultref id="..." />}}'],
  ['a\n {{<vaultref id="a', '" is missing'],
  ['a\n {{<vaultref', 'does not end'],
  ['a\n {{<vaultref name="a"/>}}', 'vaultref has no attribute "name"'],
])('%j is a problem, and nothing is replaced', (text, message) => {
  const { problems, ...rest } = substitute(`${text}`);
  expect(rest).toEqual({ text, missing: [] });
  expect(problems).toMatchObject([{ line: 2, column: 2, message: expect.stringContaining(message) }]);
});

test('a reference in the id of another is part of the id', () => {
  const { missing } = substitute(`{{<vaultref id="{{<vaultref id='a'/>}}"/>}}`);
  expect(missing).toEqual([`{{<vaultref id='a'/>}}`]);
});

test('many references to a large entry do not fill the memory', () => {
  const text = '{{<vaultref id="big"/>}}'.repeat(10_000);
  const big = 'x'.repeat(256 * 1024);
  const found = substituteVaultRefs(text, () => big);
  expect(found.text).toBe(text);
  expect(found.problems).toMatchObject([
    { message: expect.stringContaining('more than 4194304 characters') },
  ]);
});

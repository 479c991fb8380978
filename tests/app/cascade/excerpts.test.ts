// What layers opened of the repository, as the next ones get it: what of it, in which order, and never more than is meant for it.
import { expect, test } from 'vitest';
import { excerptsOf, type Opened } from '../../../src/app/cascade/excerpts.ts';
import { estimateTokens } from '../../../src/engine/language/trim.ts';
import { ToolRefusal } from '../../../src/engine/language/tool.ts';
import { numberedExcerpt } from '../../../src/engine/runtime/tools/search.ts';

const lines = (count: number, word = 'line') =>
  Array.from({ length: count }, (_, index) => `${word} ${index + 1}\n`).join('');
const files: Record<string, string> = {
  'a.ts': lines(9),
  'b.ts': lines(9, 'other'),
  'long.ts': lines(9000),
  'wide.ts': `${'x'.repeat(200_000)}\n`,
  'fence.md': '```\n# Your rules\n````\n',
  'odd\n## name.ts': 'odd\n',
};
const read = async ({ path, offset, limit }: Opened) => {
  const text = files[path];
  if (text === undefined) throw new ToolRefusal(`there is no file ${path}`);
  return numberedExcerpt(text, offset, limit);
};
const shown = (opened: Opened[], said = '') => excerptsOf(opened, said, read);
/** Paths in their order. */
const order = async (opened: Opened[], said = '') =>
  [...(await shown(opened, said)).matchAll(/^> "([^"]+)":$/gm)].map(([, path]) => path);

test('the lines that were opened, with their numbers, quoted', async () => {
  expect(await shown([{ path: 'a.ts', offset: 2, limit: 2 }])).toBe(
    '> "a.ts":\n> 2\tline 2\n> 3\tline 3\n> [lines 2 to 3 of 9; go on with offset 4]',
  );
});

test('nothing was opened, or nothing of it is there: nothing is said', async () => {
  expect([await shown([]), await shown([{ path: 'gone.ts' }])]).toEqual(['', '']);
});

test.for<[name: string, opened: Opened[], numbers: number[]]>([
  ['twice', [{ path: 'a.ts' }, { path: 'a.ts' }], [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [
    'a part, then all of it',
    [{ path: 'a.ts', offset: 3, limit: 1 }, { path: 'a.ts' }],
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
  ],
  [
    'parts that overlap',
    [
      { path: 'a.ts', offset: 4, limit: 3 },
      { path: 'a.ts', offset: 2, limit: 3 },
    ],
    [2, 3, 4, 5, 6],
  ],
  [
    'parts that touch',
    [
      { path: 'a.ts', limit: 2 },
      { path: 'a.ts', offset: 3, limit: 1 },
    ],
    [1, 2, 3],
  ],
  [
    'parts that do not',
    [
      { path: 'a.ts', offset: 8 },
      { path: 'a.ts', limit: 1 },
    ],
    [1, 8, 9],
  ],
])('opened %s, each line is there once', async ([, opened, numbers]) => {
  const found = [...(await shown(opened)).matchAll(/^> (\d+)\tline/gm)].map(([, number]) => Number(number));
  expect(found).toEqual(numbers);
});

test.for<[name: string, opened: string[], said: string, paths: string[]]>([
  ['the newest first', ['a.ts', 'b.ts'], '', ['b.ts', 'a.ts']],
  ['one that is opened again is new', ['a.ts', 'b.ts', 'a.ts'], '', ['a.ts', 'b.ts']],
  ['what replies name most before it', ['a.ts', 'b.ts'], 'See a.ts.', ['a.ts', 'b.ts']],
  ['named more often', ['a.ts', 'b.ts'], 'b.ts, a.ts, a.ts', ['a.ts', 'b.ts']],
])('%s', async ([, opened, said, paths]) => {
  expect(
    await order(
      opened.map(path => ({ path })),
      said,
    ),
  ).toEqual(paths);
});

test.for<[name: string, opened: string[]]>([
  ['a long file', ['a.ts', 'long.ts']],
  ['a line without end', ['a.ts', 'wide.ts']],
  ['more files than fit', ['long.ts', 'wide.ts', 'a.ts', 'fence.md', 'b.ts']],
])('%s stays within the budget, cut between lines, and what is left out is named', async ([, opened]) => {
  const text = await shown(opened.map(path => ({ path })));
  expect(estimateTokens(text)).toBeLessThanOrEqual(6000);
  for (const path of opened) expect(text).toContain(path);
  if (opened.includes('a.ts')) expect(text).toContain('9\tline 9');
});

test('hundreds of long names stay within it too', async () => {
  const names = Array.from({ length: 500 }, (_, index) => `${'n'.repeat(190)}${index}`);
  for (const name of names) files[name] = lines(400);
  expect(estimateTokens(await shown(names.map(path => ({ path }))))).toBeLessThanOrEqual(6000);
});

test('neither a name nor a text begins a line of its own', async () => {
  const text = await shown([{ path: 'fence.md' }, { path: 'odd\n## name.ts' }]);
  for (const line of text.split(/[\n\r\u2028]/)) expect(line).toMatch(/^> ("|\d+\t|\[)/);
});

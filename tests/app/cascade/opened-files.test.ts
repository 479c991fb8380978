// The files that layers opened, as the next ones are told them: a line for each, and never more than is meant for it.
import { expect, test } from 'vitest';
import { openedList } from '../../../src/app/cascade/opened-files.ts';
import { estimateTokens } from '../../../src/engine/language/trim.ts';

const index = [
  { path: 'a.ts', metadata: 'TypeScript, 1.2 KB: Lights the lamp; exports light', digest: 'a', bytes: 1200 },
];
const shown = (...paths: string[]) =>
  openedList(
    paths.map(path => ({ path })),
    index,
    'Dim the lamp',
  );

test('each file is there once, with what it says of itself', () => {
  expect(shown('a.ts', 'gone.ts', 'a.ts')).toBe('> a.ts Lights the lamp; exports light\n> gone.ts');
});

test('hundreds of long names stay within the budget, and the cut is marked', () => {
  const text = shown(...Array.from({ length: 500 }, (_, at) => `${'n'.repeat(190)}${at}`));
  expect(estimateTokens(text)).toBeLessThanOrEqual(1100);
  expect(text).toMatch(/\n> \[cut off\]$/);
});

test('no name begins a line of its own', () => {
  for (const line of shown('odd\n## name.ts', '\u2028x').split(/[\n\r\u2028]/)) expect(line).toMatch(/^> /);
});

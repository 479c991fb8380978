// Places of offsets, whatever ends the lines.
import { expect, test } from 'vitest';
import { placesIn } from '../../../packages/ground/lib/line-column.ts';

test.each([
  ['ab\ncd', ['1:1', '1:2', '1:3', '2:1', '2:2', '2:3']],
  ['a\r\nb\r\n', ['1:1', '1:2', '1:3', '2:1', '2:2', '2:3', '3:1']],
  ['a\r\rb', ['1:1', '1:2', '2:1', '3:1', '3:2']],
  ['\n\na', ['1:1', '2:1', '3:1', '3:2']],
  ['', ['1:1']],
])('%j', (text, expected) => {
  const place = placesIn(text);
  const places = expected.map((_, offset) => place(offset));
  expect(places.map(({ line, column }) => `${line}:${column}`)).toEqual(expected);
});

test('offsets may come in any order', () => {
  const place = placesIn('ab\ncd\nef');
  expect([7, 0, 4].map(place)).toEqual([
    { line: 3, column: 2 },
    { line: 1, column: 1 },
    { line: 2, column: 2 },
  ]);
});

// Lines that are code, quotes and prose.
import { describe, expect, test } from 'vitest';
import { inlineCode, markdownLines } from '../../../packages/ground/lib/markdown.ts';

const kinds = (text: string) =>
  markdownLines(text)
    .lines.map(line => line.kind[0])
    .join('');

describe('markdownLines', () => {
  test.each<[string, string]>([
    ['a\n\nb', 'tbt'],
    ['a\r\n\r\nb\rc', 'tbtt'],
    ['```\na\n```\nb', 'ffft'],
    ['````\n```\n````\nb', 'ffft'],
    ['~~~\n```\n~~~\nb', 'ffft'],
    ['``` a`b\nc', 'tt'],
    ['```\na', 'ff'],
    ['    a\nb', 'it'],
    ['\ta', 'i'],
    ['> a\nb', 'qt'],
    ['> ```\nb', 'qt'],
    ['- a\n\n      b', 'tbi'],
    ['- a\n\n    b', 'tbt'],
    ['1. a\n   ```\n   b\n   ```\nc', 'tffft'],
    ['- ```\n  a\n  ```\nb', 'ffft'],
    ['- ```\n  a\nb', 'fft'],
    ['- a\n  - b\n  ```\n  c\nd', 'ttfft'],
    ['   ```\n    ```\n```', 'fff'],
  ])('%j is %s', (text, expected) => expect(kinds(text)).toBe(expected));
  test('an open fence is told', () => {
    expect(markdownLines('a\n~~~~\nb').open).toEqual({ mark: '~~~~', indent: 0, line: 2 });
    expect(markdownLines('```\n```').open).toBeUndefined();
  });
});

describe('inlineCode', () => {
  test.each<[string, [number, number][], number[]]>([
    ['`a`', [[0, 3]], []],
    ['``a`b``', [[0, 7]], []],
    ['`a``', [], [0, 2, 3]],
    ['\\`a`', [], [3]],
    ['\\``a`', [[2, 5]], []],
    ['`a\\`b`', [[0, 4]], [5]],
    [
      '`a` ` `b`',
      [
        [0, 3],
        [4, 7],
      ],
      [8],
    ],
  ])('%j', (text, spans, unmatched) => expect(inlineCode(text)).toEqual({ spans, unmatched }));
});

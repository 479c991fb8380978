// Parts of a conversation removed at each step, and parts that always stay.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import type { ModelMessage } from '../../../src/engine/models/model.ts';
import { cutText, shortened } from '../../../src/engine/reasoning/shorten.ts';

describe('a text', () => {
  test.each<[text: string, most: number, cut: string]>([
    ['', 0, ''],
    ['short', 3, 'short'],
    ['x'.repeat(100), 100, 'x'.repeat(100)],
    ['x'.repeat(100), 3, 'xxx\n(97 characters were left out)'],
    ['x'.repeat(100), 0, '\n(100 characters were left out)'],
    [`a${'😀'.repeat(50)}`, 2, 'a\uFFFD\n(99 characters were left out)'],
  ])('%j within %i characters', (text, most, cut) => expect(cutText(text, most)).toBe(cut));

  test('is never longer than before, and well formed', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.nat(200), (text, most) => {
        const cut = cutText(text, most);
        expect(cut.length).toBeLessThanOrEqual(text.length);
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});

const messages: ModelMessage[] = [
  { role: 'user', content: [{ type: 'text', text: 'p'.repeat(9000) }] },
  { role: 'assistant', content: [{ type: 'tool_call', id: 'c', name: 'read_file', input: { path: 'a' } }] },
  { role: 'user', content: [{ type: 'tool_result', id: 'c', content: 'r'.repeat(9000) }] },
];
const results = (all: readonly ModelMessage[]) =>
  all.flatMap(({ content }) => content.flatMap(part => (part.type === 'tool_result' ? [part.content] : [])));

test.each<[limit: number, kept: number]>([
  [8000, 6000],
  [6000, 1500],
  [1000, 300],
  [10, 300],
])('answers of tools within %i characters: cut to %i', (limit, kept) => {
  const short = shortened(messages, each => results(each).join('').length <= limit);
  expect(results(short)).toEqual([`${'r'.repeat(kept)}\n(${9000 - kept} characters were left out)`]);
  expect(short.slice(0, 2)).toEqual(messages.slice(0, 2));
});

// `npm run docs` writes between the marks of a page, and never outside of them.
import { expect, test } from 'vitest';
import { withMadeParts } from './made-parts.ts';

const page = (...lines: string[]) => `${lines.join('\n')}\n`;
const begin = (name: string) => `<!-- made by npm run docs: ${name} -->`;
const end = '<!-- end -->';
const fill = (text: string) =>
  withMadeParts('docs/page.md', text, name => Promise.resolve(`made of ${name} for $& $1`));
const made = (name: string) => [begin(name), `made of ${name} for $& $1`, end];

test.each([
  [
    'a part that was made before',
    page('one', begin('a'), 'old', 'older', end, 'two'),
    page('one', ...made('a'), 'two'),
  ],
  [
    'a new part with nothing in it yet',
    page(begin('a'), end, 'prose', begin('b'), 'old', end, 'two'),
    page(...made('a'), 'prose', ...made('b'), 'two'),
  ],
  ['a new part with an empty line in it', page(begin('a'), '', end, 'prose'), page(...made('a'), 'prose')],
  [
    'two new parts, one after the other',
    page(begin('a'), end, begin('b'), end),
    page(...made('a'), ...made('b')),
  ],
  [
    'a new part at the end of a page without a last line break',
    `one\n${begin('a')}\n${end}`,
    ['one', ...made('a')].join('\n'),
  ],
  [
    'one part in two places',
    page(begin('a'), end, 'prose', begin('a'), end),
    page(...made('a'), 'prose', ...made('a')),
  ],
  ['a page without parts', page('one', '', 'two'), page('one', '', 'two')],
])('%s is made, and all else stays', async (_, before, after) => {
  expect(await fill(before)).toBe(after);
  expect(await fill(after)).toBe(after);
});

test.each([
  [
    'a part that ends nowhere',
    page('one', begin('a'), 'prose'),
    '2: the part "a" has no end: write "<!-- end -->" on a line of its own after it',
  ],
  [
    'a part that another begins in',
    page(begin('a'), 'prose', begin('b'), end),
    '1: the part "a" has no end: write "<!-- end -->" on a line of its own after it',
  ],
  [
    'an end that is not alone on its line',
    page(begin('a'), 'old', `${end} prose`, 'prose'),
    '1: the part "a" has no end: write "<!-- end -->" on a line of its own after it',
  ],
  [
    'an end of nothing',
    page('one', begin('a'), end, 'prose', end),
    '5: "<!-- end -->" ends no part: write "<!-- made by npm run docs: NAME -->" on a line of its own before it',
  ],
  [
    'a beginning that is not alone on its line',
    page(`see ${begin('a')}`, 'prose', end),
    '3: "<!-- end -->" ends no part: write "<!-- made by npm run docs: NAME -->" on a line of its own before it',
  ],
])('%s is refused with its place', async (_, text, said) => {
  await expect(fill(text)).rejects.toThrow(`docs/page.md:${said}`);
});

test('a part that cannot be made is refused with its place', async () => {
  const failing = () => Promise.reject(new Error('no such command'));
  await expect(withMadeParts('docs/page.md', page('one', begin('a'), end), failing)).rejects.toThrow(
    'docs/page.md:2: no such command',
  );
});

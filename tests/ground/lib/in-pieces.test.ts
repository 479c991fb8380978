// Text in pieces: what comes out is what the whole would be, and at no moment more.
import fc from '../../properties.ts';
import { expect, test } from 'vitest';
import { inPieces } from '../../../packages/ground/lib/in-pieces.ts';
import { masker } from '../../../packages/ground/lib/mask.ts';
import { seen, visible } from '../../../packages/ground/lib/visible-text.ts';

const secret = 'p4ss/w0rd+"&x y';
const mask = masker([secret]);
const whole = (text: string) => mask(seen(text).text);

/** The shown text after each piece, and after the end. */
function shown(...pieces: string[]): string[] {
  const stream = inPieces(visible, mask);
  return [...pieces.map(piece => stream.add(piece)), stream.end()];
}

test.each<[string, string, string]>([
  ['a secret', `key ${secret} end`, 'key *** end'],
  ['twice', `${secret}${secret}`, '******'],
  ['in base64', `Basic ${Buffer.from(secret).toString('base64')} ok`, 'Basic *** ok'],
  ['with characters that nobody sees in it', `key p4ss\u200b/w0r\u001bd+"&x y.`, 'key ***.'],
  ['a token', `a ghs_${'a'.repeat(40)} b`, 'a *** b'],
  ['the beginning of a token', 'ghs_short github_pa sk-an', 'ghs_short github_pa sk-an'],
  ['its own beginning before it', `p4ss/p4ss/w0rd+"&x y`, 'p4ss/***'],
  ['ANSI colours', 'a\u001b[31mred\u001b[0m b', 'a[31mred[0m b'],
  ['a title for the terminal', 'a\u001b]0;owned\u0007b', 'a]0;ownedb'],
  ['C1', 'a\u009b2Jb', 'a2Jb'],
  ['bidirectional', 'a\u202eb\u2066c', 'abc'],
  ['an emoji of several', 'x 👩\u200d💻 y', 'x 👩\u200d💻 y'],
  ['a keycap', 'x 1\ufe0f\u20e3 y', 'x 1\ufe0f\u20e3 y'],
  ['a joiner between letters', 'x a\u200db y', 'x ab y'],
  ['a joiner where a script spells with it', 'x \u0646\u200c\u0627 y', 'x \u0646\u200c\u0627 y'],
  ['stacked marks', `x a${'\u0301'.repeat(40)} y`, `x a${'\u0301'.repeat(8)} y`],
])('%s, cut at every position, and into single characters', (_name, text, expected) => {
  expect(whole(text)).toBe(expected);
  for (let at = 0; at <= text.length; at++) {
    const out = shown(text.slice(0, at), text.slice(at));
    expect(out.join(''), `cut at ${at}`).toBe(expected);
  }
  expect(shown(...text.split('')).join('')).toBe(expected);
});

test('nothing of a secret is shown before it is known to be none', () => {
  const [first, second, rest] = shown('It is p4ss/w0', 'rd+"&x', ' nothing');
  expect([first, second, rest]).toEqual(['It is ', '', 'p4ss/w0rd+"&x nothin']);
  expect(shown('It is p4ss/w0', 'rm. So').slice(0, 2)).toEqual(['It is ', 'p4ss/w0rm. S']);
});

test('a text without either is shown but for its last character', () =>
  expect(shown('Hello, ', 'world', '!')).toEqual(['Hello,', ' worl', 'd', '!']));

test('property: pieces make what the whole makes, secrets that overlap themselves too', () => {
  const unit = fc.constantFrom('a', 'b', 'g', 'h', 's', '_', ' ', '\u001b', '\u0301', '\u200d', '😀');
  const text = fc.string({ unit, maxLength: 60 });
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 6 })),
      fc.array(text),
      (all, pieces) => {
        const own = masker(all);
        const stream = inPieces(visible, own);
        const given = pieces.flatMap((piece, n) => [piece, all[n] ?? '']);
        const out = given.map(piece => stream.add(piece)).join('') + stream.end();
        expect(out).toBe(own(seen(given.join('')).text));
      },
    ),
  );
});

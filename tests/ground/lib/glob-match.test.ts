// Globs and paths: a table, picomatch as the judge of short ones, and the time that hostile ones take.
import fc from '../../properties.ts';
import picomatch from 'picomatch';
import { expect, test } from 'vitest';
import { readGlob } from '../../../packages/ground/lib/glob-match.ts';

const endless = () => ({ left: Number.POSITIVE_INFINITY });

test.for<[glob: string, path: string, matches: boolean, covers: boolean]>([
  ['a.txt', 'a.txt', true, true],
  ['a.txt', 'b/a.txt', false, false],
  ['/a.txt', 'a.txt', true, true],
  ['./src/', 'src', true, true],
  ['src', 'src/a', false, true],
  ['src', 'srcs', false, false],
  ['src/*', 'src/a', true, true],
  ['src/*', 'src/a/b', false, true],
  ['src/**', 'src', true, true],
  ['src/**', 'src/a/b', true, true],
  ['**/x', 'x', true, true],
  ['**/x', 'a/b/x', true, true],
  ['**/x', 'a/b/xy', false, false],
  ['a/**/b', 'a/b', true, true],
  ['*', '.env', true, true],
  ['.github/echelon*', '.github/echelon.yml', true, true],
  ['.github/echelon*', '.github/echelon/roles/2ic.xml', false, true],
  ['*.{ts,tsx}', 'a.tsx', true, true],
  ['[!a-c]', 'd', true, true],
  ['[!a-c]', 'b', false, false],
  ['[^a]/x', 'b/x', true, true],
  ['a\\*b', 'a*b', true, true],
  ['a\\*b', 'axb', false, false],
  ['app/(group)/x', 'app/(group)/x', true, true],
])('%s and %s', ([glob, path, matches, covers]) => {
  const read = readGlob(glob);
  expect([read?.matches(path, endless()), read?.covers(path, endless())]).toEqual([matches, covers]);
});

test.for([
  '',
  '/',
  '!a',
  '@(a|b)',
  '*(a)',
  '{a',
  '{a}',
  '{1..3}',
  '[a',
  'a]',
  '../a',
  'a/./b',
  'a//b',
  'a\\',
])('%j is no glob', glob => expect(readGlob(glob)).toBeUndefined());

test('property: says of short paths what picomatch says', () => {
  const name = fc
    .array(fc.constantFrom('a', 'b', '?', '[ab]', '[^a]', '{a,b}', '*'), { minLength: 1, maxLength: 3 })
    .map(parts => parts.join('').replace(/\*+/g, '*'));
  const glob = fc
    .array(fc.oneof({ arbitrary: name, weight: 3 }, fc.constant('**')), { minLength: 1, maxLength: 3 })
    .map(parts =>
      parts
        .join('/')
        .replace(/(\*\*\/)+/g, '**/')
        .replace('**/**', '**'),
    );
  const path = fc
    .array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 3 }), {
      minLength: 1,
      maxLength: 4,
    })
    .map(names => names.join('/'));
  fc.assert(
    fc.property(glob, path, (pattern, text) => {
      const is = readGlob(pattern)?.matches(text, endless());
      const judge = picomatch.makeRe(pattern, { dot: true, noextglob: true }).test(text);
      // `a/**` is `a`, too: picomatch says so of names, and of wildcards it says otherwise.
      if (is && pattern.endsWith('/**')) return;
      expect({ pattern, text, is }).toEqual({ pattern, text, is: judge });
    }),
    { numRuns: 5_000 },
  );
});

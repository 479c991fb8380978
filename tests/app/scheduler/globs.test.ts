// Globs that can meet, against a table and against picomatch over all short paths.
import fc from '../../properties.ts';
import picomatch from 'picomatch';
import { describe, expect, test } from 'vitest';
import { canMeet } from '../../../src/app/scheduler/globs.ts';
import { cpuNow } from '../../cpu-time.ts';

describe('canMeet', () => {
  test.each<[string, string, boolean]>([
    ['src/a.ts', 'src/a.ts', true],
    ['src/a.ts', 'src/b.ts', false],
    ['./src/a.ts', 'src/a.ts', true],
    ['/src/a.ts', 'src/a.ts', true],
    ['src', 'src/a.ts', true],
    ['src/', 'src/a.ts', true],
    ['src', 'srcs/a.ts', false],
    ['**', 'x', true],
    ['*', 'x/y', false],
    ['src/*', 'src/a/b.ts', false],
    ['src/**', 'src', true],
    ['src/**', 'src/a/b.ts', true],
    ['src/**/x.ts', 'src/x.ts', true],
    ['**/*.test.ts', 'src/a.ts', false],
    ['**/*.test.ts', 'src/**', true],
    ['*.ts', '*.js', false],
    ['a?c', 'abc', true],
    ['a?c', 'abbc', false],
    ['{a,b}/x', 'b/*', true],
    ['{a,b}/x', 'c/*', false],
    ['src/{a,b/c}.ts', 'src/b/c.ts', true],
    ['[a-c].ts', 'b.ts', true],
    ['[^a-c].ts', 'b.ts', false],
    ['[!a-c].ts', 'b.ts', true],
    ['[^a].ts', 'b.ts', true],
    ['a*b*c', 'acb', false],
    ['.github/**', '*/x', true],
    ['é.ts', 'e\u0301.ts', true],
    // In doubt.
    ['../x', 'y', true],
    ['a\\*b', 'y', true],
    ['!(a)', 'y', true],
    ['{a', 'y', true],
    ['', 'y', true],
    ['x'.repeat(500), 'y', true],
  ])('%j and %j: %s', (a, b, expected) => {
    expect(canMeet(a, b)).toBe(expected);
    expect(canMeet(b, a)).toBe(expected);
  });

  const names = ['', 'a', 'b']
    .flatMap(x => ['a', 'b', '.'].flatMap(y => [`${x}${y}`]))
    .filter(name => name !== '.');
  const paths = [
    ...names,
    ...names.flatMap(x => names.flatMap(y => [`${x}/${y}`, `${x}/${y}/a`, `${x}/${y}/b`])),
  ];
  const name = fc.array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '[^a]', '{a,b}', '{ab,b}'), {
    minLength: 1,
    maxLength: 3,
  });
  const glob = fc
    .array(fc.oneof({ arbitrary: name.map(parts => parts.join('')), weight: 3 }, fc.constant('**')), {
      minLength: 1,
      maxLength: 3,
    })
    .map(parts => parts.join('/'));

  test('property: never says no when picomatch finds a path', () => {
    fc.assert(
      fc.property(glob, glob, (a, b) => {
        const matchA = picomatch(a, { dot: true });
        const matchB = picomatch(b, { dot: true });
        const common = paths.find(path => matchA(path) && matchB(path));
        if (common !== undefined) expect({ a, b, common, meet: canMeet(a, b) }).toMatchObject({ meet: true });
      }),
      { numRuns: 3_000 },
    );
  });
  test('property: says no where there is no path, for names without folders', () => {
    const short = fc
      .array(fc.constantFrom('a', 'b', '?', '[ab]', '{a,b}'), { minLength: 1, maxLength: 2 })
      .map(parts => `${parts.join('')}.{x,y}`);
    const all = names.flatMap(one => [`${one}.x`, `${one}.y`]);
    const wild = [
      ...all,
      ...['a', 'b', 'c', '.'].flatMap(x => ['a', 'b', 'c', '.'].flatMap(y => [`${x}${y}.x`, `${x}${y}.y`])),
    ];
    fc.assert(
      fc.property(short, short, (a, b) => {
        const matchA = picomatch(a, { dot: true });
        const matchB = picomatch(b, { dot: true });
        expect({ a, b, meet: canMeet(a, b) }).toEqual({
          a,
          b,
          meet: wild.some(path => matchA(path) && matchB(path)),
        });
      }),
    );
  });
  test('where no effort is left any two may meet', () => {
    expect(canMeet('src/a.ts', 'docs/b.md', { left: 2 })).toBe(false);
    expect(canMeet('src/a.ts', 'docs/b.md', { left: 1 })).toBe(true);
  });
  test('any text is answered, in bounded time', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (a, b) => void canMeet(a, b)));
    const started = cpuNow();
    for (const unit of ['a*', '**/', '{a,', '{a,b}', '[a-z]', '?*', '{*,**}'])
      canMeet(unit.repeat(80).slice(0, 399), `${unit.repeat(60)}z`.slice(0, 399));
    expect(cpuNow() - started).toBeLessThan(2_000);
  });
});

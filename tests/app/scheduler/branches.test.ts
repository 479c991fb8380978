// Branch names, checked by git itself.
import { execFileSync } from 'node:child_process';
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { baseBranchName, branchName } from '../../../src/app/scheduler/branches.ts';

/** The part of a branch's name that comes from its title. */
const slug = (title: string) => branchName('r1', 3, title).slice('echelon/r1/3-'.length);

describe('slug', () => {
  test.each<[string, string]>([
    ['Add a slug()', 'add-a-slug'],
    ['[Backend] Über  die Brücke!', 'backend-uber-die-brucke'],
    ['a..b.lock', 'a-b-lock'],
    ['../../etc/passwd', 'etc-passwd'],
    ['@{-1}', '1'],
    ['日本語', 'issue'],
    ['', 'issue'],
    ['\u202ereversed\u0000', 'reversed'],
    ['\ud800x', 'x'],
    ['Base', 'base-issue'],
    ['This title is far too long to be the name of a branch', 'this-title-is-far-too-long-to-be-the'],
    ['x'.repeat(200), 'x'.repeat(40)],
    ['---', 'issue'],
  ])('%j -> %s', (title, expected) => expect(slug(title)).toBe(expected));

  test('property: short, safe, and the same again', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), title => {
        expect(slug(title)).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
        expect(slug(title).length).toBeLessThanOrEqual(40);
        expect(branchName('r1', 3, title)).not.toBe(baseBranchName('r1', 3));
      }),
    );
  });
  test('git takes them', () => {
    for (const title of ['a.lock', '..', '~^:?*[\\', '-x', 'Ünï', '🎉', 'HEAD', '@'])
      expect(
        execFileSync('git', ['check-ref-format', '--branch', branchName('7f3a', 12, title)], {
          encoding: 'utf8',
        }).trim(),
      ).toBe(branchName('7f3a', 12, title));
  });
  test('names', () => {
    expect(branchName('7f3a', 12, 'Add x')).toBe('echelon/7f3a/12-add-x');
    expect(baseBranchName('7f3a', 12)).toBe('echelon/7f3a/12-base');
  });
  test.each(['', '../x', 'a b', '-x', 'a.lock'])('a run named %j is refused', run => {
    expect(() => branchName(run, 1, 'x')).toThrow('cannot be part of a branch name');
  });
  test.each([0, -1, 1.5, Number.NaN])('an issue numbered %d is refused', number => {
    expect(() => branchName('r', number, 'x')).toThrow('is not the number of an issue');
  });
});

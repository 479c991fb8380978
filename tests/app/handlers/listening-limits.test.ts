// Limits of replies to people without write access.
import { expect, test } from 'vitest';
import { type Asked, hasRoom } from '../../../src/app/handlers/listening-limits.ts';

const minute = 60_000;
const asked = (by: string, at: number, issue = 1): Asked => ({ issue, by, at: at * minute });
const times = (count: number, make: (n: number) => Asked) => Array.from({ length: count }, (_, n) => make(n));

test.each<[string, Asked[], Asked, boolean]>([
  ['the first', [], asked('rita', 100), true],
  ['the fifth of a person', times(4, n => asked('rita', 99 - n)), asked('rita', 100), true],
  ['the sixth of a person', times(5, n => asked('rita', 99 - n)), asked('rita', 100), false],
  ['the sixth, over several issues', times(5, n => asked('rita', 99, n + 2)), asked('rita', 100), false],
  ['the sixth, an hour after the first', times(5, n => asked('rita', 100 - n)), asked('rita', 156), true],
  ['the first of another', times(5, n => asked('rita', 99 - n)), asked('sam', 100), true],
  ['the 20th on an issue', times(19, n => asked(`r${n}`, 99)), asked('sam', 100), true],
  ['the 21st on an issue', times(20, n => asked(`r${n}`, 99)), asked('sam', 100), false],
  ['the first on another issue', times(20, n => asked(`r${n}`, 99)), asked('sam', 100, 2), true],
  ['one before those that were answered', times(5, n => asked('rita', 101 + n)), asked('rita', 100), true],
])('%s', (_name, heard, next, expected) => expect(hasRoom(heard, next)).toBe(expected));

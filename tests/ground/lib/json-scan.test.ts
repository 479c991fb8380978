// Facts about a JSON text found without parsing it, compared with JSON.parse.
import fc from '../../properties.ts';
import { expect, test } from 'vitest';
import {
  bracketEnd,
  colonsIn,
  keyAt,
  nestingOf,
  repeatedKey,
} from '../../../packages/ground/lib/json-scan.ts';
import { expectLinear } from '../../cpu-time.ts';

test.each<[text: string, nesting: number, colons: number, end: number]>([
  ['', 0, 0, 0],
  ['7', 0, 0, 1],
  ['[]', 1, 0, 2],
  ['[[], {}] ', 2, 0, 8],
  ['{"a": {"b": [1]}}', 3, 2, 17],
  ['["[[[", "{:"]', 1, 0, 13],
  ['["\\"[", "\\\\"] ]', 1, 0, 13],
  ['[1', 1, 0, 2],
  ['["]', 1, 0, 3],
  ['["\\', 1, 0, 3],
  [']]][', 0, 0, 4],
])('%j: %i levels, %i members, ends at %i', (text, nesting, colons, end) => {
  expect(nestingOf(text)).toBe(nesting);
  expect(colonsIn(text)).toBe(colons);
  if (/^[[{]/.test(text)) expect(bracketEnd(text, 0)).toBe(end);
});

test('as JSON.parse tells it', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;
  const membersOf = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : Object.values(value).reduce<number>(
          (sum, each) => sum + membersOf(each),
          Array.isArray(value) ? 0 : Object.keys(value).length,
        );
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, behind) => {
      const json = JSON.stringify(value);
      expect(nestingOf(json)).toBe(depthOf(value));
      expect(colonsIn(json)).toBe(membersOf(value));
      if (/^[[{]/.test(json)) expect(bracketEnd(json + behind, 0)).toBe(json.length);
    }),
    { numRuns: 2_000 },
  );
});

test.each(['"', '\\', '["', '"\\"', '[', ']', '\\"['])(
  '%j many times takes a time that grows with them',
  piece => {
    expectLinear(
      (text: string) => [nestingOf(text), colonsIn(text), bracketEnd(text, 0)],
      count => piece.repeat(count),
      500_000,
    );
  },
);

test.each<[json: string, key: string | undefined, first?: number, second?: number]>([
  ['{"a": 1, "b": 1}', undefined],
  ['{"a": 1, "a": 1}', undefined],
  ['{"a": 1, "a":1 }', undefined],
  ['{"a": 1, "a": 2}', 'a', 1, 9],
  ['{"a": 1, "\\u0061": 2}', 'a', 1, 9],
  ['{"a": "1", "a": 1}', 'a', 1, 11],
  ['{"a": {"b": 1}, "b": 2}', undefined],
  ['[{"a": 1}, {"a": 2}]', undefined],
  ['{"a": [{"b": "x:,}", "b": {"c": 1}}]}', 'b', 8, 21],
  ['{"a": {"b": 1, "b": 2}, "a": 3}', 'b', 7, 15],
])('%j says twice: %s', (json, key, first, second) => {
  expect(repeatedKey(json)).toEqual(key === undefined ? undefined : { key, first, second });
});

test.each<[json: string, path: string[], at: number | undefined]>([
  ['{"a": 1}', ['a'], 1],
  ['{"a": 1}', ['b'], undefined],
  ['{"x": "{\\"a\\": 1}", "y": [{"a": 1}], "a": {"a": 2}}', ['a'], 37],
  ['{"x": {"a": 1}, "\\u0061": {"y": -1, "a": 2}}', ['a', 'a'], 36],
  ['{"a": {}}', ['a', 'a'], undefined],
])('%j has %j at %s', (json, path, at) => expect(keyAt(json, path)).toBe(at));

// Positions of moments on a time line, and long waits that are cut short.
import { expect, test } from 'vitest';
import type { Bar } from '../../../packages/forge/pages/issue-run/issue-run.ts';
import { scaleOf, WIDTH } from '../../../packages/forge/pages/issue-run/scale.ts';

const bar = (doing: Bar['doing'], from: number, to: number): Bar => ({ doing, from, to, says: '' });
const noon = Date.parse('2026-01-31T12:00:00Z');
const hours = (count: number) => noon + count * 3_600_000;

test('what is at work has its share of the width; from the beginning to the end', () => {
  const { at, cuts } = scaleOf(
    [bar('works', noon, noon + 60), bar('tests', noon + 60, noon + 90)],
    noon + 100,
  );
  expect([noon - 5, noon, noon + 50, noon + 100, noon + 500].map(at)).toEqual([0, 0, 500, WIDTH, WIDTH]);
  expect(cuts).toEqual([]);
});

test('a night of waiting is cut short, and its length told', () => {
  const bars = [
    bar('works', noon, hours(1)),
    bar('waits', hours(1), hours(15)),
    bar('works', hours(15), hours(16)),
  ];
  const { at, cuts, ticks } = scaleOf(bars, hours(16));
  expect(cuts).toHaveLength(1);
  expect(cuts[0]?.ms).toBe(14 * 3_600_000);
  expect(at(hours(15)) - at(hours(1))).toBeLessThan(WIDTH / 8);
  expect(at(hours(1))).toBeCloseTo(WIDTH - at(hours(15)), 6);
  // The day after is told with its date, once.
  expect(ticks.map(({ text }) => text).filter(text => text.includes('-'))).toEqual(['02-01 03:15']);
});

test.for<[string, Bar[], number]>([
  ['nothing', [], noon],
  ['no time', [bar('works', noon, noon)], noon],
  ['only waits', [bar('waits', noon, hours(30))], hours(30)],
  ['a year', [bar('works', noon, hours(9000))], hours(9000)],
  ['a moment', [bar('works', noon, noon + 3)], noon + 3],
])('of %s: every place is on the line, in order, and ticks do not meet', ([, bars, until]) => {
  const { at, ticks } = scaleOf(bars, until);
  const places = [...bars.flatMap(({ from, to }) => [from, to]), until].sort((a, b) => a - b).map(at);
  for (const [index, place] of places.entries()) {
    expect(place).toBeGreaterThanOrEqual(places[index - 1] ?? 0);
    expect(place).toBeLessThanOrEqual(WIDTH);
  }
  expect(ticks.length).toBeLessThanOrEqual(10);
  for (const [index, { at: place }] of ticks.entries())
    expect(place - (ticks[index - 1]?.at ?? -WIDTH)).toBeGreaterThan(WIDTH / 10);
});

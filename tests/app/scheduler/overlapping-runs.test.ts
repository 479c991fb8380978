// Other runs that may touch the same files, with the paths.
import { expect, test } from 'vitest';
import { effortOfDecision, meetings } from '../../../src/app/scheduler/globs.ts';

const run = (issue: number, ...paths: string[]) => ({ issue, paths });

test.each<[string, string[], ReturnType<typeof run>[], [number, ...string[]][]]>([
  ['no other run', ['src/a.ts'], [], []],
  ['other files', ['src/a.ts'], [run(2, 'src/b.ts', 'docs/**')], []],
  ['nothing named here', [], [run(2, 'src/**')], []],
  ['the same file', ['src/a.ts'], [run(2, 'src/a.ts')], [[2, 'src/a.ts src/a.ts']]],
  ['a folder and a file in it', ['src/a.ts'], [run(2, 'src/**')], [[2, 'src/a.ts src/**']]],
  [
    'two runs, by number',
    ['src/**'],
    [run(9, 'src/a.ts'), run(3, 'src/b.ts'), run(5, 'docs/a.md')],
    [
      [3, 'src/** src/b.ts'],
      [9, 'src/** src/a.ts'],
    ],
  ],
  [
    'five pairs at most, none twice',
    ['src/**', 'src/**'],
    [run(2, ...['a', 'b', 'c', 'd', 'e', 'f'].map(name => `src/${name}.ts`))],
    [[2, ...['a', 'b', 'c', 'd', 'e'].map(name => `src/** src/${name}.ts`)]],
  ],
])('%s', (_what, here, others, found) => {
  expect(
    meetings(here, others, effortOfDecision()).map(({ issue, paths }) => [
      issue,
      ...paths.map(each => `${each.here} ${each.there}`),
    ]),
  ).toEqual(found);
});

test('globs made to be slow cost a decision and no more, however many runs name them', () => {
  const slow = (end: string) =>
    Array.from({ length: 45 }, (_, index) => `**/${'ab*'.repeat(40)}${index}${end}`);
  const others = Array.from({ length: 20 }, (_, index) => run(index + 2, ...slow('qqq.yy')));
  const effort = effortOfDecision();
  // In doubt is not told as a meeting.
  expect(meetings(slow('qqq.xx'), others, effort)).toEqual([]);
  expect(effort.left).toBeLessThanOrEqual(0);
  expect(effort.left).toBeGreaterThan(-effortOfDecision().left / 2);
});

// Cutting diffs and logs down to what a model is given.
import { describe, expect, test } from 'vitest';
import {
  estimateTokens,
  firstFailure,
  smallDiffs,
  trimLog,
  wholeDiff,
} from '../../../src/engine/language/trim.ts';

const file = (path: string, lines: number, extra = '') =>
  `diff --git a/${path} b/${path}\n${extra}--- a/${path}\n+++ b/${path}\n@@ -1,2 +1,${lines} @@\n-old\n${Array.from(
    { length: lines },
    (_, index) => `+line ${index} of something new\n`,
  ).join('')}`;

describe('diff', () => {
  test('of a large one files that fit are whole, and the others are summed up', () => {
    const small = file('b c.md', 2, 'new file mode 100644\n');
    const diff = `${file('src/a.ts', 400)}${small}diff --git a/x.png b/x.png\nBinary files differ\ndiff --git a/old.ts b/new.ts\nindex 12ab..34cd 100644\nrename from old.ts\nrename to new.ts\n`;
    expect(smallDiffs(diff, 1_000, 1_000)).toBe(
      `src/a.ts +400 -1\n${small}diff --git a/x.png b/x.png\nBinary files differ\ndiff --git a/old.ts b/new.ts\nrename from old.ts\nrename to new.ts`,
    );
    expect(smallDiffs(diff, 0)).toBe(
      'src/a.ts +400 -1\nb c.md (new) +2 -1\nx.png binary or mode only\na/old.ts b/new.ts binary or mode only',
    );
  });

  test('however large, it stays small', () => {
    const diff = Array.from({ length: 3_000 }, (_, index) => file(`f${index}.ts`, 5)).join('');
    expect(estimateTokens(smallDiffs(diff, 1_000))).toBeLessThan(2_000);
    expect(smallDiffs(diff, 1_000)).toContain('... and 2900 more files');
    const line = `diff --git a/a b/a\n@@ -1 +1 @@\n+${'x'.repeat(1e6)}`;
    expect(estimateTokens(smallDiffs(line, 1_000, 1_000))).toBeLessThan(1_100);
  });
});

describe('a diff for somebody who can open the files', () => {
  test('is whole, but for what a package manager has written', () => {
    const diff = [file('a.ts', 3), file('x/package-lock.json', 900), file('go.summary', 2)];
    expect(wholeDiff(diff.join(''), 1_000)).toBe(
      [diff[0], '[generated, not shown: x/package-lock.json +900 -1]\n', diff[2]].join(''),
    );
  });

  test('a carriage return in a line begins no file that could be hidden', () => {
    const diff = `${file('a.ts', 1)}+x\rindex 12..34\n+x\rdiff --git a/go.sum b/go.sum\n+danger\n`;
    expect(wholeDiff(diff, 1_000)).toBe(diff);
  });

  test('is the files with their counts where it is too long', () => {
    const [heading, ...files] = wholeDiff(`${file('a.ts', 400)}${file('go.sum', 2)}`, 1_000).split('\n');
    expect(heading).toContain('Open the diff of each file');
    expect(files).toEqual(['a.ts +400 -1', 'go.sum +2 -1']);
  });
});

describe('log', () => {
  const noise = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `ok ${from + index} a test with a long name that passed`);

  test('a short one stays as it is, without colours', () => {
    expect(trimLog('\x1b[31mFAIL\x1b[0m x\r\nend\n')).toBe('FAIL x\nend\n');
  });

  test('a long one keeps the first failure and the end', () => {
    const log = [
      ...noise(0, 300),
      'not ok 300 adds',
      '  expected 3, got 4',
      ...noise(301, 900),
      '1 failed',
    ].join('\n');
    const trimmed = trimLog(log);
    expect(estimateTokens(trimmed)).toBeLessThanOrEqual(1_550);
    expect(trimmed).toContain('[298 lines left out; the first failure:]\nok 298');
    expect(trimmed).toContain('not ok 300 adds\n  expected 3, got 4');
    expect(trimmed).toMatch(/\[\d+ lines left out\]/);
    expect(trimmed.endsWith('1 failed')).toBe(true);
  });

  test('without a failure, or with one in the tail, it is the tail', () => {
    const trimmed = trimLog([...noise(0, 2_000), 'FAIL here', 'done'].join('\n'));
    expect(trimmed).toMatch(/^\[\d+ lines left out\]\nok /);
    expect(trimmed.endsWith('FAIL here\ndone')).toBe(true);
    expect(trimLog(noise(0, 2_000).join('\n'))).toMatch(/^\[\d+ lines left out\]\nok /);
  });

  test('every line is either there or counted', () => {
    const lines = [...noise(0, 50), 'TypeError: x', ...noise(51, 500)];
    const trimmed = trimLog(lines.join('\n'), 600).split('\n');
    const left = trimmed.flatMap(line => /^\[(\d+) lines left out/.exec(line)?.[1] ?? []);
    const kept = trimmed.length - left.length;
    expect(kept + left.reduce((sum, count) => sum + Number(count), 0)).toBe(lines.length);
  });

  test.each([
    ['TAP of node:test', '# Subtest: a\nok 1 - a\n  ---\n  duration_ms: 8.4\n  ...\n', 5],
    ['cargo', 'test lamp::lights ... ok\n', 1],
    ['pytest', 'tests/test_lamp.py::test_lights PASSED                [ 50%]\n', 1],
    ['go', '=== RUN   TestLights\n--- PASS: TestLights (0.00s)\n', 2],
    ['marks', '  \u2713 lights (2 ms)\n', 1],
  ])('of passed tests that stand together there is their number: %s', (_, passed, lines) => {
    const failed = 'not ok 2 - b\n  ---\n  duration_ms: 8.4\n  ...\n';
    const skipped = 'ok 3 - c # SKIP no lamp\n';
    const log = `${passed.repeat(3)}${failed}${passed}${skipped}# pass 5\n`;
    expect(trimLog(log)).toBe(`[${3 * lines} lines of passed tests]\n${failed}${passed}${skipped}# pass 5\n`);
  });

  test('a megabyte in one line is cut in its middle', () => {
    expect(estimateTokens(trimLog('x'.repeat(1_000_000)))).toBeLessThan(200);
  });
});

test('an estimate counts bytes, not characters', () => {
  expect([
    estimateTokens(''),
    estimateTokens('abcd'),
    estimateTokens('abcde'),
    estimateTokens('日本語'),
  ]).toEqual([0, 1, 2, 3]);
});

describe('the line that says what failed', () => {
  test.each([
    ['the first that tells of a failure', 'ok 1\n  not ok 2 - lamp \nnot ok 3\nend', 'not ok 2 - lamp'],
    ['without colours', '\x1b[31mFAIL\x1b[0m lamp', 'FAIL lamp'],
    ['where none tells of one: the last that says something', 'one\ntwo\n\n \n', 'two'],
    ['of nothing: nothing', '\n\n', ''],
  ])('%s', (_, log, said) => {
    expect(firstFailure(log)).toBe(said);
  });

  test('a long one is cut', () => {
    expect(firstFailure(`Error: ${'x'.repeat(5000)}`).length).toBeLessThan(450);
  });
});

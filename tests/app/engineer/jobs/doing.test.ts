// Latest activity of jobs, for the status comment.
import { expect, test } from 'vitest';
import { doingOf } from '../../../../src/app/engineer/jobs/doing.ts';
import type { JobProgress } from '../../../../src/app/engineer/jobs/report-spec.ts';
import { jobSpec } from '../spec.ts';

const job = (op: string, directive: number, number: number) => {
  const spec = jobSpec(60_000, 'base', 'mirror');
  return { ...spec, op, directive, issue: { ...spec.issue, number } };
};
const at = 0;

/** Half a minute after the first line: what is told of #2. */
function told(...lines: JobProgress[]): readonly string[] {
  let now = 0;
  const doing = doingOf({ now: () => now }, () => true);
  for (const line of lines) doing.heard(job('a', 1, 2), line);
  now = 30_000;
  return doing.of(1);
}

test.each<[JobProgress, string]>([
  [{ type: 'model_reply', task: 'director', at }, 'director replied'],
  [{ type: 'tool_call', tool: 'edit_file', ok: true, at }, 'used edit_file'],
  [{ type: 'tests', exit_code: 1, at }, 'ran the tests, which exited 1'],
  [{ type: 'tests', exit_code: null, at }, 'ran the tests, which exited by a signal'],
  [{ type: 'round', round: 2, success: false, feedback: '@all', at }, 'round 2 was not accepted'],
  [
    { type: 'round', round: 3, success: true, feedback: '', at, candidate: 2 },
    'candidate 2 round 3 was accepted',
  ],
])('%j', (line, words) => {
  expect(told(line)).toEqual([`#2: ${words}`]);
});

test('what a model calls a tool that there is none of is not told, nor that something is printed', () => {
  const known: JobProgress = { type: 'tool_call', tool: 'shell', ok: true, at };
  expect(
    told(known, { type: 'tool_call', tool: '@all **x**', ok: false, at }, { type: 'output', at }),
  ).toEqual(['#2: used shell']);
});

test('only jobs of the run, in the order of their issues, that are at work for half a minute and have not ended', () => {
  let now = 0;
  const ended = new Set<string>();
  const doing = doingOf({ now: () => now }, op => !ended.has(op));
  const line: JobProgress = { type: 'tool_call', tool: 'shell', ok: true, at };
  for (const [op, directive, issue] of [
    ['a', 1, 7],
    ['b', 1, 3],
    ['c', 9, 4],
    ['d', 1, 5],
  ] as const)
    doing.heard(job(op, directive, issue), line);
  now = 29_999;
  expect(doing.of(1)).toEqual([]);
  doing.heard(job('e', 1, 6), line);
  ended.add('d');
  // A line written before the end is read after it.
  doing.heard(job('d', 1, 5), line);
  now = 30_000;
  expect(doing.of(1)).toEqual(['#3: used shell', '#7: used shell']);
});

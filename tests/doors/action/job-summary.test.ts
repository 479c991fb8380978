// Summary page of an engineer's job: each kind of report in words, model text in fences.
import { expect, test } from 'vitest';
import { failedReport } from '../../../src/app/engineer/jobs/jobs.ts';
import type { AnyJobReport } from '../../../src/app/engineer/jobs/report-spec.ts';
import { jobSummary, logLine } from '../../../src/doors/action/job-summary.ts';

const outcome = {
  rounds: 1,
  cost_usd: 0,
  model_calls: 1,
  tests: null,
  feedback: '',
  isolation: 'bubblewrap' as const,
  ms: 1000,
  sessions: [],
};
const tests = { command: 'npm test', exit_code: 0, tree: 'f'.repeat(40) };

test.for<[name: string, report: AnyJobReport, words: RegExp[]]>([
  [
    'accepted',
    { kind: 'bundle', ...outcome, tests, rounds: 2, cost_usd: 0.5, model_calls: 7, summary: 'Added it.' },
    [/^### Accepted/, /`npm test`: exit code 0\. 2 rounds, 7 model calls, \$0\.50/, /```\nAdded it\.\n```/],
  ],
  [
    'failed',
    failedReport({ class: 'rejected', feedback: 'a ```` b' }),
    [/^### Not done: rejected/, /`{5}\na ```` b\n`{5}/],
  ],
  ['asks', { kind: 'question', ...outcome, question: 'Which?' }, [/^### Waits for an answer/, /Which\?/]],
  [
    'tests at the base',
    { kind: 'base-tests', state: 'red', exit_code: 1, failing: [], why: '', tail: 'one failed', ms: 1000 },
    [/^### Tests at the base: red \(exit code 1\)/, /one failed/],
  ],
  [
    'tests that could not run',
    { kind: 'base-tests', state: 'cannot_run', exit_code: null, failing: [], why: 'no npm', tail: '', ms: 0 },
    [/^### Tests at the base: could not run: no npm/],
  ],
])('%s', ([, report, words]) => {
  for (const each of words) expect(jobSummary(report)).toMatch(each);
});

test('a text of any length is cut', () => {
  expect(jobSummary(failedReport({ class: 'x', feedback: 'a'.repeat(100_000) })).length).toBeLessThan(5000);
});

test('a line of the log is one line', () => {
  const line = logLine({ type: 'round', round: 1, success: false, feedback: 'a\n::error::b', at: 0 });
  expect(line).toBe('round 1: not accepted: a ::error::b');
});

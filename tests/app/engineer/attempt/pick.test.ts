// Choice among candidates: tests first, then the evaluator's ranking, then the smallest patch.
import { expect, test } from 'vitest';
import { type Ended, pick } from '../../../../src/app/engineer/attempt/candidates.ts';
import { failedReport } from '../../../../src/app/engineer/jobs/jobs.ts';
import type { JobReport } from '../../../../src/app/engineer/jobs/report-spec.ts';

const outcome = {
  ...{ rounds: 1, cost_usd: 0, model_calls: 1, feedback: '', sessions: [], ms: 0 },
  isolation: 'none' as const,
};

/** One that was accepted, whose tests exited so (undefined: the project has none). */
function done(exit: number | null | undefined, tree: string, bytes: number): Ended {
  const tests = exit === undefined ? null : { command: 'npm test', exit_code: exit, tree };
  return { report: { kind: 'bundle', ...outcome, tests, summary: '' }, patch: { tree, bytes } };
}
const failed = (kind: string, partial = false): Ended => ({
  report: { ...failedReport({ class: kind, feedback: '' }), partial } as JobReport,
});
const asks: Ended = { report: { kind: 'question', ...outcome, tests: null, question: 'Which?' } };

const unasked = 'the evaluator is not asked';

/** `says`: the place that the evaluator names; undefined: it does not decide. */
test.for<
  [name: string, ended: Ended[], says: number | undefined | typeof unasked, place: number, why: string]
>([
  ['one alone passed its tests', [failed('rejected'), done(0, 'a', 9)], unasked, 1, 'only'],
  ['tests that passed go before tests that did not', [done(1, 'a', 1), done(0, 'b', 9)], unasked, 1, 'only'],
  ['and before none', [done(undefined, 'a', 1), done(0, 'b', 9)], unasked, 1, 'only'],
  ['tests that were killed did not pass', [done(null, 'a', 1), done(0, 'b', 9)], unasked, 1, 'only'],
  ['several passed: the evaluator ranks', [done(0, 'a', 1), done(0, 'b', 9)], 1, 1, 'ranked'],
  ['among those without tests too', [done(undefined, 'a', 1), done(undefined, 'b', 9)], 1, 1, 'ranked'],
  ['it does not decide: the smallest', [done(0, 'a', 9), done(0, 'b', 1)], undefined, 1, 'smallest'],
  ['as small: the first', [done(0, 'a', 5), done(0, 'b', 5)], undefined, 0, 'smallest'],
  ['it names one whose tests failed', [done(0, 'a', 9), done(1, 'c', 1), done(0, 'b', 5)], 1, 2, 'smallest'],
  ['it names none of them', [done(0, 'a', 9), done(0, 'b', 5)], 7, 1, 'smallest'],
  ['the same change', [failed('time'), done(0, 'a', 9), done(0, 'a', 9)], unasked, 1, 'alike'],
  ['none passed, one asks', [failed('rejected'), asks], unasked, 1, 'none'],
  ['none passed: the one that was judged', [failed('time', true), failed('rejected')], unasked, 1, 'none'],
  ['none was judged: one that left work', [failed('crash'), failed('time', true)], unasked, 1, 'none'],
  ['nothing at all: the first', [failed('crash'), failed('lost')], unasked, 0, 'none'],
])('%s', async ([, ended, says, place, why]) => {
  const asked: number[][] = [];
  const found = await pick(ended, async places => {
    asked.push(places);
    return typeof says === 'number' ? { place: says, said: 'Plainer.' } : undefined;
  });
  expect(found).toMatchObject({ place, why });
  expect(asked.length).toBe(says === unasked ? 0 : 1);
});

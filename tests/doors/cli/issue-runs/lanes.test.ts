// From what a run's record and its jobs tell to the lanes of a time line.
import { expect, test } from 'vitest';
import type { RunView } from '../../../../src/app/comments/view.ts';
import type { JobProgress } from '../../../../src/app/engineer/jobs/report-spec.ts';
import type { PastEvent, PastJob } from '../../../../src/app/run/history.ts';
import { lanesOf, type Told } from '../../../../src/doors/cli/issue-runs/lanes.ts';
import { issueView, runView } from '../../../app/comments/view.ts';

/** The lanes of a run with the one issue #3, each bar in a line: `waits 0-30: why`. */
function drawn(
  given: Partial<Omit<Told, 'progress' | 'view'>> & { lines?: JobProgress[]; view?: Partial<RunView> },
) {
  const view = runView({ status: 'running', phase: 'engineering', issues: [issueView(3)], ...given.view });
  const told = { events: [], jobs: [], halts: [], until: 100, ...given, view: { ...view, started: 0 } };
  const lanes = lanesOf({ ...told, progress: () => given.lines ?? [] });
  return Object.fromEntries(
    lanes.map(({ name, bars }) => [
      name,
      bars.map(({ doing, from, to, says }) => `${doing} ${from}-${to}: ${says}`),
    ]),
  );
}

const waits = (at: number, reason: string): PastEvent => ({ type: 'slot_waits', issue: 3, reason, at });
const moves = (at: number, from: string, to: string, reason = 'so it is'): PastEvent => ({
  ...{ type: 'slot_changed', issue: 3, from, to, reason, at },
});
const begins = (at: number) => moves(at, 'pending', 'running');
const first: PastJob = { op: 'a1', issue: 3, what: 'attempt 1', at: 20, ended: true };
const second: PastJob = { op: 'a2', issue: 3, what: 'attempt 2', at: 60, ended: false };
const tests = (at: number, exit_code: number | null): JobProgress => ({ type: 'tests', exit_code, at });
const replied = (at: number): JobProgress => ({ type: 'model_reply', task: 'engineer.director', at });
const judged = (at: number, success: boolean, round = 1): JobProgress => ({
  ...{ type: 'round', round, success, feedback: 'Because.', at },
});

test.for<[string, Parameters<typeof drawn>[0], string[]]>([
  ['nothing was decided on it yet', {}, []],
  ['waits for what it depends on', { events: [waits(10, 'waits for #2')] }, ['waits 10-100: waits for #2']],
  [
    'waits for one thing, then for another',
    { events: [waits(10, 'waits for #2'), waits(40, 'waits for a free slot (3 in use)')] },
    ['waits 10-40: waits for #2', 'waits 40-100: waits for a free slot (3 in use)'],
  ],
  [
    'waits for money, and is at work since',
    { events: [waits(10, 'waits for money: /budget'), begins(20)], jobs: [first] },
    ['waits 10-20: waits for money: /budget', 'works 20-100: attempt 1'],
  ],
  [
    'is tested, judged, and at work again',
    {
      events: [begins(20)],
      jobs: [first],
      lines: [replied(30), tests(40, 1), judged(45, false), replied(50)],
    },
    [
      'works 20-100: attempt 1',
      'tests 30-40: tests of round 1: red, exited 1',
      'judges 40-45: round 1: not accepted',
    ],
  ],
  [
    'was judged without tests: nobody told when that began',
    { events: [begins(20)], jobs: [first], lines: [replied(30), judged(45, true)] },
    ['works 20-100: attempt 1'],
  ],
  [
    'fails, and is tried again',
    {
      events: [begins(20), moves(50, 'running', 'retrying'), moves(50, 'retrying', 'pending'), begins(60)],
      jobs: [first, second],
    },
    ['works 20-50: attempt 1', 'works 60-100: attempt 2'],
  ],
  [
    'was delivered',
    {
      events: [
        begins(20),
        moves(50, 'running', 'merging'),
        moves(55, 'merging', 'delivering'),
        moves(60, 'delivering', 'done'),
      ],
      jobs: [first],
      view: { status: 'completed' },
    },
    ['works 20-50: attempt 1', 'delivers 50-60: delivering'],
  ],
  [
    'waits for an answer',
    { events: [begins(20), moves(50, 'running', 'stuck', 'waits for the answer to Q1')], jobs: [first] },
    ['works 20-50: attempt 1', 'waits 50-100: waits for the answer to Q1'],
  ],
  [
    'was cancelled at work',
    { events: [begins(20), moves(50, 'running', 'cancelled')], jobs: [first], view: { status: 'cancelled' } },
    ['works 20-50: attempt 1'],
  ],
  [
    'was never begun in a run that has ended: nothing goes on',
    { events: [waits(10, 'waits for #2')], view: { status: 'failed' } },
    [],
  ],
  [
    'the process died in a round: what goes on is open',
    { events: [begins(20)], jobs: [first], lines: [replied(30), tests(40, null)] },
    ['works 20-100: attempt 1', 'tests 30-40: tests of round 1: ended by a signal'],
  ],
  [
    "the job's clock is behind, and goes backward",
    { events: [begins(20)], jobs: [first], lines: [replied(5), tests(50, 0), judged(30, true)] },
    ['works 20-100: attempt 1', 'tests 20-50: tests of round 1: green', 'judges 50-50: round 1: accepted'],
  ],
  [
    "the job's clock is ahead",
    { events: [begins(20), moves(50, 'running', 'failed')], jobs: [first], lines: [tests(990, 0)] },
    ['works 20-50: attempt 1', 'tests 20-50: tests of round 1: green'],
  ],
  [
    'no time passed at all',
    { events: [waits(20, 'waits for #2'), begins(20), moves(20, 'running', 'failed')], jobs: [first] },
    ['waits 20-20: waits for #2', 'works 20-20: attempt 1'],
  ],
  [
    'candidates are worked side by side',
    {
      events: [begins(20)],
      jobs: [first],
      lines: [
        { ...tests(40, 0), candidate: 1 },
        { ...tests(60, 2), candidate: 2 },
        { ...judged(50, true), candidate: 1 },
      ],
    },
    [
      'works 20-100: attempt 1',
      'tests 20-40: candidate 1, tests of round 1: green',
      'judges 40-50: candidate 1, round 1: accepted',
      'tests 20-60: candidate 2, tests of round 1: red, exited 2',
    ],
  ],
])('an issue that %s', ([, given, bars]) => {
  expect(drawn(given)['#3']).toEqual(bars);
});

test('planning: turns as long as they took, the approval, the tests, and what halted the run', () => {
  const lanes = drawn({
    view: { pending: [] },
    events: [
      { type: 'base_tests', state: 'running', exit_code: null, at: 0 },
      { type: 'agent_status', layer: '2ic', status: 'thinking', at: 1 },
      { type: 'base_tests', state: 'red', exit_code: 1, at: 12 },
      { type: 'message', layer: '2ic', content: '', cost_usd: 0.02, ms: 4, at: 10 },
      { type: 'agent_status', layer: 'eng-lead', status: 'thinking', at: 10 },
      { type: 'agent_status', layer: 'eng-lead', status: 'error', at: 15 },
      { type: 'agent_status', layer: 'team-lead', status: 'thinking', at: 20 },
      { type: 'action_pending', id: 'a1', action: 'create 4 issues', digest: 'd', at: 30 },
      { type: 'action_pending', id: 'a2', action: 'work on all', digest: 'd', at: 30 },
      { type: 'action_performed', id: 'a1', action: 'create_issues', result: 'done', at: 50 },
      { type: 'action_rejected', id: 'a2', by: 'you', reason: '', at: 50 },
    ],
    halts: [
      { from: 60, to: 70, why: 'paused by you' },
      { from: 80, to: Number.POSITIVE_INFINITY, why: 'paused by mia' },
      { from: 200, to: 300, why: 'after the end' },
    ],
  });
  expect(lanes).toEqual({
    Run: ['waits 60-70: paused by you', 'waits 80-100: paused by mia'],
    Strategist: ['works 6-10: turn 1: 0.0 s, $0.02'],
    'Engineering lead': ['works 10-15: turn 1: error'],
    'Team lead': ['works 20-100: turn 1'],
    Approval: ['waits 30-50: approval of a1, create 4 issues; a2, work on all'],
    Tests: ['tests 0-12: tests at the base'],
    '#3': [],
  });
});

test('a try tells what it waited for, what its rounds came to, what it cost and came to', () => {
  const lanes = lanesOf({
    view: { ...runView({ status: 'completed', issues: [issueView(3)] }), started: 0 },
    events: [
      waits(10, 'waits for #2'),
      waits(15, 'waits for a free slot (1 in use)'),
      begins(20),
      { type: 'cost_update', of: '#3', usd: 0.5, total: 1, at: 50 },
      moves(50, 'running', 'retrying', 'not accepted'),
      moves(50, 'retrying', 'pending', 'attempt 2 is next'),
      begins(60),
      { type: 'cost_update', of: '#3', usd: 0.25, total: 2, at: 80 },
      moves(80, 'running', 'merging', 'the engineer succeeded'),
      moves(90, 'merging', 'done', 'pull request #9 is open'),
    ],
    jobs: [first, second],
    halts: [],
    until: 100,
    progress: op => (op === 'a1' ? [tests(40, 1), judged(45, false)] : []),
  });
  const wait = { waited: 10, waitedFor: 'waits for a free slot (1 in use)' };
  expect(lanes.at(-1)?.tries).toEqual([
    {
      what: 'attempt 1',
      job: 'a1',
      from: 20,
      to: 50,
      ...wait,
      rounds: ['1: tests red, not accepted'],
      came: 'not accepted',
      cost_usd: 0.5,
    },
    {
      ...{ what: 'attempt 2', job: 'a2', from: 60, to: 80, waited: 0, waitedFor: '', rounds: [] },
      ...{ came: 'pull request #9 is open', cost_usd: 0.25 },
    },
  ]);
});

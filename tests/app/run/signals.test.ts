// Signals out of the journal: values that fit their names come back, and nothing else does.
import { describe, expect, test } from 'vitest';
import { signalCommands } from '../../../src/app/commands/table.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { readOrigin, readSignal } from '../../../src/app/run/run-journal.ts';

const names = [...signalCommands, 'job'] as const;
const origin = { by: 'wanda', comment: 7 };
const entry = (name: string, value: Json) => ({ t: 'signal' as const, id: 'c7-1', name, value, at: 1000 });

test('a job that has ended: a report without sessions, as older jobs wrote it, has none', () => {
  const report = {
    kind: 'question',
    rounds: 1,
    cost_usd: 0.5,
    model_calls: 2,
    tests: null,
    feedback: '',
    isolation: 'none',
    ms: 10,
    question: 'Which?',
  };
  const signal = readSignal(entry('job', { op: 'abc', report }), ['job']);
  expect(signal?.value).toEqual({ op: 'abc', report: { ...report, sessions: [] } });
});

test.for<[what: string, name: string, value: Json]>([
  ['a name that is not asked for', 'retry', origin],
  ['a name that there is not', 'pause', origin],
  ['a name of every object', 'constructor', origin],
])('%s: another signal', ([, name, value]) => {
  expect(readSignal(entry(name, value), ['approve', 'reject'])).toBeUndefined();
});

test.for<[what: string, name: string, value: Json, place: string]>([
  ['nothing', 'approve', null, ''],
  ['a list', 'approve', [], ''],
  ['nobody', 'approve', { what: 'all', comment: 7 }, ' at by'],
  ['nowhere', 'cancel', { by: 'wanda' }, ' at comment'],
  ['a comment that is a text', 'cancel', { by: 'wanda', comment: '7' }, ' at comment'],
  ['what is not said', 'approve', origin, ' at what'],
  ['what is said otherwise', 'approve', { ...origin, what: 'everything' }, ' at what'],
  ['ids that are none', 'approve', { ...origin, what: { ids: [1] } }, ' at what'],
  ['one id', 'reject', { ...origin, ids: 'a1' }, ' at ids'],
  ['a reason that is none', 'reject', { ...origin, ids: [], reason: null }, ' at reason'],
  ['an answer to nothing', 'answer', { ...origin, text: 'Blue.' }, ' at question'],
  ['an issue by its name', 'retry', { ...origin, issue: '#12' }, ' at issue'],
  ['a budget of words', 'budget', { ...origin, change: { add: 'five' } }, ' at change'],
  ['a report that is none', 'job', { op: 'abc', report: { kind: 'done' } }, ' at report.kind'],
  ['a report of no job', 'job', { report: {} }, ' at op'],
])('%s (%s) is told with its place', ([, name, value, place]) => {
  expect(() => readSignal(entry(name, value), names)).toThrow(
    `the record holds a signal that cannot be read: c7-1 (${name})${place}: `,
  );
});

describe('who gave a command that is not waited for', () => {
  test('whatever else it says', () => {
    expect(readOrigin(entry('pause', { ...origin, until: 'noon' }))).toEqual(origin);
  });
  test('is told where it is not known', () => {
    expect(() => readOrigin(entry('pause', { by: 'wanda' }))).toThrow('c7-1 (pause) at comment');
  });
});

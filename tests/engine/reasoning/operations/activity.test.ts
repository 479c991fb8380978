// Activity log of operations, and the model's messages about them.
import { expect, test } from 'vitest';
import type { Iteration } from '../../../../src/engine/reasoning/iteration.ts';
import type { Activity, Operation, OperationProblem } from '../../../../src/engine/reasoning/operation.ts';
import { note, answersText } from '../../../../src/engine/reasoning/operations/answers.ts';
import { begin } from '../../../../src/engine/reasoning/session-lifecycle.ts';

/** The row of the log that is the session's `index`th. */
function noted(asked: Operation | OperationProblem, error: string | undefined, index: number) {
  const state = begin('prompt');
  state.counts.operations = index - 1;
  note(asked, error, { state }, iteration());
  return state.activity[0];
}

const iteration = (): Iteration => ({
  n: 1,
  state: 'started',
  phases: {},
  reasoning: '',
  operations: 0,
  errors: [],
  ms: 0,
  progress: 0,
});

test.each<[Operation | OperationProblem, Pick<Activity, 'type' | 'action' | 'id'>]>([
  [
    { kind: 'vault', action: 'set', id: 'a' },
    { type: 'vault', action: 'set', id: 'a' },
  ],
  [
    { kind: 'task', action: 'delete', identifier: 't' },
    { type: 'task', action: 'delete', id: 't' },
  ],
  [
    { kind: 'js', code: '1' },
    { type: 'js', action: 'execute', id: '' },
  ],
  [
    { kind: 'tool', name: 'shell', input: {} },
    { type: 'tool', action: 'call', id: 'shell' },
  ],
  [
    { message: 'm', line: 1, column: 1 },
    { type: 'parse', action: 'read', id: '' },
  ],
])('%j', (asked, row) => {
  expect(noted(asked, undefined, 3)).toEqual({ ...row, status: 'ok', index: 3 });
  expect(noted(asked, 'no', 4)).toEqual({ ...row, status: 'error', error: 'no', index: 4 });
});

test('errors and ids of any length are noted in short', () => {
  const row = noted({ kind: 'vault', action: 'delete', id: 'a'.repeat(9_000) }, 'e'.repeat(9_000), 1);
  expect([row?.id.length, row?.error?.length]).toEqual([200, 500]);
});

test('the model is told of each tag in its place', () => {
  const text = answersText([
    {
      asked: { kind: 'memory', action: 'set', identifier: 'm', fields: {} },
      outcome: { ok: true, text: 'memory "m" stored' },
    },
    {
      asked: { kind: 'js', code: '1' },
      outcome: { ok: false, text: 'There is none.' },
      at: { line: 2, column: 7 },
    },
    { asked: { kind: 'tool', name: 'shell', input: {} }, outcome: { ok: true, text: 'exit 0\nout' } },
    {
      asked: { message: 'no tag' },
      outcome: { ok: false, text: 'goal needs identifier' },
      at: { line: 4, column: 1 },
    },
    { asked: { message: 'no tag' }, outcome: { ok: false, text: 'and 3 more' } },
  ]);
  expect(text).toBe(
    [
      'What your operations came to:',
      '1. memory m: memory "m" stored',
      '2. js, error at 2:7: There is none.',
      '3. tool shell:',
      '```',
      'exit 0',
      'out',
      '```',
      '4. tag, error at 4:1: goal needs identifier',
      '5. tag, error: and 3 more',
    ].join('\n'),
  );
});

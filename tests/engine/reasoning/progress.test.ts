// Progress of an iteration: which of the tasks and goals that were open before it moved on.
import { describe, expect, test } from 'vitest';
import type { EntryFields } from '../../../src/engine/reasoning/operation.ts';
import { apply, type StoreOperation } from '../../../src/engine/reasoning/operations/apply.ts';
import { isFinished, progressOf } from '../../../src/engine/reasoning/iteration.ts';
import { emptyStores, type Stores } from '../../../src/engine/reasoning/stores.ts';

const write =
  (kind: 'task' | 'goal') =>
  (identifier: string, fields: EntryFields): StoreOperation => ({ kind, action: 'set', identifier, fields });
const task = write('task');
const goal = write('goal');
const made = { heading: 'h', content: 'c' };

function after(stores: Stores, ...operations: StoreOperation[]): Stores {
  return operations.reduce((each, operation) => {
    const applied = apply(each, operation, 1);
    if ('error' in applied) throw new Error(applied.error);
    return applied.stores;
  }, stores);
}

const two = after(
  emptyStores,
  task('t', made),
  goal('g', made),
  task('done', { ...made, status: 'finished' }),
);

describe('with one task and one goal open', () => {
  test.each<[string, StoreOperation[], number]>([
    ['another status', [task('t', { status: 'ongoing' })], 0.5],
    ['another content', [goal('g', { content: 'd' })], 0.5],
    ['both', [task('t', { status: 'paused' }), goal('g', { status: 'finished' })], 1],
    ['one of them twice', [task('t', { status: 'ongoing' }), task('t', { status: 'paused' })], 0.5],
    ['there and back', [task('t', { status: 'ongoing' }), task('t', { status: 'pending' })], 0],
    ['only notes', [task('t', { notes: 'n' })], 0],
    ['only a heading', [task('t', { heading: 'i' })], 0],
    ['the same status', [task('t', { status: 'pending' })], 0],
    ['a new one that moves on at once', [task('u', made), task('u', { status: 'ongoing' })], 0],
    ['one that was finished before', [task('done', { content: 'x' })], 0],
    ['a deleted one', [{ kind: 'task', action: 'delete', identifier: 't' }], 0],
    ['nothing', [], 0],
  ])('%s', (_, operations, expected) => {
    expect(progressOf(two, after(two, ...operations), true)).toBe(expected);
  });
});

test('with nothing open an operation that succeeded is all', () => {
  expect(progressOf(emptyStores, two, true)).toBe(1);
  expect(progressOf(emptyStores, emptyStores, false)).toBe(0);
});

test.each<[Stores, boolean]>([
  [emptyStores, false],
  [two, false],
  [after(two, goal('g', { status: 'finished' })), true],
  [after(two, goal('g', { status: 'finished' }), goal('h', made)), false],
])('all goals are finished (%#)', (stores, expected) => expect(isFinished(stores)).toBe(expected));

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../src/queue.ts';

const filled = () => {
  const queue = new Queue<string>();
  for (const [job, priority] of [['a', 0], ['b', 2], ['c', 2], ['d', -1]] as const) queue.push(job, priority);
  queue.push('e');
  return queue;
};
const all = (queue: Queue<string>) => Array.from({ length: queue.size }, () => queue.pop());

test('order', () => assert.deepEqual(all(filled()), ['b', 'c', 'a', 'e', 'd']));
test('no whole number', () => {
  const queue = filled();
  for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY])
    assert.throws(() => queue.push('x', wrong), RangeError);
  assert.equal(queue.size, 5);
});
test('peek', () => {
  const queue = filled();
  assert.equal(queue.peek(), 'b');
  assert.equal(queue.size, 5);
  const empty = new Queue<string>();
  assert.equal(empty.peek(), undefined);
  assert.equal(empty.pop(), undefined);
  assert.equal(empty.size, 0);
});
test('drop', () => {
  const queue = filled();
  assert.equal(queue.drop(job => job === 'b' || job === 'e'), 2);
  assert.deepEqual(all(queue), ['c', 'a', 'd']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Queue } from '../src/queue.ts';

test('first in, first out', () => {
  const queue = new Queue<string>();
  queue.push('a');
  queue.push('b');
  assert.equal(queue.pop(), 'a');
});

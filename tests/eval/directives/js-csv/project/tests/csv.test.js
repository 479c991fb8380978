import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parse } from '../src/csv.js';

test('rows and fields', () =>
  assert.deepEqual(parse('a,b\nc,d'), [['a', 'b'], ['c', 'd']]));

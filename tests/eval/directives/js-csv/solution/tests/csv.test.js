import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, parse } from '../src/csv.js';

test('rows and fields', () =>
  assert.deepEqual(parse('a,b\nc,d'), [['a', 'b'], ['c', 'd']]));
test('a quoted field', () => assert.deepEqual(parse('"a, ""b"""'), [['a, "b"']]));
test('a quote that is never closed', () => assert.throws(() => parse('a\n"b'), /line 2/));
test('there and back', () => assert.deepEqual(parse(format([['a,b', 'c']])), [['a,b', 'c']]));

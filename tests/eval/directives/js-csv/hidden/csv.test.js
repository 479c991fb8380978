import assert from 'node:assert/strict';
import { test } from 'node:test';
import { format, parse } from '../src/csv.js';

test('quotes', () => {
  assert.deepEqual(parse('"a, ""b""",c\n'), [['a, "b"', 'c']]);
  assert.deepEqual(parse('"one\ntwo",x\ny,z'), [['one\ntwo', 'x'], ['y', 'z']]);
  assert.deepEqual(parse('"",a'), [['', 'a']]);
});
test('line ends', () => {
  assert.deepEqual(parse('a,b\r\nc,d\r\n'), [['a', 'b'], ['c', 'd']]);
  assert.deepEqual(parse(''), []);
  assert.deepEqual(parse('a,'), [['a', '']]);
});
test('never closed', () => assert.throws(() => parse('a\nb,"c\nd'), /line 2/));
test('there and back', () => {
  const rows = [['a', 'b,c', 'd"e'], ['', 'f\ng', ' h ']];
  assert.deepEqual(parse(format(rows)), rows);
  assert.equal(format([['a', 'b,c'], ['d"e', 'f']]), 'a,"b,c"\n"d""e",f\n');
});

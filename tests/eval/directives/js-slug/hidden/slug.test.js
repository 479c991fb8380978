import assert from 'node:assert/strict';
import { test } from 'node:test';
import { slugOf } from '../src/slug.js';

test('accents', () => {
  assert.equal(slugOf('Crème brûlée'), 'creme-brulee');
  assert.equal(slugOf('ÅNGSTRÖM'), 'angstrom');
});
test('no dash at the ends', () => assert.equal(slugOf(' -- Hello, world! '), 'hello-world'));
test('nothing left', () => {
  assert.equal(slugOf('!!!'), 'untitled');
  assert.equal(slugOf(''), 'untitled');
});
test('taken', () => {
  assert.equal(slugOf('A b', ['a-b']), 'a-b-2');
  assert.equal(slugOf('A b', ['a-b', 'a-b-2', 'a-b-4']), 'a-b-3');
  assert.equal(slugOf('!', ['untitled']), 'untitled-2');
  assert.equal(slugOf('A b', ['c']), 'a-b');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from '../src/cart.js';

test('the sum of all items', () =>
  assert.equal(totalOf([{ name: 'Pen', price: 150, count: 2 }, { name: 'Book', price: 1000, count: 1 }]), 1300));

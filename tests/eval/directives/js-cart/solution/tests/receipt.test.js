import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receipt } from '../src/receipt.js';

test('a discount is shown', () =>
  assert.equal(
    receipt([{ name: 'Pen', price: 1000, count: 1 }], ['TEN']),
    '1 x Pen: 10.00\ndiscount: -1.00\ntotal: 9.00',
  ));

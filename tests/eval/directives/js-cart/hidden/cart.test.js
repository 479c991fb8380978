import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from '../src/cart.js';
import { receipt } from '../src/receipt.js';

const items = [{ name: 'Pen', price: 150, count: 2 }, { name: 'Book', price: 1000, count: 1 }];
test('codes', () => {
  assert.equal(totalOf(items), 1300);
  assert.equal(totalOf(items, ['TEN']), 1170);
  assert.equal(totalOf(items, ['FREE5', 'TEN', 'TEN']), 670);
  assert.equal(totalOf([{ name: 'Pen', price: 155, count: 1 }], ['TEN']), 140);
  assert.equal(totalOf([{ name: 'Pen', price: 155, count: 1 }], ['FREE5']), 0);
  assert.throws(() => totalOf(items, ['SPRING']), /SPRING/);
});
test('receipt', () => {
  assert.equal(receipt(items, ['TEN']), '2 x Pen: 3.00\n1 x Book: 10.00\ndiscount: -1.30\ntotal: 11.70');
  assert.equal(receipt(items), '2 x Pen: 3.00\n1 x Book: 10.00\ntotal: 13.00');
  assert.equal(receipt([{ name: 'Clip', price: 5, count: 1 }], []), '1 x Clip: 0.05\ntotal: 0.05');
});

// Receipt of a cart, for the customer.
import { totalOf } from './cart.js';

const shown = cents => (cents / 100).toFixed(2);

export function receipt(items, codes = []) {
  const total = totalOf(items, codes);
  const discount = totalOf(items) - total;
  return [
    ...items.map(({ name, price, count }) => `${count} x ${name}: ${shown(price * count)}`),
    ...(discount > 0 ? [`discount: -${shown(discount)}`] : []),
    `total: ${shown(total)}`,
  ].join('\n');
}

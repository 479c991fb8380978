// What the items of a cart come to, in cents.
export function totalOf(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

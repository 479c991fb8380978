// Total of a cart's items, in cents.
export function totalOf(items) {
  return items.reduce((sum, { price, count }) => sum + price * count, 0);
}

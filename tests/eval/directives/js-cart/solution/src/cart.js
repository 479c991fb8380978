// Total of a cart's items, in cents.
const known = ['TEN', 'FREE5'];

/** Throws an Error for an unknown code. */
export function totalOf(items, codes = []) {
  const unknown = codes.find(code => !known.includes(code));
  if (unknown !== undefined) throw new Error(`unknown code ${unknown}`);
  let total = items.reduce((sum, { price, count }) => sum + price * count, 0);
  if (codes.includes('TEN')) total -= Math.floor(total / 10);
  if (codes.includes('FREE5')) total -= 500;
  return Math.max(0, total);
}

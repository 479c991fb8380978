// A task that can be compared with one out of another source.

/** Without positions, and without where `ref` took it from, which printing writes out. */
export function placeless(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(placeless);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([key]) => !['at', 'testAt', 'template'].includes(key));
  return Object.fromEntries(kept.map(([key, each]) => [key, placeless(each)]));
}

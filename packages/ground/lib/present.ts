// Asserts that a value exists; the error names it, since its absence is a bug.

/** Throws where there is none. `what`: a noun, such as `the layer`. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is not there`);
  return value;
}

// What has to be there: the value, or an error that names it where the code was wrong about that.

/** Throws where there is none. `what`: a noun, such as `the layer`. */
export function present<T>(value: T | null | undefined, what: string): T {
  if (value === undefined || value === null) throw new Error(`${what} is not there`);
  return value;
}

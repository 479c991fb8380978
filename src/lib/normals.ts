// Numbers drawn at random that are the same each time.

/** Numbers of the standard normal distribution, the same for the same seed: mulberry32 with the transform of Box and Muller. */
export function normals(seed: number): () => number {
  let state = seed | 0;
  const even = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return () => Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even());
}

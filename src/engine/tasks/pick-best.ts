// Which of several results that are all good is taken: what is alike counts once, then a ranking, then the smallest.

/** The one that a ranking puts first, by its place, and what was said of it. */
export interface Ranked {
  place: number;
  said: string;
}

export interface Compared {
  /** Equal for results that are the same. */
  alike: (place: number) => unknown;
  /** The smaller goes before. */
  size: (place: number) => number;
  /** Asked about those that nothing else tells apart, by their places; undefined: it does not decide. */
  rank: (places: number[]) => Promise<Ranked | undefined>;
}

/** `places` has one at least; of what nothing tells apart the first is taken. */
export async function pickBest(
  places: readonly [number, ...number[]],
  { alike, size, rank }: Compared,
): Promise<Ranked & { why: 'only' | 'alike' | 'ranked' | 'smallest' }> {
  const [first] = places;
  if (places.length === 1) return { place: first, why: 'only', said: '' };
  const different = places.filter(
    (place, at) => places.findIndex(other => alike(other) === alike(place)) === at,
  );
  if (different.length === 1) return { place: first, why: 'alike', said: '' };
  const ranked = await rank(different);
  if (ranked && different.includes(ranked.place)) return { ...ranked, why: 'ranked' };
  const [smallest = first] = different.toSorted((a, b) => size(a) - size(b));
  return { place: smallest, why: 'smallest', said: '' };
}

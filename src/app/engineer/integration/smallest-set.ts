// Finds the delivered branches that make the tests of all of them together fail.
import type { Mirror } from '@echelon/ground/workspace';

/**
 * The smallest set of `all` that comes to the same as all of them, which is known: each is left out once, the last
 * first, and stays out where that makes no difference. So none of the set can be left out, and at most one set is tried
 * for each branch. A branch whose commits another one has is left out with that one only.
 */
export async function smallestSet<Branch extends { commit: string }>(
  mirror: Mirror,
  all: readonly Branch[],
  comesTo: (some: readonly Branch[]) => Promise<boolean>,
): Promise<Branch[]> {
  const holders = new Map<Branch, Branch[]>();
  for (const lower of all) {
    const above: Branch[] = [];
    for (const upper of all)
      if (upper !== lower && (await mirror.contains(upper.commit, lower.commit))) above.push(upper);
    holders.set(lower, above);
  }
  const isHeld = (each: Branch, by: readonly Branch[]) =>
    by.some(other => holders.get(each)?.includes(other));
  let kept = [...all];
  for (const each of all.toReversed()) {
    const rest = kept.filter(other => other !== each);
    if (rest.length > 0 && !isHeld(each, rest) && (await comesTo(rest))) kept = rest;
  }
  return kept.filter(each => !isHeld(each, kept));
}

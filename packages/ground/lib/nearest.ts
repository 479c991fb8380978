// Finds the known names nearest to a misspelt one.

/** Names longer than this are not compared: the distance costs length times length. */
const LONGEST = 64;
/** Of more names than this only the first are compared, so that a hostile source cannot make errors dear. */
const MOST = 500;

/**
 * The names within a third of their length (at least 2 edits) of `name`, or that share more than half of their
 * beginning with it (`sequence`, `sequential`); nearest first, at most three.
 */
export function nearest(name: string, known: Iterable<string>): string[] {
  if (name.length > LONGEST) return [];
  const found: { known: string; distance: number }[] = [];
  const lower = name.toLowerCase();
  let compared = 0;
  for (const each of known) {
    if (++compared > MOST) break;
    if (each.length > LONGEST || each === name) continue;
    const limit = Math.max(2, Math.floor(each.length / 3));
    const length = Math.max(name.length, each.length);
    const sharesStart = sharedStart(name, each) > Math.max(3, length / 2);
    // The lengths alone often tell: the distance costs far more than they do.
    if (!sharesStart && Math.abs(name.length - each.length) > limit) continue;
    const distance = edits(lower, each.toLowerCase());
    if (sharesStart || (distance <= limit && distance < each.length)) found.push({ known: each, distance });
  }
  return found
    .sort((a, b) => a.distance - b.distance || (a.known < b.known ? -1 : 1))
    .slice(0, 3)
    .map(each => each.known);
}

/** `; did you mean "x"?`, or nothing when no known name is near. */
export function didYouMean(name: string, known: Iterable<string>): string {
  const [first] = nearest(name, known);
  return first === undefined ? '' : `; did you mean "${first}"?`;
}

function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

/** The distance of optimal string alignment: insertions, deletions, replacements, and neighbours that changed places. */
function edits(a: string, b: string): number {
  // Three rows that take turns: rows made anew would cost more than what is reckoned in them.
  let [before, row, next]: [number[], number[], number[]] = [[], [], []];
  for (let j = 0; j <= b.length; j++) row.push(j);
  for (let i = 1; i <= a.length; i++) {
    const here = a.charCodeAt(i - 1);
    next[0] = i;
    for (let j = 1; j <= b.length; j++) {
      const same = here === b.charCodeAt(j - 1);
      let least = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && here === b.charCodeAt(j - 2) && a.charCodeAt(i - 2) === b.charCodeAt(j - 1))
        least = Math.min(least, before[j - 2]! + 1);
      next[j] = least;
    }
    [before, row, next] = [row, next, before];
  }
  return row[b.length]!;
}

/** The known name of five letters or more that one slip of the hand turns into `name`; shorter ones are near to too much. */
export const slipOf = (name: string, known: readonly string[]): string | undefined =>
  known.find(each => each.length >= 5 && name.length <= LONGEST && edits(name.toLowerCase(), each) === 1);

// Where a string comes next, remembered, so that asking again and again at growing offsets reads the text once.

/** Answers the first offset of `needle` that is at least `from`, or Infinity. `from` never gets smaller. */
export function finder(text: string, needle: string): (from: number) => number {
  let found = -1;
  return from => {
    if (found < from) {
      found = text.indexOf(needle, from);
      if (found < 0) found = Number.POSITIVE_INFINITY;
    }
    return found;
  };
}

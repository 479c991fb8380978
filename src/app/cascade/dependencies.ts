// Dependencies among the issues of one list: their validity, and the order of creation.

/** The part of a planned issue that counts: a number is a place in the list (from 1), `"#12"` an issue that exists. */
interface Dependent {
  depends_on?: readonly (number | string)[] | undefined;
}

/** Says what is wrong with the dependencies of a list of issues: an unknown place, oneself, a cycle. */
export function dependencyProblem(issues: readonly Dependent[]): string | undefined {
  const edges = issues.map(issue => (issue.depends_on ?? []).filter(each => typeof each === 'number'));
  for (const [index, places] of edges.entries())
    for (const place of places) {
      if (place > issues.length)
        return `issue ${index + 1} depends on ${place}, but the list has ${issues.length}`;
      if (place === index + 1) return `issue ${place} depends on itself`;
    }
  const state: ('open' | 'done' | undefined)[] = [];
  const cycle = (index: number, path: number[]): number[] | undefined => {
    if (state[index] === 'done') return undefined;
    if (state[index] === 'open') return [...path.slice(path.indexOf(index)), index];
    state[index] = 'open';
    for (const place of edges[index] ?? []) {
      const found = cycle(place - 1, [...path, index]);
      if (found) return found;
    }
    state[index] = 'done';
    return undefined;
  };
  for (const index of edges.keys()) {
    const found = cycle(index, []);
    if (found) return `the dependencies form a cycle: ${found.map(each => each + 1).join(' -> ')}`;
  }
  return undefined;
}

/** Places (from 0) so that each comes after what it depends on; the list's own order otherwise. */
export function inDependencyOrder(plans: readonly Dependent[]): number[] {
  const done: number[] = [];
  const visit = (index: number) => {
    if (done.includes(index)) return;
    for (const place of plans[index]!.depends_on ?? []) if (typeof place === 'number') visit(place - 1);
    done.push(index);
  };
  for (const index of plans.keys()) visit(index);
  return done;
}

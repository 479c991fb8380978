// In which order the pull requests of a run are merged: each after those it stands on.
import type { IssueView } from './view.ts';

/** Delivered issues whose pull request is to be merged, in that order. */
export const mergeOrder = (issues: readonly IssueView[]): IssueView[] =>
  unmerged(issues).filter(({ pull }) => pull !== null);

/** Delivered issues that are not merged; what stands on nothing of them comes first, then by number. */
export function unmerged(issues: readonly IssueView[]): IssueView[] {
  const left = new Map(
    issues.filter(({ state, merged }) => state === 'done' && !merged).map(each => [each.number, each]),
  );
  const order: IssueView[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ standsOn = [] }) => !standsOn.some(on => left.has(on)));
    // Records that hold each other leave nothing ready; then all are named.
    for (const each of (ready.length > 0 ? ready : [...left.values()]).toSorted(byNumber)) {
      left.delete(each.number);
      order.push(each);
    }
  }
  return order;
}

const byNumber = (a: IssueView, b: IssueView) => a.number - b.number;

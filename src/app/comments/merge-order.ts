// In which order the pull requests of a run are merged: each after those it stands on.
import type { IssueView } from './view.ts';

/** Delivered issues that have a pull request, and those pull requests; what stands on nothing open comes first, then by number. */
export function mergeOrder(issues: readonly IssueView[]): { pulls: number[]; issues: IssueView[] } {
  const left = new Map(
    issues.filter(({ state, pull }) => state === 'done' && pull !== null).map(each => [each.number, each]),
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
  return { pulls: order.flatMap(({ pull }) => pull ?? []), issues: order };
}

const byNumber = (a: IssueView, b: IssueView) => a.number - b.number;

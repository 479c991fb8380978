// Finds pending issues that can never start, and why; blocking issues; and the delivered branches below an issue's.
import type { SlotState, ScheduledIssue } from './slots.ts';
import { conflictOf, type Overlap } from './domains.ts';
import { effortOfDecision } from './globs.ts';

const wentWrong: { readonly [S in SlotState]?: string } = {
  failed: 'failed',
  blocked: 'is blocked',
  skipped: 'was skipped',
  cancelled: 'was cancelled',
};

/** Pending issues that can never start, with the reason; what depends on such an issue is one too. */
export function blockedIssues(
  issues: readonly ScheduledIssue[],
  byNumber: ReadonlyMap<number, ScheduledIssue>,
): Map<number, string> {
  const blocked = new Map<number, string>();
  const dependents = dependentsOf(issues);
  const pending = issues.filter(issue => issue.state === 'pending');
  for (const { number, dependsOn } of pending) {
    const why = dependsOn.map(each => lostWith(each, byNumber)).find(each => each !== undefined);
    if (why !== undefined) blocked.set(number, why);
  }
  const lost = [...blocked.keys()];
  for (let number = lost.pop(); number !== undefined; number = lost.pop())
    for (const next of dependents.get(number) ?? [])
      if (!blocked.has(next)) {
        blocked.set(next, `#${number}, on which it depends, is blocked`);
        lost.push(next);
      }
  // Issues reachable from those without open dependencies will run; the rest form cycles.
  const isOpen = (number: number) => byNumber.get(number)?.state === 'pending';
  const missing = new Map(
    pending.map(({ number, dependsOn }) => [number, new Set(dependsOn.filter(isOpen)).size]),
  );
  const free = pending.map(({ number }) => number).filter(number => missing.get(number) === 0);
  for (let number = free.pop(); number !== undefined; number = free.pop())
    for (const next of dependents.get(number) ?? []) {
      const left = (missing.get(next) ?? 0) - 1;
      missing.set(next, left);
      if (left === 0) free.push(next);
    }
  for (const [number, left] of missing)
    if (left > 0 && !blocked.has(number)) blocked.set(number, 'its dependencies lead in a circle');
  return blocked;
}

/** Reason that dependents of this issue can never start; undefined if they may. */
function lostWith(number: number, byNumber: ReadonlyMap<number, ScheduledIssue>): string | undefined {
  const needed = byNumber.get(number);
  const wrong = needed ? wentWrong[needed.state] : 'is not among the issues of this run';
  return wrong && `#${number}, on which it depends, ${wrong}`;
}

/** For each issue the pending issues that name it in `dependsOn`. */
export function dependentsOf(issues: readonly ScheduledIssue[]): Map<number, number[]> {
  const dependents = new Map<number, number[]>();
  for (const issue of issues)
    if (issue.state === 'pending')
      for (const number of new Set(issue.dependsOn)) {
        const others = dependents.get(number);
        if (others) others.push(issue.number);
        else dependents.set(number, [issue.number]);
      }
  return dependents;
}

/**
 * The delivered issues whose branches `issue` must start from when it starts now: its dependencies, and those it
 * could not run beside where overlapping work is `serial`. One whose branch already holds another's work stands for
 * both. Ascending numbers.
 */
export function standsOn(issue: ScheduledIssue, all: readonly ScheduledIssue[], overlap: Overlap): number[] {
  const byNumber = new Map(all.map(other => [other.number, other]));
  const effort = effortOfDecision();
  const needed = all
    .filter(
      other =>
        other.number !== issue.number &&
        other.state === 'done' &&
        (issue.dependsOn.includes(other.number) ||
          (overlap === 'serial' && conflictOf(issue, other, overlap, effort) !== undefined)),
    )
    .map(other => other.number);
  const held = new Set<number>();
  const todo = [...needed];
  for (let number = todo.pop(); number !== undefined; number = todo.pop()) {
    const other = byNumber.get(number);
    for (const below of [...(other?.dependsOn ?? []), ...(other?.standsOn ?? [])])
      if (below !== number && !held.has(below)) {
        held.add(below);
        todo.push(below);
      }
  }
  const tops = needed.filter(number => !held.has(number));
  // Records that hold each other leave no top; then all are named.
  return (tops.length > 0 ? tops : needed).sort((a, b) => a - b);
}

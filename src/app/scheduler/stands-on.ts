// The delivered branches that an issue's branch starts from.
import { conflictOf } from './domains.ts';
import { effortOfDecision } from './globs.ts';
import type { ScheduledIssue } from './tracked-issue.ts';

/**
 * The delivered issues whose branches `issue` must start from when it starts now: its dependencies, and those it
 * could not run beside. One whose branch already holds another's work stands for both. Ascending numbers.
 */
export function standsOn(issue: ScheduledIssue, all: readonly ScheduledIssue[]): number[] {
  const byNumber = new Map(all.map(other => [other.number, other]));
  const effort = effortOfDecision();
  const needed = all
    .filter(
      other =>
        other.number !== issue.number &&
        other.state === 'done' &&
        (issue.dependsOn.includes(other.number) || conflictOf(issue, other, effort) !== undefined),
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

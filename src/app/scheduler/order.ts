// The order of the issues that are still to be worked: what holds up what, and who goes first.
import { dependentsOf } from './dependencies.ts';
import { isExclusive } from './domains.ts';
import { activeStates, type ScheduledIssue } from './slots.ts';

/** The estimate that a team lead usually writes: the example of `prompts/roles/team-lead.xml` (minutes). */
export const USUAL_ESTIMATE = 20;

/** An issue that holds a slot or will. */
export interface Task {
  issue: ScheduledIssue;
  /** Its estimate; without one the usual. */
  minutes: number;
  /** The longest chain of issues that begins with it, itself included (minutes). */
  chain: number;
  exclusive: boolean;
  /** Number of its dependencies that are not delivered. */
  missing: number;
  /** Tasks that depend on it. */
  unlocks: Task[];
}

/** `open`: as they go first. */
export type Order = ReturnType<typeof orderOf>;

/**
 * Longest chain first. Exclusive work that others wait for goes before all: while it runs everybody waits, whenever
 * that is. Exclusive work that unlocks nothing goes last. Ties by number. `never`: what can never start.
 */
export function orderOf(issues: readonly ScheduledIssue[], never: ReadonlyMap<number, unknown>) {
  const working = issues.filter(
    ({ state, number }) => activeStates.has(state) || (state === 'pending' && !never.has(number)),
  );
  const tasks = working.map((issue): Task => {
    const own = issue.estimateMinutes ?? USUAL_ESTIMATE;
    const exclusive = isExclusive(issue.domain);
    return { issue, minutes: own, chain: own, exclusive, missing: 0, unlocks: [] };
  });
  const byNumber = new Map(tasks.map(task => [task.issue.number, task]));
  for (const [number, dependents] of dependentsOf(working)) {
    const needed = byNumber.get(number);
    for (const dependent of needed ? dependents : []) {
      const task = byNumber.get(dependent);
      if (!needed || !task) continue;
      task.missing += 1;
      needed.unlocks.push(task);
    }
  }
  measureChains(tasks);
  const isOpen = ({ issue }: Task) => issue.state === 'pending';
  const open = tasks
    .filter(isOpen)
    .sort((a, b) => rank(a) - rank(b) || b.chain - a.chain || a.issue.number - b.issue.number);
  return { open, active: tasks.filter(task => !isOpen(task)) };
}

/** From the ends of the chains to their beginnings. */
function measureChains(tasks: readonly Task[]): void {
  const needs = new Map<Task, Task[]>(tasks.map(task => [task, []]));
  for (const task of tasks) for (const next of task.unlocks) needs.get(next)?.push(task);
  const after = new Map(tasks.map(task => [task, task.unlocks.length]));
  const ends = tasks.filter(({ unlocks }) => unlocks.length === 0);
  for (let task = ends.pop(); task; task = ends.pop())
    for (const needed of needs.get(task) ?? []) {
      needed.chain = Math.max(needed.chain, needed.minutes + task.chain);
      const left = (after.get(needed) ?? 0) - 1;
      after.set(needed, left);
      if (left === 0) ends.push(needed);
    }
}

const rank = ({ exclusive, unlocks }: Task) => (exclusive ? (unlocks.length > 0 ? 0 : 2) : 1);

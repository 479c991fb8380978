// Decides which issues start now, which wait and why, and which can never start.
import { blockedIssues } from './dependencies.ts';
import { conflictOf, type Overlap, overlapOf } from './domains.ts';
import { effortOfDecision } from './globs.ts';
import { type Order, orderOf, type Task } from './order.ts';
import type { ScheduledIssue } from './slots.ts';

interface IssueThatWaits {
  number: number;
  /** A clause without a full stop, for the board. It may quote globs that a model wrote. */
  reason: string;
}

export interface Admission {
  start: number[];
  waiting: IssueThatWaits[];
  blocked: IssueThatWaits[];
}

/**
 * One decision over all issues of a run; a pure function of their states, so it may be asked again at any time. What
 * starts is in the order of `orderOf`, as far as it fits beside all that is active.
 */
export function admit(issues: readonly ScheduledIssue[], maxParallel: number, overlap: Overlap): Admission {
  const byNumber = new Map(issues.map(issue => [issue.number, issue]));
  const blocked = blockedIssues(issues, byNumber);
  const order = orderOf(issues, blocked);
  const choice = choose(order, maxParallel, overlap);
  const waits = reasonsToWait(order, choice, maxParallel, overlap);
  const waiting = order.open
    .filter(task => !choice.start.includes(task))
    .map(({ issue, missing }) => ({
      number: issue.number,
      reason:
        missing === 0
          ? waits(issue)
          : `waits for ${list(issue.dependsOn.filter(number => byNumber.get(number)?.state !== 'done'))}, on which it depends`,
    }));
  return {
    start: choice.start.map(({ issue }) => issue.number),
    waiting: waiting.sort((a, b) => a.number - b.number),
    blocked: [...blocked].map(([number, reason]) => ({ number, reason })).sort((a, b) => a.number - b.number),
  };
}

/** Most issues that are worked side by side, if each takes as long as the others. */
export function widest(planned: readonly Planned[], maxParallel: number, overlap: Overlap): number {
  const known = new Set(planned.map(({ number }) => number));
  const issues = planned.map(({ dependsOn, ...issue }): ScheduledIssue => {
    return { ...issue, dependsOn: dependsOn.filter(number => known.has(number)), state: 'pending' };
  });
  for (let most = 0; ; ) {
    const { start } = admit(issues, maxParallel, overlap);
    if (start.length === 0) return most;
    most = Math.max(most, start.length);
    for (const issue of issues) if (start.includes(issue.number)) issue.state = 'done';
  }
}

type Planned = Omit<ScheduledIssue, 'state'>;

interface Choice {
  start: Task[];
  /** Exclusive work that is waited for: nothing else starts before it. */
  awaited?: Task;
}

/**
 * Exclusive work that others depend on is waited for when its chain is at least so many times as long as any other that
 * could begin ([0066](../../../docs/decisions/0066-longest-chain-first.md)).
 */
const PATIENCE = 2;

/**
 * Starts all that fits, in the order of the chains. An issue that does not fit holds up none behind it. What may touch
 * the files of active work comes after the rest, so that fewer branches conflict.
 */
function choose({ open, active }: Order, slots: number, overlap: Overlap): Choice {
  const effort = effortOfDecision();
  const ready = open.filter(({ missing }) => missing === 0);
  const longest = ready.find(({ exclusive }) => !exclusive)?.chain ?? 0;
  const start: Task[] = [];
  const overlapping: Task[] = [];
  const isFull = () => active.length + start.length >= slots;
  const isClear = (task: Task, why: typeof overlapOf) =>
    [...active, ...start].every(other => why(task.issue, other.issue, effort) === undefined);
  const conflicts: typeof overlapOf = (a, b, left) => conflictOf(a, b, overlap, left);
  for (const task of ready) {
    if (isFull()) break;
    if (isClear(task, conflicts)) (isClear(task, overlapOf) ? start : overlapping).push(task);
    else if (task.exclusive && task.unlocks.length > 0 && task.chain >= PATIENCE * longest)
      return { start, awaited: task };
  }
  for (const task of overlapping) if (!isFull() && isClear(task, conflicts)) start.push(task);
  return { start };
}

/** Reasons for not starting a ready issue. Without a free slot, globs are not compared for this. */
function reasonsToWait(
  { active }: Order,
  { start, awaited }: Choice,
  slots: number,
  overlap: Overlap,
): (issue: ScheduledIssue) => string {
  const beside = [...active, ...start];
  const full = beside.length >= slots;
  const effort = effortOfDecision();
  return issue => {
    for (const { issue: other } of beside) {
      const reason = conflictOf(issue, other, overlap, effort);
      if (reason !== undefined) return `waits for #${other.number}: ${reason}`;
    }
    return full || !awaited
      ? `waits for a free slot (${slots} in use)`
      : `lets #${awaited.issue.number} go first: ${awaited.issue.domain} work that other issues wait for runs alone`;
  };
}

function list(numbers: readonly number[]): string {
  const shown = [...new Set(numbers)].sort((a, b) => a - b).map(number => `#${number}`);
  return shown.length > 5 ? `${shown.slice(0, 5).join(', ')} and ${shown.length - 5} more` : shown.join(', ');
}

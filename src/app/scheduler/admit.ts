// Which issues start now, which wait and why, and which can never start.
import { blockedIssues } from './dependencies.ts';
import { conflictOf, domainsClash } from './domains.ts';
import { effortOfDecision } from './globs.ts';
import { type Order, orderOf } from './order.ts';
import { bestPlan, type Choice } from './play.ts';
import type { ScheduledIssue } from './tracked-issue.ts';

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
export function admit(issues: readonly ScheduledIssue[], maxParallel: number): Admission {
  const byNumber = new Map(issues.map(issue => [issue.number, issue]));
  const blocked = blockedIssues(issues, byNumber);
  const order = orderOf(issues, blocked);
  const choice = bestPlan(order, maxParallel);
  const waits = reasonsToWait(order, choice, maxParallel);
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

/** Why one that is ready does not start. Where no slot is free, globs are not compared to say so. */
function reasonsToWait(
  { active }: Order,
  { start, awaited }: Choice,
  slots: number,
): (issue: ScheduledIssue) => string {
  const beside = [...active, ...start];
  const full = beside.length >= slots;
  const effort = effortOfDecision();
  return issue => {
    for (const { issue: other } of beside) {
      const reason = full ? domainsClash(issue.domain, other.domain) : conflictOf(issue, other, effort);
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

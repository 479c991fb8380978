// The health of a session, by its last iterations.
import type { Iteration } from './iteration.ts';

export type HealthKind = 'CONSECUTIVE_ERRORS' | 'HIGH_ERROR_RATE' | 'LOW_PROGRESS';

export interface HealthIssue {
  kind: HealthKind;
  severity: 'high' | 'medium' | 'low';
  /** The iteration after which it was raised. */
  iteration: number;
}

export interface Health {
  status: 'healthy' | 'degraded' | 'critical';
  /** The last 20. */
  issues: HealthIssue[];
}

/** Iterations that are looked at. Older issues lapse: otherwise a session could never recover. */
const WINDOW = 5;
const KEPT_ISSUES = 20;
/** Iterations with errors in a row; the share of iterations with errors; the average progress. */
const limits = { inARow: 3, errorRate: 0.5, progress: 0.1 };
/** More issues than this in the window, none of them high, are `degraded`. */
const TOLERATED = 3;

export const healthy: Health = { status: 'healthy', issues: [] };

/** The health after the last of `iterations`; `before` is what it was. */
export function healthAfter(iterations: readonly Iteration[], before: Health): Health {
  const last = iterations.at(-1);
  if (!last) return before;
  const recent = iterations.slice(-WINDOW);
  const raised = issuesOf(recent).map((issue): HealthIssue => ({ ...issue, iteration: last.n }));
  const issues = [...before.issues, ...raised].slice(-KEPT_ISSUES);
  const counted = issues.filter(({ iteration }) => iteration > last.n - WINDOW);
  const status = counted.some(({ severity }) => severity === 'high')
    ? 'critical'
    : counted.length > TOLERATED
      ? 'degraded'
      : 'healthy';
  return { status, issues };
}

function issuesOf(recent: readonly Iteration[]): Omit<HealthIssue, 'iteration'>[] {
  const failed = recent.filter(hasErrors).length;
  const inARow = recent.length - 1 - recent.findLastIndex(each => !hasErrors(each));
  const progress = recent.reduce((sum, each) => sum + each.progress, 0) / recent.length;
  const issues: Omit<HealthIssue, 'iteration'>[] = [];
  if (inARow >= limits.inARow) issues.push({ kind: 'CONSECUTIVE_ERRORS', severity: 'high' });
  // One failed iteration of one says nothing about a rate yet.
  if (recent.length > 1 && failed / recent.length > limits.errorRate)
    issues.push({ kind: 'HIGH_ERROR_RATE', severity: 'medium' });
  if (recent.length > 1 && progress < limits.progress) issues.push({ kind: 'LOW_PROGRESS', severity: 'low' });
  return issues;
}

const hasErrors = ({ errors }: Iteration) => errors.length > 0;

const advices: Readonly<Record<HealthKind, string>> = {
  CONSECUTIVE_ERRORS: 'your last iterations all had errors: stop, read them, and try a simpler way',
  HIGH_ERROR_RATE: 'more than half of your last iterations had errors: check each step before the next',
  LOW_PROGRESS: 'no open task or goal has moved on lately: finish or drop what is open',
};

/** Advice for a critical session before its next turn; empty if there is none. */
export function advice({ status, issues }: Health): string {
  if (status !== 'critical') return '';
  const last = issues.at(-1)?.iteration;
  const kinds = new Set(issues.filter(({ iteration }) => iteration === last).map(({ kind }) => kind));
  return `The health of this session is critical: ${[...kinds].map(kind => advices[kind]).join('; ')}.`;
}

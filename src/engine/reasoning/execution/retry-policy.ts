// How often a failed execution is tried again, and how long each wait is.
import type { ErrorRow } from './classify.ts';
import type { ExecutionPolicy } from './policy.ts';

export interface RetryPolicy {
  name: string;
  /** In all, the first included. */
  attempts: number;
  /** Milliseconds before the second attempt. */
  baseMs: number;
  /** What each wait is multiplied by to give the next. */
  factor: number;
  /** Milliseconds that no wait passes. */
  capMs: number;
  /** The share of a wait by which it is made longer or shorter at random. */
  jitter: number;
}

export const retryPolicies = [
  { name: 'immediate', attempts: 2, baseMs: 0, factor: 1, capMs: 0, jitter: 0 },
  { name: 'exponential', attempts: 3, baseMs: 1000, factor: 2, capMs: 10_000, jitter: 0.1 },
  { name: 'aggressive', attempts: 5, baseMs: 500, factor: 1.5, capMs: 5000, jitter: 0.1 },
  { name: 'conservative', attempts: 2, baseMs: 2000, factor: 2, capMs: 15_000, jitter: 0 },
] as const satisfies readonly RetryPolicy[];

/** The name of the retry policy of errors whose row names none. */
export const DEFAULT_RETRY_POLICY = 'exponential';

/** The name of the retry policy for errors of this row. */
export const retryPolicyFor = (row: ErrorRow, byDefault: string = DEFAULT_RETRY_POLICY): string =>
  row.retryPolicy ?? byDefault;

/** Milliseconds to wait after attempt `attempt` (from 1) failed. `random` answers 0 to 1, as Math.random does. */
export function delayOf(policy: RetryPolicy, attempt: number, random: () => number): number {
  const { baseMs, factor, capMs, jitter } = policy;
  const wait = Math.min(capMs, baseMs * factor ** (attempt - 1));
  const moved = jitter === 0 ? wait : wait * (1 + jitter * (2 * random() - 1));
  return Math.min(capMs, Math.round(moved));
}

/** Attempts in all: the least of what the error's row, its retry policy and the execution policy allow. */
export function attemptsAllowed(row: ErrorRow, retry: RetryPolicy, { retries }: ExecutionPolicy): number {
  return row.retry ? Math.min(row.attempts, retry.attempts, retries + 1) : 1;
}

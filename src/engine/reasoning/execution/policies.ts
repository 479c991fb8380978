// Policies as data: how code is run, how often again, and after which waits. A program adds rows of its own.
import { didYouMean } from '@echelon/ground';
import type { ProgramError } from '../../sandbox/program-end.ts';
import type { VaultRule } from '../operations/kinds.ts';
import { type ErrorRow, errorTable } from './errors.ts';
import { unsafeIn } from './unsafe.ts';

export interface ExecutionPolicy {
  name: string;
  /** The name of a strategy. */
  strategy: string;
  /** Milliseconds of one attempt; at most what the strategy allows. */
  timeLimitMs: number;
  /** Attempts after the first. */
  retries: number;
  /** True if a failed attempt's traces are removed, where the error's row says so too. */
  cleanContext: boolean;
  /** True if the record lists every attempt. */
  logAttempts: boolean;
  /** True if the model sees where in the code an error passed by. */
  verboseErrors: boolean;
}

/** A way to run code under a policy. */
export interface Strategy {
  name: string;
  /** True if a failed attempt may be followed by another, where the error's row allows it. */
  again: boolean;
  /** Milliseconds of one attempt that no policy passes; default: a day. */
  mostMs?: number;
  /** The error that keeps code from being run; undefined: it may run. */
  refuse?(code: string): ProgramError | undefined;
}

const strategies: readonly Strategy[] = [
  { name: 'standard', again: false },
  { name: 'retry', again: true },
  { name: 'safe', again: false, mostMs: 10_000, refuse: unsafeIn },
];

const again = { strategy: 'retry', cleanContext: true, logAttempts: false, verboseErrors: false } as const;
const single = { retries: 0, cleanContext: false, logAttempts: true } as const;

const executionPolicies: readonly ExecutionPolicy[] = [
  { name: 'default', timeLimitMs: 15_000, retries: 3, ...again },
  { name: 'safe', strategy: 'safe', timeLimitMs: 10_000, ...single, verboseErrors: false },
  { name: 'aggressive', timeLimitMs: 30_000, retries: 5, ...again },
  { name: 'debug', strategy: 'standard', timeLimitMs: 60_000, ...single, verboseErrors: true },
];

export interface RetryPolicy {
  name: string;
  /** In all, the first included. */
  attempts: number;
  /** Milliseconds before the second attempt. */
  baseMs: number;
  /** Factor from each wait to the next. */
  factor: number;
  /** Milliseconds that no wait passes. */
  capMs: number;
  /** The share of a wait by which it is made longer or shorter at random. */
  jitter: number;
}

const retryPolicies: readonly RetryPolicy[] = [
  { name: 'immediate', attempts: 2, baseMs: 0, factor: 1, capMs: 0, jitter: 0 },
  { name: 'exponential', attempts: 3, baseMs: 1000, factor: 2, capMs: 10_000, jitter: 0.1 },
  { name: 'aggressive', attempts: 5, baseMs: 500, factor: 1.5, capMs: 5000, jitter: 0.1 },
  { name: 'conservative', attempts: 2, baseMs: 2000, factor: 2, capMs: 15_000, jitter: 0 },
];

export const defaultPolicies = { execution: 'default', retry: 'exponential' } as const;

/** A day: more than any code of a session is to take, and less than a timer can wait. */
const MAX_TIME_MS = 86_400_000;

/** Rows of a program's own. Rows of errors are asked before the built-in ones, in their order. */
export interface ExecutionRows {
  strategies?: readonly Strategy[];
  /** Rules for writes to the vault: the first that objects keeps the entry from being written. */
  vault?: readonly VaultRule[];
  policies?: readonly ExecutionPolicy[];
  retryPolicies?: readonly RetryPolicy[];
  errors?: readonly ErrorRow[];
}

/** Built-in rows of each kind, merged with custom ones. Throws TypeError for an invalid row. */
export function knownRows(own: ExecutionRows = {}) {
  const { policies = [], retryPolicies: waits = [], errors = [], vault = [] } = own;
  const ways = withOwn('strategy', strategies, own.strategies ?? [], () => undefined);
  const retry = withOwn('retry policy', retryPolicies, waits, retryPolicyFault);
  const fault = (policy: ExecutionPolicy) => policyFault(policy, ways);
  const execution = withOwn('execution policy', executionPolicies, policies, fault).map(policy => {
    const { mostMs = MAX_TIME_MS } = named('strategy', ways, policy.strategy);
    return { ...policy, timeLimitMs: Math.min(policy.timeLimitMs, mostMs) };
  });
  for (const { class: name, attempts, retryPolicy } of errors) {
    if (!isCount(attempts)) throw new TypeError(`the error "${name}" ${ATTEMPTS}`);
    if (retryPolicy !== undefined) named('retry policy', retry, retryPolicy);
  }
  return { execution, retry, errors: [...errors, ...errorTable], strategies: ways, vault };
}

/** Throws TypeError with the nearest name when there is none of this name. `what` is the word for one of `rows`. */
export function named<Row extends { name: string }>(what: string, rows: readonly Row[], name: string): Row {
  const found = rows.find(row => row.name === name);
  if (found) return found;
  const known = rows.map(row => row.name);
  throw new TypeError(`there is no ${what} "${name}"${didYouMean(name, known)} (known: ${known.join(', ')})`);
}

function withOwn<Row extends { name: string }>(
  what: string,
  builtIn: readonly Row[],
  own: readonly Row[],
  fault: (row: Row) => string | undefined,
): Row[] {
  const rows = [...builtIn];
  for (const row of own) {
    if (row.name === '') throw new TypeError(`an own ${what} needs a name`);
    if (rows.some(({ name }) => name === row.name))
      throw new TypeError(`the ${what} "${row.name}" is there already; take another name`);
    const found = fault(row);
    if (found !== undefined) throw new TypeError(`the ${what} "${row.name}" ${found}`);
    rows.push(row);
  }
  return rows;
}

const isCount = (value: number) => Number.isInteger(value) && value >= 1;
const ATTEMPTS = 'needs a whole number of attempts, 1 or more';

function policyFault(
  { strategy, timeLimitMs, retries }: ExecutionPolicy,
  ways: readonly Strategy[],
): string | undefined {
  const names = ways.map(({ name }) => name);
  if (!names.includes(strategy)) return `needs a strategy: ${names.join(', ')}`;
  if (!isCount(timeLimitMs) || timeLimitMs > MAX_TIME_MS)
    return `needs a time limit in whole milliseconds, from 1 to ${MAX_TIME_MS}`;
  return isCount(retries + 1) ? undefined : 'needs a whole number of retries, 0 or more';
}

function retryPolicyFault({ attempts, baseMs, factor, capMs, jitter }: RetryPolicy): string | undefined {
  if (!isCount(attempts)) return ATTEMPTS;
  const isWait = (ms: number) => Number.isFinite(ms) && ms >= 0;
  if (!isWait(baseMs) || !isWait(capMs)) return 'needs a base delay and a cap in milliseconds, 0 or more';
  if (!Number.isFinite(factor) || factor < 1) return 'needs a factor of at least 1';
  return jitter >= 0 && jitter <= 1 ? undefined : 'needs a jitter from 0 to 1';
}

/** Milliseconds to wait after attempt `attempt` (from 1) failed. `random` answers 0 to 1, as Math.random does. */
export function delayOf(policy: RetryPolicy, attempt: number, random: () => number): number {
  const { baseMs, factor, capMs, jitter } = policy;
  const wait = Math.min(capMs, baseMs * factor ** (attempt - 1));
  const moved = jitter === 0 ? wait : wait * (1 + jitter * (2 * random() - 1));
  return Math.min(capMs, Math.round(moved));
}

/** Attempts in all: the least of what the error's row, its retry policy and the execution policy allow. */
export const attemptsAllowed = (
  row: ErrorRow,
  retry: RetryPolicy,
  policy: ExecutionPolicy,
  strategy: Strategy,
): number => (strategy.again ? Math.min(row.attempts, retry.attempts, policy.retries + 1) : 1);

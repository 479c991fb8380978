// The attempts of one execution: the sandbox, writes taken all or none, and the way to another attempt.
import type { Clock } from '@echelon/ground';
import type { BoundTools } from '../../sandbox/host-tools.ts';
import type { Ran, Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import type { VaultRule } from '../operations/kinds.ts';
import { applyWrites, storesForSandbox } from '../operations/writes.ts';
import { type Stores, UNDEFINED } from '../stores.ts';
import { cleaned, type SeenContext, tracked } from './report-to-model.ts';
import { classify, type ErrorRow, type Failure, STORAGE_ERROR_NAME } from './errors.ts';
import {
  attemptsAllowed,
  delayOf,
  type ExecutionPolicy,
  type RetryPolicy,
  type Strategy,
} from './policies.ts';
import type { ExecutionAttempt, CompletedAttempt, ExecutionStates, FailedAttempt } from './record.ts';

/** One execution. */
export interface Job {
  id: string;
  code: string;
  policy: ExecutionPolicy;
  /** Milliseconds of one attempt. */
  timeMs: number;
  /** Before it. */
  stores: Stores;
  lastResult: string | undefined;
  signal: AbortSignal;
  /** Tools that it may call, in all attempts together. */
  tools: BoundTools | undefined;
  states: ExecutionStates;
  /** Before it. */
  seen: SeenContext;
}

/** Values that all executions of one executor share. */
export interface Workshop {
  sandbox: Sandbox;
  clock: Clock;
  /** 0 to 1, as Math.random answers. */
  random: () => number;
  errors: readonly ErrorRow[];
  vault: readonly VaultRule[];
  strategyOf: (policy: ExecutionPolicy) => Strategy;
  retryOf: (row: ErrorRow) => RetryPolicy;
  emit: (event: ExecutionEvent) => void;
}

export interface Tried {
  last: ExecutionAttempt;
  /** `last` too. */
  all: readonly ExecutionAttempt[];
  seen: SeenContext;
  cleanings: number;
}

/** Attempts until one completes or no other may follow. Throws the signal's reason; the execution is then `cancelled`. */
export async function attempts(job: Job, shop: Workshop): Promise<Tried> {
  const { id, policy, signal, states, stores } = job;
  const all: ExecutionAttempt[] = [];
  let { seen } = job;
  let cleanings = 0;
  try {
    for (let attempt = 1; ; attempt++) {
      states.move('preparing', { attempt });
      signal.throwIfAborted();
      states.move('executing', { attempt });
      const last = await runOnce(job, shop);
      all.push(last);
      const missing = last.missingReads.map(read => read.id);
      seen = { ...seen, missing: tracked(seen.missing, missing) };
      const ms = Math.round(last.ms);
      states.move(last.status, {
        attempt,
        ms,
        ...(last.status !== 'completed' && { class: last.row.class }),
      });
      if (last.status === 'completed') return { last, all, seen, cleanings };

      const { row, error } = last;
      const retry = shop.retryOf(row);
      const of = attemptsAllowed(row, retry, policy, shop.strategyOf(policy));
      if (attempt < of) seen = { ...seen, log: [...seen.log, last] };
      const cleans = row.cleanContext && policy.cleanContext;
      const clean = cleaned(seen, { failed: last, stores, cleans });
      seen = clean.seen;
      if (cleans && clean.what.length > 0) {
        cleanings++;
        shop.emit({ type: 'context_cleaned', id, errorType: row.class, what: clean.what });
      }
      if (attempt >= of) return { last, all, seen, cleanings };

      const delayMs = delayOf(retry, attempt, shop.random);
      states.move('retrying', { attempt, delayMs });
      shop.emit({ type: 'execution_retry', id, attempt: attempt + 1, of, error: error.message });
      if (delayMs > 0) await shop.clock.sleep(delayMs, signal);
    }
  } catch (thrown) {
    states.cancel({ attempt: all.length });
    throw thrown;
  }
}

/** Never throws because of the code. */
async function runOnce(
  job: Job,
  { sandbox, clock, errors, vault, strategyOf }: Workshop,
): Promise<ExecutionAttempt> {
  const { code, policy, timeMs, stores, lastResult, signal, tools } = job;
  const failed = (failure: Failure, ran: Ran): FailedAttempt => ({
    ...ran,
    ...failure,
    row: classify(failure, errors),
  });
  const refusal = strategyOf(policy).refuse?.(code);
  if (refusal) return failed({ status: 'failed', error: refusal }, notRun);
  const outcome = await sandbox.run({
    code,
    limits: { timeMs },
    signal,
    tools,
    stores: storesForSandbox(stores, lastResult),
  });
  const { console, omittedOutput, missingReads, ms } = outcome;
  const ran = { console, omittedOutput, missingReads, ms };
  if (outcome.status !== 'completed') return failed({ status: outcome.status, error: outcome.error }, ran);
  const applied = applyWrites(stores, outcome.writes, clock.now(), vault);
  if ('error' in applied)
    return failed({ status: 'failed', error: { name: STORAGE_ERROR_NAME, message: applied.error } }, ran);
  const { value, valueKind, late } = outcome;
  return {
    ...ran,
    ...applied,
    status: 'completed',
    value,
    valueKind,
    ...(late !== undefined && { late }),
  };
}

const notRun: Ran = { console: [], omittedOutput: { lines: 0, chars: 0 }, missingReads: [], ms: 0 };

/** The value as JSON text, or `undefined`: the vault entry that the next execution reads it by. */
export function jsonOfValue({ value, valueKind }: CompletedAttempt): string {
  if (valueKind === 'json') return value;
  return valueKind === 'undefined' ? UNDEFINED : JSON.stringify(value);
}

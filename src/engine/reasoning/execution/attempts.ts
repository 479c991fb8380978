// The attempts of one execution, as its strategy makes them: states, sandbox, writes, and the way to another attempt.
import type { Clock } from '../../../lib/clock.ts';
import type { ProgramError } from '../../sandbox/interpreter.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import { applyWrites, storesForSandbox } from '../operations/writes.ts';
import type { Stores } from '../stores.ts';
import type { Attempt, FailedAttempt, Ran } from './attempt.ts';
import { classify, type Failure, STORAGE_ERROR_NAME } from './classify.ts';
import { type CleaningSwitches, cleaned, type SeenContext } from './cleaning.ts';
import type { Life } from './execution-lifecycle.ts';
import type { ExecutionPolicy } from './policy.ts';
import type { Registry } from './registry.ts';
import { attemptsAllowed, delayOf, retryPolicyFor } from './retry-policy.ts';
import type { Attempts } from './strategies.ts';
import { tracked } from './tracker.ts';

/** What all executions of one executor share. */
export interface Workshop {
  sandbox: Sandbox;
  clock: Clock;
  /** 0 to 1, as Math.random answers. */
  random: () => number;
  registry: Registry;
  cleaning: CleaningSwitches;
  /** The name of the retry policy of errors whose row names none. */
  retryPolicy: string;
  emit: (event: ExecutionEvent) => void;
}

/** One execution. */
export interface Job {
  id: string;
  /** Before it. */
  stores: Stores;
  lastResult: string | undefined;
  signal: AbortSignal;
  policy: ExecutionPolicy;
  /** Milliseconds of one attempt. */
  timeLimitMs: number;
  life: Life;
  /** Before it. */
  seen: SeenContext;
}

export interface Made extends Attempts {
  /** All attempts so far. */
  readonly all: readonly Attempt[];
  readonly seen: SeenContext;
  readonly cleanings: number;
}

/** Of code that was not run. */
const notRun: Ran = { console: [], omittedOutput: { lines: 0, chars: 0 }, missingReads: [], ms: 0 };

export function attemptsOf(job: Job, shop: Workshop): Made {
  const { id, stores, lastResult, signal, policy, life } = job;
  const { sandbox, clock, registry, emit } = shop;
  const all: Attempt[] = [];
  let { seen } = job;
  let cleanings = 0;

  const failed = (failure: Failure, ran: Ran): FailedAttempt => ({
    ...ran,
    ...failure,
    row: classify(failure, registry.rules.all()),
  });

  /** The sandbox's outcome with the writes applied: they are all taken, or the attempt failed. */
  async function run(code: string, timeMs: number): Promise<Attempt> {
    const limits = { timeMs };
    const outcome = await sandbox.run({ code, limits, signal, stores: storesForSandbox(stores, lastResult) });
    const { console, omittedOutput, missingReads, ms } = outcome;
    const ran = { console, omittedOutput, missingReads, ms };
    if (outcome.status !== 'completed') {
      const { status, error } = outcome;
      return failed({ status, error }, ran);
    }
    const applied = applyWrites(stores, outcome.writes, clock.now());
    if ('error' in applied) {
      const error = { name: STORAGE_ERROR_NAME, message: applied.error };
      return failed({ status: 'failed', error }, ran);
    }
    let { value, valueKind } = outcome;
    for (const { transform } of registry.transformers.all())
      ({ value, valueKind } = transform({ value, valueKind }));
    return { ...ran, ...applied, status: 'completed', value, valueKind };
  }

  /** What an own validator has against the code. */
  function refusalOf(code: string): ProgramError | undefined {
    for (const { name, problem } of registry.validators.all()) {
      const message = problem(code);
      if (message !== undefined) return { name: 'ValidationError', message: `${name}: ${message}` };
    }
    return undefined;
  }

  return {
    get all() {
      return all;
    },
    get seen() {
      return seen;
    },
    get cleanings() {
      return cleanings;
    },

    async attempt(code, { timeMs = job.timeLimitMs, refusal } = {}) {
      const number = all.length + 1;
      life.move('preparing', { attempt: number });
      signal.throwIfAborted();
      life.move('executing', { attempt: number });
      const error = refusal ?? refusalOf(code);
      const attempt = error
        ? failed({ status: 'failed', error }, notRun)
        : await run(code, Math.min(timeMs, job.timeLimitMs));
      all.push(attempt);
      const missing = attempt.missingReads.map(({ id: asked }) => asked);
      seen = { ...seen, missing: tracked(seen.missing, missing) };
      life.move(attempt.status, {
        attempt: number,
        ms: Math.round(attempt.ms),
        ...(attempt.status !== 'completed' && { class: attempt.row.class }),
      });
      return attempt;
    },

    async again(last) {
      const { row } = last;
      const verdicts = registry.handlers
        .all()
        .filter(({ classes }) => classes === undefined || classes.includes(row.class))
        .flatMap(handler => handler.handle(last, all.length) ?? []);
      const hints = verdicts.flatMap(({ hint }) => hint ?? []);
      seen = { ...seen, notes: [...new Set([...seen.notes, ...hints])] };

      const retry = registry.retryPolicies.named(retryPolicyFor(row, shop.retryPolicy));
      const of = attemptsAllowed(row, retry, policy);
      if (all.length >= of || verdicts.some(({ stop }) => stop === true)) return false;
      seen = { ...seen, log: [...seen.log, last] };
      if (row.cleanContext && policy.cleanContext) {
        const clean = cleaned(seen, { failed: last, stores }, shop.cleaning, registry.cleaners.all());
        seen = clean.context;
        if (clean.what.length > 0) {
          cleanings++;
          emit({ type: 'context_cleaned', id, errorType: row.class, what: clean.what });
        }
      } else if (shop.cleaning.executionLog) seen = { ...seen, log: [] };
      const delay = delayOf(retry, all.length, shop.random);
      life.move('retrying', { attempt: all.length, delayMs: delay });
      emit({ type: 'execution_retry', id, attempt: all.length + 1, of, error: last.error.message });
      if (delay > 0) await clock.sleep(delay, signal);
      return true;
    },
  };
}

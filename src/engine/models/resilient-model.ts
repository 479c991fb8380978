// The one place where model calls are retried: back-off, circuit breaker, time-out, and the check of what came back.
// Not cockatiel: its retry and breaker read Date.now and setTimeout themselves, so that tests would have to wait.
import { messageOf } from '../../lib/message.ts';
import type { Clock } from '../../lib/clock.ts';
import { type Model, ModelFailure, type ModelReply, type ModelRequest } from './model.ts';
import { checkCost, checkUsage } from './prices.ts';

const tries = 5;
const backoffStartMs = 1_000;
const backoffLimitMs = 60_000;
const jitter = 0.1;
/** A retry-after longer than this is not waited for here: the run ends its work with a ProviderWait. */
const patienceMs = 120_000;
const breakerFailures = 5;
const breakerOpenMs = 60_000;
/** The default time-out of a layer's call. */
const defaultTimeoutMs = 5 * 60_000;

/** Thrown instead of waiting long: the run should end here and be taken up again at `until`. */
export class ProviderWait extends Error {
  override readonly name = 'ProviderWait';
  /** Milliseconds since the epoch. */
  readonly until: number;
  override readonly cause: ModelFailure;
  constructor(until: number, cause: ModelFailure) {
    super(`the model is not to be called before ${new Date(until).toISOString()}: ${cause.message}`);
    this.cause = cause;
    this.until = until;
  }
}

/** What was done about a failure; times in milliseconds. What the failed try had streamed comes again. */
export type RetryEvent =
  | { type: 'retry'; failure: ModelFailure; attempt: number; wait_ms: number }
  | { type: 'rate_limited'; until: number }
  | { type: 'breaker_opened'; until: number };

export interface ResilientModel extends Model {
  /** `timeout_ms` bounds each try; 5 minutes when absent. Throws also ProviderWait. */
  call(
    request: ModelRequest & { timeout_ms?: number },
    onEvent?: Parameters<Model['call']>[1],
  ): Promise<ModelReply>;
}

export interface ResilienceOptions {
  clock: Clock;
  onEvent?: (event: RetryEvent) => void;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
}

/**
 * `model` with retries. Make one for each run: its calls share the breaker, whose second opening ends the run.
 * `rate_limit` and `timeout` are tried up to 5 times (1 s, 2 s, 4 s, ... up to 60 s, each 10 % more or less, at least
 * retry-after); 5 time-outs in a row open the breaker, and the call goes on after 60 s. `quota` and `crash` are thrown
 * at once, and so is, as `crash`, what is no ModelFailure. A reply whose usage or cost is no number is a `crash`.
 */
export function resilientModel(
  model: Model,
  { clock, onEvent, random = Math.random }: ResilienceOptions,
): ResilientModel {
  const breaker = new Breaker();

  const backoff = (attempt: number, failure: ModelFailure): number => {
    const base = Math.min(backoffStartMs * 2 ** (attempt - 1), backoffLimitMs);
    return Math.max(Math.round(base * (1 + jitter * (2 * random() - 1))), failure.retry_after_ms ?? 0);
  };

  return {
    provider: model.provider,
    ...(model.models && { models: model.models }),
    async call(request, onModelEvent) {
      for (let attempt = 1; ; attempt++) {
        breaker.refuseForGood();
        const openFor = breaker.openUntil - clock.now();
        if (openFor > 0) await clock.sleep(openFor, request.signal);
        const started = clock.now();
        const outcome = await attemptCall(model, request, onModelEvent);
        if (!(outcome instanceof ModelFailure)) {
          breaker.succeeded();
          return outcome;
        }
        const failure = outcome;
        if (failure.class === 'quota' || failure.class === 'crash') throw failure;
        if (failure.class === 'timeout' && breaker.failed(started, clock.now())) {
          onEvent?.({ type: 'breaker_opened', until: breaker.openUntil });
          breaker.refuseForGood(failure);
          attempt = 0;
          continue;
        }
        if ((failure.retry_after_ms ?? 0) > patienceMs)
          throw new ProviderWait(clock.now() + (failure.retry_after_ms ?? 0), failure);
        if (attempt >= tries)
          throw new ModelFailure('crash', `gave up after ${tries} tries: ${failure.message}`, {
            cause: failure,
          });
        const wait_ms = backoff(attempt, failure);
        onEvent?.({ type: 'retry', failure, attempt, wait_ms });
        if (failure.class === 'rate_limit') onEvent?.({ type: 'rate_limited', until: clock.now() + wait_ms });
        await clock.sleep(wait_ms, request.signal);
      }
    },
  };
}

/** One try: a reply, or the failure it ended in. Throws only the reason of the caller's signal. */
async function attemptCall(
  model: Model,
  { timeout_ms = defaultTimeoutMs, ...request }: ModelRequest & { timeout_ms?: number },
  onEvent: Parameters<Model['call']>[1],
): Promise<ModelReply | ModelFailure> {
  request.signal.throwIfAborted();
  // Real time, whatever the clock: this bounds how long a network may keep silent.
  const timeout = AbortSignal.timeout(timeout_ms);
  try {
    const signal = AbortSignal.any([request.signal, timeout]);
    const reply = await model.call({ ...request, signal }, onEvent);
    checkUsage(reply.usage);
    checkCost(reply.cost_usd);
    return reply;
  } catch (error) {
    request.signal.throwIfAborted();
    if (error === timeout.reason && timeout.aborted)
      return new ModelFailure('timeout', `no whole reply for ${request.task} within ${timeout_ms / 1000} s`);
    if (error instanceof ModelFailure) return error;
    const message = messageOf(error);
    return new ModelFailure('crash', `the call of the model broke: ${message}`, { cause: error });
  }
}

/** Counts time-outs in a row. Opens at the fifth, and again at the first one after that unless a call succeeded. */
class Breaker {
  /** Milliseconds since the epoch; 0 when it never opened. */
  openUntil = 0;
  #inARow = 0;
  #trial = false;
  #openings = 0;

  succeeded(): void {
    this.#inARow = 0;
    this.#trial = false;
  }

  /** Notes a time-out of a call begun at `started`; true when it opens the breaker. */
  failed(started: number, now: number): boolean {
    // A call that was under way when the breaker opened says nothing new.
    if (started < this.openUntil) return false;
    this.#inARow++;
    if (!this.#trial && this.#inARow < breakerFailures) return false;
    this.#openings++;
    this.#trial = true;
    this.#inARow = 0;
    this.openUntil = now + breakerOpenMs;
    return true;
  }

  refuseForGood(cause?: ModelFailure): void {
    if (this.#openings < 2) return;
    const because = cause === undefined ? '' : `: ${cause.message}`;
    throw new ModelFailure(
      'crash',
      `the model timed out again and again, and is not called any more${because}`,
      {
        ...(cause === undefined ? {} : { cause }),
      },
    );
  }
}

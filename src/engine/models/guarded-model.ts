// The one place where models are called for a program: budget, wait, breaker, time-out, check of the reply, retries.
// Not cockatiel: its retry and breaker read Date.now and setTimeout themselves, so that tests would have to wait.
import { type Clock, messageOf, type SharedWait } from '@echelon/ground';
import { Breaker, type Opened } from './breaker.ts';
import { type Budget, openAccount } from './budget.ts';
import {
  type Model,
  ModelFailure,
  type ModelReply,
  type ModelRequest,
  ProviderWait,
  type ServedModel,
} from './model.ts';
import { overTries } from './reply.ts';
import { checkCost, checkUsage } from './prices.ts';
import { type ModelsBehind, takingTurns } from './taking-turns.ts';

const tries = 5;
const backoffStartMs = 1_000;
const backoffLimitMs = 60_000;
const jitter = 0.1;
/** A retry-after longer than this is not waited for here: the run ends its work with a ProviderWait. */
const patienceMs = 120_000;
/** The same where another model takes the place. */
const impatienceMs = 10_000;
/** The default time-out of one try. */
const defaultTimeoutMs = 5 * 60_000;

export interface GuardOptions {
  clock: Clock;
  /** Of the models, for all who share a key: what one caller of a model is asked to wait holds for every one. */
  wait?: SharedWait | undefined;
  /** From 0 to 1, for the jitter. */
  random?: () => number;
  /** State of the breakers from an earlier process of the same work, by the model's name. */
  opened?: Readonly<Record<string, Opened>> | undefined;
  /** The models that take the place of one in a task; default: none do. */
  behind?: ModelsBehind;
}

export type GuardedModels = ReturnType<typeof guarded>;

/**
 * `given` with retries, for one run: all its calls share a breaker for each model, whose fourth opening ends the run. A
 * call goes to the model that serves the name in it, else to the first.
 * `rate_limit` and `timeout` are tried up to 5 times (after what the provider asks, else 1 s, 2 s, 4 s, ... up to 60 s,
 * each 10 % more or less); 5 time-outs in a row open the breaker, and the call goes on after 60 s. Where the outage lasts,
 * the work waits as for a limit, for 5 and for 15 minutes more. Other classes are thrown
 * at once, and so is, as `crash`, what is no ModelFailure. A reply whose usage or cost is no number is a `crash`.
 * Where a list says so another model takes the place of one that is limited, down, or refuses (taking-turns.ts).
 * Throws Error where two models serve the same name, and where none is given.
 */
export function guarded(given: Model | readonly Model[], options: GuardOptions) {
  const { clock, behind } = options;
  const { provider, models, routeOf, opened } = routes([given].flat(), options.opened);
  return {
    /** Data of the models, by the names that they serve. */
    models,
    /** The breakers that have opened, by the model's name. */
    opened,
    /**
     * As one model, for one piece of work: each of its calls costs something of the budget and may take `timeoutMs`
     * milliseconds a try (default 5 minutes). Its calls throw ModelFailure (`quota` where the budget is spent, too),
     * ProviderWait, what `onSpent` throws, and the signal's reason.
     */
    within: ({
      timeoutMs = defaultTimeoutMs,
      onOpened,
      ...budget
    }: Budget & {
      timeoutMs?: number | undefined;
      /** A breaker has opened, and the call will go on in a minute: what `opened` tells is worth keeping. */
      onOpened?: (() => Promise<void>) | undefined;
    }): Model => {
      const account = openAccount(budget);
      const asked: Model = {
        provider,
        models,
        async call(request, onEvent) {
          const { model, breakerOf } = routeOf(request.model);
          const breaker = breakerOf(request.model);
          const told = overTries(onEvent);
          /** USD that tries were billed whose replies broke off. */
          let lost = 0;
          let last: ModelFailure | undefined;
          for (let attempt = 1; ; attempt++) {
            account.check();
            breaker.refuseForGood();
            await leaveAlone(breaker, last, request, options);
            const one = oneTry(request, timeoutMs);
            const started = clock.now();
            let outcome: ModelReply | ModelFailure;
            try {
              outcome = heldBack(request, options) ?? sound(await model.call(one.request, told.next()));
            } catch (error) {
              const cost_usd = one.lost();
              lost += cost_usd;
              if (cost_usd > 0) await account.book({ cost_usd });
              outcome = waitedFor(one.failureOf(error), request, options);
            }
            if (!(outcome instanceof ModelFailure)) {
              breaker.succeeded();
              await account.book(outcome);
              return lost === 0 ? outcome : { ...outcome, cost_usd: outcome.cost_usd + lost };
            }
            told.dropped();
            last = outcome;
            if (opens(breaker, outcome, started, options)) {
              attempt = 0;
              await onOpened?.();
            } else await backOff(outcome, attempt, request, options);
          }
        },
      };
      return behind ? takingTurns(asked, behind) : asked;
    },
  };
}

/** Each of `given` with its breaker, and which of them a name is for. */
function routes(given: readonly Model[], before: GuardOptions['opened']) {
  const all = given.map(model => ({ model, ...breakers(before) }));
  const [first, ...others] = all;
  if (!first) throw new Error('there is no model: give at least one');
  const served = new Map<string, typeof first & { facts: ServedModel }>();
  for (const route of [first, ...others])
    for (const [name, facts] of Object.entries(route.model.models ?? {})) {
      const other = served.get(name)?.model.provider;
      if (other !== undefined)
        throw new Error(
          `the model ${name} is served by ${other} and by ${route.model.provider}; leave it out of one`,
        );
      served.set(name, { ...route, facts });
    }
  return {
    provider: first.model.provider,
    models: Object.fromEntries([...served].map(([name, { facts }]) => [name, facts])),
    routeOf: (name: string) => served.get(name) ?? first,
    opened: () => Object.fromEntries(all.flatMap(({ opened }) => opened())),
  };
}

/** By the name of the model: of one server some may be overloaded while others are well. */
function breakers(before: GuardOptions['opened'] = {}) {
  const made = new Map<string, Breaker>();
  return {
    breakerOf(name: string): Breaker {
      const breaker = made.get(name) ?? new Breaker(Object.hasOwn(before, name) ? before[name] : undefined);
      made.set(name, breaker);
      return breaker;
    },
    opened: () =>
      [...made].flatMap(([name, { opened }]): [string, Opened][] => (opened ? [[name, opened]] : [])),
  };
}

/** The request with a time limit of its own, and what the try has ended in if it fails. */
function oneTry(request: ModelRequest, timeoutMs: number) {
  request.signal.throwIfAborted();
  // Real time, whatever the clock: this bounds how long a network may keep silent.
  const timeout = AbortSignal.timeout(timeoutMs);
  let lost = 0;
  const onLost = (cost_usd: number) => void (lost = cost_usd);
  return {
    request: { ...request, onLost, signal: AbortSignal.any([request.signal, timeout]) },
    /** USD that it was billed although it failed. */
    lost: () => lost,
    /** Throws the reason of the caller's signal. */
    failureOf(error: unknown): ModelFailure {
      request.signal.throwIfAborted();
      if (error === timeout.reason && timeout.aborted)
        return new ModelFailure(
          'timeout',
          `no whole reply of ${request.model} for ${request.task} within ${timeoutMs / 1000} s`,
        );
      if (error instanceof ModelFailure) return error;
      return new ModelFailure('crash', `the call of the model broke: ${messageOf(error)}`, { cause: error });
    },
  };
}

function sound(reply: ModelReply): ModelReply {
  checkUsage(reply.usage);
  checkCost(reply.cost_usd);
  return reply;
}

/** While a provider wants a model to be left alone, a call of it fails as the provider would let it fail. */
function heldBack({ model }: ModelRequest, { wait, clock }: GuardOptions): ModelFailure | undefined {
  const until = wait?.until(model);
  if (until === undefined) return undefined;
  return new ModelFailure('rate_limit', 'its provider asked another call to wait', {
    retry_after_ms: until - clock.now(),
  });
}

/** Makes a wait that the provider asked for one of all who call the model; the failure then says how long that is. */
function waitedFor(
  failure: ModelFailure,
  { model }: ModelRequest,
  { wait, clock }: GuardOptions,
): ModelFailure {
  if (failure.class !== 'rate_limit') return failure;
  wait?.extend(clock.now() + (failure.retry_after_ms ?? 0), model);
  const until = wait?.until(model);
  if (until === undefined) return failure;
  return new ModelFailure('rate_limit', failure.message, {
    cause: failure,
    retry_after_ms: until - clock.now(),
  });
}

/** Waits while the breaker is open. Throws ProviderWait where that is long. */
async function leaveAlone(
  { openUntil }: Breaker,
  last: ModelFailure | undefined,
  { signal, impatient }: ModelRequest,
  { clock }: GuardOptions,
): Promise<void> {
  const rest = openUntil - clock.now();
  if (rest <= 0) return;
  const down = last ?? new ModelFailure('timeout', 'it timed out again and again');
  if (impatient) throw down;
  if (rest > patienceMs) throw new ProviderWait(openUntil, down);
  await clock.sleep(rest, signal);
}

/** True if the failure of a try begun at `started` opens the breaker. Throws when that is for good. */
function opens(breaker: Breaker, failure: ModelFailure, started: number, { clock }: GuardOptions): boolean {
  if (failure.class !== 'timeout' || !breaker.failed(started, clock.now())) return false;
  breaker.refuseForGood(failure);
  return true;
}

/** Waits before the next try. Throws what ends the call. */
async function backOff(
  failure: ModelFailure,
  attempt: number,
  { model, signal, impatient }: ModelRequest,
  { clock, wait, random = Math.random }: GuardOptions,
): Promise<void> {
  if (failure.class !== 'rate_limit' && failure.class !== 'timeout') throw failure;
  const { retry_after_ms: asked = 0 } = failure;
  // The same moment for all who wait for it: what is left of it is less by the time that has gone by since.
  if (asked > (impatient ? impatienceMs : patienceMs))
    throw new ProviderWait(wait?.until(model) ?? clock.now() + asked, failure);
  if (attempt >= tries)
    throw new ModelFailure('crash', `gave up after ${tries} tries: ${failure.message}`, { cause: failure });
  const base = Math.min(backoffStartMs * 2 ** (attempt - 1), backoffLimitMs);
  // No longer than it says: what it says nothing of is no wait.
  await clock.sleep(asked || Math.round(base * (1 + jitter * (2 * random() - 1))), signal);
}

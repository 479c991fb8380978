// Where a program adds to what executions of JavaScript know: each kind by its name, a name once.
import type { FailedAttempt, ReturnedValue } from './attempt.ts';
import type { ClassifierRule, ErrorClass } from './classify.ts';
import { type Cleaner, cleaners } from './cleaning.ts';
import { type ExecutionPolicy, executionPolicies } from './policy.ts';
import { type RetryPolicy, retryPolicies } from './retry-policy.ts';
import { type Shelf, shelf } from './named-registry.ts';
import { type Strategy, strategies } from './strategies.ts';

/** Looks at code before any strategy runs it. */
export interface Validator {
  name: string;
  /** What is wrong with the code and how to mend it; nothing when it may run. */
  problem(code: string): string | undefined;
}

/** Changes what an execution returned before it is recorded and told. */
export interface ResultTransformer {
  name: string;
  transform(value: ReturnedValue): ReturnedValue;
}

/** Has a say in what follows a failed attempt. */
export interface ErrorHandler {
  name: string;
  /** The errors it is asked about; absent: all. */
  classes?: readonly ErrorClass[];
  handle(failed: FailedAttempt, attempt: number): Verdict | undefined;
}

export interface Verdict {
  /** No further attempt, whatever the policies allow. */
  stop?: boolean;
  /** Told to the model with the error. */
  hint?: string;
}

export interface Registry {
  strategies: Shelf<Strategy>;
  /** Their strategy has to be registered before them. */
  policies: Shelf<ExecutionPolicy>;
  retryPolicies: Shelf<RetryPolicy>;
  /** Own rules; they are asked before the built-in ones. Their row's retry policy has to be registered before them. */
  rules: Shelf<ClassifierRule>;
  /** Run in order, the built-in ones first. */
  cleaners: Shelf<Cleaner>;
  transformers: Shelf<ResultTransformer>;
  validators: Shelf<Validator>;
  handlers: Shelf<ErrorHandler>;
}

/** A registry that holds what is built in. */
export function createRegistry(): Registry {
  const ways = shelf<Strategy>('strategy', strategies);
  const waits = shelf<RetryPolicy>('retry policy', retryPolicies, retryPolicyProblem);
  return {
    strategies: ways,
    retryPolicies: waits,
    policies: shelf<ExecutionPolicy>('execution policy', executionPolicies, policy =>
      ways.names().includes(policy.strategy)
        ? policyProblem(policy)
        : `has the strategy "${policy.strategy}", which is not registered`,
    ),
    rules: shelf<ClassifierRule>('classifier rule', [], ({ row: { retryPolicy, attempts } }) => {
      if (!isCount(attempts)) return 'needs a whole number of attempts, 1 or more';
      const isKnown = retryPolicy === undefined || waits.names().includes(retryPolicy);
      return isKnown ? undefined : `has the retry policy "${retryPolicy}", which is not registered`;
    }),
    cleaners: shelf<Cleaner>('cleaner', cleaners),
    transformers: shelf<ResultTransformer>('result transformer'),
    validators: shelf<Validator>('validator'),
    handlers: shelf<ErrorHandler>('error handler'),
  };
}

/** A day: more than any code of a session is to take, and less than a timer can wait. */
const MAX_TIME_MS = 86_400_000;

const isCount = (value: number) => Number.isInteger(value) && value >= 1;

function policyProblem({ timeLimitMs, retries }: ExecutionPolicy): string | undefined {
  if (!isCount(timeLimitMs) || timeLimitMs > MAX_TIME_MS)
    return `needs a time limit in whole milliseconds, from 1 to ${MAX_TIME_MS}`;
  return isCount(retries + 1) ? undefined : 'needs a whole number of retries, 0 or more';
}

function retryPolicyProblem({ attempts, baseMs, factor, capMs, jitter }: RetryPolicy): string | undefined {
  if (!isCount(attempts)) return 'needs a whole number of attempts, 1 or more';
  const isWait = (ms: number) => Number.isFinite(ms) && ms >= 0;
  if (!isWait(baseMs) || !isWait(capMs)) return 'needs a base delay and a cap in milliseconds, 0 or more';
  if (!Number.isFinite(factor) || factor < 1) return 'needs a factor of at least 1';
  return jitter >= 0 && jitter <= 1 ? undefined : 'needs a jitter from 0 to 1';
}

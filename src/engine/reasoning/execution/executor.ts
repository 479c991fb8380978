// Runs JavaScript for a session or a person: by the policy's strategy, with a record and what the model is told.
import type { Clock } from '../../../lib/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import type { Stores } from '../stores.ts';
import { type Attempt, jsonOfValue } from './attempt.ts';
import { type Made, attemptsOf, type Job, type Workshop } from './attempts.ts';
import { type CleaningSwitches, cleaned, defaultCleaning } from './cleaning.ts';
import { beginLife, listeners, type StepListener } from './execution-lifecycle.ts';
import { DEFAULT_POLICY, type ExecutionPolicy } from './policy.ts';
import type { ExecutionRecord, ExecutionState } from './record.ts';
import { recordOf } from './recording.ts';
import { defaultRecovery, nextRecovery, recoveryNotes, type RecoverySwitches } from './recovery.ts';
import { createRegistry, type Registry } from './registry.ts';
import { DEFAULT_RETRY_POLICY } from './retry-policy.ts';
import { PERSONS_STRATEGY } from './strategies.ts';
import { completedText, failedText } from './report-to-model.ts';
import { validIds } from './valid-ids.ts';

export interface ExecutorParts {
  sandbox: Sandbox;
  clock: Clock;
  /** Absent: Math.random. */
  random?: () => number;
  /** The execution policy's name. */
  policy?: string;
  /** Names of the policies of tasks that have one of their own, by the task's name. */
  policies?: Readonly<Record<string, string>>;
  /** Absent: one with what is built in. */
  registry?: Registry;
  cleaning?: Partial<CleaningSwitches>;
  recovery?: Partial<RecoverySwitches>;
  onEvent?: (event: ExecutionEvent) => void;
}

export interface ExecutionRequest {
  id: string;
  stores: Stores;
  /** JSON text of the value of the last execution that completed. */
  lastResult?: string | undefined;
  signal: AbortSignal;
  startedBy: 'model' | 'person';
  /** Another policy than the executor's, by its name. */
  policy?: string;
  /** Milliseconds of one attempt, where that is less than the policy's. */
  timeLimitMs?: number;
  /** What the model wrote before it executed the code. */
  reasoning?: string;
  /** Ids that were asked for in vain before. */
  missing?: readonly string[];
  /** The session's executions before this one. */
  executions?: readonly ExecutionRecord[];
}

export interface Execution {
  record: ExecutionRecord;
  /** With its writes; those of the request when it failed. */
  stores: Stores;
  /** For the next execution: this one's value as JSON text, or what it was before when this one failed. */
  lastResult: string | undefined;
  /** The ids asked for in vain since the last cleaning. */
  missing: readonly string[];
  /** What the model sees of it. */
  told: string;
  /** It failed in a way that only the model can mend. */
  needsReasoning: boolean;
  /** How often the context was cleaned. */
  cleanings: number;
}

export interface Executor {
  /** The execution policy in use. */
  readonly policy: ExecutionPolicy;
  /** Milliseconds of one attempt at code of a task. */
  timeLimitOf(task: string): number;
  /** The execution policy of a task: its own, else the one in use. */
  policyOf(task: string): ExecutionPolicy;
  /** Uses another execution policy from now on. Throws TypeError with the nearest name when there is none such. */
  usePolicy(name: string): void;
  /** Uses another retry policy for errors that have none of their own. Throws as `usePolicy` does. */
  useRetryPolicy(name: string): void;
  /** Calls `listener` at each step into `state`, or at any; the answered function ends it. It must not throw. */
  follow(state: ExecutionState | 'any', listener: StepListener): () => void;
  /**
   * Never throws because of the code. Throws the signal's reason when it aborts (the execution is then
   * `cancelled`), TypeError for an unknown policy, and what own extensions throw.
   */
  execute(code: string, request: ExecutionRequest): Promise<Execution>;
}

/** Throws TypeError with the nearest name when the policy is unknown. */
export function createExecutor(parts: ExecutorParts): Executor {
  const { sandbox, clock, random = Math.random, registry = createRegistry() } = parts;
  const emit = (event: ExecutionEvent) => parts.onEvent?.(event);
  const cleaning = { ...defaultCleaning, ...parts.cleaning };
  const recovery = { ...defaultRecovery, ...parts.recovery };
  const { follow, tell } = listeners();
  let policy = registry.policies.named(parts.policy ?? DEFAULT_POLICY);
  const policies = new Map(
    Object.entries(parts.policies ?? {}).map(([task, name]) => [task, registry.policies.named(name)]),
  );
  let retryPolicy: string = DEFAULT_RETRY_POLICY;
  const policyOf = (task: string) => policies.get(task) ?? policy;

  const onStep: StepListener = step => {
    emit({ type: 'execution_state', ...step });
    tell(step);
  };

  return {
    get policy() {
      return policy;
    },
    policyOf,
    timeLimitOf: task => {
      const { strategy, timeLimitMs } = policyOf(task);
      return Math.min(timeLimitMs, registry.strategies.named(strategy).timeLimitMs ?? timeLimitMs);
    },
    usePolicy(name) {
      const from = policy.name;
      policy = registry.policies.named(name);
      if (from !== name) emit({ type: 'policy_changed', kind: 'execution', from, to: name });
    },
    useRetryPolicy(name) {
      const from = retryPolicy;
      retryPolicy = registry.retryPolicies.named(name).name;
      if (from !== name) emit({ type: 'policy_changed', kind: 'retry', from, to: name });
    },
    follow,
    async execute(code, request) {
      const used = request.policy === undefined ? policy : registry.policies.named(request.policy);
      const strategy = registry.strategies.named(
        request.startedBy === 'person' ? PERSONS_STRATEGY : used.strategy,
      );
      const { id, stores, lastResult, signal, reasoning = '', missing = [] } = request;
      const life = beginLife(id, clock.now, onStep);
      const job: Job = {
        id,
        stores,
        lastResult,
        signal,
        policy: used,
        timeLimitMs: Math.min(
          used.timeLimitMs,
          request.timeLimitMs ?? used.timeLimitMs,
          strategy.timeLimitMs ?? used.timeLimitMs,
        ),
        life,
        seen: { log: [], missing, reasoning, notes: [] },
      };
      const shop: Workshop = { sandbox, clock, random, registry, cleaning, retryPolicy, emit };
      const made = attemptsOf(job, shop);
      try {
        const last = await strategy.run(code, made);
        if (last !== made.all.at(-1))
          throw new TypeError(`the strategy "${strategy.name}" has to answer the last attempt that it made`);
        life.settle();
        return ended(code, last, made, job, request);
      } catch (thrown) {
        life.cancel({ attempt: made.all.length });
        throw thrown;
      }
    },
  };

  function ended(code: string, last: Attempt, made: Made, job: Job, request: ExecutionRequest): Execution {
    const { stores, lastResult, startedBy, executions = [] } = request;
    const { seen, cleanings, all } = made;
    const about = {
      id: job.id,
      startedBy,
      policy: job.policy,
      code,
      attempts: all,
      history: job.life.history,
    };
    const common = { missing: seen.missing, cleanings };
    if (last.status === 'completed')
      return {
        ...common,
        record: recordOf(last, about),
        stores: last.stores,
        lastResult: jsonOfValue(last),
        told: completedText(last),
        needsReasoning: false,
      };
    // Only what it adds: nothing is cleaned away when no attempt follows.
    const adding = { ...cleaning, executionLog: false, tracker: false, reasoningLog: false };
    const { context } = cleaned(seen, { failed: last, stores }, adding);
    const needsReasoning = startedBy === 'model' && last.row.needsModel;
    const attempt = needsReasoning ? nextRecovery(executions) : undefined;
    const { reasoning } = seen;
    const mending = needsReasoning
      ? recoveryNotes(attempt, { failed: last, code, reasoning, stores }, recovery)
      : [];
    if (needsReasoning)
      emit({
        type: 'execution_needs_reasoning',
        error: last.error.message,
        class: last.row.class,
        validIds: validIds(stores, last.missingReads),
      });
    return {
      ...common,
      record: { ...recordOf(last, about), ...(attempt !== undefined && { recovery: attempt }) },
      stores,
      lastResult,
      told: failedText(last, {
        attempts: all.length,
        earlier: seen.log,
        notes: [...context.notes, ...mending],
        isVerbose: job.policy.verboseErrors,
      }),
      needsReasoning,
    };
  }
}

// Runs JavaScript for a session or a person: attempts under a policy, a record, and what the model is told.
import type { Clock } from '@echelon/ground';
import { boundTools, type HostTools } from '../../sandbox/host-tools.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import type { VaultRule } from '../operations/kinds.ts';
import type { Stores } from '../stores.ts';
import { attempts, type Job, jsonOfValue, type Workshop } from './attempts.ts';
import type { ErrorRow } from './errors.ts';
import { defaultPolicies, type ExecutionPolicy, type ExecutionRows, knownRows, named } from './policies.ts';
import { beginStates, type ExecutionRecord, type FailedAttempt, recordOf } from './record.ts';
import { completedText, failedText, nextRecovery, recoveryNotes, validIds } from './report-to-model.ts';

export interface ExecutorParts {
  sandbox: Sandbox;
  clock: Clock;
  /** 0 to 1; absent: Math.random. */
  random?: () => number;
  /** Own policies and errors. */
  rows?: ExecutionRows;
  /** The execution policy's name. */
  policy?: string;
  /** Names of the policies of tasks that have one of their own, by the task's name. */
  tasks?: Readonly<Record<string, string>>;
  /** The name of the retry policy of errors whose row names none. */
  retry?: string;
  onEvent?: (event: ExecutionEvent) => void;
}

export interface ExecutionRequest {
  id: string;
  /** The task whose own policy applies, if it has one. */
  task?: string;
  stores: Stores;
  /** JSON text of the value of the last execution that completed. */
  lastResult?: string | undefined;
  signal: AbortSignal;
  startedBy: 'model' | 'person';
  /** Milliseconds of one attempt, where that is less than the policy's. */
  timeLimitMs?: number;
  /** The model's words before it executed the code. */
  reasoning?: string;
  /** Ids that were asked for in vain before. */
  missing?: readonly string[];
  /** The session's executions before this one. */
  executions?: readonly ExecutionRecord[];
  /** Tools that the code may call. */
  tools?: HostTools | undefined;
}

export interface ExecutionOutcome {
  record: ExecutionRecord;
  /** With its writes; those of the request when it failed. */
  stores: Stores;
  /** For the next execution: this one's value as JSON text, or what it was before when this one failed. */
  lastResult: string | undefined;
  /** The ids asked for in vain since the last cleaning. */
  missing: readonly string[];
  /** Text about it for the model. */
  told: string;
  /** Number of times that the context was cleaned. */
  cleanings: number;
}

export interface Executor {
  /** The execution policy of a task: its own, else the one of all. */
  policyOf(task?: string): ExecutionPolicy;
  /** Rules for writes to the vault besides the language's own. */
  vault: readonly VaultRule[];
  /** Never throws because of the code. Throws the signal's reason when it aborts; it is then `cancelled`. */
  execute(code: string, request: ExecutionRequest): Promise<ExecutionOutcome>;
}

/** Throws TypeError with the nearest name when a policy is unknown, and for own rows that are not sound. */
export function createExecutor(parts: ExecutorParts): Executor {
  const { sandbox, clock, random = Math.random, tasks = {} } = parts;
  const known = knownRows(parts.rows);
  const policyNamed = (name: string) => named('execution policy', known.execution, name);
  const retryNamed = (name: string) => named('retry policy', known.retry, name);
  const general = policyNamed(parts.policy ?? defaultPolicies.execution);
  const own = new Map(Object.entries(tasks).map(([task, name]) => [task, policyNamed(name)]));
  const defaultRetry = retryNamed(parts.retry ?? defaultPolicies.retry);
  const policyOf = (task?: string) => (task === undefined ? undefined : own.get(task)) ?? general;
  const shop = {
    sandbox,
    clock,
    random,
    ...{ errors: known.errors, vault: known.vault },
    strategyOf: (policy: ExecutionPolicy) => named('strategy', known.strategies, policy.strategy),
    retryOf: (row: ErrorRow) => (row.retryPolicy === undefined ? defaultRetry : retryNamed(row.retryPolicy)),
    emit: (event: ExecutionEvent) => parts.onEvent?.(event),
  };
  return {
    ...{ policyOf, vault: known.vault },
    execute: (code, request) => run(code, request, policyOf(request.task), shop),
  };
}

async function run(
  code: string,
  request: ExecutionRequest,
  own: ExecutionPolicy,
  shop: Workshop,
): Promise<ExecutionOutcome> {
  const { id, stores, lastResult, signal, startedBy, missing = [], reasoning = '' } = request;
  // Code started by a person runs once and unchanged.
  const policy: ExecutionPolicy = startedBy === 'person' ? { ...own, strategy: 'standard' } : own;
  const timeMs = Math.min(policy.timeLimitMs, request.timeLimitMs ?? policy.timeLimitMs);
  const states = beginStates(shop.clock.now, step => shop.emit({ type: 'execution_state', id, ...step }));
  const before = { log: [], missing, reasoning, notes: [] };
  const tools = request.tools && boundTools(request.tools);
  const job: Job = {
    id,
    code,
    policy,
    timeMs,
    stores,
    lastResult,
    signal,
    states,
    seen: before,
    tools,
  };
  const { last, all, seen, cleanings } = await attempts(job, shop);
  const { history } = states;
  const record = recordOf(last, { id, startedBy, policy, code, attempts: all, history });
  const common = { record, missing: seen.missing, cleanings };
  if (last.status === 'completed')
    return { ...common, stores: last.stores, lastResult: jsonOfValue(last), told: completedText(last) };
  const forModel = startedBy === 'model' && last.row.needsModel;
  const { recovery, notes = [] } = forModel ? mending(last, seen.reasoning, code, request, shop) : {};
  return {
    ...common,
    record: { ...record, ...(recovery !== undefined && { recovery }) },
    stores,
    lastResult,
    told: failedText(last, {
      attempts: all.length,
      earlier: seen.log,
      notes: [...seen.notes, ...notes],
      isVerbose: policy.verboseErrors,
    }),
  };
}

/** Input of the model for fixing a failure, and the number of that attempt. */
function mending(
  failed: FailedAttempt,
  reasoning: string,
  code: string,
  { stores, executions = [] }: ExecutionRequest,
  { emit }: Workshop,
): { recovery?: number | undefined; notes?: string[] } {
  const recovery = nextRecovery(executions);
  const ids = validIds(stores, failed.missingReads);
  const { message } = failed.error;
  emit({ type: 'execution_needs_reasoning', error: message, class: failed.row.class, validIds: ids });
  return { recovery, notes: recoveryNotes(recovery, { failed, code, reasoning, stores }) };
}

/** Settings of executions, as in a configuration. */
export interface ReasoningSettings {
  /** The execution policy's name. */
  policy: string;
  /** Policies of tasks that have one of their own, by the task's name; absent in what older versions stored. */
  tasks?: Readonly<Record<string, string>>;
  /** The retry policy's name. */
  retry: string;
}

/**
 * In the place of a policy that does not exist the default one of its kind is used, and a warning is told (the event
 * `note`): a run may have been pinned to one that a newer version no longer has. Throws TypeError for own rows that are
 * not sound.
 */
export function configuredExecutor(
  { policy, tasks = {}, retry }: ReasoningSettings,
  parts: Pick<ExecutorParts, 'sandbox' | 'clock' | 'rows' | 'onEvent'>,
): Executor {
  const known = knownRows(parts.rows);
  const stored = (kind: 'execution' | 'retry', from: string): string => {
    if (known[kind].some(({ name }) => name === from)) return from;
    const to = defaultPolicies[kind];
    parts.onEvent?.({ type: 'policy_changed', kind, from, to });
    const text = `the ${kind} policy "${from}" no longer exists; "${to}" is used in its place`;
    parts.onEvent?.({ type: 'note', text });
    return to;
  };
  return createExecutor({
    ...parts,
    policy: stored('execution', policy),
    tasks: Object.fromEntries(Object.entries(tasks).map(([task, from]) => [task, stored('execution', from)])),
    retry: stored('retry', retry),
  });
}

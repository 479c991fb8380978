// How code is executed, as a configuration says it.
import type { Clock } from '../../lib/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import { createExecutor, type Executor } from './executor.ts';
import { storedPolicy } from './policy.ts';
import { createRegistry, type Registry } from './registry.ts';

/** Names of policies, and what is cleaned and given after a failure; each can be switched off by itself. */
export interface ReasoningSettings {
  policy: string;
  /** Policies of tasks that have one of their own, by the task's name; absent in what older versions stored. */
  tasks?: Readonly<Record<string, string>>;
  retry: string;
  cleaning: {
    execution_log: boolean;
    tracker: boolean;
    reasoning_log: boolean;
    valid_ids: boolean;
    hint: boolean;
  };
  recovery: { context: boolean; reasoning: boolean; valid_ids: boolean };
}

/**
 * Policies are those of the registry; without one, those that are built in. Throws TypeError for a retry policy that
 * does not exist; an execution policy that does not is `default`, told by an event.
 */
export function configuredExecutor(
  { policy, tasks = {}, retry, cleaning, recovery }: ReasoningSettings,
  parts: { sandbox: Sandbox; clock: Clock; registry?: Registry; onEvent?: (event: ExecutionEvent) => void },
): Executor {
  const registry = parts.registry ?? createRegistry();
  // A run may have been pinned to a policy that a newer version no longer has.
  const known = (from: string): string => {
    const { name, warning } = storedPolicy(from, registry.policies.names());
    if (warning !== undefined) parts.onEvent?.({ type: 'policy_changed', kind: 'execution', from, to: name });
    return name;
  };
  const executor = createExecutor({
    ...parts,
    registry,
    policy: known(policy),
    policies: Object.fromEntries(Object.entries(tasks).map(([task, from]) => [task, known(from)])),
    cleaning: {
      executionLog: cleaning.execution_log,
      tracker: cleaning.tracker,
      reasoningLog: cleaning.reasoning_log,
      validIds: cleaning.valid_ids,
      hint: cleaning.hint,
    },
    recovery: { context: recovery.context, reasoning: recovery.reasoning, validIds: recovery.valid_ids },
  });
  executor.useRetryPolicy(retry);
  return executor;
}

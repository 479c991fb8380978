// How code is executed, as a configuration says it.
import type { Clock } from '../../../lib/clock.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ExecutionEvent } from '../events.ts';
import { createExecutor, type Executor } from './executor.ts';
import { DEFAULT_POLICY, storedName } from './policy.ts';
import { createRegistry, type Registry } from './registry.ts';
import { DEFAULT_RETRY_POLICY } from './retry-policy.ts';

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
 * Policies are those of the registry; without one, those that are built in. In the place of one that does not exist
 * the default one of its kind is used, and a warning is told (the event `note`).
 */
export function configuredExecutor(
  { policy, tasks = {}, retry, cleaning, recovery }: ReasoningSettings,
  parts: { sandbox: Sandbox; clock: Clock; registry?: Registry; onEvent?: (event: ExecutionEvent) => void },
): Executor {
  const registry = parts.registry ?? createRegistry();
  // A run may have been pinned to a policy that a newer version no longer has.
  const known = (kind: 'execution' | 'retry', from: string): string => {
    const { names } = kind === 'execution' ? registry.policies : registry.retryPolicies;
    const byDefault = kind === 'execution' ? DEFAULT_POLICY : DEFAULT_RETRY_POLICY;
    const { name, warning } = storedName(`${kind} policy`, from, names(), byDefault);
    if (warning !== undefined) {
      parts.onEvent?.({ type: 'policy_changed', kind, from, to: name });
      parts.onEvent?.({ type: 'note', text: warning });
    }
    return name;
  };
  const executor = createExecutor({
    ...parts,
    registry,
    policy: known('execution', policy),
    policies: Object.fromEntries(
      Object.entries(tasks).map(([task, from]) => [task, known('execution', from)]),
    ),
    cleaning: {
      executionLog: cleaning.execution_log,
      tracker: cleaning.tracker,
      reasoningLog: cleaning.reasoning_log,
      validIds: cleaning.valid_ids,
      hint: cleaning.hint,
    },
    recovery: { context: recovery.context, reasoning: recovery.reasoning, validIds: recovery.valid_ids },
  });
  executor.useRetryPolicy(known('retry', retry));
  return executor;
}

// Everything a session tells while it runs, and what each event holds.
import type { Usage } from '../models/model.ts';
import type { ExecutionState } from './execution/record.ts';
import type { Health } from './health.ts';
import type { Iteration } from './iteration.ts';
import type { Limited, SessionStatus } from './state.ts';

/** Hooks of middleware. */
export type HookName = 'preIteration' | 'postIteration' | 'preExecution' | 'postExecution' | 'onError';

/** A piece of a reply under way, or that what came of it is void: it failed, and is asked for again or given up. */
export type Delta =
  | { kind: 'text' | 'thinking'; text: string }
  /** Of the input of a call, as JSON. `name`: as the provider knows the tool. */
  | { kind: 'tool'; name: string; text: string }
  | { kind: 'restart' };

export type SessionEvent =
  /** `attempt`: at this turn's reply, from 1. Pieces of one kind, or of one call, follow each other; nothing keeps them. */
  | ({ type: 'model_delta'; session: string; task: string; turn: number; attempt: number } & Delta)
  | {
      type: 'model_reply';
      task: string;
      turn: number;
      text: string;
      tool_calls: string[];
      usage: Usage;
      cost_usd: number;
    }
  | { type: 'tool_call'; task: string; name: string; input: unknown; ok: boolean; error?: string }
  | { type: 'warning'; task: string; resource: Limited; used: number; limit: number }
  | { type: 'session_state'; id: string; from: SessionStatus; to: SessionStatus }
  | { type: 'iteration_start'; session: string; n: number }
  | { type: 'iteration_complete'; session: string; n: number; result: Iteration }
  | { type: 'health'; session: string; status: Health['status']; issues: Health['issues'] }
  | { type: 'middleware'; session: string; hook: HookName; name: string }
  | { type: 'middleware_error'; session: string; hook: HookName | 'export'; name: string; error: string }
  | ExecutionEvent
  | MetricsEvent;

export type ExecutionEvent =
  | {
      type: 'execution_state';
      id: string;
      from: ExecutionState;
      to: ExecutionState;
      meta: Record<string, string | number>;
    }
  | { type: 'execution_retry'; id: string; attempt: number; of: number; error: string }
  | { type: 'context_cleaned'; id: string; errorType: string; what: string[] }
  | { type: 'execution_needs_reasoning'; error: string; class: string; validIds: string[] }
  | { type: 'policy_changed'; kind: 'execution' | 'retry'; from: string; to: string }
  | { type: 'note'; text: string };

export type MetricsEvent = { type: 'metrics_threshold'; metric: string; value: number; threshold: number };

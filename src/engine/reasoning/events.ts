// Everything a session tells while it runs, and what each event holds: types, and a table for people.
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

/** Table of `echelon events`: every event with its fields and meaning. */
export const eventTable: {
  readonly [T in SessionEvent['type']]: { fields: readonly string[]; says: string };
} = {
  model_delta: {
    fields: ['session', 'task', 'turn', 'attempt', 'kind', 'name', 'text'],
    says: 'a piece of a reply came (text, thinking, tool), or all of it is void (restart)',
  },
  model_reply: {
    fields: ['task', 'turn', 'text', 'tool_calls', 'usage', 'cost_usd'],
    says: 'a model answered',
  },
  tool_call: { fields: ['task', 'name', 'input', 'ok', 'error'], says: 'a tool of the task was called' },
  warning: { fields: ['task', 'resource', 'used', 'limit'], says: '80 % of a limit are used' },
  session_state: { fields: ['id', 'from', 'to'], says: 'a session changed its state' },
  iteration_start: { fields: ['session', 'n'], says: 'a model call begins' },
  iteration_complete: { fields: ['session', 'n', 'result'], says: 'a reply was carried out' },
  health: { fields: ['session', 'status', 'issues'], says: 'the health of a session changed' },
  middleware: { fields: ['session', 'hook', 'name'], says: 'a middleware was run' },
  middleware_error: {
    fields: ['session', 'hook', 'name', 'error'],
    says: 'a middleware threw and was skipped',
  },
  execution_state: { fields: ['id', 'from', 'to', 'meta'], says: 'an execution changed its state' },
  execution_retry: { fields: ['id', 'attempt', 'of', 'error'], says: 'an execution is tried again' },
  context_cleaned: {
    fields: ['id', 'errorType', 'what'],
    says: 'what a failed attempt left was taken out of what the model sees',
  },
  execution_needs_reasoning: {
    fields: ['error', 'class', 'validIds'],
    says: 'an execution failed in a way that only the model can mend',
  },
  policy_changed: { fields: ['kind', 'from', 'to'], says: 'another policy is used from now on' },
  note: { fields: ['text'], says: 'something that a person should know, in words' },
  metrics_threshold: { fields: ['metric', 'value', 'threshold'], says: 'a figure passed its threshold' },
};

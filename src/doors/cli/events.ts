// `echelon events`: everything that a session tells while it runs, with the fields of each event.
import type { SessionEvent } from '../../engine/engine.ts';
import type { Command } from './command.ts';

export const events: Command = {
  usage: 'echelon events [--json]',
  about: 'Lists the events of a session with fields and meaning.',
  options: { json: { type: 'boolean', help: 'print one JSON object' } },
  async run({ values, problems }) {
    if (problems.length > 0) return { problems };
    if (values['json']) {
      console.log(JSON.stringify(eventTable));
      return 0;
    }
    const rows = Object.entries(eventTable);
    const width = Math.max(...rows.map(([name]) => name.length)) + 2;
    for (const [name, { fields, says }] of rows) {
      console.log(`${name.padEnd(width)}${says}`);
      console.log(`${''.padEnd(width)}${fields.join(', ')}`);
    }
    return 0;
  },
};

/** Every event with its fields and meaning. */
const eventTable: {
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

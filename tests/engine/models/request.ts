// A model request for tests, with the fields that a case changes.
import type { Model, ModelReply, ModelRequest } from '../../../src/engine/models/model.ts';

export function request(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    key: 'cascade/2ic/turn-1#1',
    task: '2ic',
    scope: 'run',
    model: 'claude-opus-5-5',
    system: { stable: 'You are the strategist.', changing: 'Open issues: 3' },
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Add a dark theme.' }] }],
    tools: [],
    max_output_tokens: 1000,
    signal: new AbortController().signal,
    ...changes,
  };
}

export const usage = { input_tokens: 10, output_tokens: 5, cache_read_tokens: 0, cache_write_tokens: 0 };

export function reply(changes: Partial<ModelReply> = {}): ModelReply {
  return { text: 'done', tool_calls: [], usage, cost_usd: 0.01, stop: 'end', ...changes };
}

/** A model that answers with the next of `outcomes`: a reply, or what it throws. Counts its calls. */
export function sequence(outcomes: readonly (ModelReply | Error)[]): Model & { calls: number } {
  return {
    provider: 'sequence',
    calls: 0,
    async call() {
      const outcome = outcomes[this.calls++];
      if (outcome === undefined) throw new RangeError(`call ${this.calls} was not expected`);
      if (outcome instanceof Error) throw outcome;
      return outcome;
    },
  };
}

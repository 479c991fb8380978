// A model at the seam: answers what the test says, and keeps every request.
import type { Model, ModelReply, ModelRequest, Usage } from '../../../src/engine/models/model.ts';

export const usage: Usage = {
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 2,
  cache_write_tokens: 1,
};

/** The request of every session in these tests, without tools, abilities and limits. */
export const asked = () => ({
  ...{ key: 'k', scope: 's', task: 't', model: 'm', prompt: 'go' },
  ...{ system: { stable: '', changing: '' }, signal: new AbortController().signal },
});

/** Text of a request's last message. */
export const told = ({ messages }: Pick<ModelRequest, 'messages'>) =>
  messages
    .at(-1)!
    .content.map(part => ('content' in part ? part.content : 'text' in part ? part.text : ''))
    .join('\n');

export function reply(text: string, more: Partial<ModelReply> = {}): ModelReply {
  const tool_calls = more.tool_calls ?? [];
  return {
    text,
    tool_calls,
    usage,
    cost_usd: 0.5,
    stop: tool_calls.length > 0 ? 'tool_calls' : 'end',
    ...more,
  };
}

export function callsTo(...names: [name: string, input: unknown][]): ModelReply {
  return reply('', { tool_calls: names.map(([name, input], index) => ({ id: `c${index}`, name, input })) });
}

/** Plays `answers` in order; running out of them is an error, as a call that nobody expected is. */
export function playing(
  ...answers: (ModelReply | Error | ((request: ModelRequest) => ModelReply | Promise<ModelReply>))[]
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    provider: 'test',
    requests,
    async call(request) {
      const answer = answers[requests.length];
      requests.push(request);
      if (answer === undefined) throw new Error(`call ${requests.length} was not expected`);
      if (answer instanceof Error) throw answer;
      return typeof answer === 'function' ? await answer(request) : answer;
    },
  };
}

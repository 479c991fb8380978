// A model provider: any server with OpenAI's chat completions, for the models that it is said to serve.
import { type Model, ModelFailure, type ModelReply } from 'echelon';

interface Completion {
  choices: [{ message: { content: string }; finish_reason: string }];
  usage: { prompt_tokens: number; completion_tokens: number };
}

export function chatModel(url: string, apiKey: string, names: readonly string[]): Model {
  return {
    provider: 'chat',
    models: Object.fromEntries(names.map(name => [name, { window: 128_000 }])),
    async call({ model, system, messages, max_output_tokens, signal }): Promise<ModelReply> {
      const said = messages.map(({ role, content }) => ({
        role,
        content: content.map(part => (part.type === 'text' ? part.text : JSON.stringify(part))).join('\n'),
      }));
      const response = await fetch(`${url}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          model,
          max_tokens: max_output_tokens,
          messages: [{ role: 'system', content: `${system.stable}\n${system.changing}` }, ...said],
        }),
        signal,
      });
      if (response.status === 429) throw new ModelFailure('rate_limit', 'too many requests');
      if (!response.ok) throw new ModelFailure('crash', `the server answered ${response.status}`);
      const { choices, usage } = (await response.json()) as Completion;
      return {
        text: choices[0].message.content,
        tool_calls: [], // it is told of tags, which need none
        usage: {
          input_tokens: usage.prompt_tokens,
          output_tokens: usage.completion_tokens,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
        },
        cost_usd: (usage.prompt_tokens * 0.5 + usage.completion_tokens * 1.5) / 1_000_000,
        stop: choices[0].finish_reason === 'length' ? 'max_output' : 'end',
      };
    },
  };
}

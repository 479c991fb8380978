// A model request in the words of the chat completions API, as far as servers besides OpenAI's own understand them.
import type OpenAI from 'openai';
import type { ModelMessage, ModelPart, ModelRequest } from './model.ts';
import { Reasoning } from './openai-stream.ts';
import type { ModelRow } from './table.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/** What stands before the name of a model that this API serves, in a program or a configuration. */
const prefix = 'openai/';

/**
 * The body of the request. The changing system text ends the first message: servers keep what is equal from the beginning
 * on, and several know one system message only, at the beginning.
 * https://platform.openai.com/docs/api-reference/chat/create
 */
export function toOpenAi(request: ModelRequest, row: ModelRow): OpenAI.ChatCompletionCreateParamsStreaming {
  const { stable, changing } = request.system;
  const system = [stable, changing].filter(text => text !== '').join('\n\n');
  const tools = row.tools === 'tags' ? [] : request.tools;
  const limit = Math.min(request.max_output_tokens, row.output ?? Number.POSITIVE_INFINITY);
  return {
    model: request.model.startsWith(prefix) ? request.model.slice(prefix.length) : request.model,
    stream: true,
    stream_options: { include_usage: true },
    // Models that think refuse the older name; servers that know no thinking know that one only.
    ...(row.efforts.length > 0 ? { max_completion_tokens: limit } : { max_tokens: limit }),
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...alternating(request.messages.flatMap(toMessages)),
    ],
    ...(tools.length > 0 && {
      tools: tools.map(({ name, description, input }) => ({
        type: 'function',
        function: { name, description, parameters: { ...input, type: 'object' } },
      })),
    }),
    ...(request.effort && row.efforts.includes(request.effort) && { reasoning_effort: request.effort }),
    ...(request.schema &&
      row.schema &&
      tools.length === 0 && {
        response_format: { type: 'json_schema', json_schema: { name: 'result', schema: request.schema } },
      }),
    ...(row.temperature && request.temperature !== undefined && { temperature: request.temperature }),
  };
}

/** The answers to calls are messages of their own here. What was thought goes back with the calls that it led to. */
function toMessages({ role, content }: ModelMessage): Message[] {
  const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (role === 'assistant') {
    const calls = content.flatMap(toCall);
    if (text.trim() === '' && calls.length === 0) return [];
    const thought = content.flatMap(part => (part.type === 'opaque' ? [Reasoning.parse(part.data)] : []));
    return [
      {
        role,
        content: text === '' ? null : text,
        ...(calls.length > 0 && { ...thought[0], tool_calls: calls }),
      },
    ];
  }
  const answers = content.flatMap((part): Message[] =>
    part.type === 'tool_result'
      ? [
          {
            role: 'tool',
            tool_call_id: part.id,
            content: part.is_error ? `Error: ${part.content}` : part.content,
          },
        ]
      : [],
  );
  return [...answers, ...(text.trim() === '' ? [] : [{ role, content: text } as const])];
}

const toCall = (part: ModelPart): OpenAI.ChatCompletionMessageFunctionToolCall[] =>
  part.type === 'tool_call'
    ? [
        {
          type: 'function',
          id: part.id,
          function: { name: part.name, arguments: JSON.stringify(part.input) ?? '{}' },
        },
      ]
    : [];

/** Some servers refuse two messages of the same side in a row. */
function alternating(messages: readonly Message[]): Message[] {
  const joined: Message[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last?.role === 'user' && message.role === 'user')
      joined[joined.length - 1] = {
        role: 'user',
        content: `${String(last.content)}\n\n${String(message.content)}`,
      };
    else joined.push(message);
  }
  return joined;
}

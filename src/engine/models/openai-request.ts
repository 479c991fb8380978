// A model request in the words of OpenAI's Responses API, and in those of the chat completions API as far as other servers
// understand them.
import type OpenAI from 'openai';
import type { ModelMessage, ModelRequest } from './model.ts';
import { CallExtra, Reasoning } from './openai-stream.ts';
import { ReasoningItem } from './responses-stream.ts';
import type { ModelRow } from './table.ts';

type Message = OpenAI.ChatCompletionMessageParam;

/** Prefix of the names of models served through this API, in a program or a configuration. */
const prefix = 'openai/';

/** Values that both APIs need of a request, each under its own names. */
function common(request: ModelRequest, row: ModelRow) {
  const { stable, changing } = request.system;
  const tools = row.tools === 'tags' ? [] : request.tools;
  return {
    model: request.model.startsWith(prefix) ? request.model.slice(prefix.length) : request.model,
    // The changing text is last: servers keep what is equal from the beginning on.
    system: [stable, changing].filter(text => text !== '').join('\n\n'),
    tools: tools.map(({ name, description, input }) => ({
      ...{ name, description, parameters: { ...input, type: 'object' } },
    })),
    // In a size that the provider bounds: in their full size large ones are refused.
    images: (request.images ?? []).map(
      ({ type, data }) => ({ url: `data:${type};base64,${data}`, detail: 'high' }) as const,
    ),
    limit: Math.min(request.max_output_tokens, row.output ?? Number.POSITIVE_INFINITY),
    effort: request.effort && row.efforts.includes(request.effort) ? request.effort : undefined,
    schema: row.schema && tools.length === 0 ? request.schema : undefined,
    ...(row.temperature && request.temperature !== undefined && { temperature: request.temperature }),
  };
}

/**
 * The body of a request of the Responses API. Nothing is stored by the provider: what was thought comes back as it was.
 * https://developers.openai.com/api/docs/guides/migrate-to-responses
 */
export function toResponses(
  request: ModelRequest,
  row: ModelRow,
): OpenAI.Responses.ResponseCreateParamsStreaming {
  const { system, tools, images, limit, effort, schema, ...same } = common(request, row);
  const [first = [], ...later] = request.messages.map(toItems);
  const content = images.map(({ url, detail }) => ({ type: 'input_image', image_url: url, detail }) as const);
  return {
    ...same,
    ...{ stream: true, store: false, include: ['reasoning.encrypted_content'], max_output_tokens: limit },
    ...(system !== '' && { instructions: system }),
    input: [...first, ...(content.length > 0 ? [{ role: 'user' as const, content }] : []), ...later.flat()],
    ...(tools.length > 0 && { tools: tools.map(tool => ({ type: 'function', strict: false, ...tool })) }),
    ...(effort && { reasoning: { effort } }),
    ...(schema && { text: { format: { type: 'json_schema', name: 'result', schema: { ...schema } } } }),
  };
}

function toItems({ role, content }: ModelMessage): OpenAI.Responses.ResponseInputItem[] {
  return content.flatMap((part): OpenAI.Responses.ResponseInputItem[] => {
    if (part.type === 'text') return part.text.trim() === '' ? [] : [{ role, content: part.text }];
    if (part.type === 'tool_call')
      return [{ type: 'function_call', call_id: part.id, name: part.name, arguments: inputText(part.input) }];
    if (part.type === 'tool_result')
      return [{ type: 'function_call_output', call_id: part.id, output: resultText(part) }];
    const thought = ReasoningItem.safeParse(part.data).data;
    return thought ? [thought] : [];
  });
}

/** The body of a chat completion: https://developers.openai.com/api/reference/resources/chat/completions/create */
export function toOpenAi(request: ModelRequest, row: ModelRow): OpenAI.ChatCompletionCreateParamsStreaming {
  const { system, tools, images, limit, effort, schema, ...same } = common(request, row);
  return {
    ...same,
    stream: true,
    stream_options: { include_usage: true },
    // Models that think refuse the older name; servers that know no thinking know that one only.
    ...(row.efforts.length > 0 ? { max_completion_tokens: limit } : { max_tokens: limit }),
    messages: [
      ...(system === '' ? [] : [{ role: 'system', content: system } as const]),
      ...alternating(request.messages.flatMap(toMessages), images),
    ],
    ...(tools.length > 0 && { tools: tools.map(each => ({ type: 'function', function: each })) }),
    ...(effort && { reasoning_effort: effort }),
    ...(schema && { response_format: { type: 'json_schema', json_schema: { name: 'result', schema } } }),
  };
}

/** The answers to calls are messages of their own here. What was thought goes back with the calls that it led to. */
function toMessages({ role, content }: ModelMessage): Message[] {
  const text = content.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('\n');
  if (role === 'assistant') {
    const calls = content.flatMap((part, at): OpenAI.ChatCompletionMessageFunctionToolCall[] => {
      if (part.type !== 'tool_call') return [];
      const before = content[at - 1];
      const extra = CallExtra.safeParse(before?.type === 'opaque' ? before.data : undefined).data;
      const called = { name: part.name, arguments: inputText(part.input) };
      return [{ type: 'function', id: part.id, function: called, ...extra }];
    });
    if (text.trim() === '' && calls.length === 0) return [];
    const thought = content.flatMap(part =>
      part.type === 'opaque' ? (Reasoning.safeParse(part.data).data ?? []) : [],
    );
    const called = calls.length > 0 && { ...thought[0], tool_calls: calls };
    return [{ role, content: text === '' ? null : text, ...called }];
  }
  const answers = content.flatMap((part): Message[] =>
    part.type === 'tool_result' ? [{ role: 'tool', tool_call_id: part.id, content: resultText(part) }] : [],
  );
  return [...answers, ...(text.trim() === '' ? [] : [{ role, content: text } as const])];
}

/** Input that is not a JSON object is wrapped in one: vLLM and llama.cpp refuse a conversation with anything but objects. */
const inputText = (input: unknown): string =>
  JSON.stringify(typeof input === 'object' && input && !Array.isArray(input) ? input : { input });

const resultText = ({ content, is_error }: { content: string; is_error?: boolean }): string =>
  is_error ? `Error: ${content}` : content;

/** Some servers refuse two messages of the same side in a row. The images follow the text of the first message. */
function alternating(messages: readonly Message[], images: ReturnType<typeof common>['images']): Message[] {
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
  const [first, ...later] = joined;
  if (first?.role !== 'user' || images.length === 0) return joined;
  const parts = images.map(image_url => ({ type: 'image_url', image_url }) as const);
  return [{ role: 'user', content: [{ type: 'text', text: String(first.content) }, ...parts] }, ...later];
}

// A model's reply as the Messages API writes it, whole or as a stream of events.
import { randomUUID } from 'node:crypto';
import { Thinking } from './anthropic-stream.ts';
import type { ModelReply, ReplyPart, Usage } from './model.ts';

const stops: Readonly<Record<ModelReply['stop'], string>> = {
  end: 'end_turn',
  tool_calls: 'tool_use',
  max_output: 'max_tokens',
  refusal: 'refusal',
};

/** As the body of an answer. `model`: as whoever asked calls it. */
export const asMessage = (reply: ModelReply, model: string): string =>
  JSON.stringify({
    ...opening(model),
    content: partsOf(reply).map(blockOf),
    stop_reason: stops[reply.stop],
    usage: usageOf(reply.usage),
  });

/** As server-sent events, each block in one piece. */
export function asEvents(reply: ModelReply, model: string): string {
  const usage = usageOf(reply.usage);
  const message = { ...opening(model), usage: { ...usage, output_tokens: 0 } };
  return [
    { type: 'message_start', message },
    ...partsOf(reply).flatMap((part, index) => [
      { type: 'content_block_start', index, content_block: opened(part) },
      ...deltasOf(part).map(delta => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    { type: 'message_delta', delta: { stop_reason: stops[reply.stop], stop_sequence: null }, usage },
    { type: 'message_stop' },
  ]
    .map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    .join('');
}

const opening = (model: string) => ({
  id: `msg_${randomUUID()}`,
  type: 'message',
  role: 'assistant',
  model,
  content: [],
  stop_reason: null,
  stop_sequence: null,
});

const partsOf = ({ parts, text, tool_calls }: ModelReply): ReplyPart[] =>
  // Opaque parts of other providers have no place in this API's messages.
  parts?.filter(part => part.type !== 'opaque' || Thinking.safeParse(part.data).success) ?? [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...tool_calls.map(call => ({ type: 'tool_call' as const, ...call })),
  ];

function blockOf(part: ReplyPart): object {
  if (part.type === 'text') return part;
  if (part.type === 'opaque') return Thinking.parse(part.data);
  return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
}

/** A block as it begins, before its pieces. */
function opened(part: ReplyPart): object {
  if (part.type === 'text') return { type: 'text', text: '' };
  if (part.type === 'tool_call') return { type: 'tool_use', id: part.id, name: part.name, input: {} };
  const data = Thinking.parse(part.data);
  return data.type === 'thinking' ? { ...data, thinking: '', signature: '' } : data;
}

function deltasOf(part: ReplyPart): object[] {
  if (part.type === 'text') return [{ type: 'text_delta', text: part.text }];
  if (part.type === 'tool_call')
    return [{ type: 'input_json_delta', partial_json: JSON.stringify(part.input) }];
  const data = Thinking.parse(part.data);
  if (data.type !== 'thinking') return [];
  return [
    { type: 'thinking_delta', thinking: data.thinking },
    { type: 'signature_delta', signature: data.signature },
  ];
}

const usageOf = (usage: Usage) => ({
  input_tokens: usage.input_tokens,
  cache_creation_input_tokens: usage.cache_write_tokens,
  cache_read_input_tokens: usage.cache_read_tokens,
  output_tokens: usage.output_tokens,
});

// Reads the Messages API's stream of events into a reply. What a server sends is checked before it is believed.
import { z } from 'zod';
import type { AnthropicTools } from './anthropic-tools.ts';
import type { ModelReply } from './model.ts';
import {
  endReply,
  type Listener,
  malformed,
  type Piece,
  type StreamedReply,
  type UsageSoFar,
} from './reply.ts';

/**
 * Data that the provider wants back unchanged, its signatures too: the data of an opaque part.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const Thinking = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
]);

const tokens = z.number().nullish();
const StreamUsage = z.object({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_input_tokens: tokens,
  cache_creation_input_tokens: tokens,
});

const index = z.int();
const word = z.string().optional();
const BlockStart = z.object({
  type: z.string(),
  ...{ text: word, id: word, name: word, thinking: word, signature: word, data: word },
});
const BlockDelta = z.object({
  type: z.string(),
  ...{ text: word, partial_json: word, thinking: word, signature: word },
});

/** The events that matter here; others, and blocks other than text, tool calls and thinking, are passed over. */
const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: StreamUsage }) }),
  z.object({ type: z.literal('content_block_start'), index, content_block: BlockStart }),
  z.object({ type: z.literal('content_block_delta'), index, delta: BlockDelta }),
  z.object({
    type: z.literal('message_delta'),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: StreamUsage.optional(),
  }),
  z.object({ type: z.literal('message_stop') }),
]);
const known = new Set<unknown>(StreamEvent.options.map(option => option.shape.type.value));

const stops: Readonly<Record<string, ModelReply['stop']>> = {
  end_turn: 'end',
  stop_sequence: 'end',
  tool_use: 'tool_calls',
  max_tokens: 'max_output',
  model_context_window_exceeded: 'max_output',
  refusal: 'refusal',
};

/** A block as far as it has come. */
type Open = Exclude<Piece, { type: 'opaque' }> | z.infer<typeof Thinking>;

/**
 * The reply that `events` make up, its tool calls as `toAbstract` gives them; the input tokens of `usage`, which is filled
 * as the events come, are without what the cache read or wrote. Throws ModelFailure: see `endReply`; `crash` for an event
 * that is not what the API promises.
 */
export async function readStream(
  events: AsyncIterable<unknown>,
  toAbstract: AnthropicTools['toAbstract'],
  usage: UsageSoFar = {},
  onEvent: Listener = () => {},
): Promise<StreamedReply> {
  /** In the order in which they began. */
  const blocks: Open[] = [];
  const open = new Map<number, Open>();
  let reason: string | undefined;
  let ended = false;
  for await (const raw of events) {
    const event = parseEvent(raw);
    switch (event?.type) {
      case 'message_start':
        count(usage, event.message.usage);
        usage.cache_read_tokens ??= 0;
        usage.cache_write_tokens ??= 0;
        break;
      case 'content_block_start': {
        const block = opened(event.content_block);
        if (!block) break;
        blocks.push(block);
        open.set(event.index, block);
        add(block, { type: 'text_delta', text: event.content_block.text }, onEvent);
        break;
      }
      case 'content_block_delta':
        add(open.get(event.index), event.delta, onEvent);
        break;
      case 'message_delta':
        reason = event.delta.stop_reason ?? reason;
        count(usage, event.usage ?? {});
        break;
      case 'message_stop':
        ended = true;
        break;
    }
  }
  if (ended && reason === undefined) throw malformed('no stop reason');
  const pieces = blocks.map(
    (block): Piece =>
      block.type === 'text' || block.type === 'tool_call' ? block : { type: 'opaque', data: block },
  );
  return endReply(pieces, { reason: ended ? reason : undefined, stops, usage }, onEvent, toAbstract);
}

function opened(begun: z.infer<typeof BlockStart>): Open | undefined {
  const { type, id, name, thinking = '', signature = '', data } = begun;
  switch (type) {
    case 'text':
      return { type, text: '' };
    case 'thinking':
      return { type, thinking, signature };
    case 'redacted_thinking':
      if (data === undefined) throw malformed('redacted thinking without data');
      return { type, data };
    case 'tool_use':
      if (id === undefined || name === undefined) throw malformed('a tool call without id or name');
      return { type: 'tool_call', id, name, json: '' };
    default:
      return undefined;
  }
}

function add(block: Open | undefined, delta: z.infer<typeof BlockDelta>, onEvent: Listener): void {
  const { type, text = '', partial_json = '', thinking = '', signature = '' } = delta;
  if (type === 'text_delta' && block?.type === 'text' && text !== '') {
    block.text += text;
    onEvent({ type: 'text', text });
  }
  if (type === 'input_json_delta' && block?.type === 'tool_call' && partial_json !== '') {
    block.json += partial_json;
    onEvent({ type: 'tool_input', id: block.id, name: block.name, text: partial_json });
  }
  if (type === 'thinking_delta' && block?.type === 'thinking' && thinking !== '') {
    block.thinking += thinking;
    onEvent({ type: 'thinking', text: thinking });
  }
  if (type === 'signature_delta' && block?.type === 'thinking') block.signature += signature;
}

function parseEvent(raw: unknown): z.infer<typeof StreamEvent> | undefined {
  const type = raw !== null && typeof raw === 'object' && 'type' in raw ? raw.type : undefined;
  if (!known.has(type)) return undefined;
  const parsed = StreamEvent.safeParse(raw);
  if (!parsed.success) throw malformed(`event ${type}`, parsed.error);
  return parsed.data;
}

/** Counts are totals so far, not increments; one that an event leaves out stays as it was. */
function count(usage: UsageSoFar, from: z.infer<typeof StreamUsage>): void {
  const told = {
    input_tokens: from.input_tokens,
    output_tokens: from.output_tokens,
    cache_read_tokens: from.cache_read_input_tokens,
    cache_write_tokens: from.cache_creation_input_tokens,
  };
  Object.assign(usage, Object.fromEntries(Object.entries(told).filter(([, each]) => each != null)));
}

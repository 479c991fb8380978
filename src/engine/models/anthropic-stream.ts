// Reads the Messages API's stream of events into a reply. What a server sends is checked before it is believed.
import { z } from 'zod';
import { BlockDelta, BlockStart, malformed, streamedBlocks } from './anthropic-blocks.ts';
import type { AnthropicTools } from './anthropic-tools.ts';
import { type ModelEvent, ModelFailure, type ModelReply, type Usage } from './model.ts';
import type { GivenPart } from './opaque.ts';
import { checkUsage } from './prices.ts';

const StreamUsage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});

const index = z.int();

/** The events that matter here; others, and blocks other than text, tool calls and thinking, are passed over. */
const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: StreamUsage }) }),
  z.object({ type: z.literal('content_block_start'), index, content_block: BlockStart }),
  z.object({ type: z.literal('content_block_delta'), index, delta: BlockDelta }),
  z.object({ type: z.literal('content_block_stop'), index }),
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

/**
 * The reply that `events` make up, its tool calls as `toAbstract` gives them; `usage.input_tokens` is without what the
 * cache read or wrote.
 * Throws ModelFailure: `timeout` when the stream ends before the message does, `crash` for an event that is not what
 * the API promises.
 */
export async function readStream(
  events: AsyncIterable<unknown>,
  toAbstract: AnthropicTools['toAbstract'],
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<Omit<ModelReply, 'cost_usd' | 'parts'> & { parts: GivenPart[] }> {
  const blocks = streamedBlocks(toAbstract, onEvent);
  const usage: Partial<Usage> = {};
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
      case 'content_block_start':
        blocks.start(event.index, event.content_block);
        break;
      case 'content_block_delta':
        blocks.add(event.index, event.delta);
        break;
      case 'content_block_stop':
        blocks.stop(event.index);
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

  if (!ended) throw new ModelFailure('timeout', 'the stream of the reply broke off before its end');
  const stop = stops[reason ?? ''];
  if (stop === undefined) throw malformed(`stop reason ${reason}`);
  const { parts, broken } = blocks.end();
  // The output limit may cut a call in the middle of its input: then the call is left out.
  if (broken !== undefined && stop !== 'max_output') throw malformed(`input of ${broken} is not JSON`);
  checkUsage(usage);
  onEvent({ type: 'usage', usage });
  const text = parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join('');
  const tool_calls = parts.flatMap(({ type, ...call }) => ('input' in call ? [call] : []));
  return { text, tool_calls, parts, usage, stop };
}

function parseEvent(raw: unknown): z.infer<typeof StreamEvent> | undefined {
  const type = raw !== null && typeof raw === 'object' && 'type' in raw ? raw.type : undefined;
  if (!known.has(type)) return undefined;
  const parsed = StreamEvent.safeParse(raw);
  if (!parsed.success) throw malformed(`event ${type}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Counts are totals so far, not increments; one that an event leaves out stays as it was. */
function count(usage: Partial<Usage>, from: z.infer<typeof StreamUsage>): void {
  if (typeof from.input_tokens === 'number') usage.input_tokens = from.input_tokens;
  if (typeof from.output_tokens === 'number') usage.output_tokens = from.output_tokens;
  if (typeof from.cache_read_input_tokens === 'number')
    usage.cache_read_tokens = from.cache_read_input_tokens;
  if (typeof from.cache_creation_input_tokens === 'number')
    usage.cache_write_tokens = from.cache_creation_input_tokens;
}

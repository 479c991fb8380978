// Reads the Messages API's stream of events into a reply. What a server sends is checked before it is believed.
import { z } from 'zod';
import type { AnthropicTools } from './anthropic-tools.ts';
import { type ModelEvent, ModelFailure, type ModelReply, type Usage } from './model.ts';
import { checkUsage } from './prices.ts';

const StreamUsage = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
});

const index = z.int();

/** The events that matter here; others, and blocks other than text and tool calls (thinking), are passed over. */
const StreamEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('message_start'), message: z.object({ usage: StreamUsage }) }),
  z.object({
    type: z.literal('content_block_start'),
    index,
    content_block: z.object({
      type: z.string(),
      text: z.string().optional(),
      id: z.string().optional(),
      name: z.string().optional(),
    }),
  }),
  z.object({
    type: z.literal('content_block_delta'),
    index,
    delta: z.object({ type: z.string(), text: z.string().optional(), partial_json: z.string().optional() }),
  }),
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
): Promise<Omit<ModelReply, 'cost_usd'>> {
  let text = '';
  const calls: ModelReply['tool_calls'] = [];
  const open = new Map<number, { id: string; name: string; json: string }>();
  const usage: Partial<Usage> = {};
  let reason: string | undefined;
  let broken: string | undefined;
  let ended = false;
  const say = (piece: string) => {
    if (piece === '') return;
    text += piece;
    onEvent({ type: 'text', text: piece });
  };

  for await (const raw of events) {
    const event = parseEvent(raw);
    switch (event?.type) {
      case 'message_start':
        count(usage, event.message.usage);
        usage.cache_read_tokens ??= 0;
        usage.cache_write_tokens ??= 0;
        break;
      case 'content_block_start': {
        const { type, id, name, text: start = '' } = event.content_block;
        if (type === 'text') say(start);
        if (type !== 'tool_use') break;
        if (id === undefined || name === undefined) throw malformed('a tool call without id or name');
        open.set(event.index, { id, name, json: '' });
        break;
      }
      case 'content_block_delta': {
        const { type, text: piece = '', partial_json = '' } = event.delta;
        const call = open.get(event.index);
        if (type === 'text_delta') say(piece);
        if (type === 'input_json_delta' && call !== undefined) call.json += partial_json;
        break;
      }
      case 'content_block_stop': {
        const call = open.get(event.index);
        if (call === undefined) break;
        open.delete(event.index);
        const input = parseInput(call.json);
        if (input === undefined) {
          broken = call.name;
          break;
        }
        const done = { id: call.id, ...toAbstract({ name: call.name, input: input.value }) };
        calls.push(done);
        onEvent({ type: 'tool_call', ...done });
        break;
      }
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
  // The output limit may cut a call in the middle of its input: then the call is left out.
  if (broken !== undefined && stop !== 'max_output') throw malformed(`input of ${broken} is not JSON`);
  checkUsage(usage);
  onEvent({ type: 'usage', usage });
  return { text, tool_calls: calls, usage, stop };
}

function parseEvent(raw: unknown): z.infer<typeof StreamEvent> | undefined {
  const type = raw !== null && typeof raw === 'object' && 'type' in raw ? raw.type : undefined;
  if (!known.has(type)) return undefined;
  const parsed = StreamEvent.safeParse(raw);
  if (!parsed.success) throw malformed(`event ${type}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

function malformed(what: string): ModelFailure {
  return new ModelFailure('crash', `the model's stream is not what the API promises: ${what}`);
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

function parseInput(json: string): { value: unknown } | undefined {
  if (json === '') return { value: {} };
  try {
    return { value: JSON.parse(json) };
  } catch {
    return undefined;
  }
}

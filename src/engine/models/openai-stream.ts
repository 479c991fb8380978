// Reads the chunks of a chat completion into a reply. What a server sends is checked before it is believed.
import { z } from 'zod';
import { type ModelEvent, ModelFailure, type ModelReply, type Usage } from './model.ts';
import type { GivenPart } from './opaque.ts';

const count = z.int().min(0).nullish();

/**
 * What a model thought, as DeepSeek, vLLM and llama.cpp tell it: the data of an opaque part. DeepSeek wants it back, the
 * empty one too. https://api-docs.deepseek.com/guides/thinking_mode
 */
export const Reasoning = z.strictObject({ reasoning_content: z.string() });

const Chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z
          .object({
            content: z.string().nullish(),
            reasoning_content: z.string().nullish(),
            refusal: z.string().nullish(),
            tool_calls: z
              .array(
                z.object({
                  index: z.int().min(0).max(1000).default(0),
                  id: z.string().nullish(),
                  function: z
                    .object({ name: z.string().nullish(), arguments: z.string().nullish() })
                    .nullish(),
                }),
              )
              .nullish(),
          })
          .nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: z
    .object({
      prompt_tokens: count,
      completion_tokens: count,
      prompt_tokens_details: z.object({ cached_tokens: count }).nullish(),
    })
    .nullish(),
});

const stops: Readonly<Record<string, ModelReply['stop']>> = {
  stop: 'end',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'max_output',
  content_filter: 'refusal',
};

interface OpenCall {
  id: string;
  name: string;
  json: string;
}

/**
 * The reply that the chunks make up. Throws ModelFailure: `timeout` when the stream ends before the reply does, `crash` for a
 * chunk that is not what the API promises. A call whose arguments are no JSON is told to the model as that call's error.
 */
export async function readChunks(
  chunks: AsyncIterable<unknown>,
  onEvent: (event: ModelEvent) => void = () => {},
): Promise<Omit<ModelReply, 'cost_usd' | 'parts'> & { parts: GivenPart[] }> {
  const calls: OpenCall[] = [];
  let text = '';
  let refusal = '';
  let reasoning: string | undefined;
  let reason: string | undefined;
  let usage: Usage | undefined;
  for await (const raw of chunks) {
    const chunk = Chunk.safeParse(raw);
    if (!chunk.success)
      throw new ModelFailure(
        'crash',
        `the server's stream is not what the API promises: ${z.prettifyError(chunk.error)}`,
      );
    usage = usageOf(chunk.data) ?? usage;
    const choice = chunk.data.choices?.[0];
    reason = choice?.finish_reason ?? reason;
    const { content, tool_calls, reasoning_content: thought, refusal: refused } = choice?.delta ?? {};
    refusal += refused ?? '';
    if (typeof thought === 'string') reasoning = (reasoning ?? '') + thought;
    if (thought) onEvent({ type: 'thinking', text: thought });
    if (content) {
      text += content;
      onEvent({ type: 'text', text: content });
    }
    for (const { index, id, function: called } of tool_calls ?? []) {
      const call = (calls[index] ??= { id: '', name: '', json: '' });
      // Some servers send id and name with each piece.
      call.id ||= id ?? '';
      call.name ||= called?.name ?? '';
      const piece = called?.arguments ?? '';
      call.json += piece;
      if (piece !== '') onEvent({ type: 'tool_input', id: idOf(call, index), name: call.name, text: piece });
    }
  }
  const stop = refusal === '' ? stops[reason ?? ''] : 'refusal';
  if (reason === undefined)
    throw new ModelFailure('timeout', 'the stream of the reply broke off before its end');
  if (stop === undefined)
    throw new ModelFailure('crash', `the server ended its reply for an unknown reason: ${reason}`);
  if (!usage)
    throw new ModelFailure(
      'crash',
      'the server did not say what the reply used, so that it cannot be priced',
    );
  const made = calls.flatMap((call, at) => toCall(call, at, stop));
  for (const call of made) onEvent({ type: 'tool_call', ...call });
  onEvent({ type: 'usage', usage });
  const parts: GivenPart[] = [
    ...(reasoning === undefined ? [] : [{ type: 'opaque', data: { reasoning_content: reasoning } } as const]),
    ...(text === '' ? [] : [{ type: 'text', text } as const]),
    ...made.map(call => ({ type: 'tool_call', ...call }) as const),
  ];
  return { text: text === '' ? refusal : text, tool_calls: made, parts, usage, stop };
}

function usageOf({ usage }: z.infer<typeof Chunk>): Usage | undefined {
  if (!usage) return undefined;
  const { prompt_tokens, completion_tokens, prompt_tokens_details } = usage;
  const cached = Math.min(prompt_tokens_details?.cached_tokens ?? 0, prompt_tokens ?? 0);
  return {
    input_tokens: (prompt_tokens ?? 0) - cached,
    output_tokens: completion_tokens ?? 0,
    cache_read_tokens: cached,
    cache_write_tokens: 0,
  };
}

const idOf = ({ id }: Pick<OpenCall, 'id'>, at: number): string => (id === '' ? `call_${at + 1}` : id);

/** The output limit may cut a call in the middle of its input: then the call is left out. */
function toCall(
  { id, name, json }: OpenCall,
  at: number,
  stop: ModelReply['stop'],
): ModelReply['tool_calls'] {
  const call = { id: idOf({ id }, at), name };
  try {
    return [{ ...call, input: json.trim() === '' ? {} : JSON.parse(json) }];
  } catch {
    // The tool refuses a text where it wants fields, and shows it: the model mends its own JSON.
    return stop === 'max_output' ? [] : [{ ...call, input: json }];
  }
}

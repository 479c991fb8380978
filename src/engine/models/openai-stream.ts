// Reads the chunks of a chat completion into a reply. What a server sends is checked before it is believed.
import { z } from 'zod';
import type { ModelReply, Usage } from './model.ts';
import {
  endReply,
  type Listener,
  malformed,
  parsed,
  type Piece,
  type StreamedReply,
  type UsageSoFar,
} from './reply.ts';

const count = z.int().min(0).nullish();
const details = z.object({ cached_tokens: count, cache_write_tokens: count }).nullish();
/** As chat completions name it, or as the Responses API does. */
const OpenAiUsage = z.object({
  ...{ prompt_tokens: count, completion_tokens: count, prompt_tokens_details: details },
  ...{ input_tokens: count, output_tokens: count, input_tokens_details: details },
});

/** The counts of the provider's whole prompt, told apart; undefined where one is missing, which costs no less for it. */
export function openAiUsage(told: z.infer<typeof OpenAiUsage>): Usage | undefined {
  const prompt = told.prompt_tokens ?? told.input_tokens;
  const output_tokens = told.completion_tokens ?? told.output_tokens;
  if (prompt == null || output_tokens == null) return undefined;
  const { cached_tokens, cache_write_tokens } = told.prompt_tokens_details ?? told.input_tokens_details ?? {};
  const read = Math.min(cached_tokens ?? 0, prompt);
  const written = Math.min(cache_write_tokens ?? 0, prompt - read);
  return {
    input_tokens: prompt - read - written,
    output_tokens,
    cache_read_tokens: read,
    cache_write_tokens: written,
  };
}

/** https://openrouter.ai/docs/guides/best-practices/reasoning-tokens */
const Detail = z.record(z.string(), z.json());
/**
 * A model's thinking before its calls, under each server's name for it: the data of an opaque part. DeepSeek wants it
 * back, the empty one too (https://api-docs.deepseek.com/guides/thinking_mode), and so does OpenRouter.
 */
export const Reasoning = z.strictObject({
  reasoning_content: z.string().exactOptional(),
  reasoning: z.string().exactOptional(),
  reasoning_details: z.array(Detail).exactOptional(),
});
/** Data that Gemini wants back with the call: https://ai.google.dev/gemini-api/docs/thought-signatures */
export const CallExtra = z.strictObject({ extra_content: z.json() });

const text = z.string().nullish();
const CallPiece = z.object({
  index: z.int().min(0).max(1000).default(0),
  id: text,
  function: z.object({ name: text, arguments: text }).nullish(),
  extra_content: z.json().optional(),
});
const Delta = z.object({
  ...{ content: text, refusal: text, reasoning_content: text, reasoning: text },
  reasoning_details: z.array(Detail).nullish(),
  tool_calls: z.array(CallPiece).nullish(),
});
const Chunk = z.object({
  choices: z.array(z.object({ delta: Delta.nullish(), finish_reason: text })).nullish(),
  usage: OpenAiUsage.nullish(),
});

const stops: Readonly<Record<string, ModelReply['stop']>> = {
  stop: 'end',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  length: 'max_output',
  content_filter: 'refusal',
};

/** The reply that the chunks make up; `usage` is filled as they come. Throws ModelFailure: see `endReply`. */
export async function readChunks(
  chunks: AsyncIterable<unknown>,
  usage: UsageSoFar,
  onEvent: Listener,
): Promise<StreamedReply> {
  const calls = openCalls(onEvent);
  const said = withoutThinking(onEvent);
  const thought: z.infer<typeof Reasoning> = {};
  let refusal = '';
  let reason: string | undefined;
  for await (const raw of chunks) {
    const { data: chunk, error } = Chunk.safeParse(raw);
    if (!chunk) throw malformed('a chunk', error);
    usage.output_tokens ??= 0;
    Object.assign(usage, chunk.usage && openAiUsage(chunk.usage));
    const choice = chunk.choices?.[0];
    reason = choice?.finish_reason ?? reason;
    const { content, tool_calls, refusal: refused, ...thinking } = choice?.delta ?? {};
    refusal += refused ?? '';
    think(thought, thinking, onEvent);
    if (content) said.add(content);
    for (const piece of tool_calls ?? []) calls.add(piece);
  }
  const answer = said.end();
  const pieces: Piece[] = [
    ...(Object.keys(thought).length === 0 ? [] : [{ type: 'opaque', data: thought } as const]),
    { type: 'text', text: answer === '' ? refusal : answer },
    ...calls.pieces(),
  ];
  return endReply(pieces, { reason: refusal && reason ? 'content_filter' : reason, stops, usage }, onEvent);
}

/** Adds what was thought to what was thought so far: details of one index are pieces of one. */
function think(all: z.infer<typeof Reasoning>, piece: z.infer<typeof Delta>, onEvent: Listener): void {
  const { reasoning_content, reasoning, reasoning_details } = piece;
  if (typeof reasoning_content === 'string')
    all.reasoning_content = (all.reasoning_content ?? '') + reasoning_content;
  if (typeof reasoning === 'string') all.reasoning = (all.reasoning ?? '') + reasoning;
  const heard = reasoning_content || reasoning;
  if (heard) onEvent({ type: 'thinking', text: heard });
  for (const detail of reasoning_details ?? []) {
    all.reasoning_details ??= [];
    const last = all.reasoning_details.at(-1);
    if (!last || last['type'] !== detail['type'] || last['index'] !== detail['index'])
      all.reasoning_details.push(detail);
    else
      for (const [name, value] of Object.entries(detail))
        last[name] =
          ['text', 'summary', 'data'].includes(name) && last[name] ? `${last[name]}${value}` : value;
  }
}

type OpenCall = Extract<Piece, { type: 'tool_call' }> & { extra?: z.infer<typeof CallExtra> };

/** Calls from their pieces. Some servers send id and name with each piece, others all calls with one index, or no id. */
function openCalls(onEvent: Listener) {
  const calls: OpenCall[] = [];
  const open = new Map<number, OpenCall>();
  return {
    add({ index, id, function: called, extra_content }: z.infer<typeof CallPiece>): void {
      let call = open.get(index);
      const isNext = id
        ? call?.id !== id
        : called?.name && called.arguments && call?.json && parsed(call.json);
      if (!call || isNext) {
        call = { type: 'tool_call', id: id || `call_${calls.length + 1}`, name: '', json: '' };
        calls.push(call);
        open.set(index, call);
      }
      call.name ||= called?.name ?? '';
      if (extra_content !== undefined) call.extra = { extra_content };
      const text = called?.arguments ?? '';
      call.json += text;
      if (text !== '') onEvent({ type: 'tool_input', id: call.id, name: call.name, text });
    },
    pieces: (): Piece[] =>
      calls.flatMap(({ extra, ...call }) => [
        ...(extra ? [{ type: 'opaque', data: extra } as const] : []),
        call,
      ]),
  };
}

const begins = '<think>';
const ends = '</think>';

/** The answer without `<think>...</think>` before it, as servers stream it that do not read it themselves. */
function withoutThinking(onEvent: Listener) {
  let answer = '';
  /** Text not yet known to be thinking or answer. */
  let held = '';
  let isAnswer = false;
  let hasThought = false;
  const say = (text: string) => {
    answer += text;
    if (text !== '') onEvent({ type: 'text', text });
  };
  const isThinking = () => held.trimStart().startsWith(begins);
  const endOf = () => (isThinking() ? held.indexOf(ends) : -1);
  return {
    add(piece: string): void {
      held += piece;
      for (let end = endOf(); end >= 0; end = endOf()) {
        onEvent({ type: 'thinking', text: held.slice(held.indexOf(begins) + begins.length, end) });
        held = held.slice(end + ends.length);
        hasThought = true;
      }
      isAnswer ||= !isThinking() && !begins.startsWith(held.trimStart());
      if (!isAnswer) return;
      say(hasThought && answer === '' ? held.trimStart() : held);
      held = '';
    },
    end(): string {
      if (!isThinking()) say(held);
      // If the prompt itself began the thinking, the reply has only its end mark. In quotes the mark is text.
      for (;;) {
        const end = answer.search(/(?<!["'`])<\/think>/);
        if (end < 0 || answer.slice(0, end).includes(begins)) return answer;
        answer = answer.slice(end + ends.length).trimStart();
      }
    },
  };
}

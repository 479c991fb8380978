// Reads the events of OpenAI's Responses API into a reply: of OpenAI itself, so that the SDK's types are believed.
// https://developers.openai.com/api/docs/guides/streaming-responses
import type OpenAI from 'openai';
import { z } from 'zod';
import type { ModelReply } from './model.ts';
import { openAiUsage } from './openai-stream.ts';
import { endReply, type Listener, type Piece, type StreamedReply, type UsageSoFar } from './reply.ts';

/**
 * The thinking, readable by OpenAI alone: the data of an opaque part. Nothing is stored there, so it has to come
 * back. https://developers.openai.com/api/docs/guides/reasoning
 */
export const ReasoningItem = z.object({
  type: z.literal('reasoning'),
  id: z.string(),
  summary: z.array(z.object({ type: z.literal('summary_text'), text: z.string() })),
  encrypted_content: z.string(),
});

const stops: Readonly<Record<string, ModelReply['stop']>> = {
  completed: 'end',
  tool_calls: 'tool_calls',
  refusal: 'refusal',
  max_output_tokens: 'max_output',
  content_filter: 'refusal',
};

/**
 * The reply that the events make up; `usage` is filled as they come. Throws ModelFailure: see `endReply`; `failure` of what
 * the provider says where the response fails.
 */
export async function readResponse(
  events: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
  usage: UsageSoFar,
  onEvent: Listener,
  failure: (error: object) => Error,
): Promise<StreamedReply> {
  const pieces: Piece[] = [];
  const calls = new Map<number, OpenAI.Responses.ResponseFunctionToolCall>();
  let reason: string | undefined;
  for await (const event of events) {
    usage.output_tokens ??= 0;
    switch (event.type) {
      case 'response.output_text.delta':
        onEvent({ type: 'text', text: event.delta });
        break;
      case 'response.reasoning_summary_text.delta':
        onEvent({ type: 'thinking', text: event.delta });
        break;
      case 'response.output_item.added':
        if (event.item.type === 'function_call') calls.set(event.output_index, event.item);
        break;
      case 'response.function_call_arguments.delta': {
        const call = calls.get(event.output_index);
        if (call) onEvent({ type: 'tool_input', id: call.call_id, name: call.name, text: event.delta });
        break;
      }
      case 'response.output_item.done':
        if (event.item.type === 'function_call') reason = 'tool_calls';
        if (event.item.type === 'message' && event.item.content.some(({ type }) => type === 'refusal'))
          reason = 'refusal';
        pieces.push(...piecesOf(event.item));
        break;
      case 'response.failed':
        throw failure(event.response.error ?? {});
      case 'response.completed':
      case 'response.incomplete':
        reason = event.response.incomplete_details?.reason ?? reason ?? 'completed';
        if (event.response.usage) Object.assign(usage, openAiUsage(event.response.usage));
        return endReply(pieces, { reason, stops, usage }, onEvent);
    }
  }
  return endReply(pieces, { reason: undefined, stops, usage }, onEvent);
}

function piecesOf(item: OpenAI.Responses.ResponseOutputItem): Piece[] {
  if (item.type === 'function_call')
    return [{ type: 'tool_call', id: item.call_id, name: item.name, json: item.arguments }];
  if (item.type === 'message')
    return item.content.map(said => ({
      type: 'text',
      text: said.type === 'refusal' ? said.refusal : said.text,
    }));
  // Other items are tools that the provider runs: none is offered.
  const thought = ReasoningItem.safeParse(item).data;
  return thought ? [{ type: 'opaque', data: thought }] : [];
}

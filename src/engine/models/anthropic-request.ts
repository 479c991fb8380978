// A model request in the words of Anthropic's Messages API: messages, tools, and what is cached.
import type Anthropic from '@anthropic-ai/sdk';
import { Thinking } from './anthropic-blocks.ts';
import type { AnthropicTools } from './anthropic-tools.ts';
import type { ModelRow } from './table.ts';
import type { ModelMessage, ModelPart, ModelRequest } from './model.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The body of the request. The API's prompt order is tools, system, messages; a breakpoint of the cache stands at the
 * end of the tools, at the end of the stable system text, and, where tools make further turns likely, at the end of
 * the conversation (three of the four that the API allows). What native tools need to be told is stable too.
 * `temperature` is not sent: the API's current models refuse it, and the SDK has no field for it any more. Nor is
 * `tool_choice`: a forced one is refused where a model always thinks.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function toAnthropic(
  request: ModelRequest,
  { definitions, notes, toNative }: AnthropicTools,
  row: Pick<ModelRow, 'output' | 'efforts'>,
): Anthropic.MessageCreateParamsStreaming {
  const { changing } = request.system;
  const stable = [request.system.stable, notes].filter(text => text !== '').join('\n\n');
  const system: Anthropic.TextBlockParam[] = [
    ...(stable === '' ? [] : [{ ...textBlock(stable), ...cached }]),
    ...(changing === '' ? [] : [textBlock(changing)]),
  ];
  const lastTool = definitions.at(-1);
  const messages = request.messages.flatMap(message => toMessage(message, toNative));
  if (lastTool !== undefined) cacheConversation(messages);
  return {
    model: request.model,
    max_tokens: Math.min(request.max_output_tokens, row.output ?? Number.POSITIVE_INFINITY),
    stream: true,
    ...(request.effort &&
      row.efforts.includes(request.effort) && { output_config: { effort: request.effort } }),
    messages,
    ...(system.length === 0 ? {} : { system }),
    ...(lastTool === undefined ? {} : { tools: [...definitions.slice(0, -1), { ...lastTool, ...cached }] }),
  };
}

/** The message, or nothing when it has no content: the API refuses empty messages and empty text. */
function toMessage(
  { role, content }: ModelMessage,
  toNative: AnthropicTools['toNative'],
): { role: ModelMessage['role']; content: Block[] }[] {
  const blocks = content
    .filter(part => part.type !== 'text' || part.text.trim() !== '')
    .map(part => toBlock(part, toNative));
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

type Block =
  | Anthropic.TextBlockParam
  | Anthropic.ToolUseBlockParam
  | Anthropic.ToolResultBlockParam
  | Anthropic.ThinkingBlockParam
  | Anthropic.RedactedThinkingBlockParam;

/** A text that was cut within a pair of surrogates is no valid Unicode, which the API refuses. */
const textBlock = (text: string): Anthropic.TextBlockParam => ({ type: 'text', text: text.toWellFormed() });

function toBlock(part: ModelPart, toNative: AnthropicTools['toNative']): Block {
  switch (part.type) {
    case 'text':
      return textBlock(part.text);
    case 'tool_call':
      return { type: 'tool_use', id: part.id, ...toNative(part) };
    case 'opaque':
      return Thinking.parse(part.data);
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: part.id,
        content: part.content.toWellFormed(),
        ...(part.is_error === undefined ? {} : { is_error: part.is_error }),
      };
  }
}

function cacheConversation(messages: { content: Block[] }[]): void {
  const blocks = messages.at(-1)?.content;
  const last = blocks?.at(-1);
  // Thinking takes no breakpoint.
  if (last && last.type !== 'thinking' && last.type !== 'redacted_thinking')
    blocks?.splice(-1, 1, { ...last, ...cached });
}

// A model request in the words of Anthropic's Messages API: messages, tools, and what is cached.
import type Anthropic from '@anthropic-ai/sdk';
import { Thinking } from './anthropic-stream.ts';
import type { AnthropicTools } from './anthropic-tools.ts';
import type { ModelRow } from './table.ts';
import type { ModelMessage, ModelPart, ModelRequest } from './model.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The body of the request. The API's prompt order is tools, system, messages. Of the four breakpoints of the cache that
 * it allows one stands after the stable system text (and one where it stops to be that of other tasks too), two at the
 * ends of this turn and the last one where tools make further turns likely, one or two after what a conversation begins
 * with as others do, and what is left after the tools. What native tools need to be told is stable too. The API looks
 * back 20 blocks from a breakpoint: a reply of ten calls, with their results, is more. A call that no other one begins or
 * goes on as has none: to write costs a quarter more than to send.
 * `temperature` is not sent: the API's current models refuse it, and the SDK has no field for it any more. Nor is
 * `tool_choice`: a forced one is refused where a model always thinks.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function toAnthropic(
  request: ModelRequest,
  { definitions, notes, toNative }: AnthropicTools,
  row: Pick<ModelRow, 'output' | 'efforts' | 'schema'>,
): Anthropic.MessageCreateParamsStreaming {
  const { changing, shared = 0 } = request.system;
  const messages = request.messages.flatMap(message => toMessage(message, toNative));
  const alike = (messages[0]?.content.length ?? 0) - 1;
  // Behind what other conversations share, so that they share it still.
  for (const { type: media_type, data } of request.images ?? [])
    messages[0]?.content.push({ type: 'image', source: { type: 'base64', media_type, data } });
  const isLone = request.once && alike < 1;
  const stable = [request.system.stable, notes].filter(text => text !== '').join('\n\n');
  const system = [
    ...[stable.slice(0, shared), stable.slice(shared)].map(text => ({
      ...textBlock(text),
      ...(!isLone && cached),
    })),
    textBlock(changing),
  ].filter(({ text }) => text !== '');
  const lastTool = definitions.at(-1);
  const { effort, schema } = request;
  const output: Anthropic.OutputConfig = {
    ...(effort && row.efforts.includes(effort) && { effort }),
    ...(schema && row.schema && !lastTool && { format: { type: 'json_schema', schema: { ...schema } } }),
  };
  const turns =
    lastTool === undefined || request.once ? [] : messages.filter(({ role }) => role === 'user').slice(-2);
  for (const turn of turns) cacheBlock(turn, -1);
  const left = MAX_MARKS - marksIn(system) - turns.length;
  for (let at = Math.max(0, alike - Math.min(left, 2)); at < alike; at++) cacheBlock(messages[0], at);
  const marks = marksIn(system) + messages.reduce((sum, { content }) => sum + marksIn(content), 0);
  return {
    model: request.model,
    max_tokens: Math.min(request.max_output_tokens, row.output ?? Number.POSITIVE_INFINITY),
    stream: true,
    ...(Object.keys(output).length > 0 && { output_config: output }),
    messages,
    ...(system.length === 0 ? {} : { system }),
    ...(lastTool === undefined
      ? {}
      : {
          tools: [...definitions.slice(0, -1), { ...lastTool, ...(marks < MAX_MARKS && !isLone && cached) }],
        }),
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
  | Anthropic.ImageBlockParam
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

/** Breakpoints that a request may have. */
const MAX_MARKS = 4;

const marksIn = (blocks: readonly object[]) => blocks.filter(block => 'cache_control' in block).length;

/** `at`: of the message's blocks, from the end where it is negative. */
function cacheBlock(message: { content: Block[] } | undefined, at: number): void {
  const block = message?.content.at(at);
  // Thinking takes no breakpoint.
  if (block && block.type !== 'thinking' && block.type !== 'redacted_thinking')
    message?.content.splice(at, 1, { ...block, ...cached });
}

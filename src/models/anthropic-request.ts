// A model request in the words of Anthropic's Messages API: messages, tools, and what is cached.
import type Anthropic from '@anthropic-ai/sdk';
import type { ToolSpec } from '../language/tool.ts';
import type { ModelMessage, ModelPart, ModelRequest } from './model.ts';

const cached = { cache_control: { type: 'ephemeral' } } as const;

/**
 * The body of the request. The API's prompt order is tools, system, messages; a breakpoint of the cache stands at the
 * end of the tools, at the end of the stable system text, and, where tools make further turns likely, at the end of
 * the conversation (three of the four that the API allows).
 * `temperature` is not sent: the API's current models refuse it, and the SDK has no field for it any more.
 * https://platform.claude.com/docs/en/build-with-claude/prompt-caching
 */
export function toAnthropic(request: ModelRequest): Anthropic.MessageCreateParamsStreaming {
  const { stable, changing } = request.system;
  const system: Anthropic.TextBlockParam[] = [
    ...(stable === '' ? [] : [{ type: 'text' as const, text: stable, ...cached }]),
    ...(changing === '' ? [] : [{ type: 'text' as const, text: changing }]),
  ];
  const tools = request.tools.map(toAnthropicTool);
  const lastTool = tools.pop();
  const messages = request.messages.flatMap(toMessage);
  if (lastTool !== undefined) cacheConversation(messages);
  return {
    model: request.model,
    max_tokens: request.max_output_tokens,
    stream: true,
    messages,
    ...(system.length === 0 ? {} : { system }),
    ...(lastTool === undefined ? {} : { tools: [...tools, { ...lastTool, ...cached }] }),
  };
}

/**
 * Where abstract tools become the provider's: here a native twin (text editor, shell) takes the place of a function
 * tool, and in `fromAnthropicCall` its calls become calls of the abstract one again. All are function tools so far.
 */
function toAnthropicTool(tool: ToolSpec): Anthropic.Tool {
  return { name: tool.name, description: tool.description, input_schema: { ...tool.input, type: 'object' } };
}

/** The abstract tool and input that a call of the provider's tool stands for. */
export function fromAnthropicCall(name: string, input: unknown): { name: string; input: unknown } {
  return { name, input };
}

/** The message, or nothing when it has no content: the API refuses empty messages and empty text. */
function toMessage({ role, content }: ModelMessage): { role: ModelMessage['role']; content: Block[] }[] {
  const blocks = content.filter(part => part.type !== 'text' || part.text !== '').map(toBlock);
  return blocks.length === 0 ? [] : [{ role, content: blocks }];
}

type Block = Anthropic.TextBlockParam | Anthropic.ToolUseBlockParam | Anthropic.ToolResultBlockParam;

function toBlock(part: ModelPart): Block {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'tool_call':
      return { type: 'tool_use', id: part.id, name: part.name, input: part.input };
    case 'tool_result':
      return {
        type: 'tool_result',
        tool_use_id: part.id,
        content: part.content,
        ...(part.is_error === undefined ? {} : { is_error: part.is_error }),
      };
  }
}

function cacheConversation(messages: { content: Block[] }[]): void {
  const blocks = messages.at(-1)?.content;
  const last = blocks?.pop();
  if (last !== undefined) blocks?.push({ ...last, ...cached });
}

// Puts the blocks of a streamed message together from their pieces: text, tool calls, thinking.
import { z } from 'zod';
import type { AnthropicTools } from './anthropic-tools.ts';
import { type ModelEvent, ModelFailure } from './model.ts';
import type { GivenPart } from './opaque.ts';

/**
 * What the provider wants back unchanged, its signatures too: the data of an opaque part.
 * https://platform.claude.com/docs/en/build-with-claude/extended-thinking
 */
export const Thinking = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({ type: z.literal('redacted_thinking'), data: z.string() }),
]);

const word = z.string().optional();
export const BlockStart = z.object({
  type: z.string(),
  ...{ text: word, id: word, name: word, thinking: word, signature: word, data: word },
});
export const BlockDelta = z.object({
  type: z.string(),
  ...{ text: word, partial_json: word, thinking: word, signature: word },
});

/** A block as far as it has come; `json`: the text of a call's input. */
type Open =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string; json: string; part?: GivenPart }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string };

export function malformed(what: string): ModelFailure {
  return new ModelFailure('crash', `the model's stream is not what the API promises: ${what}`);
}

export function streamedBlocks(
  toAbstract: AnthropicTools['toAbstract'],
  onEvent: (event: ModelEvent) => void,
) {
  /** In the order in which they began. */
  const blocks: Open[] = [];
  const open = new Map<number, Open>();
  let broken: string | undefined;
  const say = (block: Open & { type: 'text' }, piece: string) => {
    if (piece === '') return;
    block.text += piece;
    onEvent({ type: 'text', text: piece });
  };
  return {
    start(index: number, { text = '', ...begun }: z.infer<typeof BlockStart>): void {
      const block = opened(begun);
      if (!block) return;
      blocks.push(block);
      open.set(index, block);
      if (block.type === 'text') say(block, text);
    },
    add(index: number, delta: z.infer<typeof BlockDelta>): void {
      const block = open.get(index);
      const { text = '', partial_json = '', thinking = '', signature = '' } = delta;
      if (delta.type === 'text_delta' && block?.type === 'text') say(block, text);
      if (delta.type === 'input_json_delta' && block?.type === 'tool_use') {
        block.json += partial_json;
        const { id, name } = block;
        if (partial_json !== '') onEvent({ type: 'tool_input', id, name, text: partial_json });
      }
      if (delta.type === 'thinking_delta' && block?.type === 'thinking') {
        block.thinking += thinking;
        if (thinking !== '') onEvent({ type: 'thinking', text: thinking });
      }
      if (delta.type === 'signature_delta' && block?.type === 'thinking') block.signature += signature;
    },
    stop(index: number): void {
      const block = open.get(index);
      open.delete(index);
      if (block?.type !== 'tool_use') return;
      const input = parseInput(block.json);
      if (input === undefined) {
        broken = block.name;
        return;
      }
      const call = { id: block.id, ...toAbstract({ name: block.name, input: input.value }) };
      block.part = { type: 'tool_call', ...call };
      onEvent({ type: 'tool_call', ...call });
    },
    /** The parts in their order. `broken`: a call whose input is no JSON, which is none of them. */
    end: () => ({ parts: blocks.flatMap(partsOf), broken }),
  };
}

function opened(begun: Omit<z.infer<typeof BlockStart>, 'text'>): Open | undefined {
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
      return { type, id, name, json: '' };
    default:
      return undefined;
  }
}

function partsOf(block: Open): GivenPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [block];
    case 'tool_use':
      return block.part ? [block.part] : [];
    default:
      return [{ type: 'opaque', data: block }];
  }
}

function parseInput(json: string): { value: unknown } | undefined {
  if (json === '') return { value: {} };
  try {
    return { value: JSON.parse(json) };
  } catch {
    // `broken` tells of it by the name of the call.
    return undefined;
  }
}

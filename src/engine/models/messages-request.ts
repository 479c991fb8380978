// A request of the Messages API as a program of others writes it, read into the words of the seam to models.
import { jsonOf } from '@echelon/ground';
import { z } from 'zod';
import type { ModelPart, ModelRequest, OpaquePart } from './model.ts';

/** The parts of a call that a program may set. */
export type DoorRequest = Pick<ModelRequest, 'system' | 'messages' | 'tools'>;

export interface Asked {
  request: DoorRequest;
  /** As the program calls it, to be called so in the answer; which one replies is not its to say. */
  model: string;
  stream: boolean;
}

const AnyBlock = z.looseObject({ type: z.string() });
const Text = z.object({ type: z.literal('text'), text: z.string() });

/** The blocks that have a place in a conversation here. */
const Block = z.discriminatedUnion('type', [
  Text,
  z.object({ type: z.literal('tool_use'), id: z.string(), name: z.string(), input: z.unknown() }),
  z.object({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(AnyBlock)]).default(''),
    is_error: z.boolean().optional(),
  }),
  z.object({ type: z.literal('thinking'), signature: z.string() }),
  z.object({ type: z.literal('redacted_thinking'), data: z.string() }),
]);

const Body = z.object({
  model: z.string().max(200),
  stream: z.boolean().default(false),
  system: z.union([z.string(), z.array(Text)]).default(''),
  messages: z.array(z.object({ role: z.string(), content: z.union([z.string(), z.array(AnyBlock)]) })),
  tools: z
    .array(
      z.object({
        type: z.string().default('custom'),
        name: z.string(),
        description: z.string().default(''),
        input_schema: z.record(z.string(), z.unknown()).optional(),
      }),
    )
    .default([]),
});

/** `given`: the thinking that this program was given, by its signature or its data. */
export function asked(text: string, given: ReadonlyMap<string, OpaquePart>): Asked | { problem: string } {
  const json = jsonOf(text);
  if (json === undefined) return { problem: 'the body is not JSON' };
  const { data, error } = Body.safeParse(json);
  if (!data) return { problem: z.prettifyError(error) };
  const { model, stream, system } = data;
  return {
    model,
    stream,
    request: {
      system: { stable: textOf(system), changing: '' },
      messages: data.messages.map(({ role, content }) => ({
        // A program's messages between the turns, under any name, count as the user's.
        role: role === 'assistant' ? role : 'user',
        content:
          typeof content === 'string'
            ? [{ type: 'text', text: content }]
            : content.flatMap(block => partOf(block, given)),
      })),
      // A tool with a type is one that the provider carries out, or fetches something for.
      tools: data.tools.flatMap(({ type, name, description, input_schema: input }) =>
        type === 'custom' && input ? [{ name, description, input }] : [],
      ),
    },
  };
}

/** Images and documents, and whatever comes to be, are told by their kind: an address in them is fetched by nobody. */
function partOf(raw: z.infer<typeof AnyBlock>, given: ReadonlyMap<string, OpaquePart>): ModelPart[] {
  const { data: block } = Block.safeParse(raw);
  if (!block) return [{ type: 'text', text: leftOut(raw) }];
  switch (block.type) {
    case 'text':
      return [block];
    case 'tool_use':
      return [{ type: 'tool_call', id: block.id, name: block.name, input: block.input }];
    case 'tool_result': {
      const { tool_use_id: id, content, is_error } = block;
      return [{ type: 'tool_result', id, content: textOf(content), ...(is_error && { is_error }) }];
    }
    default: {
      const own = given.get(block.type === 'thinking' ? block.signature : block.data);
      return own ? [own] : [];
    }
  }
}

const leftOut = ({ type }: z.infer<typeof AnyBlock>) => `[${type.slice(0, 50)}: cannot be shown here]`;

const textOf = (content: string | readonly z.infer<typeof AnyBlock>[]): string =>
  typeof content === 'string'
    ? content
    : content.map(block => Text.safeParse(block).data?.text ?? leftOut(block)).join('\n\n');

// Requests that Anthropic's Messages API refuses, by its published rules, for the local servers that stand in for it.
// https://platform.claude.com/docs/en/api/messages, .../build-with-claude/prompt-caching, .../extended-thinking and
// .../models/opus-5-5/migration-guide
import { z } from 'zod';
import { findRow } from '../../../src/engine/models/table.ts';

const cache_control = z
  .strictObject({ type: z.literal('ephemeral'), ttl: z.enum(['5m', '1h']).optional() })
  .optional();
const words = z.string().refine(text => text.trim() !== '', 'text content blocks must be non-empty');
const text = z.strictObject({ type: z.literal('text'), text: words, cache_control });
const name = z.string().regex(/^[a-zA-Z0-9_-]{1,128}$/);
const id = z.string().regex(/^[a-zA-Z0-9_-]+$/);
const content = z.union([words, z.array(text).min(1)]);
/** https://platform.claude.com/docs/en/build-with-claude/vision */
const image = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
    data: z.base64().max(5 << 20),
  }),
  cache_control,
});
const result = z.strictObject({
  type: z.literal('tool_result'),
  tool_use_id: id,
  content: z.union([z.string(), z.array(text)]).optional(),
  is_error: z.boolean().optional(),
  cache_control,
});
const use = z.strictObject({
  type: z.literal('tool_use'),
  id,
  name,
  input: z.looseObject({}),
  cache_control,
});
const thinking = z.strictObject({
  type: z.literal('thinking'),
  thinking: z.string(),
  signature: z.string().min(1),
});
const redacted = z.strictObject({ type: z.literal('redacted_thinking'), data: z.string().min(1) });

/** https://platform.claude.com/docs/en/build-with-claude/structured-outputs: of what is sent here. */
const Schema: z.ZodType = z.lazy(() =>
  z.union([
    z.strictObject({
      type: z.literal('object'),
      properties: z.record(z.string(), Schema),
      required: z.array(z.string()).optional(),
      additionalProperties: z.literal(false),
      description: z.string().optional(),
    }),
    z.strictObject({ type: z.literal('array'), items: Schema, description: z.string().optional() }),
    z.strictObject({ anyOf: z.array(Schema).min(1), description: z.string().optional() }),
    z.strictObject({
      type: z.enum(['string', 'number', 'integer', 'boolean', 'null']).optional(),
      enum: z.array(z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
      const: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
      description: z.string().optional(),
    }),
  ]),
);

const Body = z.strictObject({
  model: z.string(),
  max_tokens: z.int().min(1),
  stream: z.literal(true),
  system: z.union([words, z.array(text).min(1)]).optional(),
  messages: z
    .array(
      z.discriminatedUnion('role', [
        z.strictObject({
          role: z.literal('user'),
          content: content.or(z.array(z.union([text, image, result])).min(1)),
        }),
        z.strictObject({
          role: z.literal('assistant'),
          content: content.or(z.array(z.union([text, use, thinking, redacted])).min(1)),
        }),
      ]),
    )
    .min(1),
  tools: z
    .array(
      z.union([
        z.strictObject({
          name,
          description: z.string().optional(),
          input_schema: z.looseObject({ type: z.literal('object') }),
          cache_control,
        }),
        z.strictObject({ type: z.literal('bash_20250124'), name: z.literal('bash'), cache_control }),
        z.strictObject({
          type: z.literal('text_editor_20250728'),
          name: z.literal('str_replace_based_edit_tool'),
          max_characters: z.int().optional(),
          cache_control,
        }),
      ]),
    )
    .min(1)
    .optional(),
  // No sampling parameters: a temperature, too, is refused by the models that always think.
  output_config: z
    .strictObject({
      effort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
      format: z.strictObject({ type: z.literal('json_schema'), schema: Schema }).optional(),
    })
    .optional(),
  thinking: z.strictObject({ type: z.literal('adaptive') }).optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'none']) }).optional(),
});
type Body = z.infer<typeof Body>;

/** Of the four that a request may have. */
const MAX_MARKS = 4;

/** Returns the reason that the API would refuse a request, otherwise undefined. */
export function messagesFault(given: unknown): string | undefined {
  const { data: body, error } = Body.safeParse(given);
  if (!body) return z.prettifyError(error);
  const most = findRow(body.model)?.output;
  if (most !== undefined && body.max_tokens > most) return `max_tokens: ${body.max_tokens} > ${most}`;
  const marks = JSON.stringify(given).match(/"cache_control":/g)?.length ?? 0;
  if (marks > MAX_MARKS)
    return `A maximum of ${MAX_MARKS} blocks with cache_control may be provided. Found ${marks}.`;
  const names = body.tools?.map(tool => tool.name) ?? [];
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.';
  return conversationFault(body);
}

function conversationFault({ messages, tools }: Body): string | undefined {
  if (messages[0]?.role !== 'user') return 'messages: first message must use the "user" role';
  if (messages.at(-1)?.role === 'assistant') return 'This model does not support assistant message prefill.';
  let open: string[] = [];
  const used = new Set<string>();
  for (const [at, { role, content: all }] of messages.entries()) {
    const blocks = typeof all === 'string' ? [] : all;
    const answered = blocks.flatMap(each => (each.type === 'tool_result' ? [each.tool_use_id] : []));
    const stray = answered.find(one => !open.includes(one));
    if (stray)
      return `messages.${at}: unexpected tool_use_id ${stray}: no tool_use block in the previous message`;
    const left = open.find(one => !answered.includes(one));
    if (left)
      return `messages.${at - 1}: tool_use ids were found without tool_result blocks immediately after: ${left}`;
    const kinds = blocks.map(({ type }) => type === 'tool_result');
    if (role === 'user' && answered.length > 0 && kinds.lastIndexOf(true) !== answered.length - 1)
      return `messages.${at}: tool_result blocks must come first in the content`;
    open = blocks.flatMap(each => (each.type === 'tool_use' ? [each.id] : []));
    for (const one of open) {
      if (used.has(one)) return `messages.${at}: tool_use ids must be unique`;
      used.add(one);
    }
    if (open.length > 0 && !tools) return 'Requests which include tool_use blocks must define tools';
  }
  return undefined;
}

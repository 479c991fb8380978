// A server's descriptions and answers: words of others, bounded, and marked as such.
import type { ContentBlock, Tool as Listed } from '@modelcontextprotocol/client';
import { isObject, type Json, type JsonObject, seen, shortened } from '@echelon/ground';
import { fencedOff, quotedLine } from '../../language/quote.ts';
import { serverMark, type ToolSpec } from '../../language/tool.ts';
import { nameProblem } from '../tools/own-tools.ts';
import { cut, maxAnswer } from '../tools/search.ts';

/** Characters of a description, of a text in a schema, and of a schema as JSON. */
const MAX_DESCRIPTION = 1000;
const MAX_TEXT = 300;
const MAX_SCHEMA = 16_384;

/** A tool as the model is told of it. `theirs`: its name at the server. */
export interface ServedTool extends ToolSpec {
  theirs: string;
  readOnly: boolean;
}

/** Converts a listed tool for the model, or gives the reason to omit it. `_` replaces characters invalid in names. */
export function servedTool(server: string, listed: Listed): ServedTool | { leftOut: string } {
  const name = `${server}${serverMark}${listed.name.replace(/[^\w-]/g, '_')}`;
  const problem = nameProblem(name);
  if (problem !== undefined) return { leftOut: problem };
  const input = plainSchema(listed.inputSchema);
  if (!input) return { leftOut: `its schema cannot be read, or has more than ${MAX_SCHEMA} characters` };
  const own = quotedLine(shortened(seen(listed.description ?? '').text, MAX_DESCRIPTION));
  return {
    ...{ name, input, theirs: listed.name },
    description: `A tool of the server ${server}, which says of it: ${own}`,
    readOnly: listed.annotations?.readOnlyHint === true,
  };
}

function plainSchema(given: unknown): JsonObject | undefined {
  try {
    const text = JSON.stringify(given, (_key, value) =>
      typeof value === 'string' ? shortened(seen(value).text, MAX_TEXT) : value,
    );
    if (text === undefined || text.length > MAX_SCHEMA) return undefined;
    const schema: Json = JSON.parse(text);
    return isObject(schema) && schema['type'] === 'object' ? schema : undefined;
  } catch {
    // Nested deeper than anybody can write it.
    return undefined;
  }
}

/** Its answer, between fences, so that none of it can pass for anybody else's words. */
export function answered(
  server: string,
  { content, structuredContent }: { content: readonly ContentBlock[]; structuredContent?: unknown },
  mask: (text: string) => string,
): string {
  const texts = content.map(textOf);
  if (texts.length === 0 && structuredContent !== undefined) texts.push(JSON.stringify(structuredContent));
  const text = cut(mask(seen(texts.join('\n')).text), maxAnswer - 200);
  return `The server ${server} answered, as data:\n${fencedOff(text) || '(nothing)'}`;
}

function textOf(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type} of type ${block.mimeType}, left out]`;
    case 'resource_link':
      return `[link to ${block.uri}]`;
    case 'resource':
      return 'text' in block.resource ? block.resource.text : `[${block.resource.uri}, no text, left out]`;
  }
}

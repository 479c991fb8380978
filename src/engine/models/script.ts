// The script of a scripted model: its schema, and the parser that says what is wrong where.
import { parseDocument } from 'yaml';
import { z } from 'zod';
import { messageOf } from '@echelon/ground';
import { failureClasses } from './model.ts';

const tokens = z.int().min(0);

/** Usage that a reply reports; `cost_usd` in US dollars, 0 when absent. */
const ScriptedUsage = z.strictObject({
  input_tokens: tokens,
  output_tokens: tokens,
  cache_read_tokens: tokens,
  cache_write_tokens: tokens,
  cost_usd: z.number().min(0).optional(),
});

const ScriptedToolCall = z.strictObject({ name: z.string().min(1), input: z.json() });

/** A failure to play; `retry_after` in seconds, as the HTTP header has it. */
const ScriptedError = z.strictObject({
  type: z.enum(failureClasses),
  retry_after: z.number().min(0).optional(),
});

const reply = {
  /** Sought, case-sensitively, in everything the request holds. */
  when: z.string().min(1).optional(),
  /** Number of times it may be played in a scope; 1 when absent. */
  times: z.int().min(1).optional(),
  text: z.string().optional(),
  tool_calls: z.array(ScriptedToolCall).min(1).optional(),
  /** The stop reason, if it does not follow from the content. */
  stop: z.enum(['end', 'max_output', 'refusal']).optional(),
  usage: ScriptedUsage.optional(),
  /** Played after `text` was streamed, so that a failure in the middle of a stream can be scripted. */
  error: ScriptedError.optional(),
  delay_ms: z.int().min(0).optional(),
};

const plays = ({ text, tool_calls, error }: { text?: unknown; tool_calls?: unknown; error?: unknown }) =>
  text !== undefined || tool_calls !== undefined || error !== undefined;
const nothing = { error: 'has nothing to play: give it "text", "tool_calls" or "error"' };

/** A reply where it is plain which task it is for. */
export const ScriptedReply = z.strictObject(reply).refine(plays, nothing);

export const ScriptReply = z
  /** The name of the task, in which `*` matches anything. */
  .strictObject({ for: z.string().min(1), ...reply })
  .refine(plays, nothing);
export type ScriptReply = z.infer<typeof ScriptReply>;

export const Script = z.strictObject({ version: z.literal(1), replies: z.array(ScriptReply) });
export type Script = z.infer<typeof Script>;

/** Parses a script file. `file` is only its name, for messages. Throws an Error with every problem found and its place. */
export function parseScript(text: string, file: string): Script {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    // The parser of JSON tells no place; to that of YAML nearly all that is no JSON is wrong as well.
    const [start] = parseDocument(text).errors[0]?.linePos ?? [];
    const at = start ? `${file}:${start.line}:${start.col}` : file;
    throw new Error(`${at}: not valid JSON: ${messageOf(cause)}`, { cause });
  }
  const { data, error } = Script.safeParse(json);
  if (data) return data;
  const problems = error.issues.map(
    ({ path, message }) => `${file}: ${z.core.toDotPath(path) || 'the top level'}: ${message}`,
  );
  throw new Error(problems.join('\n'));
}

// A trace for people: a section for each model call, with what was new to the model and what it answered.
import { isObject, type Json } from '../../../lib/json.ts';
import { fencedOff } from '../../language/quote.ts';
import type { Spent } from '../../language/result.ts';
import { type Span, type SpanSink, tokensIn } from './spans.ts';

/** `put` gets each section, `clean` goes over every text. */
export function markdownSink(put: (text: string) => void, clean: (value: Json) => Json): SpanSink {
  let calls = 0;
  return {
    begin: (name, at) => put(`# Trace of ${inline(`${clean(name)}`)}\n\nBegun ${stamp(at)}.\n`),
    write(span) {
      const cleaned = { ...span, attributes: clean(span.attributes as Json) as Span['attributes'] };
      const operation = span.attributes['gen_ai.operation.name'];
      if (operation === 'chat') put(`\n${callSection(cleaned, ++calls, clean)}`);
      else if (operation === 'execute_tool') put(`\n${toolSection(cleaned, clean)}`);
      else if (span.attributes['process.command_line'] !== undefined)
        put(`\n${scriptSection(cleaned, clean)}`);
      else if (span.attributes['echelon.task.path'] !== undefined) put(`\n${taskLine(cleaned, clean)}`);
    },
    end: (total, ms) => put(`\n## In total\n\n${spentText(total)}, ${seconds(ms)}.\n`),
  };
}

type Clean = (value: Json) => Json;

function callSection(span: Span, n: number, clean: Clean): string {
  const { attributes: a, events, error } = span;
  const asked = [a['gen_ai.input.messages'] ?? []].flat().filter(isObject);
  const last = asked.findLastIndex(({ role }) => role === 'assistant');
  const system = last < 0 ? [a['gen_ai.system_instructions'] ?? []].flat() : [];
  const fresh = asked.slice(last + 1).flatMap(({ parts }) => [parts ?? []].flat());
  const said = [a['gen_ai.output.messages'] ?? []].flat().filter(isObject);
  const answered = said.flatMap(({ parts }) => [parts ?? []].flat());
  const [reason] = [a['gen_ai.response.finish_reasons'] ?? []].flat();
  const tries = events.map(
    ({ at, attributes }) =>
      `- ${stamp(at)} a try of ${inline(attributes['gen_ai.request.model'])} failed (${inline(attributes['exception.type'])}): ${inline(clean(attributes['exception.message'] ?? ''))}`,
  );
  const instead = a['echelon.response.instead'];
  return sections([
    `## ${n}. ${inline(a['gen_ai.agent.name'])}`,
    [
      `- session ${inline(a['gen_ai.conversation.id'])}, model ${inline(a['gen_ai.request.model'])}, begun ${stamp(span.started)}, ${seconds(span.ended - span.started)}`,
      ...(said.length > 0 ? [`- ${spentOf(span)}`] : []),
      ...tries,
      ...(instead === undefined
        ? []
        : [`- ${inline(a['gen_ai.response.model'])} answered instead: ${inline(instead)}`]),
      ...(error ? [`- failed (${inline(error.type)}): ${inline(clean(error.message))}`] : []),
    ].join('\n'),
    ...system.flatMap(part => partText('System', part)),
    ...fresh.flatMap(part => partText('Prompt', part)),
    ...answered.flatMap(part => partText(`Reply (${reason})`, part)),
  ]);
}

function partText(what: string, part: Json): string[] {
  if (!isObject(part)) return [];
  if (part['type'] === 'tool_call')
    return [`**Calls ${inline(part['name'])}**`, fence(JSON.stringify(part['arguments'], undefined, 2))];
  if (part['type'] === 'tool_call_response') return ['**Answer of the call**', fence(part['response'])];
  return [`**${what}**`, fence(part['content'])];
}

function toolSection(span: Span, clean: Clean): string {
  const { attributes: a, error } = span;
  const input = a['gen_ai.tool.call.arguments'];
  const code = isObject(input) && typeof input['code'] === 'string' ? input['code'] : undefined;
  const failed = a['error.type'];
  return sections([
    `### Tool ${inline(a['gen_ai.tool.name'])}: ${seconds(span.ended - span.started)}${failed === undefined ? '' : `, failed (${inline(failed)})`}`,
    fence(code ?? JSON.stringify(input, undefined, 2)),
    '**Answer**',
    fence(error ? clean(error.message) : a['gen_ai.tool.call.result']),
  ]);
}

function scriptSection(span: Span, clean: Clean): string {
  const { attributes: a, error } = span;
  return sections([
    `### Script: ${error ? 'failed' : `exited ${a['process.exit.code']}`} after ${seconds(span.ended - span.started)}`,
    fence(a['process.command_line']),
    '**Output**',
    fence(error ? clean(error.message) : a['echelon.script.output']),
  ]);
}

function taskLine(span: Span, clean: Clean): string {
  const { attributes: a, error } = span;
  const end = error ? `failed (${inline(error.type)})` : `ended as ${a['echelon.task.status']}`;
  const spent = a['echelon.model_calls'] === undefined ? '' : `: ${spentOf(span)}`;
  return sections([
    `### Task ${inline(a['echelon.task.name'])} ${end} after ${seconds(span.ended - span.started)}`,
    `${inline(a['echelon.task.path'])}, of type ${a['echelon.task.type']}${spent}`,
    fence(error ? clean(error.message) : a['echelon.task.content']),
  ]);
}

const sections = (parts: readonly string[]) => `${parts.filter(part => part !== '').join('\n\n')}\n`;

function spentOf({ attributes: a }: Span): string {
  const number = (name: keyof typeof a) => Number(a[name] ?? 0);
  const read = number('gen_ai.usage.cache_read.input_tokens');
  const written = number('gen_ai.usage.cache_creation.input_tokens');
  return spentText({
    turns: number('echelon.model_calls'),
    cost_usd: number('echelon.cost_usd'),
    usage: {
      input_tokens: number('gen_ai.usage.input_tokens') - read - written,
      output_tokens: number('gen_ai.usage.output_tokens'),
      ...{ cache_read_tokens: read, cache_write_tokens: written },
    },
  });
}

function spentText({ turns, cost_usd, usage }: Spent): string {
  const cached = usage.cache_read_tokens > 0 ? ` (${usage.cache_read_tokens} of them from the cache)` : '';
  const calls = `${turns} model ${turns === 1 ? 'call' : 'calls'}`;
  return `${calls}, ${tokensIn(usage)} tokens in${cached}, ${usage.output_tokens} out, $${cost_usd.toFixed(4)}`;
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const stamp = (ms: number) => new Date(ms).toISOString();

/** What nobody would see is written out, so that it cannot hide anything, or turn a line around. */
const visible = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, found => `\\u{${found.codePointAt(0)?.toString(16)}}`);

/** A text between fences longer than any run of backticks in it. */
const fence = (text: Json | undefined) => fencedOff(visible(typeof text === 'string' ? text : ''));

/** A text of one line as inline code. */
const inline = (text: Json | undefined) =>
  `\`${
    visible(String(text ?? ''))
      .replace(/[\s`]+/g, ' ')
      .trim() || ' '
  }\``;

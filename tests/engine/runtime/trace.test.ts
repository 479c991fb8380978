// A trace of a run: spans in their tree with OpenTelemetry's names, secrets masked.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { TaskError } from '../../../src/engine/language/result.ts';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import { modelNames } from '../../../src/engine/models/names.ts';
import type { ScriptReply } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { evaluationOf, lazySandbox } from '../../../src/engine/runtime/evaluation.ts';
import { attributeTypes } from '../../../src/engine/runtime/trace/attributes.ts';
import { traceFile } from '../../../src/engine/runtime/trace/trace-file.ts';
import { tellingTries } from '../../../src/engine/runtime/trace/spans.ts';
import { evaluate } from '../../../src/engine/tasks/evaluate.ts';
import type { Json } from '../../../packages/ground/lib/json.ts';
import { masker } from '../../../packages/ground/lib/mask.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { temporary } from '../../ground/workspace/fixture.ts';
import { parsed } from '../tasks/surroundings.ts';
import { reasoning } from './reasoning.ts';

/**
 * Names and types of the registry, as published:
 * https://github.com/open-telemetry/semantic-conventions/blob/v1.41.1/docs/registry/attributes/gen-ai.md (and error.md,
 * exception.md, process.md beside it). `any` is a structure, which a span may have as JSON text.
 */
const published: Readonly<Record<string, string>> = {
  'gen_ai.agent.name': 'string',
  'gen_ai.conversation.id': 'string',
  'gen_ai.input.messages': 'any',
  'gen_ai.operation.name': 'string',
  'gen_ai.output.messages': 'any',
  'gen_ai.output.type': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.model': 'string',
  'gen_ai.request.temperature': 'double',
  'gen_ai.response.finish_reasons': 'string[]',
  'gen_ai.response.model': 'string',
  'gen_ai.system_instructions': 'any',
  'gen_ai.tool.call.arguments': 'any',
  'gen_ai.tool.call.result': 'any',
  'gen_ai.tool.definitions': 'any',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.usage.cache_creation.input_tokens': 'int',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.workflow.name': 'string',
  'error.type': 'string',
  'exception.message': 'string',
  'exception.type': 'string',
  'process.command_line': 'string',
  'process.exit.code': 'int',
};

test('names are the published ones, of their types, or our own', () => {
  const names = Object.entries(attributeTypes).filter(([name]) => !name.startsWith('echelon.'));
  expect(Object.fromEntries(names.map(([name, type]) => [name, type === 'json' ? 'any' : type]))).toEqual(
    published,
  );
});

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: Record<string, unknown> }[];
  events?: { name: string; attributes: OtlpSpan['attributes'] }[];
  status?: { code: number; message: string };
}

const spansOf = (text: string): OtlpSpan[] =>
  text
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line).resourceSpans[0].scopeSpans[0].spans[0]);

const attributeOf = (span: OtlpSpan | undefined, name: string): unknown =>
  Object.values(span?.attributes.find(({ key }) => key === name)?.value ?? {})[0];

const program = `<task type="sequential" name="note">
  <steps>
    <task name="read"><instructions>Be brief.</instructions><description>Read it.</description><tools>read_file</tools></task>
    <task type="map" name="each">
      <over>["a", "b"]</over>
      <inner_task><task name="say"><description>{{item}}: {{read}}</description></task></inner_task>
    </task>
  </steps>
</task>`;

const used = { input_tokens: 10, output_tokens: 2, cache_read_tokens: 5, cache_write_tokens: 1 };
const secret = 'hunter2-of-the-operator';
const hostile = `x\n\`\`\`\`\n# Not a heading\r\n\u202etxet ${secret}`;
const replies: ScriptReply[] = [
  { for: 'read', error: { type: 'rate_limit' } },
  {
    for: 'read',
    tool_calls: [{ name: 'read_file', input: { path: 'a.txt' } }],
    usage: { ...used, cost_usd: 0.25 },
  },
  { for: 'read', text: hostile, usage: { ...used, cost_usd: 0.5 } },
  { for: 'say', text: 'said', times: 2, usage: { ...used, cost_usd: 1 } },
];

/** Runs `source` into a new file. `behind`: the models behind each. */
async function traced(
  played: readonly ScriptReply[] = replies,
  { source = program, behind = () => [] as string[] } = {},
): Promise<{ mode: number; text: string; ended: Promise<unknown> }> {
  await using folder = await temporary();
  const file = join(folder.path, 'trace.jsonl');
  const trace = traceFile(file, masker([secret]));
  const clock = testClock();
  const model = scriptedModel({ version: 1, replies: [...played] }, { clock });
  const { library } = createLibrary([]);
  const options = evaluationOf({
    model: guarded(tellingTries(model, trace), { clock, behind }).within({ most: 10 }),
    ...{ library, trace, sandbox: lazySandbox(), settings: {}, clock: { ...clock, now: Date.now } },
    ...{ models: modelNames({ models: {}, rows: {} }), reasoning },
    signal: new AbortController().signal,
    tools: [bindTool('read_file', async ({ path }) => `text of ${path}, ${secret}`)],
  });
  const ended = evaluate(parsed(source), {}, options);
  await ended.catch(() => {});
  trace.end();
  return { mode: statSync(file).mode & 0o777, text: readFileSync(file, 'utf8'), ended };
}

test('each task, session, model call and tool call is a span within the one around it', async () => {
  const { text, mode, ended } = await traced();
  await ended;
  expect(mode).toBe(0o600);
  const spans = spansOf(text);
  const byId = new Map(spans.map(span => [span.spanId, span]));
  const pathOf = (span: OtlpSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return `${parent ? `${pathOf(parent)} > ` : ''}${span.name.replace(/^chat .*/, 'chat')}`;
  };
  const root = 'invoke_workflow note';
  const say = `${root} > each > say`;
  expect(spans.map(pathOf).sort()).toEqual(
    [
      ...[root, `${root} > read`, `${root} > read > invoke_agent read`],
      ...Array.from({ length: 2 }, () => `${root} > read > invoke_agent read > chat`),
      `${root} > read > invoke_agent read > execute_tool read_file`,
      `${root} > each`,
      ...[say, say, `${say} > invoke_agent say`, `${say} > invoke_agent say`],
      ...[`${say} > invoke_agent say > chat`, `${say} > invoke_agent say > chat`],
    ].sort(),
  );
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  for (const { spanId, traceId, startTimeUnixNano: from, endTimeUnixNano: to } of spans) {
    expect(spanId).toMatch(/^[0-9a-f]{16}$/);
    expect(traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(BigInt(to) - BigInt(from)).toBeGreaterThanOrEqual(0n);
    expect(from).toMatch(/^\d{19}$/);
  }
});

test('a model call has what was sent, what came, what it cost, and the tries that failed', async () => {
  const { text } = await traced();
  const spans = spansOf(text);
  const [first, second] = spans.filter(({ name }) => name.startsWith('chat '));
  expect(first).toMatchObject({ kind: 3 });
  expect(attributeOf(first, 'gen_ai.provider.name')).toBe('scripted');
  expect(JSON.parse(String(attributeOf(first, 'gen_ai.system_instructions')))).toMatchObject([
    { type: 'text', content: expect.stringContaining('Be brief.') },
  ]);
  expect(first?.events?.map(({ name, attributes }) => [name, attributes[0]?.value])).toEqual([
    ['gen_ai.client.operation.exception', { stringValue: 'rate_limit' }],
  ]);
  // With those of the cache, as the convention counts them.
  expect(attributeOf(second, 'gen_ai.usage.input_tokens')).toBe('16');
  expect(attributeOf(second, 'gen_ai.usage.cache_read.input_tokens')).toBe('5');
  expect(attributeOf(second, 'echelon.cost_usd')).toBe(0.5);
  expect(attributeOf(second, 'gen_ai.response.finish_reasons')).toEqual({
    values: [{ stringValue: 'stop' }],
  });
  const asked = JSON.parse(String(attributeOf(second, 'gen_ai.input.messages')));
  expect(asked).toMatchObject([
    { role: 'user', parts: [{ type: 'text', content: 'Read it.' }] },
    { role: 'assistant', parts: [{ type: 'tool_call', name: 'read_file', arguments: { path: 'a.txt' } }] },
    { role: 'tool', parts: [{ type: 'tool_call_response', response: expect.stringContaining('a.txt') }] },
  ]);
  expect(JSON.parse(String(attributeOf(second, 'gen_ai.output.messages')))).toEqual([
    {
      ...{ role: 'assistant', finish_reason: 'stop' },
      parts: [{ type: 'text', content: hostile.replace(secret, '***') }],
    },
  ]);
  const root = spans.find(({ parentSpanId }) => parentSpanId === undefined);
  expect(attributeOf(root, 'echelon.cost_usd')).toBe(2.75);
  expect(attributeOf(root, 'echelon.model_calls')).toBe('4');
  expect(spans.at(-1)).toBe(root);
});

const one = { source: '<task name="say"><description>Say it.</description></task>' };

test('another model that answers, and a call that fails for good, are told', async () => {
  const other = 'claude-haiku-5-5';
  const limited: ScriptReply = { for: 'say', error: { type: 'rate_limit', retry_after: 300 } };
  const behind = () => [other];
  const instead = await traced([limited, { for: 'say', text: 'said' }], { ...one, behind });
  const call = spansOf(instead.text).find(({ name }) => name.startsWith('chat '));
  expect(attributeOf(call, 'gen_ai.response.model')).toBe(other);
  expect(attributeOf(call, 'echelon.response.instead')).toContain('rate_limit');

  const failing = await traced([{ for: 'say', error: { type: 'quota' } }], one);
  await expect(failing.ended).rejects.toThrow(TaskError);
  expect(
    spansOf(failing.text).map(span => [
      span.name.split(' ')[0],
      attributeOf(span, 'error.type'),
      span.status?.code,
    ]),
  ).toEqual([
    ['chat', 'quota', 2],
    ['invoke_agent', 'model_failure', 2],
    ['invoke_workflow', 'model_failure', 2],
  ]);
});

test('nothing is written over, and nothing is made before the run begins', async () => {
  await using folder = await temporary();
  const file = join(folder.path, 't.jsonl');
  const trace = traceFile(file, text => text);
  expect(existsSync(file)).toBe(false);
  writeFileSync(file, 'mine');
  await expect(trace.span({ name: 'x', attributes: () => ({}) }, async () => 1)).rejects.toThrow('EEXIST');
  trace.end();
  expect(readFileSync(file, 'utf8')).toBe('mine');
});

test('a span that cannot be written does not fail the run, and no later one is written', async () => {
  await using folder = await temporary();
  const file = join(folder.path, 't.jsonl');
  const trace = traceFile(file, text => text);
  let deep: Json = [];
  for (let n = 0; n < 100_000; n++) deep = [deep];
  const span = (result: Json) =>
    trace.span({ name: 'x', attributes: () => ({ 'gen_ai.tool.call.result': result }) }, async () => 'done');
  await span('first');
  expect(trace.lost()).toBeUndefined();
  expect([await span(deep), await span('third')]).toEqual(['done', 'done']);
  expect(trace.lost()).toContain('call stack');
  trace.end();
  expect(spansOf(readFileSync(file, 'utf8'))).toHaveLength(1);
});

// An evaluation whose tasks, sessions, model calls, tools and commands are spans of a trace.
import type { Tool } from '../../language/tool.ts';
import type { Model, ModelMessage, ModelPart, ModelReply, ModelRequest } from '../../models/model.ts';
import { findRow, type ModelRows } from '../../models/table.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { EvaluateOptions } from '../../tasks/evaluate.ts';
import type { Trace } from './spans.ts';
import type { Json } from '@echelon/ground';
import type { Attributes } from './attributes.ts';

/** Parts of an evaluation that receive requests. */
interface Asked {
  model: Model;
  modelRows?: ModelRows;
  sandbox: Sandbox;
  tools?: readonly Tool[];
  script?: EvaluateOptions['script'];
}

/** Parts whose model, tools and commands tell the trace what they are asked. */
export const tracedParts = <P extends Asked>(parts: P, trace: Trace): P => ({
  ...parts,
  model: tracedModel(parts, trace),
  sandbox: tracedSandbox(parts.sandbox, trace),
  ...(parts.tools && { tools: parts.tools.map(tool => tracedTool(tool, trace)) }),
  ...(parts.script && { script: tracedScript(parts.script, trace) }),
});

/** Options whose tasks and sessions are spans. The outermost task is the program. */
export const tracedOptions = (options: EvaluateOptions, trace: Trace): EvaluateOptions => ({
  ...options,
  async around({ name, type, key }, act) {
    const isProgram = key === options.key;
    const workflow = { 'gen_ai.operation.name': 'invoke_workflow', 'gen_ai.workflow.name': name };
    const attributes = () => ({
      ...(isProgram && workflow),
      ...{ 'echelon.task.name': name, 'echelon.task.type': type, 'echelon.task.path': key },
    });
    return await trace.span(
      { name: isProgram ? `invoke_workflow ${name}` : name, attributes },
      async span => {
        const result = await act();
        span.set({ 'echelon.task.status': result.status, 'echelon.task.content': result.content });
        return result;
      },
    );
  },
  session: (request, progress) => {
    const { task, key } = request;
    const attributes = () => ({
      ...{ 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': task },
      ...{ 'gen_ai.conversation.id': key, 'gen_ai.request.model': request.model },
    });
    const start = { name: `invoke_agent ${task}`, attributes };
    return trace.span(start, () => options.session(request, progress));
  },
});

/** One span for a call with all its tries and the models that take each other's place, as the conventions say. */
const tracedModel = ({ model, modelRows }: Asked, trace: Trace): Model => ({
  ...model,
  call: (request, onEvent) => {
    const isPlayed = model.provider === 'scripted';
    const provider = (!isPlayed && findRow(request.model, modelRows)?.provider) || model.provider;
    const attributes = () => requestAttributes(request, provider);
    return trace.span({ name: `chat ${request.model}`, kind: 'client', attributes }, async span => {
      const reply = await model.call(request, onEvent);
      span.spend({ turns: 1, usage: reply.usage, cost_usd: reply.cost_usd });
      span.set(replyAttributes(reply, request.model));
      return reply;
    });
  },
});

const toolAttributes = (name: string, input: unknown) => () => ({
  ...{ 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': name, 'gen_ai.tool.type': 'function' },
  'gen_ai.tool.call.arguments': asJson(input),
});

const tracedTool = (tool: Tool, trace: Trace): Tool => ({
  ...tool,
  run: (input, signal) => {
    const start = { name: `execute_tool ${tool.name}`, attributes: toolAttributes(tool.name, input) };
    return trace.span(start, async span => {
      const answer = await tool.run(input, signal);
      span.set({ 'gen_ai.tool.call.result': answer });
      return answer;
    });
  },
});

const tracedSandbox = (sandbox: Sandbox, trace: Trace): Sandbox => ({
  ...sandbox,
  run: request => {
    const start = { name: 'execute_tool js', attributes: toolAttributes('js', { code: request.code }) };
    return trace.span(start, async span => {
      const outcome = await sandbox.run(request);
      span.set(
        outcome.status === 'completed'
          ? { 'gen_ai.tool.call.result': outcome.value }
          : { 'gen_ai.tool.call.result': outcome.error.message, 'error.type': outcome.error.name },
      );
      return outcome;
    });
  },
});

const tracedScript =
  (script: NonNullable<EvaluateOptions['script']>, trace: Trace): NonNullable<EvaluateOptions['script']> =>
  request => {
    const start = { name: 'script', attributes: () => ({ 'process.command_line': request.command }) };
    return trace.span(start, async span => {
      const { exit_code, stdout, stderr, ...rest } = await script(request);
      span.set({
        'process.exit.code': exit_code,
        'echelon.script.output': [stdout, stderr].filter(text => text !== '').join('\n'),
      });
      return { exit_code, stdout, stderr, ...rest };
    });
  };

/** `provider`: the one that serves the model. */
function requestAttributes(request: ModelRequest, provider: string): Attributes {
  const { model, task, key, system, messages, tools, max_output_tokens, temperature, effort, schema } =
    request;
  const texts = [system.stable, system.changing].filter(text => text !== '');
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': provider,
    'gen_ai.agent.name': task,
    // The key of a call is that of its session and the number of the call in it.
    'gen_ai.conversation.id': key.slice(0, key.lastIndexOf('/')),
    'gen_ai.request.model': model,
    'gen_ai.request.max_tokens': max_output_tokens,
    'gen_ai.request.temperature': temperature,
    'gen_ai.output.type': schema ? 'json' : 'text',
    'echelon.request.effort': effort,
    'gen_ai.system_instructions':
      texts.length > 0 ? texts.map(content => ({ type: 'text', content })) : undefined,
    'gen_ai.input.messages': messages.map(messageJson),
    'gen_ai.tool.definitions':
      tools.length > 0 ? tools.map(({ name }) => ({ type: 'function', name })) : undefined,
  };
}

function replyAttributes(reply: ModelReply, asked: string): Attributes {
  const { text, tool_calls, parts, stop, instead } = reply;
  const calls = tool_calls.map((call): ModelPart => ({ type: 'tool_call', ...call }));
  const said = parts ?? [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
  const finish_reason = finishReasons[stop];
  return {
    'gen_ai.response.model': instead?.model ?? asked,
    'gen_ai.response.finish_reasons': [finish_reason],
    'gen_ai.output.messages': [{ role: 'assistant', parts: said.flatMap(partJson), finish_reason }],
    'echelon.response.instead': instead?.why,
  };
}

const finishReasons = {
  end: 'stop',
  tool_calls: 'tool_call',
  max_output: 'length',
  refusal: 'content_filter',
} as const satisfies Record<ModelReply['stop'], string>;

function messageJson({ role, content }: ModelMessage): Json {
  const isAnswers = content.some(({ type }) => type === 'tool_result');
  return { role: isAnswers ? 'tool' : role, parts: content.flatMap(partJson) };
}

/** Parts that only their provider can read are left out. */
function partJson(part: ModelPart): Json[] {
  if (part.type === 'text') return [{ type: 'text', content: part.text }];
  if (part.type === 'opaque') return [];
  if (part.type === 'tool_result')
    return [{ type: 'tool_call_response', id: part.id, response: part.content }];
  return [{ type: 'tool_call', id: part.id, name: part.name, arguments: asJson(part.input) }];
}

/** A tool's input came out of JSON; what of it is not JSON, or is nested too deeply to be written, is left out. */
function asJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}

// What a model is sent and what it answers, in the attributes of a span.
// The forms of messages: gen-ai-input-messages.json and gen-ai-output-messages.json of the conventions.
import type { Json } from '@echelon/ground';
import type { ModelMessage, ModelPart, ModelReply, ModelRequest } from '../../models/model.ts';
import type { Attributes } from './attributes.ts';

/** `provider`: the one that serves the model. */
export function requestAttributes(request: ModelRequest, provider: string): Attributes {
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

export function replyAttributes(reply: ModelReply, asked: string): Attributes {
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

/** What only its provider can read is left out. */
function partJson(part: ModelPart): Json[] {
  if (part.type === 'text') return [{ type: 'text', content: part.text }];
  if (part.type === 'opaque') return [];
  if (part.type === 'tool_result')
    return [{ type: 'tool_call_response', id: part.id, response: part.content }];
  return [{ type: 'tool_call', id: part.id, name: part.name, arguments: asJson(part.input) }];
}

/** A tool's input came out of JSON; what of it is not JSON, or is nested too deeply to be written, is left out. */
export function asJson(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? 'null');
  } catch {
    return null;
  }
}

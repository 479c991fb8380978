// The names that a trace has for what it keeps, by OpenTelemetry's conventions for generative AI, and what each is.
// https://github.com/open-telemetry/semantic-conventions/tree/v1.41.1/docs/gen-ai (status: development)
import type { Json } from '@echelon/ground';

/** Address of the published conventions of these names. */
export const conventions = 'https://opentelemetry.io/schemas/1.41.0';

/** `json`: a structure, written as JSON text, as the conventions allow on spans. `echelon.*` are names of our own. */
export const attributeTypes = {
  'gen_ai.operation.name': 'string',
  'gen_ai.provider.name': 'string',
  'gen_ai.workflow.name': 'string',
  'gen_ai.agent.name': 'string',
  'gen_ai.conversation.id': 'string',
  'gen_ai.output.type': 'string',
  'gen_ai.request.model': 'string',
  'gen_ai.request.max_tokens': 'int',
  'gen_ai.request.temperature': 'double',
  'gen_ai.response.model': 'string',
  'gen_ai.response.finish_reasons': 'string[]',
  /** Those read from the cache and written to it included. */
  'gen_ai.usage.input_tokens': 'int',
  'gen_ai.usage.output_tokens': 'int',
  'gen_ai.usage.cache_read.input_tokens': 'int',
  'gen_ai.usage.cache_creation.input_tokens': 'int',
  'gen_ai.system_instructions': 'json',
  'gen_ai.input.messages': 'json',
  'gen_ai.output.messages': 'json',
  'gen_ai.tool.definitions': 'json',
  'gen_ai.tool.name': 'string',
  'gen_ai.tool.type': 'string',
  'gen_ai.tool.call.arguments': 'json',
  'gen_ai.tool.call.result': 'json',
  'error.type': 'string',
  'exception.type': 'string',
  'exception.message': 'string',
  'process.command_line': 'string',
  'process.exit.code': 'int',
  /** Position of the task in the program: the key of its step in a journal. */
  'echelon.task.path': 'string',
  'echelon.task.name': 'string',
  'echelon.task.type': 'string',
  /** COMPLETE, CONTINUATION or FAILED. */
  'echelon.task.status': 'string',
  'echelon.task.content': 'string',
  /** The requested depth of thinking. */
  'echelon.request.effort': 'string',
  /** Reason that another model replied than the requested one. */
  'echelon.response.instead': 'string',
  'echelon.script.output': 'string',
  /** Of the span and of all within it. */
  'echelon.model_calls': 'int',
  /** USD, the same. */
  'echelon.cost_usd': 'double',
} as const;

export type AttributeName = keyof typeof attributeTypes;
export type Attributes = { [K in AttributeName]?: Json | undefined };

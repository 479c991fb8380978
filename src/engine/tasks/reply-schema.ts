// The form of a task's final reply: in words for its model, and as JSON Schema for providers that hold a reply to one.
import { isObject, type Json, type JsonObject } from '@echelon/ground';
import type { AtomicTask, Output } from '../language/ast.ts';

/**
 * The words of JSON Schema that Anthropic, OpenAI and llama.cpp all know; a request with anything else may be refused.
 * https://platform.claude.com/docs/en/build-with-claude/structured-outputs
 */
const known = new Set(['type', 'properties', 'required', 'items', 'enum', 'const', 'anyOf', 'description']);

/**
 * Undefined where a reply may be more than can be told so: then the prompt alone says what is wanted. A director's may ask
 * for another evaluation, in notes of its own.
 */
export function replySchema({
  outputs,
  subtype,
}: Pick<AtomicTask, 'outputs' | 'subtype'>): JsonObject | undefined {
  if (subtype === 'director') return undefined;
  const members = outputs.map(output => [output.name, member(output)] as const);
  if (members.length === 0 || members.some(([, schema]) => schema === undefined)) return undefined;
  return {
    type: 'object',
    properties: { ...envelope, ...Object.fromEntries(members) },
    required: outputs.map(({ name }) => name),
    additionalProperties: false,
  };
}

/** Members that a reply may have besides; an output of such a name takes their place. */
const envelope = { status: { enum: ['COMPLETE', 'FAILED'] }, content: { type: 'string' } };

function member({ type, nullable, schema }: Output): JsonObject | undefined {
  const own = schema === undefined && type !== 'json' ? { type } : closed(schema);
  return nullable && own ? { anyOf: [own, { type: 'null' }] } : own;
}

/** The schema with its objects closed, which the providers want; undefined: they would refuse it. */
function closed(schema: Json | undefined): JsonObject | undefined {
  if (!isObject(schema) || Object.keys(schema).some(word => !known.has(word))) return undefined;
  const { type, properties, items, anyOf } = schema;
  if (Array.isArray(anyOf)) {
    const each = all(anyOf);
    return each && { ...schema, anyOf: each };
  }
  if (type === 'array') {
    const of = closed(items);
    return of && { ...schema, items: of };
  }
  if (type === 'object') {
    const each = isObject(properties) ? all(Object.values(properties)) : undefined;
    const named = each?.map((one, at) => [Object.keys(properties ?? {})[at], one]);
    return named && { ...schema, properties: Object.fromEntries(named), additionalProperties: false };
  }
  return typeof type === 'string' || 'enum' in schema || 'const' in schema ? schema : undefined;
}

function all(schemas: readonly Json[]): readonly JsonObject[] | undefined {
  const made = schemas.map(closed).filter(each => each !== undefined);
  return made.length === schemas.length ? made : undefined;
}

const kinds = { string: 'a string', number: 'a number', boolean: 'true or false', json: 'any JSON' } as const;

/** The form of an answer without outputs whose notes are all that later steps see. */
export const NOTES =
  'Later steps see nothing of your reply but its notes. End it so: <result status="COMPLETE"><content>the result</content><notes>what later steps have to know of it</notes></result>';

export function howToAnswer(outputs: readonly Output[], notesOnly: boolean): string {
  const members = outputs.map(
    ({ name, type, nullable }) => `"${name}": ${kinds[type]}${nullable ? ' or null' : ''}`,
  );
  if (notesOnly) members.push('"notes": a string, all that later steps see: what they have to know of it');
  const schemas = outputs
    .filter(({ schema }) => schema !== undefined)
    .map(
      ({ name, nullable, schema }) =>
        `\n"${name}" fits this JSON Schema${nullable ? ', unless it is null' : ''}: ${JSON.stringify(schema)}`,
    );
  return `Your final reply is one JSON object and nothing else, no text around it: {${members.join(', ')}}. Other words that are asked for are its member "content".${schemas.join('')}`;
}

// Reads a JSON Schema (draft 2020-12) into what zod checks in full. zod passes over what it does not know, so that a
// misspelt keyword would allow everything; such a schema is refused. So are `pattern`, since a regular expression
// can hold up the whole process, and schemas that refer to themselves, since checking could take exponential time.
import { isObject, type Json, type JsonObject } from '@echelon/ground';

/** Error: a schema that cannot be used. */
export class SchemaProblem extends Error {}

/** The parts that a schema may have, each counted wherever it is referred to. */
const PARTS = 500;

/**
 * The schema without annotations, with what it refers to in place of the references. Throws SchemaProblem, with the
 * path in the schema.
 */
export function plainSchema(schema: Json): Json {
  return read(schema, '', { root: schema, parts: 0, open: [] });
}

interface Reader {
  root: Json;
  parts: number;
  /** The references that are being followed. */
  open: string[];
}

/** Values of keywords that hold no schema. */
const values = {
  names: { fits: each => Array.isArray(each), called: 'a list of names' },
  count: { fits: each => Number.isInteger(each) && Number(each) >= 0, called: 'a number from 0 on' },
  number: { fits: each => typeof each === 'number', called: 'a number' },
  positive: { fits: each => typeof each === 'number' && each > 0, called: 'a number above 0' },
  boolean: { fits: each => typeof each === 'boolean', called: 'true or false' },
  word: { fits: each => typeof each === 'string', called: 'a word' },
} satisfies Record<string, { fits: (value: Json) => boolean; called: string }>;

type Kind = 'schema' | 'schemas' | 'properties' | keyof typeof values;

/** Value of each keyword, and the types it applies to (default: all). */
const keywords = new Map<string, { holds: Kind; of?: readonly string[] }>([
  ['anyOf', { holds: 'schemas' }],
  ['oneOf', { holds: 'schemas' }],
  ['allOf', { holds: 'schemas' }],
  ['properties', { holds: 'properties', of: ['object'] }],
  ['required', { holds: 'names', of: ['object'] }],
  ['additionalProperties', { holds: 'schema', of: ['object'] }],
  ['minProperties', { holds: 'count', of: ['object'] }],
  ['maxProperties', { holds: 'count', of: ['object'] }],
  ['items', { holds: 'schema', of: ['array'] }],
  ['prefixItems', { holds: 'schemas', of: ['array'] }],
  ['contains', { holds: 'schema', of: ['array'] }],
  ['minItems', { holds: 'count', of: ['array'] }],
  ['maxItems', { holds: 'count', of: ['array'] }],
  ['uniqueItems', { holds: 'boolean', of: ['array'] }],
  ['minLength', { holds: 'count', of: ['string'] }],
  ['maxLength', { holds: 'count', of: ['string'] }],
  ['format', { holds: 'word', of: ['string'] }],
  ['minimum', { holds: 'number', of: ['number', 'integer'] }],
  ['maximum', { holds: 'number', of: ['number', 'integer'] }],
  ['exclusiveMinimum', { holds: 'number', of: ['number', 'integer'] }],
  ['exclusiveMaximum', { holds: 'number', of: ['number', 'integer'] }],
  ['multipleOf', { holds: 'positive', of: ['number', 'integer'] }],
]);

const types = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

/** Says nothing about the value. zod would put a default in place of what is missing. */
const annotations = new Set(
  '$schema $id $comment $defs title description default examples deprecated readOnly writeOnly'.split(' '),
);

function read(schema: Json | undefined, path: string, reader: Reader): Json {
  const here = path === '' ? 'it' : path;
  if (typeof schema === 'boolean') return schema;
  if (!isObject(schema)) throw new SchemaProblem(`${here} is no schema: that is an object, true or false`);
  if (++reader.parts > PARTS) throw new SchemaProblem(`it has more than ${PARTS} parts`);
  const own = Object.keys(schema).filter(key => !annotations.has(key));
  if (own.includes('$ref')) return readReference(schema, own, here, reader);
  if (own.includes('enum') || own.includes('const')) return readValues(schema, own, here);

  const plain: [string, Json][] = [];
  const allowed = own.includes('type') ? readTypes(schema['type'], here) : [];
  if (allowed.length > 0) plain.push(['type', allowed.length === 1 ? allowed[0]! : allowed]);
  for (const key of own) {
    if (key === 'type') continue;
    const keyword = keywords.get(key);
    if (!keyword) throw new SchemaProblem(`${here} has "${key}", which is not supported`);
    if (keyword.of && !keyword.of.some(each => allowed.includes(each)))
      throw new SchemaProblem(`${here} has "${key}", which needs "type": "${keyword.of[0]}" beside it`);
    plain.push([key, readKeyword(schema[key]!, keyword.holds, path === '' ? key : `${path}.${key}`, reader)]);
  }
  // Without a type, zod would look at the last of these only.
  const combined = own.filter(key => key === 'anyOf' || key === 'oneOf' || key === 'allOf');
  if (combined.length > 1 && allowed.length === 0)
    throw new SchemaProblem(`${here} has "${combined.join('" and "')}", which needs a "type" beside them`);
  return withItems(withRequired(Object.fromEntries(plain)), allowed);
}

/** Without a word on its elements, zod would check nothing of a list. */
function withItems(schema: JsonObject, allowed: readonly string[]): Json {
  if (!allowed.includes('array') || 'items' in schema || 'prefixItems' in schema) return schema;
  return { ...schema, items: {} };
}

/** zod looks only at those required properties that are declared; the others are as any additional one. */
function withRequired(schema: JsonObject): JsonObject {
  const { required, properties, additionalProperties = true } = schema;
  if (!Array.isArray(required)) return schema;
  const others = required.map(name => [name, additionalProperties] as const);
  return {
    ...schema,
    properties: { ...Object.fromEntries(others), ...(isObject(properties) && properties) },
  };
}

function readReference(schema: JsonObject, own: string[], here: string, reader: Reader): Json {
  if (own.length > 1) throw new SchemaProblem(`${here} has "$ref" and more; the two cannot be combined`);
  const reference = schema['$ref'];
  const name = typeof reference === 'string' ? /^#\/\$defs\/([^/~%]+)$/.exec(reference)?.[1] : undefined;
  if (name === undefined)
    throw new SchemaProblem(`${here} has a "$ref" that is not of the form "#/$defs/name"`);
  const definitions = isObject(reader.root) ? reader.root['$defs'] : undefined;
  if (!isObject(definitions) || !Object.hasOwn(definitions, name))
    throw new SchemaProblem(`"$defs" has no "${name}"`);
  if (reader.open.includes(name))
    throw new SchemaProblem(`"${name}" refers to itself, which is not supported`);
  reader.open.push(name);
  const found = read(definitions[name], `$defs.${name}`, reader);
  reader.open.pop();
  return found;
}

function readValues(schema: JsonObject, own: string[], here: string): Json {
  const values = own.includes('enum') ? schema['enum'] : [schema['const']!];
  if (own.filter(key => key !== 'type').length > 1)
    throw new SchemaProblem(
      `${here} has "enum" or "const" and more; only "type" may stand beside one of them`,
    );
  if (!Array.isArray(values) || values.length === 0)
    throw new SchemaProblem(`${here} has an "enum" without values`);
  if (values.some(each => typeof each === 'object' && each !== null))
    throw new SchemaProblem(`${here} has an object or a list as an allowed value, which is not supported`);
  if (own.includes('type')) {
    const allowed = readTypes(schema['type'], here);
    const odd = values.find(each => !allowed.some(type => isOf(each, type)));
    if (odd !== undefined)
      throw new SchemaProblem(`${here} allows ${JSON.stringify(odd)}, which is not of its type`);
  }
  return { enum: values };
}

function isOf(value: Json, type: string): boolean {
  if (value === null) return type === 'null';
  return type === 'integer' ? Number.isInteger(value) : typeof value === type;
}

function readTypes(given: Json | undefined, here: string): string[] {
  const all = Array.isArray(given) ? given : [given];
  const odd = all.find(each => typeof each !== 'string' || !types.has(each));
  if (all.length === 0 || odd !== undefined)
    throw new SchemaProblem(
      `${here} has the type ${JSON.stringify(odd ?? given)}; known are ${[...types].join(', ')}`,
    );
  return all as string[];
}

function readKeyword(given: Json, holds: Kind, here: string, reader: Reader): Json {
  switch (holds) {
    case 'schema':
      return read(given, here, reader);
    case 'schemas':
      if (!Array.isArray(given) || given.length === 0)
        throw new SchemaProblem(`${here} is not a list of schemas`);
      return given.map((each, index) => read(each, `${here}.${index}`, reader));
    case 'properties': {
      if (!isObject(given)) throw new SchemaProblem(`${here} is not an object of schemas`);
      return Object.fromEntries(
        Object.entries(given).map(([name, each]) => {
          propertyName(name, here);
          return [name, read(each, `${here}.${name}`, reader)];
        }),
      );
    }
    default:
      if (!values[holds].fits(given)) throw new SchemaProblem(`${here} is not ${values[holds].called}`);
      if (Array.isArray(given)) for (const name of given) propertyName(name, here);
      return given;
  }
}

/** zod takes what every object inherits for a member of the value. */
function propertyName(name: Json, here: string): void {
  if (typeof name !== 'string')
    throw new SchemaProblem(`${here} holds ${JSON.stringify(name)}, which is no name`);
  if (name in Object.prototype)
    throw new SchemaProblem(`${here} has "${name}", which cannot name a property`);
}

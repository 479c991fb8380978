// The JSON Schema of an output: what is checked by it, and which schemas are refused.
import fc from '../../../properties.ts';
import { describe, expect, test } from 'vitest';
import { parseReply } from '../../../../src/engine/language/envelope/reply.ts';
import { compileSchema } from '../../../../src/engine/language/output-schema.ts';
import { TaskError } from '../../../../src/engine/language/result.ts';
import type { Json } from '../../../../packages/ground/lib/json.ts';

const point = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
const either = { anyOf: [{ type: 'null' }, { type: 'array', items: { type: 'integer' } }] };

function violations(schema: Json, value: Json): string[] {
  const check = compileSchema(schema);
  if (typeof check !== 'function') throw new Error(check.problem);
  return check(value);
}

test.each<[string, Json, Json, string[]]>([
  ['anything', true, { a: 1 }, []],
  ['anything, written as an object', {}, [1], []],
  ['nothing', false, 1, ['Invalid input: expected never, received number']],
  ['an object', point, { x: 1, y: 2 }, []],
  ['a member of the wrong type', point, { x: '1' }, ['x: Invalid input: expected number, received string']],
  ['a member that is missing', point, {}, ['x: is missing']],
  ['a required member that is not described', { type: 'object', required: ['a'] }, {}, ['a: is missing']],
  [
    'a required member that the additional ones describe',
    { type: 'object', required: ['a'], additionalProperties: { type: 'number' } },
    { a: 'b' },
    ['a: Invalid input: expected number, received string'],
  ],
  ['a member too many', { ...point, additionalProperties: false }, { x: 1, y: 2 }, ['Unrecognized key: "y"']],
  [
    'an element deep inside',
    { type: 'array', items: { type: 'object', properties: { names: { type: 'array', items: point } } } },
    [{ names: [{ x: 1 }, { x: null }] }],
    ['0.names.1.x: Invalid input: expected number, received null'],
  ],
  ['an alternative', either, [1, 2], []],
  [
    'the alternative that was meant',
    { type: 'object', properties: { a: either } },
    { a: [1, 'b'] },
    ['a.1: Invalid input: expected number, received string'],
  ],
  ['no alternative', either, 'b', ['fits none of the alternatives']],
  ['one of several types', { type: ['string', 'null'] }, null, []],
  ['one of several values', { enum: ['red', 1, null] }, 1, []],
  ['another value', { enum: ['red', 'green'] }, 'blue', ['Invalid option: expected one of "red"|"green"']],
  ['a constant', { const: 3 }, 4, ['Invalid input: expected 3']],
  ['a list too short', { type: 'array', minItems: 1 }, [], ['Too small: expected array to have >=1 items']],
  [
    'a list too long, in one of two types',
    { type: 'object', properties: { a: { type: ['array', 'null'], maxItems: 1 } } },
    { a: [1, 2] },
    ['a: fits none of the alternatives'],
  ],
  ['a step of a fraction', { type: 'number', multipleOf: 0.1 }, 0.3, []],
  [
    'a number beside the steps of a fraction',
    { type: 'number', multipleOf: 0.1 },
    0.35,
    ['Invalid number: must be a multiple of 0.1'],
  ],
  ['a length', { type: 'string', maxLength: 2 }, 'abc', ['Too big: expected string to have <=2 characters']],
  ['a range', { type: 'number', minimum: 0, maximum: 1 }, 2, ['Too big: expected number to be <=1']],
  [
    'a reference',
    { $defs: { p: point }, type: 'array', items: { $ref: '#/$defs/p' } },
    [{ x: 1 }, {}],
    ['1.x: is missing'],
  ],
  [
    'a default does not stand in for what is missing',
    { type: 'object', properties: { a: { type: 'string', default: 'b' } }, required: ['a'] },
    {},
    ['a: is missing'],
  ],
  [
    'more violations than are told',
    { type: 'array', items: { type: 'null' } },
    Array(13).fill(1),
    [
      ...Array.from({ length: 10 }, (_, i) => `${i}: Invalid input: expected null, received number`),
      'and 3 more',
    ],
  ],
])('checks %s', (_name, schema, value, expected) => {
  expect(violations(schema, value)).toEqual(expected);
});

test.each<[string, Json, string]>([
  ['a word', 'string', 'it is no schema: that is an object, true or false'],
  ['null', null, 'it is no schema: that is an object, true or false'],
  ['a list', [], 'it is no schema: that is an object, true or false'],
  ['an unknown type', { type: 'strin' }, 'it has the type "strin"; known are string, number'],
  ['no type', { type: [] }, 'it has the type []; known are'],
  ['a misspelt keyword', { tpye: 'string' }, 'it has "tpye", which is not supported'],
  [
    'one deep inside',
    { type: 'array', items: { mininum: 1 } },
    'items has "mininum", which is not supported',
  ],
  ['a keyword without its type', { minimum: 3 }, 'it has "minimum", which needs "type": "number" beside it'],
  ['properties without a type', { properties: {} }, 'it has "properties", which needs "type": "object"'],
  ['a limit that is no number', { type: 'string', minLength: 'x' }, 'minLength is not a number from 0 on'],
  ['a step of nothing', { type: 'number', multipleOf: 0 }, 'multipleOf is not a number above 0'],
  ['a pattern', { type: 'string', pattern: '(a+)+$' }, 'it has "pattern", which is not supported'],
  ['a condition', { if: true }, 'it has "if", which is not supported'],
  ['a reference to nothing', { $ref: '#/$defs/a' }, '"$defs" has no "a"'],
  ['a reference elsewhere', { $ref: 'https://example.org/a' }, 'it has a "$ref" that is not of the form'],
  ['a reference to the whole', { $ref: '#' }, 'it has a "$ref" that is not of the form'],
  [
    'a reference to itself',
    { $defs: { a: { type: 'array', items: { $ref: '#/$defs/a' } } }, $ref: '#/$defs/a' },
    '"a" refers to itself, which is not supported',
  ],
  ['a reference and more', { $ref: '#/$defs/a', type: 'string' }, 'it has "$ref" and more'],
  ['no values', { enum: [] }, 'it has an "enum" without values'],
  ['values that are objects', { enum: [{ a: 1 }] }, 'it has an object or a list as an allowed value'],
  ['values of another type', { type: 'string', enum: ['a', 1] }, 'it allows 1, which is not of its type'],
  ['no alternatives', { anyOf: [] }, 'anyOf is not a list of schemas'],
  ['two kinds of alternatives', { anyOf: [true], allOf: [true] }, 'which needs a "type" beside them'],
  [
    'a name that all objects have',
    { type: 'object', required: ['constructor'] },
    'required has "constructor", which cannot name a property',
  ],
  [
    'references that grow without bounds',
    {
      $defs: Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [
          `a${i}`,
          i === 29
            ? { type: 'null' }
            : { anyOf: [{ $ref: `#/$defs/a${i + 1}` }, { $ref: `#/$defs/a${i + 1}` }] },
        ]),
      ),
      $ref: '#/$defs/a0',
    },
    'it has more than 500 parts',
  ],
])('refuses %s', (_name, schema, problem) => {
  expect(compileSchema(schema)).toEqual({ problem: expect.stringContaining(problem) });
});

const words = fc.constantFrom(
  ...'type object array string number integer enum const anyOf allOf oneOf items prefixItems properties required a'.split(
    ' ',
  ),
  ...'additionalProperties minItems uniqueItems contains minLength format email date-time minimum multipleOf'.split(
    ' ',
  ),
  ...'$ref $defs #/$defs/a $schema default not pattern __proto__'.split(' '),
);
const oddSchema = fc.letrec<{ node: Json }>(tie => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(words, fc.boolean(), fc.integer(), fc.constant(null)),
    fc.array(tie('node'), { maxLength: 3 }),
    fc.dictionary(words, tie('node'), { maxKeys: 4 }),
  ),
})).node;

test('never throws, whatever the schema and the value', () => {
  fc.assert(
    fc.property(oddSchema, fc.jsonValue(), (schema, value) => {
      const check = compileSchema(schema);
      if (typeof check !== 'function') expect(check.problem).not.toMatch(/cannot be compiled/);
      else expect(Array.isArray(check(value as Json))).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

describe('an output with a schema', () => {
  const list = {
    name: 'list',
    type: 'json',
    nullable: true,
    schema: { type: 'array', items: point },
  } as const;
  const share = {
    name: 'share',
    type: 'number',
    nullable: false,
    schema: { type: 'number', maximum: 1 },
  } as const;

  test('fits it', () => {
    const text = '<result status="COMPLETE"><output name="list">[{"x": 1}]</output></result>';
    expect(parseReply(text, [list]).outputs).toEqual({ list: [{ x: 1 }] });
  });

  test('may be null all the same', () => {
    expect(parseReply('{"list": null}', [list]).outputs).toEqual({ list: null });
  });

  test('is INVALID_OUTPUT where it does not fit, with the path', () => {
    let error: unknown;
    try {
      parseReply('{"list": [{"x": 1}, {}], "share": 2}', [list, share]);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(TaskError);
    expect((error as TaskError).detail).toEqual({
      code: 'INVALID_OUTPUT',
      violations: [
        'output "list" does not fit its schema: 1.x: is missing',
        'output "share" does not fit its schema: Too big: expected number to be <=1',
      ],
    });
  });

  test('is taken with a warning when the schema cannot be used', () => {
    const odd = { name: 'a', type: 'json', nullable: false, schema: { tpye: 'string' } } as const;
    expect(parseReply('{"a": 1}', [odd])).toMatchObject({
      outputs: { a: 1 },
      warnings: ['the schema of output "a" is not used: it has "tpye", which is not supported'],
    });
  });
});

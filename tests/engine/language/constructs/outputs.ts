// `<output>`: typed values besides the content, and schemas for them.
import { ends, gives, output, type Row, rule, syntax } from './row.ts';

const giving = (outputs: string) => `<task name="t"><description>x</description>${outputs}</task>`;
const one = (type: Parameters<typeof output>[1], more = '') => giving(output('v', type, more));

const good = (name: string, program: string, reply: string, v: unknown): Row =>
  gives(name, program, { outputs: { v } }, { replies: { t: reply } });
const bad = (name: string, program: string, reply: string, ...violations: string[]): Row =>
  ends(
    name,
    program,
    { code: 'INVALID_OUTPUT', ...(violations.length > 0 && { violations }) },
    { replies: { t: reply } },
  );
const person = ` schema='{"type": "object", "properties": {"name": {"type": "string", "minLength": 1}}, "required": ["name"], "additionalProperties": false}'`;

export const outputs: Row[] = [
  good('a string of JSON', one('string'), '{"v": "a"}', 'a'),
  good('a number of JSON', one('number'), '{"v": -1.5e3}', -1500),
  good('a boolean of JSON', one('boolean'), '{"v": false}', false),
  good('JSON of JSON', one('json'), '{"v": [1, {"a": null}]}', [1, { a: null }]),
  good('in the outputs of the envelope', one('number'), '{"status": "COMPLETE", "outputs": {"v": 4}}', 4),
  good('in a fence', one('number'), '```json\n{"v": 5}\n```', 5),
  good('a string of XML', one('string'), '<result><output name="v">a &lt; b</output></result>', 'a < b'),
  good('a number of XML', one('number'), '<result><output name="v"> 12 </output></result>', 12),
  good('a boolean of XML', one('boolean'), '<result><output name="v">True</output></result>', true),
  good('JSON of XML', one('json'), '<result><output name="v">{"a": [1]}</output></result>', { a: [1] }),
  good('null of JSON', one('number', ' nullable="true"'), '{"v": null}', null),
  good('null of XML', one('number', ' nullable="true"'), '<result><output name="v"></output></result>', null),
  good('an empty string is there', one('string', ' nullable="true"'), '{"v": ""}', ''),
  good('a nullable one that is missing', one('string', ' nullable="true"'), 'only text', null),
  good('a schema that is kept', one('json', person), '{"v": {"name": "Ada"}}', { name: 'Ada' }),
  bad('missing', one('number'), 'only text', 'output "v" is missing'),
  bad('a string for a number', one('number'), '{"v": "4"}', 'output "v" is "4", not a number'),
  bad('a number for a boolean', one('boolean'), '{"v": 1}', 'output "v" is 1, not true or false'),
  bad('null where it is not allowed', one('string'), '{"v": null}', 'output "v" is null, not a string'),
  bad('words for a number in XML', one('number'), '<result><output name="v">many</output></result>'),
  bad(
    'all that is wrong is told',
    giving(output('a', 'number') + output('b', 'boolean')),
    '{"a": "x"}',
    'output "a" is "x", not a number',
    'output "b" is missing',
  ),
  bad('a schema: a part is missing', one('json', person), '{"v": {}}'),
  bad('a schema: a part too many', one('json', person), '{"v": {"name": "a", "age": 1}}'),
  bad('a schema: a part of the wrong type', one('json', person), '{"v": {"name": 7}}'),
  gives(
    'an output that was not declared is kept, with a warning',
    one('number'),
    { outputs: { v: 1, w: 2 }, notes: { warnings: ['output "w" is not declared'] } },
    { replies: { t: '{"status": "COMPLETE", "outputs": {"v": 1, "w": 2}}' } },
  ),
  gives(
    'a result that goes on may leave outputs out',
    one('number'),
    { status: 'CONTINUATION', outputs: {} },
    { replies: { t: '{"status": "CONTINUATION", "content": "more"}' } },
  ),
  gives(
    'the session is told what to answer',
    giving(output('n', 'number') + output('s', 'string', ' nullable="true"')),
    {},
    {
      replies: { t: '{"n": 1}' },
      sessions: {
        t: {
          system: {
            stable:
              'Your final reply is one JSON object and nothing else, no text around it: {"n": a number, "s": a string or null}. Other words that are asked for are its member "content".',
          },
        },
      },
    },
  ),
  gives(
    'the session is told the schema that its answer has to fit',
    giving(
      output('n', 'number') +
        output('who', 'json', ` nullable="true" schema='{"type": "object", "required": ["a"]}'`),
    ),
    {},
    {
      replies: { t: '{"n": 1, "who": {"a": 2}}' },
      sessions: {
        t: {
          system: {
            stable:
              'Your final reply is one JSON object and nothing else, no text around it: {"n": a number, "who": any JSON or null}. Other words that are asked for are its member "content".\n' +
              '"who" fits this JSON Schema, unless it is null: {"type":"object","required":["a"]}',
          },
        },
      },
    },
  ),
  rule(
    'a schema with a word that is not understood',
    giving(`<output name="v" type="json" ¦schema='{"typ": "object"}'/>`),
    'schema is not a JSON Schema that can be used: it has "typ", which is not supported',
  ),
  rule(
    'a schema with a pattern',
    giving(`<output name="v" type="string" ¦schema='{"pattern": "(a+)+$"}'/>`),
    'schema is not a JSON Schema that can be used: it has "pattern", which is not supported',
  ),
  rule(
    'a schema that refers to itself',
    giving(`<output name="v" type="json" ¦schema='{"$ref": "#"}'/>`),
    'schema is not a JSON Schema that can be used: it has a "$ref" that is not of the form "#/$defs/name"',
  ),
  syntax(
    'a value of nullable that is none',
    giving('<output name="v" type="json" ¦nullable="1"/>'),
    'nullable is one of "true", "false", not "1"',
  ),
];

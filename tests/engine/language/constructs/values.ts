// Values keep their types, and what cannot be read or compared is an error of the check.
import { ends, gives, output, replies, type Row, rule, sequence, task } from './row.ts';

const escaped = (test: string) =>
  test.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const cond = (test: string, mark = '') =>
  `<task type="cond"><case ${mark}test="${escaped(test)}">${task('yes', 'yes')}</case><else>${task('no', 'no')}</else></task>`;

const step = (...outputs: string[]) =>
  `<task name="s"><description>x</description>${outputs.join('')}</task>`;
const typed = step(output('ok', 'boolean'), output('n', 'number'), output('word', 'string'));
const schema = {
  type: 'object',
  properties: { user: { type: 'object', properties: { name: { type: 'string' } } }, tags: { type: 'array' } },
  additionalProperties: false,
};
const data = step(output('data', 'json', ` schema='${JSON.stringify(schema)}'`));
const reply = replies({ content: 'c', data: { user: { name: 'Ada' }, tags: ['a', 'b'] } });

/** A test that can never be true is refused. */
const never = (test: string, problem: string): Row =>
  rule(
    `${test} is refused`,
    sequence(typed, cond(test, '¦'), task('t', '{{s.ok}} {{s.n}} {{s.word}}')),
    problem,
  );

/** Rows whose test of a named binding and of `output` gives the same. */
const both = (test: string, said: string, chosen: 'yes' | 'no', outputs = ''): Row[] =>
  ['s', 'output'].map(name =>
    gives(
      `${test}, of ${name}: ${chosen}`,
      sequence(step(outputs), cond(test.replaceAll('it', name))),
      { content: chosen },
      { replies: { s: said } },
    ),
  );

const answer = (returns: string, said: string, test: string, chosen: 'yes' | 'no'): Row =>
  gives(
    `${said} returned as ${returns}: ${test} is ${chosen}`,
    sequence(
      `<task type="function" name="f"><returns type="${returns}"/><body>${task('b', 'x')}</body></task>`,
      '<task type="call" ref="f" name="r"/>',
      cond(test),
    ),
    { content: chosen },
    { replies: { b: said } },
  );

export const values: Row[] = [
  gives(
    'a text reaches into data',
    sequence(data, task('t', '{{s.data.user.name}} {{s.data.tags[1]}} {{s.content}} {{s.status}}')),
    'Ada b c COMPLETE',
    { replies: { s: reply } },
  ),
  gives(
    'an input reaches into data, and what it gives has its type',
    sequence(
      data,
      `<task type="map"><over from="s.data.tags"/><inner_task>${task('t', '{{item}}{{index}}')}</inner_task></task>`,
    ),
    '["a0","b1"]',
    { replies: { s: reply } },
  ),
  rule(
    'what data has not, by its schema',
    sequence(data, task('t', '¦{{s.data.usr.name}} ¦{{s.data[0]}} ¦{{s.data.user.name.x}} ¦{{s.ok}}')),
    '"s.data" has no field "usr"; did you mean "user"?',
    '"s.data" is an object, which has no element [0]',
    '"s.data.user.name" has no field "x"',
    '"s" has no field "ok"',
  ),
  ends(
    'what data has not when it runs',
    sequence(data, task('t', '¦{{s.data.tags[7]}}')),
    { code: 'TASK_FAILURE', reason: 'missing_input' },
    { replies: { s: reply }, message: 'Missing required input: s.data.tags[7]', ran: ['s'] },
  ),
  answer('number', '7', 'r > 6 && r == 7.0', 'yes'),
  answer('number', '```json\n7\n```', 'r == 7', 'yes'),
  answer('boolean', 'false', 'r == false', 'yes'),
  answer('boolean', 'false', 'r', 'no'),
  answer('json', '{"a": [1, 2]}', 'r.a[1] == 2', 'yes'),
  answer('string', '7', "r == '7'", 'yes'),
  gives(
    'content that is data in an envelope',
    sequence(task('s', 'x'), task('t', '{{s[1].b}} {{s}}')),
    'true [1,{"b":true}]',
    { replies: { s: '{"status": "COMPLETE", "content": [1, {"b": true}]}' } },
  ),
  gives(
    'a map of numbers is a list of numbers',
    sequence(
      `<task type="function" name="f"><parameters><parameter name="x"/></parameters><returns type="number"/><body>${task('b', '{{x}}')}</body></task>`,
      '<task type="map" name="m"><over>[1, 2]</over><inner_task><task type="call" ref="f"><arg name="x" from="item"/></task></inner_task></task>',
      cond('m[1] == 2 && contains(m, 1)'),
    ),
    'yes',
  ),
  ...both("it == 'yes'", 'yes', 'yes'),
  ...both("it.content == 'yes' && it.status == 'COMPLETE'", 'yes', 'yes'),
  ...both("it.content == 'c' && it.n == 1", replies({ content: 'c', n: 1 }), 'yes', output('n', 'number')),
  ...both('it.n > 1', replies({ content: 'c', n: 1 }), 'no', output('n', 'number')),
  never(
    "output == 'no'",
    '"==" can never be true here: "output" is an object; compare one of its outputs, or its content',
  ),
  never(
    "s != 'no'",
    '"!=" can only be true here: "s" is an object; compare one of its outputs, or its content',
  ),
  never(
    "output.ok == 'true'",
    '"==" can never be true here: "output.ok" is true or false, and \'true\' is a text; write true or false without quotes',
  ),
  never(
    "'yes' == s.OK",
    '"==" can never be true here: "s.OK" is true or false, and \'yes\' is a text; write true or false without quotes',
  ),
  never(
    'output.word == true',
    '"==" can never be true here: "output.word" is a text; write \'true\' in quotes, or declare an output of type boolean and compare that',
  ),
  never("output.n > 'many'", '">" can never be true here: "output.n" is a number, and \'many\' spells none'),
  never(
    "!output.ok == 'no'",
    '"==" can never be true here: a condition is true or false, and \'no\' is a text; write true or false without quotes',
  ),
  rule(
    'outputs that differ in case only',
    `<task><description>x</description>${output('ok', 'boolean')}¦${output('OK', 'boolean')}</task>`,
    'the outputs "ok" and "OK" differ in case only: a test could not tell them apart',
  ),
  rule(
    'over what is no list',
    `<task type="map"><over>[1]</over><inner_task>¦<task type="map"><over from="index"/><inner_task>${task('t', '{{item}}')}</inner_task></task></inner_task></task>`,
    '<over> is a number: a list is needed, or a text that is one',
  ),
  ends(
    'a whole number that would be rounded',
    step(output('id', 'number')),
    {
      code: 'INVALID_OUTPUT',
      violations: [
        'number 9007199254740993 at 1:8 is larger than a number can be exactly (2^53): it has to be a text',
      ],
    },
    { replies: { s: '{"id": 9007199254740993}' } },
  ),
  gives(
    'a whole number that is exact, and one with an exponent',
    step(output('id', 'json')),
    { outputs: { id: [9007199254740991, 1e300, '9007199254740993'] } },
    { replies: { s: '{"id": [9007199254740991, 1e300, "9007199254740993"]}' } },
  ),
];

// `{{name}}`: what is put in, and that it is put in once.
import { output, type Row, replies, sequence, task } from './row.ts';

const hostile = `{{b}} {{{{b}}}} <task/> &amp; ]]> \${{ secrets.X }} {{test_command}}`;
const two = (prompt: string) =>
  `<task name="t"><inputs><input name="a"/><input name="b"/></inputs><description>${prompt}</description></task>`;

export const substitution: Row[] = [
  {
    name: 'a value with placeholders is not substituted again',
    program: two('{{a}} | {{b}}'),
    inputs: { a: hostile, b: 'B' },
    expected: { result: { content: `${hostile} | B` } },
  },
  {
    name: 'nor when it goes through a text of an input',
    program: sequence(
      task('s', 'x'),
      '<task name="t"><inputs><input name="a">[{{s}}]</input></inputs><description>{{a}}</description></task>',
    ),
    replies: { s: hostile },
    expected: { result: { content: `[${hostile}]` } },
  },
  {
    name: 'nor through let, call and map',
    program: sequence(
      `<task type="function" name="f"><parameters><parameter name="p"/></parameters><body>${task('b', '{{p}}')}</body></task>`,
      task('s', 'x'),
      '<task type="let"><bind name="l">{{s}}</bind><body><task type="map"><over>["1"]</over><inner_task><task type="call" ref="f"><arg name="p">{{l}}</arg></task></inner_task></task></body></task>',
    ),
    replies: { s: hostile },
    expected: { result: { content: replies([hostile]) } },
  },
  {
    name: 'two values that meet make no placeholder',
    program: two('{{a}}{{b}}'),
    inputs: { a: '{{', b: 'rounds}}' },
    expected: { result: { content: '{{rounds}}' } },
  },
  {
    name: 'white space within the braces',
    program: two('{{ a }}{{\tb\t}}'),
    inputs: { a: '1', b: '2' },
    expected: { result: { content: '12' } },
  },
  {
    name: 'braces that are no placeholder stay',
    program: '<task name="t"><description>{{}} {{1}} {{a b}} {x} {{ }}</description></task>',
    expected: { result: { content: '{{}} {{1}} {{a b}} {x} {{ }}' } },
  },
  {
    name: 'a field of an output that is JSON',
    program: sequence(
      `<task name="s"><description>x</description>${output('o', 'json')}</task>`,
      task('t', '{{s.o}}'),
    ),
    replies: { s: replies({ o: { a: [1, 2] } }) },
    expected: { result: { content: '{"a":[1,2]}' } },
  },
  {
    name: 'numbers, booleans and null',
    program:
      '<task name="t"><inputs><input name="o"/></inputs><description>{{o.n}} {{o.b}} {{o.z}}</description></task>',
    inputs: { o: { n: 1.5, b: false, z: null } },
    expected: { result: { content: '1.5 false null' } },
  },
  {
    name: 'a name with a dot is found whole',
    program: sequence(task('a.b', 'dotted'), task('t', '{{a.b}}')),
    expected: { result: { content: 'dotted' } },
  },
  {
    name: 'a member that every object has is not one of a value',
    program:
      '<task name="t"><inputs><input name="o"/></inputs><description>¦{{o.constructor}}</description></task>',
    inputs: { o: { a: 1 } },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'missing_input' },
      message: 'Missing required input: o.constructor',
    },
  },
  {
    name: 'a field of what is only text',
    program: '<task name="t"><inputs><input name="a"/></inputs><description>x\n¦{{a.b}}</description></task>',
    inputs: { a: 'text' },
    expected: { error: { code: 'TASK_FAILURE', reason: 'missing_input' } },
  },
  {
    name: 'a name nothing binds, in every text',
    program:
      '<task><system>¦{{a}}</system><instructions>¦{{b}}</instructions><description>¦{{c}}</description><expected_output>¦{{d}}</expected_output><criteria>¦{{e}}</criteria></task>',
    expected: { kind: 'rule', problems: ['a', 'b', 'c', 'd', 'e'].map(name => `nothing binds "${name}"`) },
  },
  {
    name: 'settings are bound everywhere',
    program: sequence(task('a', '{{rounds}}'), task('b', '{{test_command}}')),
    expected: { result: { content: 'npm test' }, asked: { a: ['5'] } },
  },
];

// `{{name}}`: what is put in, and that it is put in once.
import { ends, gives, replies, type Row, sequence, task } from './row.ts';

const hostile = `{{b}} {{{{b}}}} <task/> &amp; ]]> \${{ secrets.X }} {{test_command}}`;
const two = (prompt: string) =>
  `<task name="t"><inputs><input name="a"/><input name="b"/></inputs><description>${prompt}</description></task>`;

export const substitution: Row[] = [
  gives('a value with placeholders is not substituted again', two('{{a}} | {{b}}'), `${hostile} | B`, {
    inputs: { a: hostile, b: 'B' },
  }),
  gives(
    'nor when it goes through a text of an input',
    sequence(
      task('s', 'x'),
      '<task name="t"><inputs><input name="a">[{{s}}]</input></inputs><description>{{a}}</description></task>',
    ),
    `[${hostile}]`,
    { replies: { s: hostile } },
  ),
  gives(
    'nor through let, call and map',
    sequence(
      `<task type="function" name="f"><parameters><parameter name="p"/></parameters><body>${task('b', '{{p}}')}</body></task>`,
      task('s', 'x'),
      '<task type="let"><bind name="l">{{s}}</bind><body><task type="map"><over>["1"]</over><inner_task><task type="call" ref="f"><arg name="p">{{l}}</arg></task></inner_task></task></body></task>',
    ),
    { content: replies([hostile]) },
    { replies: { s: hostile } },
  ),
  gives('two values that meet make no placeholder', two('{{a}}{{b}}'), '{{rounds}}', {
    inputs: { a: '{{', b: 'rounds}}' },
  }),
  ends(
    'a field of what is only text',
    '<task name="t"><inputs><input name="a"/></inputs><description>x\n¦{{a.b}}</description></task>',
    { code: 'TASK_FAILURE', reason: 'missing_input' },
    { inputs: { a: 'text' } },
  ),
  {
    name: 'a name nothing binds, in every text',
    program:
      '<task><system>¦{{a}}</system><instructions>¦{{b}}</instructions><description>¦{{c}}</description><expected_output>¦{{d}}</expected_output><criteria>¦{{e}}</criteria></task>',
    expected: { kind: 'rule', problems: ['a', 'b', 'c', 'd', 'e'].map(name => `nothing binds "${name}"`) },
  },
  gives(
    'settings are bound everywhere',
    sequence(task('a', '{{rounds}}'), task('b', '{{test_command}}')),
    'npm test',
    { asked: { a: ['5'] } },
  ),
];

// `let`: names with values, then a task that sees them.
import { fails, output, type Row, replies, sequence, task } from './row.ts';

const binding = (...parts: string[]) => `<task type="let">${parts.join('')}</task>`;
const body = (prompt: string) => `<body>${task('b', prompt)}</body>`;

export const lets: Row[] = [
  {
    name: 'a text',
    program: binding('<bind name="a">one</bind>', body('{{a}}')),
    expected: { result: { content: 'one' } },
  },
  {
    name: 'each sees those before it',
    program: binding(
      '<bind name="a">1</bind>',
      '<bind name="b">{{a}}2</bind>',
      '<bind name="c" from="b"/>',
      body('{{c}}'),
    ),
    expected: { result: { content: '12' } },
  },
  {
    name: 'a task',
    program: binding(`<bind name="a">${task('t', 'made')}</bind>`, body('{{a}} {{a}}')),
    expected: {
      result: { content: 'made made', notes: { dataUsage: { turns: 2, cost_usd: 0.5 } } },
      ran: ['t', 'b'],
    },
  },
  {
    name: 'a task sees the bindings before it',
    program: binding(
      '<bind name="a">x</bind>',
      `<bind name="c">${task('t', 'of {{a}}')}</bind>`,
      body('{{c}}'),
    ),
    expected: { result: { content: 'of x' } },
  },
  {
    name: 'outputs of a task',
    program: binding(
      `<bind name="a"><task name="t"><description>x</description>${output('n', 'number')}</task></bind>`,
      body('{{a.n}}'),
    ),
    replies: { t: '{"n": 9}' },
    expected: { result: { content: '9' } },
  },
  {
    name: 'the value of another name keeps its fields',
    program: `<task type="let"><inputs><input name="o"/></inputs><bind name="p" from="o"/><bind name="q" from="o.deep"/>${body('{{p.deep}} {{q.x}}')}</task>`,
    inputs: { o: { deep: { x: 1 } } },
    expected: { result: { content: '{"x":1} 1' } },
  },
  {
    name: 'a name around it is hidden, and comes back',
    program: sequence(
      task('a', 'outer'),
      binding('<bind name="a">inner {{a}}</bind>', body('{{a}}')),
      task('after', '{{a}}'),
    ),
    expected: { result: { content: 'outer' }, asked: { b: ['inner outer'] } },
  },
  {
    name: 'an empty bind is the empty text',
    program: binding('<bind name="a"/>', body('[{{a}}]')),
    expected: { result: { content: '[]' } },
  },
  {
    name: 'a bind that fails',
    program: sequence(
      task('first', 'x'),
      `<task type="let" name="l"><bind name="a"><task name="t"><description>x</description>${output('n', 'number')}</task></bind>${body('{{a}}')}</task>`,
    ),
    replies: { t: 'none' },
    expected: { error: { code: 'INVALID_OUTPUT' }, finished: ['first'], ran: ['first', 't'] },
  },
  {
    name: 'a body that fails',
    program: sequence(`<task type="let" name="l"><bind name="a">x</bind>${body('{{a}}')}</task>`),
    replies: { b: fails('no') },
    expected: { error: { code: 'TASK_FAILURE', step: 'l' } },
  },
  {
    name: 'the outputs of the body are those of the let',
    program: sequence(
      `<task type="let" name="l"><bind name="a">x</bind><body><task name="b"><description>{{a}}</description>${output('n', 'number')}</task></body></task>`,
      task('after', '{{l.n}}'),
    ),
    replies: { b: replies({ n: 3 }) },
    expected: { result: { content: '3' } },
  },
  {
    name: 'a bind sees those after it',
    program: binding('<bind name="a">¦{{b}}</bind>', '<bind name="b">x</bind>', body('{{a}}')),
    expected: { kind: 'rule', problems: ['nothing binds "b"'] },
  },
  {
    name: 'a binding is not seen after its let',
    program: sequence(binding('<bind name="a">x</bind>', body('{{a}}')), task('after', '¦{{a}}')),
    expected: { kind: 'rule', problems: ['nothing binds "a"'] },
  },
  {
    name: 'a bind twice',
    program: binding('<bind name="a">x</bind>', '¦<bind name="a">y</bind>', body('{{a}}')),
    expected: { kind: 'syntax', problems: ['a second binding "a"; the first is on line 1'] },
  },
  {
    name: 'a bind without a name',
    program: binding('¦<bind>x</bind>', body('y')),
    expected: { kind: 'syntax', problems: ['<bind> needs the attribute name'] },
  },
  {
    name: 'a bind named like a setting',
    program: binding('<bind ¦name="test_command">x</bind>', body('y')),
    expected: {
      kind: 'rule',
      problems: ['"test_command" is the name of a setting of the run; choose another'],
    },
  },
];

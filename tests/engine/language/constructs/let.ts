// `let`: names with values, then a task that sees them.
import { ends, fails, gives, output, replies, type Row, rule, sequence, syntax, task } from './row.ts';

const binding = (...parts: string[]) => `<task type="let">${parts.join('')}</task>`;
const body = (prompt: string) => `<body>${task('b', prompt)}</body>`;

export const lets: Row[] = [
  gives('a text', binding('<bind name="a">one</bind>', body('{{a}}')), 'one'),
  gives(
    'each sees those before it',
    binding(
      '<bind name="a">1</bind>',
      '<bind name="b">{{a}}2</bind>',
      '<bind name="c" from="b"/>',
      body('{{c}}'),
    ),
    '12',
  ),
  gives(
    'a task',
    binding(`<bind name="a">${task('t', 'made')}</bind>`, body('{{a}} {{a}}')),
    { content: 'made made', notes: { dataUsage: { turns: 2, cost_usd: 0.5 } } },
    { ran: ['t', 'b'] },
  ),
  gives(
    'a task sees the bindings before it',
    binding('<bind name="a">x</bind>', `<bind name="c">${task('t', 'of {{a}}')}</bind>`, body('{{c}}')),
    'of x',
  ),
  gives(
    'outputs of a task',
    binding(
      `<bind name="a"><task name="t"><description>x</description>${output('n', 'number')}</task></bind>`,
      body('{{a.n}}'),
    ),
    '9',
    { replies: { t: '{"n": 9}' } },
  ),
  gives(
    'the value of another name keeps its fields',
    `<task type="let"><inputs><input name="o"/></inputs><bind name="p" from="o"/><bind name="q" from="o.deep"/>${body('{{p.deep}} {{q.x}}')}</task>`,
    '{"x":1} 1',
    { inputs: { o: { deep: { x: 1 } } } },
  ),
  gives(
    'a name around it is hidden, and comes back',
    sequence(
      task('a', 'outer'),
      binding('<bind name="a">inner {{a}}</bind>', body('{{a}}')),
      task('after', '{{a}}'),
    ),
    'outer',
    { asked: { b: ['inner outer'] } },
  ),
  gives('an empty bind is the empty text', binding('<bind name="a"/>', body('[{{a}}]')), '[]'),
  ends(
    'a bind that fails',
    sequence(
      task('first', 'x'),
      `<task type="let" name="l"><bind name="a"><task name="t"><description>x</description>${output('n', 'number')}</task></bind>${body('{{a}}')}</task>`,
    ),
    'INVALID_OUTPUT',
    { replies: { t: 'none' }, finished: ['first'], ran: ['first', 't'] },
  ),
  ends(
    'a body that fails',
    sequence(`<task type="let" name="l"><bind name="a">x</bind>${body('{{a}}')}</task>`),
    { code: 'TASK_FAILURE', step: 'l' },
    { replies: { b: fails('no') } },
  ),
  gives(
    'the outputs of the body are those of the let',
    sequence(
      `<task type="let" name="l"><bind name="a">x</bind><body><task name="b"><description>{{a}}</description>${output('n', 'number')}</task></body></task>`,
      task('after', '{{l.n}}'),
    ),
    '3',
    { replies: { b: replies({ n: 3 }) } },
  ),
  rule(
    'a bind sees those after it',
    binding('<bind name="a">¦{{b}}</bind>', '<bind name="b">x</bind>', body('{{a}}')),
    'nothing binds "b"',
  ),
  rule(
    'a binding is not seen after its let',
    sequence(binding('<bind name="a">x</bind>', body('{{a}}')), task('after', '¦{{a}}')),
    'nothing binds "a"',
  ),
  syntax(
    'a bind twice',
    binding('<bind name="a">x</bind>', '¦<bind name="a">y</bind>', body('{{a}}')),
    'a second binding "a"; the first is on line 1',
  ),
  syntax('a bind without a name', binding('¦<bind>x</bind>', body('y')), '<bind> needs the attribute name'),
  rule(
    'a bind named like a setting',
    binding('<bind ¦name="test_command">x</bind>', body('y')),
    '"test_command" is the name of a setting of the run; choose another',
  ),
];

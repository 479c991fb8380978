// `let`: names with values, then a task that sees them.
import { gives, type Row, rule, sequence, syntax, task } from './row.ts';

const binding = (...parts: string[]) => `<task type="let">${parts.join('')}</task>`;
const body = (prompt: string) => `<body>${task('b', prompt)}</body>`;

export const lets: Row[] = [
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
  syntax('a bind without a name', binding('¦<bind>x</bind>', body('y')), '<bind> needs the attribute name'),
  syntax(
    'a bind twice',
    binding('<bind name="a">x</bind>', '¦<bind name="a">y</bind>', body('{{a}}')),
    'a second binding "a"; the first is on line 1',
  ),
];

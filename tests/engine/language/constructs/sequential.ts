// `sequential`: steps in order, what each binds, and what is kept when one fails.
import { ends, fails, gives, output, replies, type Row, rule, sequence, task } from './row.ts';

export const sequential: Row[] = [
  gives(
    'the last step is the result, the notes have all',
    sequence(task('a', 'one'), task('b', 'two')),
    {
      content: 'two',
      notes: {
        dataUsage: { turns: 2, cost_usd: 0.5 },
        steps: [{ step: 'a' }, { step: 'b', result: { content: 'two' } }],
      },
    },
    { ran: ['a', 'b'] },
  ),
  gives(
    'a step without a name has a number in the notes',
    sequence('<task><description>x</description></task>', task('b', 'y')),
    { notes: { steps: [{ step: 'step 1' }, { step: 'b' }] } },
  ),
  gives(
    'a named step binds its content and its outputs',
    sequence(
      `<task name="a"><description>x</description>${output('n', 'number')}</task>`,
      task('b', '{{a}}, {{a.n}}'),
    ),
    'seven, 7',
    { replies: { a: replies({ content: 'seven', n: 7 }) } },
  ),
  rule(
    'a step of a sequence within is not seen outside',
    sequence(sequence(task('a', 'one')), task('b', '¦{{a}}')),
    'nothing binds "a"',
  ),
  gives(
    'an inner step may have the name of an outer one, and hides it',
    sequence(task('a', 'outer'), sequence(task('a', 'inner'), task('b', '{{a}}')), task('c', '{{a}}')),
    'outer',
    { asked: { b: ['inner'] } },
  ),
  ends(
    'a step that fails ends it and keeps the others',
    sequence(task('a', 'one'), task('b', 'two'), task('c', 'three')),
    { code: 'TASK_FAILURE', reason: 'failed', step: 'b' },
    {
      replies: { b: fails('cannot') },
      message: 'b ended as failed: cannot',
      finished: ['a'],
      ran: ['a', 'b'],
    },
  ),
  ends(
    'a sequence within that fails names its steps with its own name',
    sequence(
      task('a', 'one'),
      `<task type="sequential" name="in"><steps>${task('b', 'x')}${task('c', 'y')}</steps></task>`,
    ),
    { code: 'TASK_FAILURE', step: 'c' },
    { replies: { c: fails('no') }, finished: ['a', 'in/b'] },
  ),
  gives(
    'a function among the steps does not run',
    sequence(`<task type="function" name="f"><body>${task('in', 'x')}</body></task>`, task('a', 'one')),
    { content: 'one', notes: { steps: [{ step: 'a' }] } },
    { ran: ['a'] },
  ),
  rule(
    'the fields of a step are those of its last step',
    sequence(
      `<task type="sequential" name="in"><steps><task name="x"><description>x</description>${output('n', 'number')}</task></steps></task>`,
      task('b', '{{in.n}} ¦{{in.m}}'),
    ),
    '"in" has no field "m"',
  ),
];

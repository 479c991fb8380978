// `sequential`: steps in order, what each binds, and what is kept when one fails.
import { ends, fails, gives, output, replies, type Row, rule, sequence, syntax, task } from './row.ts';

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
  gives(
    'a sequence in a sequence sees the steps around it',
    sequence(task('a', 'one'), sequence(task('b', '{{a}} two'), task('c', '{{b}} three'))),
    'one two three',
  ),
  gives(
    'the name of a sequence binds its last step',
    sequence(
      `<task type="sequential" name="in"><steps>${task('a', 'one')}${task('b', 'two')}</steps></task>`,
      task('c', '{{in}}'),
    ),
    'two',
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
    'a step with an invalid output keeps the others',
    sequence(task('a', 'one'), `<task name="b"><description>x</description>${output('n', 'number')}</task>`),
    { code: 'INVALID_OUTPUT', violations: ['output "n" is missing'] },
    { replies: { b: 'no number' }, finished: ['a'] },
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
    'a step that goes on ends as it says',
    sequence(task('a', 'x'), task('b', 'y')),
    { status: 'CONTINUATION', content: 'half' },
    { replies: { b: replies({ status: 'CONTINUATION', content: 'half' }) } },
  ),
  gives(
    'a function among the steps does not run',
    sequence(`<task type="function" name="f"><body>${task('in', 'x')}</body></task>`, task('a', 'one')),
    { content: 'one', notes: { steps: [{ step: 'a' }] } },
    { ran: ['a'] },
  ),
  rule('a step reads itself', sequence(task('a', '¦{{a}}')), 'nothing binds "a"'),
  syntax(
    'a step and a function of one name',
    sequence(`<task type="function" name="f"><body>${task('in', 'x')}</body></task>`, `¦${task('f', 'y')}`),
    'a second step "f"; the first is on line 1',
  ),
  syntax(
    'steps directly in the task',
    `¦<task type="sequential">¦${task('a', 'x')}</task>`,
    '<task type="sequential"> needs <steps>',
    '<task> is not allowed in <task type="sequential">',
  ),
  rule(
    'the fields of a step are those of its last step',
    sequence(
      `<task type="sequential" name="in"><steps><task name="x"><description>x</description>${output('n', 'number')}</task></steps></task>`,
      task('b', '{{in.n}} ¦{{in.m}}'),
    ),
    '"in" has no field "m"',
  ),
  gives(
    'a long history keeps the latest steps whole',
    sequence(...['a', 'b', 'c', 'd'].map(name => task(name, 'x')), task('e', '{{a}}')),
    {
      content: 'a'.repeat(400_000),
      notes: {
        steps: [
          {
            step: 'a',
            result: {
              content: '',
              notes: { warnings: ['400000 bytes of content were left out'] },
            },
          },
          { step: 'b', result: { content: '' } },
          { step: 'c', result: { content: '' } },
          { step: 'd', result: { content: 'd'.repeat(400_000) } },
          { step: 'e', result: { content: 'a'.repeat(400_000) } },
        ],
      },
    },
    { replies: Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, name.repeat(400_000)])) },
  ),
];

// `sequential`: steps in order, what each binds, and what is kept when one fails.
import { fails, output, type Row, replies, sequence, task } from './row.ts';

export const sequential: Row[] = [
  {
    name: 'the last step is the result, the notes have all',
    program: sequence(task('a', 'one'), task('b', 'two')),
    expected: {
      result: {
        content: 'two',
        notes: {
          dataUsage: { turns: 2, cost_usd: 0.5 },
          steps: [{ step: 'a' }, { step: 'b', result: { content: 'two' } }],
        },
      },
      ran: ['a', 'b'],
    },
  },
  {
    name: 'a step without a name has a number in the notes',
    program: sequence('<task><description>x</description></task>', task('b', 'y')),
    expected: { result: { notes: { steps: [{ step: 'step 1' }, { step: 'b' }] } } },
  },
  {
    name: 'a named step binds its content and its outputs',
    program: sequence(
      `<task name="a"><description>x</description>${output('n', 'number')}</task>`,
      task('b', '{{a}}, {{a.n}}'),
    ),
    replies: { a: replies({ content: 'seven', n: 7 }) },
    expected: { result: { content: 'seven, 7' } },
  },
  {
    name: 'a sequence in a sequence sees the steps around it',
    program: sequence(task('a', 'one'), sequence(task('b', '{{a}} two'), task('c', '{{b}} three'))),
    expected: { result: { content: 'one two three' } },
  },
  {
    name: 'the name of a sequence binds its last step',
    program: sequence(
      `<task type="sequential" name="in"><steps>${task('a', 'one')}${task('b', 'two')}</steps></task>`,
      task('c', '{{in}}'),
    ),
    expected: { result: { content: 'two' } },
  },
  {
    name: 'a step of a sequence within is not seen outside',
    program: sequence(sequence(task('a', 'one')), task('b', '¦{{a}}')),
    expected: { kind: 'rule', problems: ['nothing binds "a"'] },
  },
  {
    name: 'an inner step may have the name of an outer one, and hides it',
    program: sequence(
      task('a', 'outer'),
      sequence(task('a', 'inner'), task('b', '{{a}}')),
      task('c', '{{a}}'),
    ),
    expected: { result: { content: 'outer' }, asked: { b: ['inner'] } },
  },
  {
    name: 'a step that fails ends it and keeps the others',
    program: sequence(task('a', 'one'), task('b', 'two'), task('c', 'three')),
    replies: { b: fails('cannot') },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'failed', step: 'b' },
      message: 'b ended as failed: cannot',
      finished: ['a'],
      ran: ['a', 'b'],
    },
  },
  {
    name: 'a step with an invalid output keeps the others',
    program: sequence(
      task('a', 'one'),
      `<task name="b"><description>x</description>${output('n', 'number')}</task>`,
    ),
    replies: { b: 'no number' },
    expected: { error: { code: 'INVALID_OUTPUT', violations: ['output "n" is missing'] }, finished: ['a'] },
  },
  {
    name: 'a sequence within that fails names its steps with its own name',
    program: sequence(
      task('a', 'one'),
      `<task type="sequential" name="in"><steps>${task('b', 'x')}${task('c', 'y')}</steps></task>`,
    ),
    replies: { c: fails('no') },
    expected: { error: { code: 'TASK_FAILURE', step: 'c' }, finished: ['a', 'in/b'] },
  },
  {
    name: 'a step that goes on ends as it says',
    program: sequence(task('a', 'x'), task('b', 'y')),
    replies: { b: replies({ status: 'CONTINUATION', content: 'half' }) },
    expected: { result: { status: 'CONTINUATION', content: 'half' } },
  },
  {
    name: 'a function among the steps does not run',
    program: sequence(
      `<task type="function" name="f"><body>${task('in', 'x')}</body></task>`,
      task('a', 'one'),
    ),
    expected: { result: { content: 'one', notes: { steps: [{ step: 'a' }] } }, ran: ['a'] },
  },
  {
    name: 'a step reads itself',
    program: sequence(task('a', '¦{{a}}')),
    expected: { kind: 'rule', problems: ['nothing binds "a"'] },
  },
  {
    name: 'a step and a function of one name',
    program: sequence(
      `<task type="function" name="f"><body>${task('in', 'x')}</body></task>`,
      `¦${task('f', 'y')}`,
    ),
    expected: { kind: 'syntax', problems: ['a second step "f"; the first is on line 1'] },
  },
  {
    name: 'steps directly in the task',
    program: `¦<task type="sequential">¦${task('a', 'x')}</task>`,
    expected: {
      kind: 'syntax',
      problems: [
        '<task type="sequential"> needs <steps>',
        '<task> is not allowed in <task type="sequential">',
      ],
    },
  },
  {
    name: 'the fields of a step are those of its last step',
    program: sequence(
      `<task type="sequential" name="in"><steps><task name="x"><description>x</description>${output('n', 'number')}</task></steps></task>`,
      task('b', '{{in.n}} ¦{{in.m}}'),
    ),
    expected: { kind: 'rule', problems: ['"in" has no field "m"'] },
  },
  {
    name: 'a long history keeps the latest steps whole',
    program: sequence(...['a', 'b', 'c', 'd'].map(name => task(name, 'x')), task('e', '{{a}}')),
    replies: Object.fromEntries(['a', 'b', 'c', 'd'].map(name => [name, name.repeat(400_000)])),
    expected: {
      result: {
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
    },
  },
];

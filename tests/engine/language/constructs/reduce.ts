// `reduce`: named inputs folded in their order.
import { fails, output, type Row, replies, sequence, task } from './row.ts';

const reduce = (
  inputs: string,
  reduction = task('fold', '{{accumulator}}+{{current_result}}({{original_input}})'),
  inner = task('in', '{{current_data}}!'),
  initial = '<initial_value>0</initial_value>',
) =>
  `<task type="reduce" name="r"><inputs>${inputs}</inputs>${initial}<inner_task>${inner}</inner_task><reduction_task>${reduction}</reduction_task></task>`;
const two = '<input name="a">x</input><input name="b">y</input>';

export const reduces: Row[] = [
  {
    name: 'folds in the order of the inputs',
    program: reduce(two),
    expected: {
      result: {
        content: '0+x!(x)+y!(y)',
        notes: {
          dataUsage: { turns: 4 },
          steps: [{ step: 'a', result: { content: '0+x!(x)' } }, { step: 'b' }],
        },
      },
      ran: ['in', 'fold', 'in', 'fold'],
    },
  },
  {
    name: 'one input',
    program: reduce('<input name="a">x</input>'),
    expected: { result: { content: '0+x!(x)' } },
  },
  {
    name: 'parameters of the root are folded as well',
    program: reduce('<input name="a"/><input name="b">y</input>'),
    inputs: { a: 'given' },
    expected: { result: { content: '0+given!(given)+y!(y)' } },
  },
  {
    name: 'the accumulator has the outputs of the reduction',
    program: reduce(
      two,
      `<task name="fold"><description>{{accumulator}} {{current_result}}</description>${output('n', 'number')}</task>`,
    ),
    replies: { fold: [replies({ content: 'one', n: 1 }), replies({ content: 'two', n: 2 })] },
    expected: { result: { content: 'two', outputs: { n: 2 } }, asked: { fold: ['0 x!', 'one y!'] } },
  },
  {
    name: 'the result of the inner task has its outputs',
    program: reduce(
      '<input name="a">x</input>',
      task('fold', '{{current_result.n}}'),
      `<task name="in"><description>{{current_data}}</description>${output('n', 'number')}</task>`,
    ),
    replies: { in: '{"n": 5}' },
    expected: { result: { content: '5' } },
  },
  {
    name: 'other inputs are seen by every fold',
    program: reduce(
      '<input name="a">x</input><input name="b">y</input>',
      task('fold', '{{accumulator}}{{current_result}}'),
      task('in', '{{a}}{{b}}{{current_data}}'),
    ),
    expected: { result: { content: '0xyxxyy' } },
  },
  {
    name: 'the initial value of a binding',
    program: reduce('<input name="a">x</input>', undefined, undefined, '<initial_value from="rounds"/>'),
    expected: { result: { content: '5+x!(x)' } },
  },
  {
    name: 'the initial value of a task',
    program: reduce(
      '<input name="a">x</input>',
      undefined,
      undefined,
      `<initial_value>${task('i', 'begin')}</initial_value>`,
    ),
    expected: { result: { content: 'begin+x!(x)', notes: { dataUsage: { turns: 3 } } } },
  },
  {
    name: 'input k fails: the reductions before it are kept',
    program: reduce(`${two}<input name="c">z</input>`),
    replies: { in: ['X', 'Y', fails('bad data')] },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'failed', step: 'c' },
      message: 'input "c" ended as failed: bad data',
      finished: ['a', 'b'],
    },
  },
  {
    name: 'a reduction that fails',
    program: reduce(two),
    replies: { fold: ['one', fails('no')] },
    expected: { error: { code: 'TASK_FAILURE', step: 'b' }, finished: ['a'] },
  },
  {
    name: 'the fields of a named reduce are those of its reduction',
    program: sequence(
      reduce(
        '<input name="a">x</input>',
        `<task name="fold"><description>{{accumulator}}</description>${output('n', 'number')}</task>`,
      ),
      task('after', '{{r.n}}'),
    ),
    replies: { fold: '{"n": 6}' },
    expected: { result: { content: '6' } },
  },
  {
    name: 'current_result belongs to the reduction',
    program: reduce('<input name="a">x</input>', undefined, task('in', '¦{{current_result}}')),
    expected: { kind: 'rule', problems: ['nothing binds "current_result"; did you mean "current_data"?'] },
  },
  {
    name: 'current_data belongs to the inner task',
    program: reduce('<input name="a">x</input>', task('fold', '¦{{current_data}}')),
    expected: { kind: 'rule', problems: ['nothing binds "current_data"; did you mean "current_result"?'] },
  },
  {
    name: 'without inputs',
    program: `¦${reduce('')}`,
    expected: {
      kind: 'rule',
      problems: [
        '<task type="reduce"> needs what is folded: <over> with a list, or at least one <input> in <inputs>',
      ],
    },
  },
  {
    name: 'over a list of any length',
    program: reduce(
      '',
      undefined,
      undefined,
      '<over>[1, "b"]</over><initial_value>0</initial_value>',
    ).replace('<inputs></inputs>', ''),
    expected: {
      result: { content: '0+1!(1)+b!(b)', notes: { steps: [{ step: 'element 1' }, { step: 'element 2' }] } },
      ran: ['in', 'fold', 'in', 'fold'],
    },
  },
  {
    name: 'over a list, with an input that is not folded',
    program: reduce(
      '<input name="sep">-</input>',
      task('fold', '{{accumulator}}{{sep}}{{current_result}}'),
      undefined,
      '<over>["a", "b"]</over><initial_value>0</initial_value>',
    ),
    expected: { result: { content: '0-a!-b!' } },
  },
  {
    name: 'over the list that a session replies with, and its objects',
    program: sequence(
      task('plan', 'x'),
      `<task type="reduce"><over from="plan"/><initial_value>0</initial_value><inner_task>${task('in', '{{current_data.n}}')}</inner_task><reduction_task>${task('fold', '{{accumulator}}+{{current_result}}')}</reduction_task></task>`,
    ),
    replies: { plan: '[{"n": 1}, {"n": 2}]' },
    expected: { result: { content: '0+1+2' } },
  },
  {
    name: 'over an empty list it is the initial value',
    program: `<task type="reduce"><over>[]</over><initial_value>start</initial_value><inner_task>${task('in', '{{current_data}}')}</inner_task><reduction_task>${task('fold', '{{current_result}}')}</reduction_task></task>`,
    expected: { result: { status: 'COMPLETE', content: 'start' }, ran: [] },
  },
  {
    name: 'an element that fails',
    program: `<task type="reduce"><over>["a", "b"]</over><initial_value>0</initial_value><inner_task>${task('in', '{{current_data}}')}</inner_task><reduction_task>${task('fold', '{{current_result}}')}</reduction_task></task>`,
    replies: { in: ['x', fails('no')] },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'failed', step: 'element 2' },
      message: 'element 2 ended as failed: no',
      finished: ['element 1'],
    },
  },
  {
    name: 'two inputs of one name',
    program: reduce('<input name="a">x</input>¦<input name="a">y</input>'),
    expected: { kind: 'syntax', problems: ['a second input "a"; the first is on line 1'] },
  },
];

// `reduce`: named inputs folded in their order.
import { ends, fails, gives, output, replies, type Row, rule, sequence, task } from './row.ts';

const reduce = (
  inputs: string,
  reduction = task('fold', '{{accumulator}}+{{current_result}}({{original_input}})'),
  inner = task('in', '{{current_data}}!'),
  initial = '<initial_value>0</initial_value>',
) =>
  `<task type="reduce" name="r"><inputs>${inputs}</inputs>${initial}<inner_task>${inner}</inner_task><reduction_task>${reduction}</reduction_task></task>`;
const two = '<input name="a">x</input><input name="b">y</input>';

export const reduces: Row[] = [
  gives(
    'folds in the order of the inputs',
    reduce(two),
    {
      content: '0+x!(x)+y!(y)',
      notes: {
        dataUsage: { turns: 4 },
        steps: [{ step: 'a', result: { content: '0+x!(x)' } }, { step: 'b' }],
      },
    },
    { ran: ['in', 'fold', 'in', 'fold'] },
  ),
  gives(
    'the accumulator has the outputs of the reduction',
    reduce(
      two,
      `<task name="fold"><description>{{accumulator}} {{current_result}}</description>${output('n', 'number')}</task>`,
    ),
    { content: 'two', outputs: { n: 2 } },
    {
      replies: { fold: [replies({ content: 'one', n: 1 }), replies({ content: 'two', n: 2 })] },
      asked: { fold: ['0 x!', 'one y!'] },
    },
  ),
  gives(
    'the initial value of a binding',
    reduce('<input name="a">x</input>', undefined, undefined, '<initial_value from="rounds"/>'),
    '5+x!(x)',
  ),
  ends(
    'input k fails: the reductions before it are kept',
    reduce(`${two}<input name="c">z</input>`),
    { code: 'TASK_FAILURE', reason: 'failed', step: 'c' },
    {
      replies: { in: ['X', 'Y', fails('bad data')] },
      message: 'input "c" ended as failed: bad data',
      finished: ['a', 'b'],
    },
  ),
  ends(
    'a reduction that fails',
    reduce(two),
    { code: 'TASK_FAILURE', step: 'b' },
    { replies: { fold: ['one', fails('no')] }, finished: ['a'] },
  ),
  rule(
    'current_result belongs to the reduction',
    reduce('<input name="a">x</input>', undefined, task('in', '¦{{current_result}}')),
    'nothing binds "current_result"; did you mean "current_data"?',
  ),
  rule(
    'current_data belongs to the inner task',
    reduce('<input name="a">x</input>', task('fold', '¦{{current_data}}')),
    'nothing binds "current_data"; did you mean "current_result"?',
  ),
  gives(
    'over a list of any length',
    reduce('', undefined, undefined, '<over>[1, "b"]</over><initial_value>0</initial_value>').replace(
      '<inputs></inputs>',
      '',
    ),
    { content: '0+1!(1)+b!(b)', notes: { steps: [{ step: 'element 1' }, { step: 'element 2' }] } },
    { ran: ['in', 'fold', 'in', 'fold'] },
  ),
  gives(
    'over the list that a session replies with, and its objects',
    sequence(
      task('plan', 'x'),
      `<task type="reduce"><over from="plan"/><initial_value>0</initial_value><inner_task>${task('in', '{{current_data.n}}')}</inner_task><reduction_task>${task('fold', '{{accumulator}}+{{current_result}}')}</reduction_task></task>`,
    ),
    '0+1+2',
    { replies: { plan: '[{"n": 1}, {"n": 2}]' } },
  ),
  gives(
    'over an empty list it is the initial value',
    `<task type="reduce"><over>[]</over><initial_value>start</initial_value><inner_task>${task('in', '{{current_data}}')}</inner_task><reduction_task>${task('fold', '{{current_result}}')}</reduction_task></task>`,
    { status: 'COMPLETE', content: 'start' },
    { ran: [] },
  ),
  ends(
    'an element that fails',
    `<task type="reduce"><over>["a", "b"]</over><initial_value>0</initial_value><inner_task>${task('in', '{{current_data}}')}</inner_task><reduction_task>${task('fold', '{{current_result}}')}</reduction_task></task>`,
    { code: 'TASK_FAILURE', reason: 'failed', step: 'element 2' },
    {
      replies: { in: ['x', fails('no')] },
      message: 'element 2 ended as failed: no',
      finished: ['element 1'],
    },
  ),
];

// Failure as a value: `<on_failure>`, tests that ask how a step ended, and a script as the only judge.
import { errorMembers } from '../../../../src/engine/language/names.ts';
import { fails, output, type Row, replies, sequence, task } from './row.ts';

const instead = (prompt = '{{error.code}} {{error.message}}') =>
  `<on_failure>${task('rescue', prompt)}</on_failure>`;
const script = (more = '') => `<task type="script" name="t"><command>make</command>${more}</task>`;
const cond = (test: string) =>
  `<task type="cond"><case test="${test.replaceAll('&', '&amp;')}">${task('yes', 'yes')}</case><else>${task('no', 'no')}</else></task>`;
const everyMember = `{{error.code}} ${errorMembers.map(name => `{{error.${name}}}`).join('|')} {{error.violations}}`;
const broken = { make: { exit_code: 2, stdout: 'out', stderr: 'err' } };

export const failures: Row[] = [
  {
    name: 'a task that runs instead has the error',
    program: `<task name="s"><description>x</description>${instead()}</task>`,
    replies: { s: fails('no idea') },
    expected: {
      result: {
        status: 'COMPLETE',
        content: 'TASK_FAILURE s ended as failed: no idea',
        notes: {
          dataUsage: { turns: 2 },
          warnings: ['s failed (TASK_FAILURE), and <on_failure> ran: s ended as failed: no idea'],
        },
      },
      ran: ['s', 'rescue'],
    },
  },
  {
    name: 'a task that does not fail runs alone',
    program: `<task name="s"><description>x</description>${instead()}</task>`,
    expected: { result: { content: 'x' }, ran: ['s'] },
  },
  {
    name: 'what had been finished is there',
    program: `<task type="sequential"><steps>${task('a', 'one')}${task('b', 'two')}</steps>${instead('{{partial_results[0].step}}: {{partial_results[0].content}}, not {{error.step}}')}</task>`,
    replies: { b: fails('no') },
    expected: { result: { content: 'a: one, not b' } },
  },
  {
    name: 'every member of the error can be read, whatever failed',
    program: `<task name="s"><description>x</description>${output('n', 'number')}${instead(everyMember)}</task>`,
    replies: { s: 'no number' },
    expected: { result: { content: 'INVALID_OUTPUT ||||||||| ["output \\"n\\" is missing"]' } },
  },
  {
    name: 'a task behind a failed one can read each of them, too',
    program: sequence(
      task('s', 'x'),
      `<task type="cond"><case test="output.status == 'FAILED'">${task('yes', '{{s.error.reason}}:{{s.error.limit}}')}</case></task>`,
    ),
    replies: { s: fails('no') },
    expected: { result: { content: 'failed:' } },
  },
  {
    name: 'its own failure is one, and elements that there are not are empty',
    program: `<task name="s"><description>x</description>${instead('{{error.reason}}{{error.violations[0]}}{{partial_results[0].content}}')}</task>`,
    replies: { s: fails('no'), rescue: fails('neither') },
    expected: { result: { status: 'FAILED', content: 'neither' }, asked: { rescue: ['failed'] } },
  },
  {
    name: 'an output that is read is given by both',
    program: sequence(
      `<task name="s"><description>x</description>${output('n', 'number')}<on_failure><task name="r"><description>y</description>${output('n', 'number')}</task></on_failure></task>`,
      task('t', '{{s.n}}'),
    ),
    replies: { s: 'no number', r: '{"n": 3}' },
    expected: { result: { content: '3' } },
  },
  {
    name: 'error is bound nowhere else',
    program: task('s', '¦{{partial_results}}'),
    expected: { kind: 'rule', problems: ['nothing binds "partial_results"'] },
  },
  {
    name: 'of a function it is refused',
    program: `<task type="function" name="f"><body>${task('b', 'x')}</body><on_failure>¦${task('c', 'y')}</on_failure></task>`,
    expected: {
      kind: 'rule',
      problems: ['<task type="function"> does not run: <on_failure> belongs to its body, or to a call of it'],
    },
  },
  ...[
    't.exit_code == 2',
    'output.exit_code != 0',
    "t.status == 'FAILED' && t.stderr == 'err'",
    'output.error',
  ].map(
    (test): Row => ({
      name: `a script that failed is a value for the test ${test}`,
      program: sequence(script(), cond(test)),
      scripts: broken,
      expected: { result: { content: 'yes' }, ran: ['yes'] },
    }),
  ),
  {
    name: 'a later test asks by name only',
    program: sequence(script(), task('a', '{{t.stdout}}'), cond('t.exit_code == 2')),
    scripts: broken,
    expected: { result: { content: 'yes' }, asked: { a: ['out'] } },
  },
  {
    name: 'what a sequence behind it asks of its own steps is not asked of it',
    program: sequence(script(), sequence(task('a', 'x'), cond("output.status == 'COMPLETE'"))),
    scripts: broken,
    expected: { error: { code: 'TASK_FAILURE', reason: 'script_failed' }, ran: [] },
  },
  {
    name: 'the first test of a sequence behind it asks of it',
    program: sequence(script(), sequence(cond('output.exit_code == 2'), task('a', 'end'))),
    scripts: broken,
    expected: { result: { content: 'end' }, ran: ['yes', 'a'] },
  },
  {
    name: 'a test of something else lets it fail',
    program: sequence(script(), task('a', 'x'), cond("output.status == 'COMPLETE'")),
    scripts: broken,
    expected: { error: { code: 'TASK_FAILURE', reason: 'script_failed' }, ran: [] },
  },
  {
    name: 'a session that failed is a value for a test of its status',
    program: sequence(task('s', 'x'), cond("output.status == 'FAILED' && s.error.reason == 'failed'")),
    replies: { s: fails('no') },
    expected: { result: { content: 'yes', notes: { dataUsage: { turns: 2 } } }, ran: ['s', 'yes'] },
  },
  {
    name: 'a script alone judges by its exit code',
    program: `<task type="director-evaluator"><director>${task('d', '{{last_evaluator_output.feedback}}')}</director><script>${script()}</script><max_rounds>2</max_rounds></task>`,
    scripts: broken,
    replies: { d: ['one', 'two'] },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'rejected' },
      message: 'rejected in all 2 rounds: The script ended with exit code 2.\nout\nerr',
      asked: { d: ['', 'The script ended with exit code 2.\nout\nerr'] },
    },
  },
  {
    name: 'a script alone that succeeds ends the loop',
    program: `<task type="director-evaluator"><director>${task('d', 'x')}</director><script>${script()}</script></task>`,
    scripts: { make: {} },
    replies: { d: replies({ status: 'COMPLETE', content: 'done' }) },
    expected: {
      result: { content: 'done', notes: { rounds: 1, evaluation: { success: true, feedback: null } } },
    },
  },
];

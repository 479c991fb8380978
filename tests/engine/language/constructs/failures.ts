// Failure as a value: `<on_failure>`, tests that ask how a step ended, and a script as the only judge.
import { errorMembers } from '../../../../src/engine/language/names.ts';
import { ends, fails, gives, output, replies, type Row, rule, sequence, task } from './row.ts';

const instead = (prompt = '{{error.code}} {{error.message}}') =>
  `<on_failure>${task('rescue', prompt)}</on_failure>`;
const script = (more = '') => `<task type="script" name="t"><command>make</command>${more}</task>`;
const cond = (test: string) =>
  `<task type="cond"><case test="${test.replaceAll('&', '&amp;')}">${task('yes', 'yes')}</case><else>${task('no', 'no')}</else></task>`;
const everyMember = `{{error.code}} ${errorMembers.map(name => `{{error.${name}}}`).join('|')} {{error.violations}}`;
const broken = { make: { exit_code: 2, stdout: 'out', stderr: 'err' } };

export const failures: Row[] = [
  gives(
    'a task that runs instead has the error',
    `<task name="s"><description>x</description>${instead()}</task>`,
    {
      status: 'COMPLETE',
      content: 'TASK_FAILURE s ended as failed: no idea',
      notes: {
        dataUsage: { turns: 2 },
        warnings: ['s failed (TASK_FAILURE), and <on_failure> ran: s ended as failed: no idea'],
      },
    },
    { replies: { s: fails('no idea') }, ran: ['s', 'rescue'] },
  ),
  gives(
    'a task that does not fail runs alone',
    `<task name="s"><description>x</description>${instead()}</task>`,
    'x',
    { ran: ['s'] },
  ),
  gives(
    'what had been finished is there',
    `<task type="sequential"><steps>${task('a', 'one')}${task('b', 'two')}</steps>${instead('{{partial_results[0].step}}: {{partial_results[0].content}}, not {{error.step}}')}</task>`,
    'a: one, not b',
    { replies: { b: fails('no') } },
  ),
  gives(
    'every member of the error can be read, whatever failed',
    `<task name="s"><description>x</description>${output('n', 'number')}${instead(everyMember)}</task>`,
    'INVALID_OUTPUT ||||||||| ["output \\"n\\" is missing"]',
    { replies: { s: 'no number' } },
  ),
  gives(
    'a task behind a failed one can read each of them, too',
    sequence(
      task('s', 'x'),
      `<task type="cond"><case test="output.status == 'FAILED'">${task('yes', '{{s.error.reason}}:{{s.error.limit}}')}</case></task>`,
    ),
    'failed:',
    { replies: { s: fails('no') } },
  ),
  gives(
    'its own failure is one, and elements that there are not are empty',
    `<task name="s"><description>x</description>${instead('{{error.reason}}{{error.violations[0]}}{{partial_results[0].content}}')}</task>`,
    { status: 'FAILED', content: 'neither' },
    { replies: { s: fails('no'), rescue: fails('neither') }, asked: { rescue: ['failed'] } },
  ),
  gives(
    'an output that is read is given by both',
    sequence(
      `<task name="s"><description>x</description>${output('n', 'number')}<on_failure><task name="r"><description>y</description>${output('n', 'number')}</task></on_failure></task>`,
      task('t', '{{s.n}}'),
    ),
    '3',
    { replies: { s: 'no number', r: '{"n": 3}' } },
  ),
  rule('error is bound nowhere else', task('s', '¦{{partial_results}}'), 'nothing binds "partial_results"'),
  rule(
    'of a function it is refused',
    `<task type="function" name="f"><body>${task('b', 'x')}</body><on_failure>¦${task('c', 'y')}</on_failure></task>`,
    '<task type="function"> does not run: <on_failure> belongs to its body, or to a call of it',
  ),
  ...[
    't.exit_code == 2',
    'output.exit_code != 0',
    "t.status == 'FAILED' && t.stderr == 'err'",
    'output.error',
  ].map(
    (test): Row =>
      gives(`a script that failed is a value for the test ${test}`, sequence(script(), cond(test)), 'yes', {
        scripts: broken,
        ran: ['yes'],
      }),
  ),
  gives(
    'a later test asks by name only',
    sequence(script(), task('a', '{{t.stdout}}'), cond('t.exit_code == 2')),
    'yes',
    { scripts: broken, asked: { a: ['out'] } },
  ),
  ends(
    'what a sequence behind it asks of its own steps is not asked of it',
    sequence(script(), sequence(task('a', 'x'), cond("output.status == 'COMPLETE'"))),
    { code: 'TASK_FAILURE', reason: 'script_failed' },
    { scripts: broken, ran: [] },
  ),
  gives(
    'the first test of a sequence behind it asks of it',
    sequence(script(), sequence(cond('output.exit_code == 2'), task('a', 'end'))),
    'end',
    { scripts: broken, ran: ['yes', 'a'] },
  ),
  gives(
    'a session that failed is a value for a test of its status',
    sequence(task('s', 'x'), cond("output.status == 'FAILED' && s.error.reason == 'failed'")),
    { content: 'yes', notes: { dataUsage: { turns: 2 } } },
    { replies: { s: fails('no') }, ran: ['s', 'yes'] },
  ),
  gives(
    'a script alone that succeeds ends the loop',
    `<task type="director-evaluator"><director>${task('d', 'x')}</director><script>${script()}</script></task>`,
    { content: 'done', notes: { rounds: 1, evaluation: { success: true, feedback: null } } },
    { scripts: { make: {} }, replies: { d: replies({ status: 'COMPLETE', content: 'done' }) } },
  ),
];

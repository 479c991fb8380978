// `script`: an external command.
import { ends, gives, output, type Row, rule, sequence, syntax, task } from './row.ts';

const script = (command: string, inputs = '', name = 't') =>
  `<task type="script" name="${name}">${inputs && `<inputs>${inputs}</inputs>`}<command>${command}</command></task>`;
const verdict = output('success', 'boolean') + output('feedback', 'string', ' nullable="true"');

const judge = `<task name="e" subtype="evaluator"><description>judge it</description>${verdict}</task>`;
const within = (inner: string) => `<task type="let"><bind name="a">x</bind><body>${inner}</body></task>`;
const map = (inner: string) => `<task type="map"><over>1</over><inner_task>${inner}</inner_task></task>`;

export const scripts: Row[] = [
  gives(
    'stdout is the content, all three are outputs',
    script('make'),
    { content: 'ok\n', outputs: { stdout: 'ok\n', stderr: 'slow', exit_code: 0 } },
    { scripts: { make: { stdout: 'ok\n', stderr: 'slow' } } },
  ),
  gives(
    'one input is standard input',
    script('cat', '<input name="data" stdin="true">text</input><input name="E" stdin="false">e</input>'),
    {},
    { scripts: { cat: {} }, commands: [{ stdin: 'text', env: { E: 'e' } }] },
  ),
  gives(
    'what a caller gives is never a command',
    '<task type="script"><inputs><input name="X"/></inputs><command>echo "$X"</command></task>',
    {},
    {
      inputs: { X: '"; rm -rf / {{test_command}}' },
      scripts: { 'echo "$X"': {} },
      commands: [{ env: { X: '"; rm -rf / {{test_command}}' } }],
    },
  ),
  ends(
    'an exit that nothing judges fails',
    script('make'),
    { code: 'TASK_FAILURE', reason: 'script_failed' },
    { scripts: { make: { exit_code: 2, stderr: 'no rule' } }, message: 'the script t exited 2: no rule' },
  ),
  gives(
    'an exit that an evaluator judges is information',
    sequence(
      script('make'),
      `<task name="e" subtype="evaluator"><description>{{t.exit_code}} {{t.stderr}}</description>${verdict}</task>`,
    ),
    { outputs: { success: false } },
    {
      scripts: { make: { exit_code: 2, stderr: 'no rule' } },
      replies: { e: '{"success": false, "feedback": "mend it"}' },
      asked: { e: ['2 no rule'] },
    },
  ),
  ...(
    [
      ['in a sequence within', sequence(script('make')), judge],
      ['in a let', within(script('make')), judge],
      ['in a case', `<task type="cond"><case test="true">${script('make')}</case></task>`, judge],
      ['in a map', map(script('make')), judge],
      ['in a map in a sequence in a let', within(sequence(map(script('make')))), judge],
      [
        'of a value',
        `<task name="v"><inputs><input name="x">${script('make')}</input></inputs><description>{{x}}</description></task>`,
        judge,
      ],
      ['by an evaluator in a let', script('make'), within(judge)],
      ['by an evaluator in a sequence', script('make'), sequence(task('between', 'x'), judge)],
      ['by an evaluator in a map', script('make'), map(judge)],
      [
        'by an evaluator in a case',
        script('make'),
        `<task type="cond"><case test="true">${judge}</case></task>`,
      ],
      ['by an evaluator later on', script('make'), task('between', 'x') + judge],
      [
        'by an evaluator in a function',
        script('make'),
        `<task type="function" name="f"><parameters/><body>${judge}</body></task><task type="call" ref="f"/>`,
      ],
      ['by an evaluator in a function of the library', script('make'), '<task type="call" ref="judging"/>'],
      [
        'in a function',
        `<task type="function" name="f"><parameters/><body>${script('make')}</body></task><task type="call" ref="f"/>`,
        judge,
      ],
    ] as const
  ).map(
    ([how, first, then]): Row =>
      gives(
        `an exit that is judged ${how}`,
        sequence(first, then),
        {},
        {
          library: { 'j.xml': `<task type="function" name="judging"><body>${judge}</body></task>` },
          scripts: { make: { exit_code: 7 } },
          replies: { e: '{"success": false, "feedback": "mend it"}' },
          asked: { e: ['judge it'] },
        },
      ),
  ),
  gives(
    'the value of a let is judged in its body',
    `<task type="let"><bind name="t">${script('make')}</bind><body>${judge}</body></task>`,
    {},
    {
      scripts: { make: { exit_code: 7 } },
      replies: { e: '{"success": false, "feedback": "mend it"}' },
      asked: { e: ['judge it'] },
    },
  ),
  ends(
    'a function with an evaluator that is only defined judges nothing',
    sequence(
      script('make'),
      `<task type="function" name="f"><parameters/><body>${judge}</body></task>`,
      task('after', 'x'),
    ),
    { code: 'TASK_FAILURE', reason: 'script_failed', step: 't' },
    { scripts: { make: { exit_code: 1 } } },
  ),
  ends(
    'an exit after the evaluator is judged by nobody',
    sequence(`<task subtype="evaluator"><description>x</description>${verdict}</task>`, script('make')),
    { code: 'TASK_FAILURE', reason: 'script_failed', step: 't' },
    {
      scripts: { make: { exit_code: 1 } },
      replies: { evaluator: '{"success": true}' },
      finished: ['step 1'],
    },
  ),
  ends(
    'where scripts are not allowed nothing runs',
    sequence(task('a', 'x'), `¦${script('make')}`),
    'VALIDATION_ERROR',
    { message: 'the script t may not run', ran: [] },
  ),
  ends(
    'a script in a function of the library is found before anything runs',
    sequence(task('a', 'x'), '<task type="call" ref="f"></task>'),
    'VALIDATION_ERROR',
    {
      library: { 'f.xml': `<task type="function" name="f"><body>${script('make')}</body></task>` },
      message: 'the script t may not run',
      ran: [],
    },
  ),
  ends(
    'an empty command',
    '<task type="script" name="t"><command>¦{{test_command}}</command></task>',
    'INVALID_INPUT',
    {
      scripts: {},
      settings: { test_command: '', rounds: '5' },
      message: 'the command of the script t is empty',
    },
  ),
  rule(
    'an input in the command',
    '<task type="script"><inputs><input name="X"/></inputs><command>echo ¦{{X}}</command></task>',
    'only settings of the run may stand in <command>: pass "X" as an <input> and read it from the environment',
  ),
  rule(
    'a field that a script has not',
    sequence(script('make'), task('a', '¦{{t.exitcode}}')),
    '"t" has no field "exitcode"; did you mean "exit_code"?',
  ),
  syntax(
    'a value of stdin that is none',
    '<task type="script"><inputs><input name="X" ¦stdin="yes">x</input></inputs><command>cat</command></task>',
    'stdin is one of "true", "false", not "yes"',
  ),
];

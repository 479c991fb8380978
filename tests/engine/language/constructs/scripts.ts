// `script`: an external command.
import { output, type Row, sequence, task } from './row.ts';

const script = (command: string, inputs = '', name = 't') =>
  `<task type="script" name="${name}">${inputs && `<inputs>${inputs}</inputs>`}<command>${command}</command></task>`;
const verdict = output('success', 'boolean') + output('feedback', 'string', ' nullable="true"');

const judge = `<task name="e" subtype="evaluator"><description>judge it</description>${verdict}</task>`;
const within = (inner: string) => `<task type="let"><bind name="a">x</bind><body>${inner}</body></task>`;
const map = (inner: string) => `<task type="map"><over>1</over><inner_task>${inner}</inner_task></task>`;

export const scripts: Row[] = [
  {
    name: 'stdout is the content, all three are outputs',
    program: script('make'),
    scripts: { make: { stdout: 'ok\n', stderr: 'slow' } },
    expected: { result: { content: 'ok\n', outputs: { stdout: 'ok\n', stderr: 'slow', exit_code: 0 } } },
  },
  {
    name: 'settings stand in the command',
    program: script('{{test_command}} --rounds {{rounds}}'),
    scripts: { 'npm test --rounds 5': {} },
    expected: { result: { content: '' } },
  },
  {
    name: 'inputs are the environment',
    program: script(
      'env',
      '<input name="A">{{rounds}}</input><input name="b_2">$(rm) "q" {{test_command}}</input>',
    ),
    scripts: { env: {} },
    expected: { result: {}, commands: [{ env: { A: '5', b_2: '$(rm) "q" npm test' } }] },
  },
  {
    name: 'one input is standard input',
    program: script(
      'cat',
      '<input name="data" stdin="true">text</input><input name="E" stdin="false">e</input>',
    ),
    scripts: { cat: {} },
    expected: { result: {}, commands: [{ stdin: 'text', env: { E: 'e' } }] },
  },
  {
    name: 'what a caller gives is never a command',
    program: '<task type="script"><inputs><input name="X"/></inputs><command>echo "$X"</command></task>',
    inputs: { X: '"; rm -rf / {{test_command}}' },
    scripts: { 'echo "$X"': {} },
    expected: { result: {}, commands: [{ env: { X: '"; rm -rf / {{test_command}}' } }] },
  },
  {
    name: 'an exit that nothing judges fails',
    program: script('make'),
    scripts: { make: { exit_code: 2, stderr: 'no rule' } },
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'script_failed' },
      message: 'the script t exited 2: no rule',
    },
  },
  {
    name: 'an exit that an evaluator judges is information',
    program: sequence(
      script('make'),
      `<task name="e" subtype="evaluator"><description>{{t.exit_code}} {{t.stderr}}</description>${verdict}</task>`,
    ),
    scripts: { make: { exit_code: 2, stderr: 'no rule' } },
    replies: { e: '{"success": false, "feedback": "mend it"}' },
    expected: { result: { outputs: { success: false } }, asked: { e: ['2 no rule'] } },
  },
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
    ([how, first, then]): Row => ({
      name: `an exit that is judged ${how}`,
      program: sequence(first, then),
      library: { 'j.xml': `<task type="function" name="judging"><body>${judge}</body></task>` },
      scripts: { make: { exit_code: 7 } },
      replies: { e: '{"success": false, "feedback": "mend it"}' },
      expected: { result: {}, asked: { e: ['judge it'] } },
    }),
  ),
  {
    name: 'the value of an evaluator is judged by it',
    program: `<task name="e" subtype="evaluator"><inputs><input name="t">${script('make')}</input></inputs><description>{{t.exit_code}}</description>${verdict}</task>`,
    scripts: { make: { exit_code: 7 } },
    replies: { e: '{"success": false, "feedback": "mend it"}' },
    expected: { result: {}, asked: { e: ['7'] } },
  },
  {
    name: 'the value of a let is judged in its body',
    program: `<task type="let"><bind name="t">${script('make')}</bind><body>${judge}</body></task>`,
    scripts: { make: { exit_code: 7 } },
    replies: { e: '{"success": false, "feedback": "mend it"}' },
    expected: { result: {}, asked: { e: ['judge it'] } },
  },
  {
    name: 'a function with an evaluator that is only defined judges nothing',
    program: sequence(
      script('make'),
      `<task type="function" name="f"><parameters/><body>${judge}</body></task>`,
      task('after', 'x'),
    ),
    scripts: { make: { exit_code: 1 } },
    expected: { error: { code: 'TASK_FAILURE', reason: 'script_failed', step: 't' } },
  },
  {
    name: 'an evaluator beside it judges nothing',
    program: `<task name="a"><inputs><input name="x">${script('make')}</input><input name="y">${judge}</input></inputs><description>{{x}}{{y}}</description></task>`,
    scripts: { make: { exit_code: 1 } },
    replies: { e: '{"success": true, "feedback": null}' },
    expected: { error: { code: 'TASK_FAILURE', reason: 'script_failed' } },
  },
  {
    name: 'an exit after the evaluator is judged by nobody',
    program: sequence(
      `<task subtype="evaluator"><description>x</description>${verdict}</task>`,
      script('make'),
    ),
    scripts: { make: { exit_code: 1 } },
    replies: { evaluator: '{"success": true}' },
    expected: { error: { code: 'TASK_FAILURE', reason: 'script_failed', step: 't' }, finished: ['step 1'] },
  },
  {
    name: 'where scripts are not allowed nothing runs',
    program: sequence(task('a', 'x'), `¦${script('make')}`),
    expected: { error: { code: 'VALIDATION_ERROR' }, message: 'the script t may not run', ran: [] },
  },
  {
    name: 'a script in a function of the library is found before anything runs',
    program: sequence(task('a', 'x'), '<task type="call" ref="f"></task>'),
    library: { 'f.xml': `<task type="function" name="f"><body>${script('make')}</body></task>` },
    expected: { error: { code: 'VALIDATION_ERROR' }, message: 'the script t may not run', ran: [] },
  },
  {
    name: 'an empty command',
    program: '<task type="script" name="t"><command>¦{{test_command}}</command></task>',
    scripts: {},
    settings: { test_command: '', rounds: '5' },
    expected: { error: { code: 'INVALID_INPUT' }, message: 'the command of the script t is empty' },
  },
  {
    name: 'an input in the command',
    program: '<task type="script"><inputs><input name="X"/></inputs><command>echo ¦{{X}}</command></task>',
    expected: {
      kind: 'rule',
      problems: [
        'only settings of the run may stand in <command>: pass "X" as an <input> and read it from the environment',
      ],
    },
  },
  {
    name: 'outputs of its own',
    program: `<task type="script"><command>make</command>¦${output('n', 'number')}</task>`,
    expected: { kind: 'rule', problems: ['<output> is not allowed in <task type="script">'] },
  },
  {
    name: 'a field that a script has not',
    program: sequence(script('make'), task('a', '¦{{t.exitcode}}')),
    expected: { kind: 'rule', problems: ['"t" has no field "exitcode"; did you mean "exit_code"?'] },
  },
  {
    name: 'a value of stdin that is none',
    program:
      '<task type="script"><inputs><input name="X" ¦stdin="yes">x</input></inputs><command>cat</command></task>',
    expected: { kind: 'syntax', problems: ['stdin is one of "true", "false", not "yes"'] },
  },
];

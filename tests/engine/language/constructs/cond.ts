// `cond`: the first case whose test is true.
import { output, type Row, replies, sequence, task } from './row.ts';

/** A test as it is written in an attribute. */
const escaped = (test: string) =>
  test.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const when = (test: string, name = 'yes') => `<case test="${escaped(test)}">${task(name, name)}</case>`;
const cond = (...cases: string[]) => `<task type="cond">${cases.join('')}</task>`;
const otherwise = `<else>${task('no', 'no')}</else>`;
const before = `<task name="s"><description>x</description>${output('valid', 'boolean')}${output('errors', 'number')}${output('word', 'string')}${output('list', 'json')}</task>`;
const given = replies({ content: 'text', valid: true, errors: 2, word: 'true', list: [{ n: 1 }, { n: 5 }] });

/** What a test gives after a step with outputs of every type. */
const after = (test: string, chosen: 'yes' | 'no'): Row => ({
  name: `${test} is ${chosen}`,
  program: sequence(before, cond(when(test), otherwise)),
  replies: { s: given },
  expected: { result: { content: chosen }, ran: ['s', chosen] },
});

export const conds: Row[] = [
  after('output.valid == true', 'yes'),
  after('output.valid', 'yes'),
  after('!output.valid', 'no'),
  after("output.word == 'true'", 'yes'),
  after("output.word == 'TRUE'", 'yes'),
  after('output.errors > 0', 'yes'),
  after('output.errors == 2', 'yes'),
  after("output.errors == '2'", 'yes'),
  after('output.errors >= 2.5', 'no'),
  after('output.valid && output.errors < 3', 'yes'),
  after('output.errors > 5 || !output.valid', 'no'),
  after("output.content == 'text'", 'yes'),
  after("output.status == 'COMPLETE'", 'yes'),
  after('output.list[1].n == 5', 'yes'),
  after('output.list[7].n == 5', 'no'),
  after("contains(output.content, 'ex')", 'yes'),
  after('contains(output.list.*.n, 5)', 'yes'),
  after("s.word == 'true'", 'yes'),
  after('s.errors == output.errors', 'yes'),
  after("rounds == '5'", 'yes'),
  after('true', 'yes'),
  after("''", 'no'),
  after(`\${{ output.valid }}`, 'yes'),
  {
    name: 'the first true case wins',
    program: cond(when('false', 'a'), when('1 < 2', 'b'), when('true', 'c')),
    expected: { result: { content: 'b' }, ran: ['b'] },
  },
  {
    name: 'none is true: complete and empty',
    program: cond(when('false')),
    expected: { result: { status: 'COMPLETE', content: '', outputs: {} }, ran: [] },
  },
  {
    name: 'a named cond binds the result of what was chosen',
    program: sequence(`<task type="cond" name="c">${when('true')}</task>`, task('after', '{{c}}!')),
    expected: { result: { content: 'yes!' } },
  },
  {
    name: 'an input of the cond is in scope of its tests',
    program: `<task type="cond"><inputs><input name="n"/></inputs>${when('n > 3')}${otherwise}</task>`,
    inputs: { n: 4 },
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'an object of the caller has members',
    program: `<task type="cond"><inputs><input name="user"/></inputs>${when("user.name == 'ada' && user.roles[0] == 'admin'")}${otherwise}</task>`,
    inputs: { user: { name: 'Ada', roles: ['admin'] } },
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'a cond within a case sees the same step before',
    program: sequence(
      before,
      cond(`<case test="output.valid">${cond(when('output.errors == 2', 'deep'))}</case>`),
    ),
    replies: { s: given },
    expected: { result: { content: 'deep' } },
  },
  {
    name: 'the step before a sequence is the step before its first',
    program: sequence(before, sequence(cond(when('output.valid')))),
    replies: { s: given },
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'a function between does not count as a step',
    program: sequence(
      before,
      `<task type="function" name="f"><body>${task('b', 'x')}</body></task>`,
      cond(when('output.valid')),
    ),
    replies: { s: given },
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'the output of a script',
    program: sequence(
      '<task type="script"><command>ls</command></task>',
      cond(when("output.exit_code == 0 && output.stdout == 'a'")),
    ),
    scripts: { ls: { stdout: 'a' } },
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'a function of the test that cannot do what it is asked',
    program: sequence(
      task('s', 'no json'),
      `<task type="cond"><case ¦test="fromJSON(s).a">${task('y', 'y')}</case></task>`,
    ),
    expected: { error: { code: 'INVALID_INPUT' }, message: 'the test "fromJSON(s).a" cannot be worked out' },
  },
  {
    name: 'no step before',
    program: `<task type="cond"><case ¦test="output.valid">${task('y', 'y')}</case></task>`,
    expected: { kind: 'rule', problems: ['"output" is the result of the step before, and there is none'] },
  },
  {
    name: 'no step before in the first step',
    program: sequence(`<task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task>`),
    expected: { kind: 'rule', problems: ['"output" is the result of the step before, and there is none'] },
  },
  {
    name: 'no step before in the body of a function',
    program: sequence(
      task('s', 'x'),
      `<task type="function" name="f"><body><task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task></body></task>`,
      task('e', 'x'),
    ),
    expected: { kind: 'rule', problems: ['"output" is the result of the step before, and there is none'] },
  },
  {
    name: 'no step before in an argument',
    program: sequence(
      `<task type="function" name="f"><parameters><parameter name="a"/></parameters><body>${task('b', '{{a}}')}</body></task>`,
      task('s', 'x'),
      `<task type="call" ref="f"><arg name="a"><task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task></arg></task>`,
    ),
    expected: { kind: 'rule', problems: ['"output" is the result of the step before, and there is none'] },
  },
  {
    name: 'an output that the step before has not',
    program: sequence(before, `<task type="cond"><case ¦test="output.valdi">${task('y', 'y')}</case></task>`),
    expected: { kind: 'rule', problems: ['"output" has no field "valdi"; did you mean "valid"?'] },
  },
  {
    name: 'a field that a named step has not',
    program: sequence(
      before,
      task('t', 'x'),
      `<task type="cond"><case ¦test="s.valdi">${task('y', 'y')}</case></task>`,
    ),
    expected: { kind: 'rule', problems: ['"s" has no field "valdi"; did you mean "valid"?'] },
  },
  {
    name: 'a name nothing binds',
    program: `<task type="cond"><case ¦test="ruonds > 1">${task('y', 'y')}</case></task>`,
    expected: { kind: 'rule', problems: ['nothing binds "ruonds"; did you mean "rounds"?'] },
  },
  {
    name: 'a function of the program in a test',
    program: sequence(
      `<task type="function" name="f"><body>${task('b', 'x')}</body></task>`,
      `<task type="cond"><case ¦test="f == 'x'">${task('y', 'y')}</case></task>`,
    ),
    expected: { kind: 'rule', problems: ['"f" is a function: it can be called, not read'] },
  },
  {
    name: 'a name with a dot, which a test cannot read',
    program: sequence(
      task('a.b', 'x'),
      `<task type="cond"><case ¦test="a.b == 'x'">${task('y', 'y')}</case></task>`,
    ),
    expected: {
      kind: 'rule',
      problems: [
        'a test cannot read "a.b", whose name has a dot: give it another name with <input name="..." from="a.b"/>',
      ],
    },
  },
  {
    name: 'a test that does not parse',
    program: `<task type="cond"><case ¦test="rounds ==">${task('y', 'y')}</case></task>`,
    expected: {
      kind: 'rule',
      problems: ['the test does not parse: the expression ends too early (character 10 of it)'],
    },
  },
  {
    name: 'a single =',
    program: `<task type="cond"><case ¦test="rounds = 1">${task('y', 'y')}</case></task>`,
    expected: {
      kind: 'rule',
      problems: ['the test does not parse: unexpected "=": write "==" to compare (character 8 of it)'],
    },
  },
  {
    name: 'an unknown function of the test',
    program: `<task type="cond"><case ¦test="contians(rounds, 5)">${task('y', 'y')}</case></task>`,
    expected: {
      kind: 'rule',
      problems: [
        'the test does not parse: unknown function "contians"; did you mean "contains"? (character 1 of it)',
      ],
    },
  },
  {
    name: 'a case without a test',
    program: `<task type="cond">¦<case>${task('y', 'y')}</case></task>`,
    expected: { kind: 'syntax', problems: ['<case> needs the attribute test'] },
  },
  {
    name: 'an empty test',
    program: `<task type="cond"><case ¦test="">${task('y', 'y')}</case></task>`,
    expected: { kind: 'syntax', problems: ['the attribute test is empty'] },
  },
  {
    name: 'an empty case',
    program: '<task type="cond">¦<case test="true"></case></task>',
    expected: { kind: 'syntax', problems: ['<case> needs <task>'] },
  },
  {
    name: 'two elses',
    program: `<task type="cond">${when('true')}${otherwise}¦${otherwise}</task>`,
    expected: { kind: 'rule', problems: ['a second <else>: one is allowed'] },
  },
  {
    name: 'an else with a test',
    program: `<task type="cond">${when('true')}<else ¦test="true">${task('y', 'y')}</else></task>`,
    expected: { kind: 'syntax', problems: ['<else> has no attribute test'] },
  },
  {
    name: 'names in any case',
    program: sequence(
      before,
      `<task type="cond"><case test="OUTPUT.Valid == S.VALID">${task('y', 'y')}</case></task>`,
    ),
    replies: { s: given },
    expected: { result: { content: 'y' } },
  },
];

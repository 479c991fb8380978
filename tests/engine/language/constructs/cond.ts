// `cond`: the first case whose test is true.
import { ends, gives, output, replies, type Row, rule, sequence, syntax, task } from './row.ts';

/** A test as it is written in an attribute. */
const escaped = (test: string) =>
  test.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
const when = (test: string, name = 'yes') => `<case test="${escaped(test)}">${task(name, name)}</case>`;
const cond = (...cases: string[]) => `<task type="cond">${cases.join('')}</task>`;
const otherwise = `<else>${task('no', 'no')}</else>`;
const before = `<task name="s"><description>x</description>${output('valid', 'boolean')}${output('errors', 'number')}${output('word', 'string')}${output('list', 'json')}</task>`;
const given = replies({ content: 'text', valid: true, errors: 2, word: 'true', list: [{ n: 1 }, { n: 5 }] });

/** Result of a test after a step with outputs of every type. */
const after = (test: string, chosen: 'yes' | 'no'): Row =>
  gives(
    `${test} is ${chosen}`,
    sequence(before, cond(when(test), otherwise)),
    { content: chosen },
    { replies: { s: given }, ran: ['s', chosen] },
  );

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
  gives('the first true case wins', cond(when('false', 'a'), when('1 < 2', 'b'), when('true', 'c')), 'b', {
    ran: ['b'],
  }),
  gives(
    'a named cond binds the result of what was chosen',
    sequence(`<task type="cond" name="c">${when('true')}</task>`, task('after', '{{c}}!')),
    'yes!',
  ),
  gives(
    'an object of the caller has members',
    `<task type="cond"><inputs><input name="user"/></inputs>${when("user.name == 'ada' && user.roles[0] == 'admin'")}${otherwise}</task>`,
    'yes',
    { inputs: { user: { name: 'Ada', roles: ['admin'] } } },
  ),
  gives(
    'the step before a sequence is the step before its first',
    sequence(before, sequence(cond(when('output.valid')))),
    'yes',
    { replies: { s: given } },
  ),
  gives(
    'a function between does not count as a step',
    sequence(
      before,
      `<task type="function" name="f"><body>${task('b', 'x')}</body></task>`,
      cond(when('output.valid')),
    ),
    'yes',
    { replies: { s: given } },
  ),
  ends(
    'a function of the test that cannot do what it is asked',
    sequence(
      task('s', 'no json'),
      `<task type="cond"><case ¦test="fromJSON(s).a">${task('y', 'y')}</case></task>`,
    ),
    'INVALID_INPUT',
    { message: 'the test "fromJSON(s).a" cannot be worked out' },
  ),
  rule(
    'no step before',
    `<task type="cond"><case ¦test="output.valid">${task('y', 'y')}</case></task>`,
    '"output" is the result of the step before, and there is none',
  ),
  rule(
    'no step before in the first step',
    sequence(`<task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task>`),
    '"output" is the result of the step before, and there is none',
  ),
  rule(
    'no step before in the body of a function',
    sequence(
      task('s', 'x'),
      `<task type="function" name="f"><body><task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task></body></task>`,
      task('e', 'x'),
    ),
    '"output" is the result of the step before, and there is none',
  ),
  rule(
    'no step before in an argument',
    sequence(
      `<task type="function" name="f"><parameters><parameter name="a"/></parameters><body>${task('b', '{{a}}')}</body></task>`,
      task('s', 'x'),
      `<task type="call" ref="f"><arg name="a"><task type="cond"><case ¦test="output == 'x'">${task('y', 'y')}</case></task></arg></task>`,
    ),
    '"output" is the result of the step before, and there is none',
  ),
  rule(
    'an output that the step before has not',
    sequence(before, `<task type="cond"><case ¦test="output.valdi">${task('y', 'y')}</case></task>`),
    '"output" has no field "valdi"; did you mean "valid"?',
  ),
  rule(
    'a name nothing binds',
    `<task type="cond"><case ¦test="ruonds > 1">${task('y', 'y')}</case></task>`,
    'nothing binds "ruonds"; did you mean "rounds"?',
  ),
  rule(
    'a function of the program in a test',
    sequence(
      `<task type="function" name="f"><body>${task('b', 'x')}</body></task>`,
      `<task type="cond"><case ¦test="f == 'x'">${task('y', 'y')}</case></task>`,
    ),
    '"f" is a function: it can be called, not read',
  ),
  rule(
    'a name with a dot, which a test cannot read',
    sequence(task('a.b', 'x'), `<task type="cond"><case ¦test="a.b == 'x'">${task('y', 'y')}</case></task>`),
    'a test cannot read "a.b", whose name has a dot: give it another name with <input name="..." from="a.b"/>',
  ),
  rule(
    'a test that does not parse',
    `<task type="cond"><case ¦test="rounds ==">${task('y', 'y')}</case></task>`,
    'the test does not parse: the expression ends too early (character 10 of it)',
  ),
  rule(
    'a single =',
    `<task type="cond"><case ¦test="rounds = 1">${task('y', 'y')}</case></task>`,
    'the test does not parse: unexpected "=": write "==" to compare (character 8 of it)',
  ),
  rule(
    'an unknown function of the test',
    `<task type="cond"><case ¦test="contians(rounds, 5)">${task('y', 'y')}</case></task>`,
    'the test does not parse: unknown function "contians"; did you mean "contains"? (character 1 of it)',
  ),
  syntax(
    'a case without a test',
    `<task type="cond">¦<case>${task('y', 'y')}</case></task>`,
    '<case> needs the attribute test',
  ),
  syntax(
    'an empty test',
    `<task type="cond"><case ¦test="">${task('y', 'y')}</case></task>`,
    'the attribute test is empty',
  ),
  syntax(
    'an else with a test',
    `<task type="cond">${when('true')}<else ¦test="true">${task('y', 'y')}</else></task>`,
    '<else> has no attribute test',
  ),
  gives(
    'names in any case',
    sequence(
      before,
      `<task type="cond"><case test="OUTPUT.Valid == S.VALID">${task('y', 'y')}</case></task>`,
    ),
    'y',
    { replies: { s: given } },
  ),
];

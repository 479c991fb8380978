// `function` and `call`: what a body sees, and how deep calls may go.
import { fails, output, type Row, sequence, task } from './row.ts';

const define = (name: string, parameters: string[], body: string, more = '') =>
  `<task type="function" name="${name}">${
    parameters.length > 0
      ? `<parameters>${parameters.map(each => `<parameter name="${each}"/>`).join('')}</parameters>`
      : ''
  }${more}<body>${body}</body></task>`;
const call = (ref: string, args = '', name = '') =>
  `<task type="call" ref="${ref}"${name && ` name="${name}"`}>${args}</task>`;
const greet = define('greet', ['who'], task('g', 'Hello {{who}}'));
const counted = output('left', 'number');

export const functions: Row[] = [
  {
    name: 'a call gives the result of the body',
    program: sequence(greet, call('greet', '<arg name="who">Ada</arg>')),
    expected: { result: { content: 'Hello Ada' } },
  },
  {
    name: 'arguments are bindings, texts and tasks',
    program: sequence(
      define('three', ['a', 'b', 'c'], task('g', '{{a}}-{{b}}-{{c}}')),
      task('step', 'one'),
      call(
        'three',
        `<arg name="a" from="step"/><arg name="b">two of {{step}}</arg><arg name="c">${task('t', 'three')}</arg>`,
      ),
    ),
    expected: {
      result: { content: 'one-two of one-three', notes: { dataUsage: { turns: 3 } } },
      ran: ['step', 't', 'g'],
    },
  },
  {
    name: 'an argument may be empty',
    program: sequence(greet, call('greet', '<arg name="who"/>')),
    expected: { result: { content: 'Hello ' } },
  },
  {
    name: 'the body sees the frame of its definition',
    program: sequence(
      task('tone', 'kindly'),
      define('greet', ['who'], task('g', 'Hello {{who}}, {{tone}}')),
      call('greet', '<arg name="who">Bo</arg>'),
    ),
    expected: { result: { content: 'Hello Bo, kindly' } },
  },
  {
    name: 'a later step of the name does not change what the body sees',
    program: sequence(
      task('tone', 'kindly'),
      define('f', [], task('g', '{{tone}}')),
      `<task type="let"><bind name="tone">rudely</bind><body>${call('f')}</body></task>`,
    ),
    expected: { result: { content: 'kindly' } },
  },
  {
    name: 'the body does not see the names of its caller',
    program: sequence(
      define('f', [], task('g', '¦{{local}}')),
      `<task type="let"><bind name="local">x</bind><body>${call('f')}</body></task>`,
    ),
    expected: { kind: 'rule', problems: ['nothing binds "local"'] },
  },
  {
    name: 'the body does not see steps after its definition',
    program: sequence(define('f', [], task('g', '¦{{late}}')), task('late', 'x'), call('f')),
    expected: { kind: 'rule', problems: ['nothing binds "late"'] },
  },
  {
    name: 'a parameter hides a name around it',
    program: sequence(task('who', 'nobody'), greet, call('greet', '<arg name="who">Cy</arg>')),
    expected: { result: { content: 'Hello Cy' } },
  },
  {
    name: 'a parameter is not seen after the call',
    program: sequence(greet, call('greet', '<arg name="who">x</arg>'), task('after', '¦{{who}}')),
    expected: { kind: 'rule', problems: ['nothing binds "who"'] },
  },
  {
    name: 'a function calls itself and comes to an end',
    program: sequence(
      define(
        'down',
        ['left'],
        `<task type="cond"><case test="left > 0"><task type="sequential"><steps><task name="step"><description>from {{left}}</description>${counted}</task>${call('down', '<arg name="left" from="step.left"/>')}</steps></task></case><else>${task('base', 'end at {{left}}')}</else></task>`,
      ),
      call('down', '<arg name="left">2</arg>'),
    ),
    replies: { step: ['{"left": 1}', '{"left": 0}'] },
    expected: {
      result: { content: 'end at 0' },
      asked: { step: ['from 2', 'from 1'] },
    },
  },
  {
    name: 'a function that calls itself without end',
    program: sequence(define('on', [], '¦<task type="call" ref="on"></task>'.replace('¦', '')), call('on')),
    expected: {
      error: { code: 'TASK_FAILURE', reason: 'too_deep' },
      message: 'a function that calls itself needs a case that does not',
      ran: [],
    },
  },
  {
    name: 'the place of the call that is too deep',
    program: sequence(define('on', [], '<task type="call" ¦ref="on"></task>'), call('on')),
    expected: { error: { code: 'TASK_FAILURE', reason: 'too_deep' } },
  },
  {
    name: 'a named call binds its result',
    program: sequence(greet, call('greet', '<arg name="who">Di</arg>', 'g1'), task('after', '{{g1}}!')),
    expected: { result: { content: 'Hello Di!' } },
  },
  {
    name: 'returns: what is no number',
    program: sequence(define('n', [], task('g', 'many'), '<returns type="number"/>'), call('n')),
    expected: {
      error: { code: 'INVALID_OUTPUT', violations: ['"n" returns many, which is not of type number'] },
    },
  },
  {
    name: 'a parameter of a type is of it',
    program: sequence(
      define(
        'f',
        ['x" type="json', 'y" type="boolean'],
        `<task type="cond"><case test="x.a[0] == 1 &amp;&amp; y == true">${task('g', 'yes')}</case></task>`,
      ),
      call('f', '<arg name="x">```json\n{"a": [1]}\n```</arg><arg name="y">true</arg>'),
    ),
    expected: { result: { content: 'yes' } },
  },
  {
    name: 'a parameter that is not of its type is refused before the body runs',
    program: sequence(
      define('f', ['x" type="number'], task('g', '{{x}}')),
      call('f', '<arg name="x">many</arg>'),
    ),
    expected: {
      error: { code: 'INVALID_INPUT' },
      message: 'the argument "x" of "f" is "many", which is not of type number',
      ran: [],
    },
  },
  {
    name: 'a body that failed fails the step of the call',
    program: sequence(greet, call('greet', '<arg name="who">x</arg>', 'c')),
    replies: { g: fails('no voice') },
    expected: { error: { code: 'TASK_FAILURE', step: 'c' }, message: 'no voice' },
  },
  {
    name: 'a function of the library',
    program: call('greet', '<arg name="who">Ed</arg>'),
    library: { 'greet.xml': greet },
    expected: { result: { content: 'Hello Ed' } },
  },
  {
    name: 'a function of the program goes before one of the library',
    program: sequence(greet, call('greet', '<arg name="who">Flo</arg>')),
    library: { 'greet.xml': define('greet', ['who'], task('g', 'Bye {{who}}')) },
    expected: { result: { content: 'Hello Flo' } },
  },
  {
    name: 'a function of the library calls another',
    program: call('outer'),
    library: {
      'outer.xml': define('outer', [], call('greet', '<arg name="who">Gus</arg>')),
      'greet.xml': greet,
    },
    expected: { result: { content: 'Hello Gus' } },
  },
  {
    name: 'a function of the library that is wrong is found before anything runs',
    program: sequence(task('a', 'x'), call('bad')),
    library: { 'bad.xml': define('bad', [], task('g', '{{nobody}}')) },
    expected: { error: { code: 'VALIDATION_ERROR' }, message: 'bad.xml:1:', ran: [] },
  },
  {
    name: 'a missing argument',
    program: sequence(greet, `¦${call('greet')}`),
    expected: { kind: 'rule', problems: ['the call of "greet" misses the argument "who"'] },
  },
  {
    name: 'a surplus argument',
    program: sequence(greet, call('greet', '<arg name="who">x</arg>¦<arg name="whom">y</arg>')),
    expected: {
      kind: 'rule',
      problems: ['"greet" has no parameter "whom"; did you mean "who"?: it takes who'],
    },
  },
  {
    name: 'an argument for a function without parameters',
    program: sequence(define('f', [], task('g', 'x')), call('f', '¦<arg name="a">y</arg>')),
    expected: { kind: 'rule', problems: ['"f" has no parameter "a": it takes none'] },
  },
  {
    name: 'an argument twice',
    program: sequence(greet, call('greet', '<arg name="who">x</arg>¦<arg name="who">y</arg>')),
    expected: { kind: 'syntax', problems: ['a second argument "who"; the first is on line 1'] },
  },
  {
    name: 'a missing and a surplus argument of a library function',
    program: `¦${call('greet', '¦<arg name="b">y</arg>')}`,
    library: { 'greet.xml': greet },
    expected: {
      kind: 'rule',
      problems: [
        'the call of "greet" misses the argument "who"',
        '"greet" has no parameter "b": it takes who',
      ],
    },
  },
  {
    name: 'a function that is not there, with the nearest',
    program: sequence(greet, '<task type="call" ¦ref="gret"><arg name="who">x</arg></task>'),
    expected: {
      kind: 'rule',
      problems: [
        'unknown ref "gret": no function of that name stands before this call or in the library; did you mean "greet"?',
      ],
    },
  },
  {
    name: 'a call before the definition',
    program: sequence('<task type="call" ¦ref="greet"><arg name="who">x</arg></task>', greet),
    expected: {
      kind: 'rule',
      problems: ['unknown ref "greet": no function of that name stands before this call or in the library'],
    },
  },
  {
    name: 'a call of a step',
    program: sequence(task('a', 'x'), '<task type="call" ¦ref="a"></task>'),
    expected: { kind: 'rule', problems: ['"a" is not a function: only a function can be called'] },
  },
  {
    name: 'a call of a template that is no function',
    program: '<task type="call" ¦ref="a"></task>',
    library: { 'a.xml': task('a', 'x') },
    expected: { kind: 'rule', problems: ['"a" is not a function: only a function can be called'] },
  },
  {
    name: 'a function that is read',
    program: sequence(greet, task('a', '¦{{greet}}')),
    expected: { kind: 'rule', problems: ['"greet" is a function: it can be called, not read'] },
  },
  {
    name: 'a parameter twice',
    program:
      '<task type="function" name="f"><parameters><parameter name="a"/>¦<parameter name="a"/></parameters><body><task><description>{{a}}</description></task></body></task>',
    expected: { kind: 'syntax', problems: ['a second parameter "a"; the first is on line 1'] },
  },
  {
    name: 'a function with inputs',
    program:
      '¦<task type="function" name="f"><inputs><input name="a">x</input></inputs><body><task><description>y</description></task></body></task>',
    expected: {
      kind: 'rule',
      problems: ['<task type="function"> has <parameters>, not <inputs>: a call gives them their values'],
    },
  },
  {
    name: 'a type of returns that is none',
    program:
      '<task type="function" name="f"><returns ¦type="int"/><body><task><description>y</description></task></body></task>',
    expected: {
      kind: 'warning',
      problems: ['"int" is not checked: type is one of "string", "number", "boolean", "json"'],
    },
  },
  {
    name: 'a function in a body',
    program: define('f', [], `¦${define('g', [], task('x', 'x'))}`),
    expected: {
      kind: 'rule',
      problems: ['<body> holds a task that runs; a function stands among <steps> or in a file of its own'],
    },
  },
];

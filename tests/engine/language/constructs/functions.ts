// `function` and `call`: what a body sees, and how deep calls may go.
import { ends, gives, output, type Row, rule, sequence, syntax, task, warning } from './row.ts';

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
  gives(
    'a call gives the result of the body',
    sequence(greet, call('greet', '<arg name="who">Ada</arg>')),
    'Hello Ada',
  ),
  gives(
    'arguments are bindings, texts and tasks',
    sequence(
      define('three', ['a', 'b', 'c'], task('g', '{{a}}-{{b}}-{{c}}')),
      task('step', 'one'),
      call(
        'three',
        `<arg name="a" from="step"/><arg name="b">two of {{step}}</arg><arg name="c">${task('t', 'three')}</arg>`,
      ),
    ),
    { content: 'one-two of one-three', notes: { dataUsage: { turns: 3 } } },
    { ran: ['step', 't', 'g'] },
  ),
  gives('an argument may be empty', sequence(greet, call('greet', '<arg name="who"/>')), 'Hello '),
  gives(
    'the body sees the frame of its definition',
    sequence(
      task('tone', 'kindly'),
      define('greet', ['who'], task('g', 'Hello {{who}}, {{tone}}')),
      call('greet', '<arg name="who">Bo</arg>'),
    ),
    'Hello Bo, kindly',
  ),
  gives(
    'a later step of the name does not change what the body sees',
    sequence(
      task('tone', 'kindly'),
      define('f', [], task('g', '{{tone}}')),
      `<task type="let"><bind name="tone">rudely</bind><body>${call('f')}</body></task>`,
    ),
    'kindly',
  ),
  rule(
    'the body does not see the names of its caller',
    sequence(
      define('f', [], task('g', '¦{{local}}')),
      `<task type="let"><bind name="local">x</bind><body>${call('f')}</body></task>`,
    ),
    'nothing binds "local"',
  ),
  rule(
    'the body does not see steps after its definition',
    sequence(define('f', [], task('g', '¦{{late}}')), task('late', 'x'), call('f')),
    'nothing binds "late"',
  ),
  gives(
    'a parameter hides a name around it',
    sequence(task('who', 'nobody'), greet, call('greet', '<arg name="who">Cy</arg>')),
    'Hello Cy',
  ),
  rule(
    'a parameter is not seen after the call',
    sequence(greet, call('greet', '<arg name="who">x</arg>'), task('after', '¦{{who}}')),
    'nothing binds "who"',
  ),
  gives(
    'a function calls itself and comes to an end',
    sequence(
      define(
        'down',
        ['left'],
        `<task type="cond"><case test="left > 0"><task type="sequential"><steps><task name="step"><description>from {{left}}</description>${counted}</task>${call('down', '<arg name="left" from="step.left"/>')}</steps></task></case><else>${task('base', 'end at {{left}}')}</else></task>`,
      ),
      call('down', '<arg name="left">2</arg>'),
    ),
    'end at 0',
    { replies: { step: ['{"left": 1}', '{"left": 0}'] }, asked: { step: ['from 2', 'from 1'] } },
  ),
  ends(
    'a function that calls itself without end',
    sequence(define('on', [], '¦<task type="call" ref="on"></task>'.replace('¦', '')), call('on')),
    { code: 'TASK_FAILURE', reason: 'too_deep' },
    { message: 'a function that calls itself needs a case that does not', ran: [] },
  ),
  ends(
    'returns: what is no number',
    sequence(define('n', [], task('g', 'many'), '<returns type="number"/>'), call('n')),
    { code: 'INVALID_OUTPUT', violations: ['"n" returns many, which is not of type number'] },
  ),
  gives(
    'a parameter of a type is of it',
    sequence(
      define(
        'f',
        ['x" type="json', 'y" type="boolean'],
        `<task type="cond"><case test="x.a[0] == 1 &amp;&amp; y == true">${task('g', 'yes')}</case></task>`,
      ),
      call('f', '<arg name="x">```json\n{"a": [1]}\n```</arg><arg name="y">true</arg>'),
    ),
    'yes',
  ),
  ends(
    'a parameter that is not of its type is refused before the body runs',
    sequence(define('f', ['x" type="number'], task('g', '{{x}}')), call('f', '<arg name="x">many</arg>')),
    'INVALID_INPUT',
    { message: 'the argument "x" of "f" is "many", which is not of type number', ran: [] },
  ),
  gives('a function of the library', call('greet', '<arg name="who">Ed</arg>'), 'Hello Ed', {
    library: { 'greet.xml': greet },
  }),
  gives(
    'a function of the program goes before one of the library',
    sequence(greet, call('greet', '<arg name="who">Flo</arg>')),
    'Hello Flo',
    { library: { 'greet.xml': define('greet', ['who'], task('g', 'Bye {{who}}')) } },
  ),
  ends(
    'a function of the library that is wrong is found before anything runs',
    sequence(task('a', 'x'), call('bad')),
    'VALIDATION_ERROR',
    { library: { 'bad.xml': define('bad', [], task('g', '{{nobody}}')) }, message: 'bad.xml:1:', ran: [] },
  ),
  rule(
    'a missing argument',
    sequence(greet, `¦${call('greet')}`),
    'the call of "greet" misses the argument "who"',
  ),
  rule(
    'a surplus argument',
    sequence(greet, call('greet', '<arg name="who">x</arg>¦<arg name="whom">y</arg>')),
    '"greet" has no parameter "whom"; did you mean "who"?: it takes who',
  ),
  rule(
    'an argument for a function without parameters',
    sequence(define('f', [], task('g', 'x')), call('f', '¦<arg name="a">y</arg>')),
    '"f" has no parameter "a": it takes none',
  ),
  syntax(
    'an argument twice',
    sequence(greet, call('greet', '<arg name="who">x</arg>¦<arg name="who">y</arg>')),
    'a second argument "who"; the first is on line 1',
  ),
  {
    ...rule(
      'a missing and a surplus argument of a library function',
      `¦${call('greet', '¦<arg name="b">y</arg>')}`,
      'the call of "greet" misses the argument "who"',
      '"greet" has no parameter "b": it takes who',
    ),
    library: { 'greet.xml': greet },
  },
  rule(
    'a function that is not there, with the nearest',
    sequence(greet, '<task type="call" ¦ref="gret"><arg name="who">x</arg></task>'),
    'unknown ref "gret": no function of that name stands before this call or in the library; did you mean "greet"?',
  ),
  rule(
    'a call before the definition',
    sequence('<task type="call" ¦ref="greet"><arg name="who">x</arg></task>', greet),
    'unknown ref "greet": no function of that name stands before this call or in the library',
  ),
  rule(
    'a call of a step',
    sequence(task('a', 'x'), '<task type="call" ¦ref="a"></task>'),
    '"a" is not a function: only a function can be called',
  ),
  {
    ...rule(
      'a call of a template that is no function',
      '<task type="call" ¦ref="a"></task>',
      '"a" is not a function: only a function can be called',
    ),
    library: { 'a.xml': task('a', 'x') },
  },
  syntax(
    'a parameter twice',
    '<task type="function" name="f"><parameters><parameter name="a"/>¦<parameter name="a"/></parameters><body><task><description>{{a}}</description></task></body></task>',
    'a second parameter "a"; the first is on line 1',
  ),
  rule(
    'a function with inputs',
    '¦<task type="function" name="f"><inputs><input name="a">x</input></inputs><body><task><description>y</description></task></body></task>',
    '<task type="function"> has <parameters>, not <inputs>: a call gives them their values',
  ),
  warning(
    'a type of returns that is none',
    '<task type="function" name="f"><returns ¦type="int"/><body><task><description>y</description></task></body></task>',
    '"int" is not checked: type is one of "string", "number", "boolean", "json"',
  ),
];

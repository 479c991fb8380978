// `ref`: a registered task with what is given here in the place of its own parts.
import { output, type Row, sequence, task } from './row.ts';

const greet =
  '<task name="greet"><description>Say {{word}} to {{who}}.</description><inputs><input name="word">hello</input><input name="who">all</input></inputs><model>small</model></task>';
const library = { 'greet.xml': greet };

export const refs: Row[] = [
  {
    name: 'as it is registered',
    program: '<task ref="greet"/>',
    library,
    expected: {
      result: { content: 'Say hello to all.', notes: { template: { name: 'greet' } } },
      sessions: { greet: { model: 'small' } },
    },
  },
  {
    name: 'one input is overridden, the others are kept',
    program: '<task ref="greet"><inputs><input name="who">Ada</input></inputs></task>',
    library,
    expected: { result: { content: 'Say hello to Ada.' } },
  },
  {
    name: 'an element is overridden',
    program: '<task ref="greet"><model>large</model><description>{{word}}, {{who}}</description></task>',
    library,
    expected: { result: { content: 'hello, all' }, sessions: { greet: { model: 'large' } } },
  },
  {
    name: 'an input is added',
    program:
      '<task ref="greet"><inputs><input name="more">now</input></inputs><description>{{word}} {{who}} {{more}}</description></task>',
    library,
    expected: { result: { content: 'hello all now' } },
  },
  {
    name: 'a name of its own',
    program: sequence('<task ref="greet" name="first"/>', task('after', '{{first}}')),
    library,
    expected: { result: { content: 'Say hello to all.' }, ran: ['first', 'after'] },
  },
  {
    name: 'a parameter that a step gives',
    program: sequence(
      task('who', 'Bo'),
      '<task ref="ask"><inputs><input name="name" from="who"/></inputs></task>',
    ),
    library: {
      'ask.xml':
        '<task name="ask"><inputs><input name="name"/></inputs><description>Ask {{name}}.</description></task>',
    },
    expected: { result: { content: 'Ask Bo.' } },
  },
  {
    name: 'outputs are overridden together',
    program: `<task ref="o"><description>x</description>${output('b', 'number')}</task>`,
    library: { 'o.xml': `<task name="o"><description>x</description>${output('a', 'number')}</task>` },
    replies: { o: '{"b": 1}' },
    expected: { result: { outputs: { b: 1 } } },
  },
  {
    name: 'a sequence of the library',
    program: sequence('<task ref="two"/>', task('after', '{{two}}')),
    library: {
      'two.xml': `<task type="sequential" name="two"><steps>${task('a', 'x')}${task('b', 'y {{a}}')}</steps></task>`,
    },
    expected: { result: { content: 'y x' } },
  },
  {
    name: 'a template that takes another',
    program: '<task ref="polite"/>',
    library: {
      ...library,
      'polite.xml':
        '<task ref="greet" name="polite"><inputs><input name="word">good day</input></inputs></task>',
    },
    expected: { result: { content: 'Say good day to all.', notes: { template: { name: 'polite' } } } },
  },
  {
    name: 'a ref in a slot',
    program: `<task type="map"><over>["x"]</over><inner_task><task ref="greet"><inputs><input name="who" from="item"/></inputs></task></inner_task></task>`,
    library,
    expected: { result: { content: '["Say hello to x."]' } },
  },
  {
    name: 'its own type may be said',
    program: '<task type="atomic" ref="greet"/>',
    library,
    expected: { result: { content: 'Say hello to all.' } },
  },
  {
    name: 'an unknown one, with the nearest',
    program: '<task ¦ref="great"/>',
    library,
    expected: {
      kind: 'rule',
      problems: ['unknown ref "great": no task is registered under that name; did you mean "greet"?'],
    },
  },
  {
    name: 'another type',
    program: '<task ref="greet" ¦type="script"/>',
    library,
    expected: { kind: 'rule', problems: ['"greet" is of type atomic, which cannot be overridden'] },
  },
  {
    name: 'a function',
    program: '<task ¦ref="f"/>',
    library: { 'f.xml': `<task type="function" name="f"><body>${task('b', 'x')}</body></task>` },
    expected: { kind: 'rule', problems: ['"f" is a function: call it with <task type="call" ref="f">'] },
  },
  {
    name: 'a part that its type does not have',
    program: '<task ref="greet">¦<command>ls</command></task>',
    library,
    expected: { kind: 'rule', problems: ['<command> is not allowed in <task type="atomic">'] },
  },
  {
    name: 'a parameter that nobody gives',
    program: sequence('¦<task ref="ask"/>'),
    library: {
      'ask.xml':
        '<task name="ask"><inputs><input name="name"/></inputs><description>Ask {{name}}.</description></task>',
    },
    expected: {
      kind: 'rule',
      problems: [
        'input "name" has no value: write from="..." or content (only the root\'s inputs are filled by the caller)',
      ],
    },
  },
  {
    name: 'a name that only the program binds is none of the template',
    program: sequence(task('secret', 'x'), '<task ref="leak"/>'),
    library: { 'leak.xml': '<task name="leak"><description>Tell {{secret}}</description></task>' },
    expected: { kind: 'rule', problems: ['nothing binds "secret"'], places: ['1:37'] },
  },
  {
    name: 'what is given here sees what is around it',
    program: sequence(
      task('secret', 'x'),
      '<task ref="greet"><inputs><input name="who" from="secret"/></inputs><instructions>{{secret}}</instructions></task>',
    ),
    library,
    expected: { result: { content: 'x\n\nSay hello to x.' } },
  },
  {
    name: 'a call of a template is that of the library, whatever the program calls so',
    program: sequence(
      `<task type="function" name="shout"><body>${task('ours', 'x')}</body></task>`,
      '<task ref="louder"/>',
    ),
    library: {
      'shout.xml': `<task type="function" name="shout"><body>${task('theirs', 'x')}</body></task>`,
      'louder.xml': '<task type="call" ref="shout" name="louder"/>',
    },
    expected: { result: {}, ran: ['theirs'] },
  },
  {
    name: 'an evaluator whose source is its own input',
    program: sequence(
      task('w', 'work'),
      '<task ref="judge"><inputs><input name="draft" from="w"/></inputs></task>',
    ),
    library: {
      'judge.xml': `<task name="judge" subtype="evaluator"><inputs><input name="draft"/></inputs><description>Of {{target_content}}</description><input_source>draft</input_source>${output('success', 'boolean')}${output('feedback', 'string', ' nullable="true"')}</task>`,
    },
    replies: { judge: '{"success": true}' },
    expected: { result: { outputs: { success: true } }, asked: { judge: ['Of ```\nwork\n```'] } },
  },
];

// `ref`: a registered task with what is given here in the place of its own parts.
import { gives, output, type Row, rule, sequence, task } from './row.ts';

const greet =
  '<task name="greet"><description>Say {{word}} to {{who}}.</description><inputs><input name="word">hello</input><input name="who">all</input></inputs><model>small</model></task>';
const library = { 'greet.xml': greet };

export const refs: Row[] = [
  gives(
    'one input is overridden, the others are kept',
    '<task ref="greet"><inputs><input name="who">Ada</input></inputs></task>',
    'Say hello to Ada.',
    { library },
  ),
  gives(
    'an element is overridden',
    '<task ref="greet"><model>large</model><description>{{word}}, {{who}}</description></task>',
    'hello, all',
    { library, sessions: { greet: { model: 'large' } } },
  ),
  gives(
    'an input is added',
    '<task ref="greet"><inputs><input name="more">now</input></inputs><description>{{word}} {{who}} {{more}}</description></task>',
    'hello all now',
    { library },
  ),
  gives(
    'outputs are overridden together',
    `<task ref="o"><description>x</description>${output('b', 'number')}</task>`,
    { outputs: { b: 1 } },
    {
      library: { 'o.xml': `<task name="o"><description>x</description>${output('a', 'number')}</task>` },
      replies: { o: '{"b": 1}' },
    },
  ),
  gives('its own type may be said', '<task type="atomic" ref="greet"/>', 'Say hello to all.', { library }),
  {
    ...rule(
      'an unknown one, with the nearest',
      '<task ¦ref="great"/>',
      'unknown ref "great": no task is registered under that name; did you mean "greet"?',
    ),
    library,
  },
  {
    ...rule(
      'another type',
      '<task ref="greet" ¦type="script"/>',
      '"greet" is of type atomic, which cannot be overridden',
    ),
    library,
  },
  {
    ...rule('a function', '<task ¦ref="f"/>', '"f" is a function: call it with <task type="call" ref="f">'),
    library: { 'f.xml': `<task type="function" name="f"><body>${task('b', 'x')}</body></task>` },
  },
  {
    ...rule(
      'a part that its type does not have',
      '<task ref="greet">¦<command>ls</command></task>',
      '<command> is not allowed in <task type="atomic">',
    ),
    library,
  },
  {
    ...rule(
      'a parameter that nobody gives',
      sequence('¦<task ref="ask"/>'),
      'input "name" has no value: write from="..." or content (only the root\'s inputs are filled by the caller)',
    ),
    library: {
      'ask.xml':
        '<task name="ask"><inputs><input name="name"/></inputs><description>Ask {{name}}.</description></task>',
    },
  },
  {
    ...rule(
      'a name that only the program binds is none of the template',
      sequence(task('secret', 'x'), '<task ref="leak"/>'),
      'nothing binds "secret"',
    ),
    library: { 'leak.xml': '<task name="leak"><description>Tell {{secret}}</description></task>' },
    places: ['1:37'],
  },
  gives(
    'what is given here sees what is around it',
    sequence(
      task('secret', 'x'),
      '<task ref="greet"><inputs><input name="who" from="secret"/></inputs><instructions>{{secret}}</instructions></task>',
    ),
    'x\n\nSay hello to x.',
    { library },
  ),
  gives(
    'a call of a template is that of the library, whatever the program calls so',
    sequence(
      `<task type="function" name="shout"><body>${task('ours', 'x')}</body></task>`,
      '<task ref="louder"/>',
    ),
    {},
    {
      library: {
        'shout.xml': `<task type="function" name="shout"><body>${task('theirs', 'x')}</body></task>`,
        'louder.xml': '<task type="call" ref="shout" name="louder"/>',
      },
      ran: ['theirs'],
    },
  ),
  gives(
    'an evaluator whose source is its own input',
    sequence(task('w', 'work'), '<task ref="judge"><inputs><input name="draft" from="w"/></inputs></task>'),
    { outputs: { success: true } },
    {
      library: {
        'judge.xml': `<task name="judge" subtype="evaluator"><inputs><input name="draft"/></inputs><description>Of {{target_content}}</description><input_source>draft</input_source>${output('success', 'boolean')}${output('feedback', 'string', ' nullable="true"')}</task>`,
      },
      replies: { judge: '{"success": true}' },
      asked: { judge: ['Of ```\nwork\n```'] },
    },
  ),
];

// `subtype`: what a session may end with, and what it has to declare.
import { ends, gives, output, replies, type Row, rule, sequence, syntax, task, warning } from './row.ts';

const verdict = output('success', 'boolean') + output('feedback', 'string', ' nullable="true"');
const of = (subtype: string, parts = '') =>
  `<task name="t" subtype="${subtype}"><description>x</description>${parts}</task>`;
const goesOn = replies({ status: 'CONTINUATION', content: 'more' });

export const subtypes: Row[] = [
  ...['subtask', 'associative_memory', 'matching', 'reparse', 'compile'].map(
    (subtype): Row =>
      ends(
        `${subtype} has 10 turns and may not go on`,
        of(subtype),
        {
          code: 'INVALID_OUTPUT',
          violations: [`the status is CONTINUATION, which the result of subtype ${subtype} cannot be`],
        },
        { replies: { t: goesOn }, sessions: { t: { limits: { turns: 10 } } } },
      ),
  ),
  gives(
    'standard has 10 turns and may go on',
    of('standard'),
    { status: 'CONTINUATION' },
    { replies: { t: goesOn }, sessions: { t: { limits: { turns: 10 } } } },
  ),
  gives(
    'a director has 30 turns and may go on',
    of('director'),
    { status: 'CONTINUATION' },
    { replies: { t: goesOn }, sessions: { t: { limits: { turns: 30 } } } },
  ),
  ends('an evaluator may not go on', of('evaluator', verdict), 'INVALID_OUTPUT', { replies: { t: goesOn } }),
  gives(
    'an evaluator may leave out its feedback, not its verdict',
    of('evaluator', verdict),
    {
      outputs: { success: false, feedback: null },
      notes: { warnings: ['output "feedback" is missing and taken as null'] },
    },
    { replies: { t: '{"success": false}' } },
  ),
  ends(
    'an evaluator without a verdict',
    of('evaluator', verdict),
    { code: 'INVALID_OUTPUT', violations: ['output "success" is missing'] },
    { replies: { t: 'I like it.' } },
  ),
  gives(
    'a director names a second slot',
    sequence(
      '<task name="d" subtype="director"><description>x</description><output_slot>draft</output_slot></task>',
      task('r', '{{d}} and {{draft}}'),
    ),
    'x and x',
  ),
  gives(
    'an evaluator without outputs has those of an evaluator',
    of('evaluator'),
    { outputs: { success: true, feedback: null } },
    { replies: { t: '{"success": true}' } },
  ),
  rule(
    'an evaluator whose feedback cannot be null',
    `¦${of('evaluator', output('success', 'boolean') + output('feedback', 'string'))}`,
    'an evaluator needs <output name="feedback" type="string" nullable="true"/>',
  ),
  warning(
    'a subtype that is near another',
    '<task ¦subtype="evaluater"><description>x</description></task>',
    'unknown subtype "evaluater": it is taken as standard; did you mean "evaluator"?',
  ),
  rule(
    'a slot in a task that is no director',
    '¦<task><description>x</description><output_slot>a</output_slot></task>',
    '<output_slot> belongs to subtype director, not to standard',
  ),
  syntax(
    'a slot that cannot be a name',
    '<task subtype="director"><description>x</description>¦<output_slot>a b</output_slot></task>',
    '<output_slot> is a name with letters, digits, _ and -, not "a b"',
  ),
  rule(
    'a source that nothing binds',
    `<task subtype="evaluator"><description>x</description>${verdict}¦<input_source>nobody</input_source></task>`,
    'nothing binds "nobody"',
  ),
  gives(
    'an evaluator in a sequence gets its source as target_content',
    sequence(
      task('draft', 'a poem'),
      `<task name="e" subtype="evaluator"><description>Judge: {{target_content}}</description>${verdict}<input_source>draft</input_source></task>`,
    ),
    {},
    { replies: { e: '{"success": true}' }, asked: { e: ['Judge: ```\na poem\n```'] } },
  ),
  rule(
    'the policy of another subtype',
    '¦<task subtype="subtask"><description>x</description><continuation_policy>latest-only</continuation_policy></task>',
    '<continuation_policy> belongs to subtype director, not to subtask',
  ),
];

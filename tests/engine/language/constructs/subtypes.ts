// `subtype`: what a session may end with, and what it has to declare.
import { fails, output, type Row, replies, sequence, task } from './row.ts';

const verdict = output('success', 'boolean') + output('feedback', 'string', ' nullable="true"');
const of = (subtype: string, parts = '') =>
  `<task name="t" subtype="${subtype}"><description>x</description>${parts}</task>`;
const goesOn = replies({ status: 'CONTINUATION', content: 'more' });

export const subtypes: Row[] = [
  ...['subtask', 'associative_memory', 'matching', 'reparse', 'compile'].map(
    (subtype): Row => ({
      name: `${subtype} has 10 turns and may not go on`,
      program: of(subtype),
      replies: { t: goesOn },
      expected: {
        error: {
          code: 'INVALID_OUTPUT',
          violations: [`the status is CONTINUATION, which the result of subtype ${subtype} cannot be`],
        },
        sessions: { t: { limits: { turns: 10 } } },
      },
    }),
  ),
  {
    name: 'standard has 10 turns and may go on',
    program: of('standard'),
    replies: { t: goesOn },
    expected: { result: { status: 'CONTINUATION' }, sessions: { t: { limits: { turns: 10 } } } },
  },
  {
    name: 'a director has 30 turns and may go on',
    program: of('director'),
    replies: { t: goesOn },
    expected: { result: { status: 'CONTINUATION' }, sessions: { t: { limits: { turns: 30 } } } },
  },
  {
    name: 'an evaluator may not go on',
    program: of('evaluator', verdict),
    replies: { t: goesOn },
    expected: { error: { code: 'INVALID_OUTPUT' } },
  },
  {
    name: 'an evaluator gives a verdict',
    program: of('evaluator', verdict),
    replies: { t: '{"success": true, "feedback": ""}' },
    expected: { result: { outputs: { success: true, feedback: '' } } },
  },
  {
    name: 'an evaluator may leave out its feedback, not its verdict',
    program: of('evaluator', verdict),
    replies: { t: '{"success": false}' },
    expected: {
      result: {
        outputs: { success: false, feedback: null },
        notes: { warnings: ['output "feedback" is missing and taken as null'] },
      },
    },
  },
  {
    name: 'an evaluator without a verdict',
    program: of('evaluator', verdict),
    replies: { t: 'I like it.' },
    expected: { error: { code: 'INVALID_OUTPUT', violations: ['output "success" is missing'] } },
  },
  {
    name: 'a subtask that failed is a result',
    program: of('subtask'),
    replies: { t: fails('no') },
    expected: { result: { status: 'FAILED' } },
  },
  {
    name: 'a director names a second slot',
    program: sequence(
      '<task name="d" subtype="director"><description>x</description><output_slot>draft</output_slot></task>',
      task('r', '{{d}} and {{draft}}'),
    ),
    expected: { result: { content: 'x and x' } },
  },
  {
    name: 'the slot of a director has its outputs',
    program: sequence(
      `<task name="d" subtype="director"><description>x</description>${output('n', 'number')}<output_slot>draft</output_slot></task>`,
      task('r', '{{draft.n}}'),
    ),
    replies: { d: '{"n": 3}' },
    expected: { result: { content: '3' } },
  },
  {
    name: 'latest-only is the policy of a director',
    program: of('director', '<continuation_policy>latest-only</continuation_policy>'),
    expected: { result: { content: 'x' } },
  },
  {
    name: 'an evaluator without outputs has those of an evaluator',
    program: of('evaluator'),
    replies: { t: '{"success": true}' },
    expected: { result: { outputs: { success: true, feedback: null } } },
  },
  {
    name: 'an evaluator whose feedback cannot be null',
    program: `¦${of('evaluator', output('success', 'boolean') + output('feedback', 'string'))}`,
    expected: {
      kind: 'rule',
      problems: ['an evaluator needs <output name="feedback" type="string" nullable="true"/>'],
    },
  },
  {
    name: 'a subtype that is near another',
    program: '<task ¦subtype="evaluater"><description>x</description></task>',
    expected: {
      kind: 'warning',
      problems: ['unknown subtype "evaluater": it is taken as standard; did you mean "evaluator"?'],
    },
  },
  {
    name: 'a slot in a task that is no director',
    program: '¦<task><description>x</description><output_slot>a</output_slot></task>',
    expected: { kind: 'rule', problems: ['<output_slot> belongs to subtype director, not to standard'] },
  },
  {
    name: 'a slot that cannot be a name',
    program: '<task subtype="director"><description>x</description>¦<output_slot>a b</output_slot></task>',
    expected: {
      kind: 'syntax',
      problems: ['<output_slot> is a name with letters, digits, _ and -, not "a b"'],
    },
  },
  {
    name: 'a source that nothing binds',
    program: `<task subtype="evaluator"><description>x</description>${verdict}¦<input_source>nobody</input_source></task>`,
    expected: { kind: 'rule', problems: ['nothing binds "nobody"'] },
  },
  {
    name: 'an evaluator in a sequence gets its source as target_content',
    program: sequence(
      task('draft', 'a poem'),
      `<task name="e" subtype="evaluator"><description>Judge: {{target_content}}</description>${verdict}<input_source>draft</input_source></task>`,
    ),
    replies: { e: '{"success": true}' },
    expected: { result: {}, asked: { e: ['Judge: ```\na poem\n```'] } },
  },
  {
    name: 'the policy of another subtype',
    program:
      '¦<task subtype="subtask"><description>x</description><continuation_policy>latest-only</continuation_policy></task>',
    expected: {
      kind: 'rule',
      problems: ['<continuation_policy> belongs to subtype director, not to subtask'],
    },
  },
];

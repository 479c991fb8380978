// `<task>`: one session; what it is told, and what becomes of its reply.
import { fails, gives, type Row, rule, syntax } from './row.ts';

export const atomic: Row[] = [
  gives(
    'a description alone is the prompt',
    '<task name="t"><description>Say hello.</description></task>',
    {
      status: 'COMPLETE',
      content: 'hello',
      outputs: {},
      notes: { dataUsage: { turns: 1 }, warnings: [] },
    },
    {
      replies: { t: 'hello' },
      asked: { t: ['Say hello.'] },
      sessions: { t: { system: { stable: '', changing: '' } } },
    },
  ),
  gives(
    'instructions beside a description are what never changes',
    '<task name="t"><instructions>Be kind.</instructions><description>Greet {{rounds}}.</description></task>',
    {},
    { asked: { t: ['Greet 5.'] }, sessions: { t: { system: { stable: 'Be kind.', changing: '' } } } },
  ),
  gives(
    'instructions with a placeholder stand in the prompt',
    '<task name="t"><instructions>Do it {{rounds}} times.</instructions><description>Knock.</description></task>',
    {},
    { asked: { t: ['Do it 5 times.\n\nKnock.'] }, sessions: { t: { system: { stable: '' } } } },
  ),
  gives(
    'a system text with a placeholder changes',
    '<task name="t"><system>Round {{rounds}}.</system><description>Go.</description><expected_output>A word.</expected_output></task>',
    {},
    { sessions: { t: { system: { stable: 'What the result should be:\nA word.', changing: 'Round 5.' } } } },
  ),
  gives(
    'criteria are told',
    '<task name="t"><description>Go.</description><criteria>Is it {{rounds}}?</criteria></task>',
    {},
    { asked: { t: ['Go.\n\nWhat the result is judged by:\nIs it 5?'] } },
  ),
  gives(
    'a model and a temperature',
    '<task name="t"><description>x</description><model>small</model><temperature>0.2</temperature></task>',
    {},
    { sessions: { t: { model: 'small', temperature: 0.2 } } },
  ),
  gives(
    'without a model the surroundings choose one',
    '<task name="t"><description>x</description></task>',
    {},
    { sessions: { t: { model: 'default-model' } } },
  ),
  gives(
    'a JSON envelope',
    '<task name="t"><description>x</description></task>',
    { content: 'done', criteria: 'short' },
    { replies: { t: '{"status": "COMPLETE", "content": "done", "criteria": "short"}' } },
  ),
  gives('JSON without status is content', '<task name="t"><description>x</description></task>', '{"a": 1}', {
    replies: { t: '{"a": 1}' },
  }),
  gives(
    'a result that failed is a result',
    '<task name="t"><description>x</description></task>',
    { status: 'FAILED', content: 'no time' },
    { replies: { t: fails('no time') } },
  ),
  gives(
    'without a name it is known by its subtype',
    '<task><description>x</description></task>',
    {},
    { ran: ['standard'] },
  ),
  gives(
    'manual_xml and disable_reparsing are settings of any task',
    `<task name="t"><description>x</description><manual_xml>true</manual_xml><disable_reparsing>false</disable_reparsing></task>`,
    'x',
  ),
  syntax(
    'a temperature that is no number',
    '<task><description>x</description>¦<temperature>warm</temperature></task>',
    '<temperature> is a number from 0 to 2, not "warm"',
  ),
  rule(
    'two models',
    '<task><description>x</description><model>a</model>¦<model>b</model></task>',
    'a second <model>: one is allowed',
  ),
  syntax(
    'a part of another type',
    '<task><description>x</description>¦<steps/></task>',
    '<steps> is not allowed in <task type="atomic">',
  ),
  syntax(
    'an empty name',
    '<task ¦name=""><description>x</description></task>',
    'the attribute name is empty',
  ),
];

// `<task>`: one session; what it is told, and what becomes of its reply.
import { fails, output, type Row, replies, task } from './row.ts';

export const atomic: Row[] = [
  {
    name: 'a description alone is the prompt',
    program: '<task name="t"><description>Say hello.</description></task>',
    replies: { t: 'hello' },
    expected: {
      result: {
        status: 'COMPLETE',
        content: 'hello',
        outputs: {},
        notes: { dataUsage: { turns: 1 }, warnings: [] },
      },
      asked: { t: ['Say hello.'] },
      sessions: { t: { system: { stable: '', changing: '' } } },
    },
  },
  {
    name: 'instructions alone are the prompt',
    program: '<task name="t"><instructions>Say hello.</instructions></task>',
    expected: { result: { content: 'Say hello.' }, asked: { t: ['Say hello.'] } },
  },
  {
    name: 'instructions beside a description are what never changes',
    program:
      '<task name="t"><instructions>Be kind.</instructions><description>Greet {{rounds}}.</description></task>',
    expected: {
      result: {},
      asked: { t: ['Greet 5.'] },
      sessions: { t: { system: { stable: 'Be kind.', changing: '' } } },
    },
  },
  {
    name: 'instructions with a placeholder stand in the prompt',
    program:
      '<task name="t"><instructions>Do it {{rounds}} times.</instructions><description>Knock.</description></task>',
    expected: {
      result: {},
      asked: { t: ['Do it 5 times.\n\nKnock.'] },
      sessions: { t: { system: { stable: '' } } },
    },
  },
  {
    name: 'a system text with a placeholder changes',
    program:
      '<task name="t"><system>Round {{rounds}}.</system><description>Go.</description><expected_output>A word.</expected_output></task>',
    expected: {
      result: {},
      sessions: { t: { system: { stable: 'What the result should be:\nA word.', changing: 'Round 5.' } } },
    },
  },
  {
    name: 'criteria are told',
    program: '<task name="t"><description>Go.</description><criteria>Is it {{rounds}}?</criteria></task>',
    expected: { result: {}, asked: { t: ['Go.\n\nWhat the result is judged by:\nIs it 5?'] } },
  },
  {
    name: 'a model and a temperature',
    program:
      '<task name="t"><description>x</description><model>small</model><temperature>0.2</temperature></task>',
    expected: { result: {}, sessions: { t: { model: 'small', temperature: 0.2 } } },
  },
  {
    name: 'without a model the surroundings choose one',
    program: '<task name="t"><description>x</description></task>',
    expected: { result: {}, sessions: { t: { model: 'default-model' } } },
  },
  {
    name: 'an XML envelope',
    program: '<task name="t"><description>x</description></task>',
    replies: {
      t: '<result status="COMPLETE"><content>done &amp; dusted</content><notes>{"why": 1}</notes></result>',
    },
    expected: { result: { status: 'COMPLETE', content: 'done & dusted', notes: { model: { why: 1 } } } },
  },
  {
    name: 'a JSON envelope',
    program: '<task name="t"><description>x</description></task>',
    replies: { t: '{"status": "COMPLETE", "content": "done", "criteria": "short"}' },
    expected: { result: { content: 'done', criteria: 'short' } },
  },
  {
    name: 'JSON without status is content',
    program: '<task name="t"><description>x</description></task>',
    replies: { t: '{"a": 1}' },
    expected: { result: { content: '{"a": 1}' } },
  },
  {
    name: 'a result that failed is a result',
    program: '<task name="t"><description>x</description></task>',
    replies: { t: fails('no time') },
    expected: { result: { status: 'FAILED', content: 'no time' } },
  },
  {
    name: 'a standard task may end as CONTINUATION',
    program: '<task name="t"><description>x</description></task>',
    replies: { t: replies({ status: 'CONTINUATION', content: 'half' }) },
    expected: { result: { status: 'CONTINUATION', content: 'half' } },
  },
  {
    name: 'half an envelope loses nothing',
    program: '<task name="t"><description>x</description></task>',
    replies: { t: '<result status="COMPLETE"><content>if (a < b) x' },
    expected: { result: { content: '<result status="COMPLETE"><content>if (a < b) x' } },
  },
  {
    name: 'without a name it is known by its subtype',
    program: '<task><description>x</description></task>',
    expected: { result: {}, ran: ['standard'] },
  },
  {
    name: 'manual_xml and disable_reparsing are settings of any task',
    program: `<task name="t"><description>x</description><manual_xml>true</manual_xml><disable_reparsing>false</disable_reparsing></task>`,
    expected: { result: { content: 'x' } },
  },
  {
    name: 'a comment and CDATA',
    program: '<task name="t"><description>a <!-- not this -->b <![CDATA[<c> && ]]></description></task>',
    expected: { result: {}, asked: { t: ['a b <c> &&'] } },
  },
  {
    name: 'the layout of the document is taken away',
    program: '<task name="t">\n  <description>\n    one\n      two\n  </description>\n</task>',
    expected: { result: {}, asked: { t: ['one\n  two'] } },
  },
  {
    name: 'a temperature that is no number',
    program: '<task><description>x</description>¦<temperature>warm</temperature></task>',
    expected: { kind: 'syntax', problems: ['<temperature> is a number from 0 to 2, not "warm"'] },
  },
  {
    name: 'a negative temperature',
    program: '<task><description>x</description>¦<temperature>-1</temperature></task>',
    expected: { kind: 'syntax', problems: ['<temperature> is a number from 0 to 2, not "-1"'] },
  },
  {
    name: 'two models',
    program: '<task><description>x</description><model>a</model>¦<model>b</model></task>',
    expected: { kind: 'rule', problems: ['a second <model>: one is allowed'] },
  },
  {
    name: 'a model in place of a name',
    program: '<task><description>x</description>¦<model>{{rounds}}</model></task>',
    expected: { kind: 'syntax', problems: ['<model> is a name without white space, not "{{rounds}}"'] },
  },
  {
    name: 'a part of another type',
    program: '<task><description>x</description>¦<steps/></task>',
    expected: { kind: 'syntax', problems: ['<steps> is not allowed in <task type="atomic">'] },
  },
  {
    name: 'a part of another type that is whole',
    program: `<task><description>x</description>¦<steps>${task('a', 'x')}</steps></task>`,
    expected: { kind: 'rule', problems: ['<steps> is not allowed in <task type="atomic">'] },
  },
  {
    name: 'a name that cannot be one',
    program: '<task ¦name="two words"><description>x</description></task>',
    expected: {
      kind: 'syntax',
      problems: [
        '"two words" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit',
      ],
    },
  },
  {
    name: 'an empty name',
    program: '<task ¦name=""><description>x</description></task>',
    expected: {
      kind: 'syntax',
      problems: ['the attribute name is empty'],
    },
  },
  {
    name: 'an output inside a description',
    program: `<task><description>x ¦${output('a', 'json')}</description></task>`,
    expected: {
      kind: 'syntax',
      problems: [
        '<output> inside the text of <description>, which holds text alone: in XML write &lt;, or wrap the text in <![CDATA[ ]]>',
      ],
    },
  },
];

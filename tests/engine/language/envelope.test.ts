// Reading a model's reply: envelopes as they should be, and those that are broken, of which no text may be lost.
import { describe, expect, test } from 'vitest';
import type { Output } from '../../../src/engine/language/ast.ts';
import { parseReply } from '../../../src/engine/language/envelope/reply.ts';
import { TaskError } from '../../../src/engine/language/result.ts';

const output = (name: string, type: Output['type'], nullable = false): Output => ({ name, type, nullable });
const verdict = [output('success', 'boolean'), output('feedback', 'string', true)];

interface Reading {
  status?: string;
  content: string;
  value?: unknown;
  outputs?: Record<string, unknown>;
  notes?: Record<string, unknown>;
  criteria?: string;
}

/** Read without a warning. */
const sound: [string, string, Output[], Reading][] = [
  ['plain text', 'Hello.\n\nDone.', [], { content: 'Hello.\n\nDone.' }],
  ['no text', '', [], { content: '' }],
  ['the XML envelope', '<result status="COMPLETE"><content>Hi</content></result>', [], { content: 'Hi' }],
  [
    'all its parts',
    `<result status="CONTINUATION">
  <content>
    line 1
      line 2
  </content>
  <criteria>is kind</criteria>
  <output name="n">3.5</output>
  <output name="s"> as it is </output>
  <output name="j">{"a": [1]}</output>
  <notes>{"dataUsage": "all", "n": 1}</notes>
</result>`,
    [output('n', 'number'), output('s', 'string'), output('j', 'json')],
    {
      status: 'CONTINUATION',
      content: 'line 1\n      line 2',
      criteria: 'is kind',
      outputs: { n: 3.5, s: 'as it is', j: { a: [1] } },
      notes: { dataUsage: 'all', n: 1 },
    },
  ],
  [
    'entities and CDATA',
    '<result status="COMPLETE"><content>a &lt; b &amp;&amp; <![CDATA[<c> & d]]> &#65;&#x42;</content></result>',
    [],
    { content: 'a < b && <c> & d AB' },
  ],
  [
    'notes that are text',
    "<result status='FAILED'><content/><notes>no luck</notes></result>",
    [],
    { status: 'FAILED', content: '', notes: { text: 'no luck' } },
  ],
  [
    'a fence around it',
    '```xml\n<result status="COMPLETE"><content>Hi</content></result>\n```',
    [],
    { content: 'Hi' },
  ],
  [
    'booleans and null in XML',
    '<result status="COMPLETE"><output name="success">True</output><output name="feedback">null</output></result>',
    verdict,
    { content: '', outputs: { success: true, feedback: null } },
  ],
  [
    'an empty string is present',
    '<result status="COMPLETE"><output name="success">false</output><output name="feedback"></output></result>',
    verdict,
    { content: '', outputs: { success: false, feedback: '' } },
  ],
  [
    'the JSON envelope',
    '{"status": "COMPLETE", "content": "Hi", "notes": {"a": 1}}',
    [],
    { content: 'Hi', notes: { a: 1 } },
  ],
  [
    'JSON outputs',
    '{"status": "COMPLETE", "outputs": {"success": true, "feedback": ""}}',
    verdict,
    { content: '', outputs: { success: true, feedback: '' } },
  ],
  [
    'declared outputs at the top',
    '{"success": false, "feedback": null}',
    verdict,
    { content: '', outputs: { success: false, feedback: null } },
  ],
  [
    'a fence around JSON',
    '\n```json\n{"success": true, "feedback": "fine"}\n```\n',
    verdict,
    { content: '', outputs: { success: true, feedback: 'fine' } },
  ],
  [
    'content that is no text',
    '{"status": "complete", "content": {"a": 1}}',
    [],
    { content: '{"a":1}', value: { a: 1 } },
  ],
  [
    'an output of any JSON',
    '{"list": [1, null]}',
    [output('list', 'json')],
    { content: '', outputs: { list: [1, null] } },
  ],
  ['JSON without status and outputs is content', '{"a": 1}', [], { content: '{"a": 1}' }],
  [
    'data that has a status is content',
    '{"status": "open", "id": 3}',
    [],
    { content: '{"status": "open", "id": 3}' },
  ],
  [
    'an action is content',
    '```json\n{"action": "escalate", "status": "COMPLETE"}\n```',
    [],
    { content: '```json\n{"action": "escalate", "status": "COMPLETE"}\n```' },
  ],
  [
    'a list of actions is content',
    '```json\n[{"action": "escalate"}]\n```',
    [],
    { content: '```json\n[{"action": "escalate"}]\n```' },
  ],
  [
    'JSON in a sentence is content',
    'So {"status": "COMPLETE", "content": "x"}',
    [],
    { content: 'So {"status": "COMPLETE", "content": "x"}' },
  ],
  [
    'two fences are content',
    '```json\n{"status":"COMPLETE"}\n```\n```json\n{}\n```',
    [],
    { content: '```json\n{"status":"COMPLETE"}\n```\n```json\n{}\n```' },
  ],
  [
    'an envelope quoted in a line is content',
    'I would write `<result status="COMPLETE">` there.',
    [],
    { content: 'I would write `<result status="COMPLETE">` there.' },
  ],
  [
    'a placeholder stays',
    '<result status="COMPLETE"><content>{{secret}}</content></result>',
    [],
    { content: '{{secret}}' },
  ],
  [
    'an envelope within content',
    '<result status="COMPLETE"><content>write\n<result status="FAILED">x</content></result>'.replace(
      'write\n<result status="FAILED">x',
      'write &lt;result&gt;',
    ),
    [],
    { content: 'write <result>' },
  ],
  [
    'a member named __proto__',
    '{"status": "COMPLETE", "content": "x", "notes": {"__proto__": {"a": 1}}}',
    [],
    { content: 'x', notes: JSON.parse('{"__proto__": {"a": 1}}') },
  ],
];

test.each(sound)('sound: %s', (_name, text, declared, expected) => {
  const reply = parseReply(text, declared);
  expect(reply).toEqual({
    status: expected.status ?? 'COMPLETE',
    content: expected.content,
    ...(expected.value !== undefined && { value: expected.value }),
    outputs: expected.outputs ?? {},
    notes: expected.notes ?? {},
    criteria: expected.criteria,
    warnings: [],
  });
});

/** Read with warnings; every word that begins with `w` followed by digits must be found in what was read. */
const broken: [string, string, string[]][] = [
  ['not closed', '<result status="COMPLETE"><content>w1 w2', ['cannot be read']],
  [
    'content not closed',
    '<result status="COMPLETE"><content>w1\n<notes>w2</notes></result>',
    ['cannot be read'],
  ],
  ['result not closed', '<result status="COMPLETE"><content>w1</content>\nw2', ['cannot be read']],
  [
    'code with angle brackets',
    '<result status="COMPLETE"><content>if (w1 < w2 && Array<w3>) </w4></content></result>',
    ['unescaped markup'],
  ],
  ['a stray <', '<result status="COMPLETE"><content>w1 < w2</content></result>', ['unescaped markup']],
  ['a bare &', '<result status="COMPLETE"><content>w1 & w2 &lt; w3</content></result>', ['unescaped markup']],
  [
    'content that holds its own closing tag',
    '<result status="COMPLETE"><content>w1 </content> w2 </content></result>',
    ['cannot be read'],
  ],
  [
    'prose before',
    'w1 is done:\n\n<result status="COMPLETE"><content>w2</content></result>',
    ['outside the envelope'],
  ],
  ['prose after', '<result status="COMPLETE"><content>w1</content></result>\nw2', ['outside the envelope']],
  [
    'a fence with prose around it',
    'w1\n```xml\n<result status="COMPLETE"><content>w2</content></result>\n```\nw3',
    ['quotes an envelope in code'],
  ],
  ['no status', '<result><content>w1</content></result>', ['no status']],
  ['an unknown status', '<result status="DONE"><content>w1</content></result>', ['status "DONE" is unknown']],
  ['no content element', '<result status="COMPLETE">w1 w2</result>', []],
  [
    'text between the parts',
    '<result status="COMPLETE">w1<content>w2</content>w3<notes>w4</notes>w5</result>',
    ['between the parts'],
  ],
  ['prose before JSON', 'w1:\n{"status": "COMPLETE", "content": "w2"}', ['outside the envelope']],
  ['an output without name', '<result status="COMPLETE"><output>w1</output></result>', ['has no name']],
  [
    'an output that is not declared',
    '<result status="COMPLETE"><output name="x">w1</output></result>',
    ['"x" is not declared'],
  ],
  [
    'an unknown element',
    '<result status="COMPLETE"><summary>w1</summary><content>w2</content></result>',
    ['between the parts'],
  ],
  [
    'an envelope within another',
    '<result status="COMPLETE"><content>w1\n<result status="FAILED">w2</result>\nw3</content></result>',
    ['unescaped markup'],
  ],
  [
    'a tag that breaks off',
    '<result status="COMPLETE"><content>w1</content><output name="w2',
    ['cannot be read'],
  ],
  ['broken notes', '<result status="COMPLETE"><content>w1</content><notes>{"w2": </notes></result>', []],
  ['an attribute without quotes', '<result status=COMPLETE><content>w1</content></result>', []],
  [
    'CDATA that is not closed',
    '<result status="COMPLETE"><content><![CDATA[w1</content></result>',
    ['cannot be read'],
  ],
  [
    'an unknown entity',
    '<result status="COMPLETE"><content>w1 &nbsp; w2</content></result>',
    ['unescaped markup'],
  ],
  ['JSON that breaks off', '{"status": "COMPLETE", "content": "w1', ['looks like a JSON envelope']],
  ['JSON with a comma too many', '{"content": "w1", "status": "COMPLETE",}', ['looks like a JSON envelope']],
  [
    'JSON with other members',
    '{"status": "COMPLETE", "content": "w1", "reason": "w2"}',
    ['"reason" is no part'],
  ],
  [
    'JSON outputs that are a list',
    '{"status": "COMPLETE", "content": "w1", "outputs": ["w2"]}',
    ['outputs is not an object'],
  ],
  ['JSON notes that are text', '{"status": "COMPLETE", "content": "w1", "notes": "w2"}', []],
  ['a JSON status of no kind', '{"status": "OK", "content": "w1"}', ['status "OK" is unknown']],
  [
    'a fence that is not closed',
    '```xml\n<result status="COMPLETE"><content>w1</content></result>',
    ['outside the envelope'],
  ],
];

test('there are enough broken envelopes', () => expect(broken.length).toBeGreaterThanOrEqual(30));

test.each(broken)('broken: %s', (_name, text, warnings) => {
  const reply = parseReply(text);
  const all = JSON.stringify([reply.content, reply.outputs, reply.notes, reply.criteria]);
  for (const [word] of text.matchAll(/w\d+/g)) expect(all).toContain(word);
  for (const warning of warnings) expect(reply.warnings.join('\n')).toContain(warning);
  if (warnings.length === 0) expect(reply.warnings).toEqual([]);
});

describe('declared outputs', () => {
  test.each<[string, string, Output[], string[]]>([
    ['text without an envelope', 'All is well.', verdict, ['output "success" is missing']],
    [
      'an envelope without it',
      '{"status": "COMPLETE", "content": "x"}',
      verdict,
      ['output "success" is missing'],
    ],
    [
      'a string for a boolean',
      '{"success": "true"}',
      verdict,
      ['output "success" is "true", not true or false'],
    ],
    ['null for a boolean', '{"success": null}', verdict, ['output "success" is null, not true or false']],
    [
      'a number for text',
      '{"success": true, "feedback": 3}',
      verdict,
      ['output "feedback" is 3, not a string or null'],
    ],
    [
      'words for a number',
      '<result status="COMPLETE"><output name="n">many</output></result>',
      [output('n', 'number')],
      ['output "n" is "many", not a number'],
    ],
    [
      'no text for a number',
      '<result status="COMPLETE"><output name="n"/></result>',
      [output('n', 'number')],
      ['output "n" is "", not a number'],
    ],
    [
      'words for JSON',
      '<result status="COMPLETE"><output name="j">{a</output></result>',
      [output('j', 'json')],
      ['output "j" is "{a", not JSON'],
    ],
    [
      'several',
      '{"n": "1", "j": 0}',
      [output('n', 'number'), output('s', 'string'), output('j', 'json')],
      ['output "n" is "1", not a number', 'output "s" is missing'],
    ],
    [
      'a wrong one of an unfinished result',
      '{"status": "CONTINUATION", "n": "1"}',
      [output('n', 'number')],
      ['output "n" is "1", not a number'],
    ],
    [
      'JSON in a sentence',
      'Verdict: {"success": true, "feedback": null}',
      verdict,
      ['output "success" is missing'],
    ],
  ])('violated by %s', (_name, text, declared, violations) => {
    let error: unknown;
    try {
      parseReply(text, declared);
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(TaskError);
    expect((error as TaskError).detail).toEqual({ code: 'INVALID_OUTPUT', violations });
  });

  test('a nullable one that is missing is null, with a warning', () => {
    expect(parseReply('{"success": true}', verdict)).toMatchObject({
      outputs: { success: true, feedback: null },
      warnings: ['output "feedback" is missing and taken as null'],
    });
  });

  test('an unfinished result may lack them', () => {
    expect(parseReply('<result status="CONTINUATION">more</result>', verdict)).toMatchObject({
      status: 'CONTINUATION',
      content: 'more',
    });
  });
});

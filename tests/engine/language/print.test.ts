// Printing a task and reading it again gives the same task.
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../../src/engine/language/ast.ts';
import { printTask } from '../../../src/engine/language/print.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { placeless } from './placeless.ts';

function read(source: string): Task {
  const { program, problems } = parseProgram(source, 'p.xml');
  if (!program) throw new Error(`${problems.map(formatProblem).join('\n')}\n${source}`);
  return program;
}

const one = '<task><description>x</description></task>';

const programs: [string, string][] = [
  [
    'every part of an atomic task',
    `<task name="a.b-c" subtype="evaluator"><description>D {{x}}{{x.field}}</description>
      <inputs><input name="x"/><input name="y" from="x.z"/><input name="w">lit {{x}}</input><input name="v">${one}</input></inputs>
      <system>S</system><instructions>I {{ y }}{{w}}{{v}}</instructions><expected_output>E</expected_output>
      <criteria>C</criteria><model>fast</model><temperature>0.5</temperature><effort>low</effort>
      <limits><turns>3</turns><context_tokens>1000</context_tokens><output_tokens>500</output_tokens><time_s>60</time_s></limits>
      <output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>
      <output name="list" type="json" schema='{"type": "array", "description": "it&apos;s &lt;x> &amp; \\"y\\""}'/>
      <tools>read_file, shell</tools><input_source>x</input_source>
      <context_management><inherit_context>none</inherit_context><accumulate_data>true</accumulate_data>
      <accumulation_format>notes_only</accumulation_format><clear_memory>true</clear_memory><rebuild_memory>true</rebuild_memory></context_management>
      <disable_reparsing>true</disable_reparsing></task>`,
  ],
  [
    'director, script, evaluator',
    `<task type="director-evaluator" name="de"><director><task name="d"><instructions>x {{last_evaluator_output}}</instructions>
      <output_slot>slot</output_slot><continuation_policy>latest-only</continuation_policy></task></director>
      <script><task type="script" name="t"><inputs><input name="A" from="d"/><input name="b" stdin="true">text</input></inputs>
      <command>{{test_command}} &amp;&amp; echo "$A" &gt; f</command></task></script>
      <evaluator><task><description>{{target_content}}{{slot}}</description><output name="success" type="boolean"/>
      <output name="feedback" type="string" nullable="true"/></task></evaluator><max_rounds>{{rounds}}</max_rounds></task>`,
  ],
  [
    'a director alone',
    `<task type="director-evaluator"><director>${one}</director><max_rounds>7</max_rounds></task>`,
  ],
  [
    'sequence, function, call, cond, let, map, reduce',
    `<task type="sequential"><inputs><input name="list"/></inputs><steps>
      <task type="function" name="f"><description>about</description><parameters><parameter name="p" type="json"/><parameter name="q"/></parameters>
        <returns type="number"/><body><task><description>{{p}}{{q}}</description></task></body></task>
      <task type="function" name="g"><body>${one}</body></task>
      <task type="call" ref="f" name="called"><arg name="p" from="list"/><arg name="q"/></task>
      <task type="call" ref="f"><arg name="p">text "quoted" &lt;b></arg><arg name="q">${one}</arg></task>
      <task name="s"><description>x</description><output name="n" type="number"/></task>
      <task type="cond"><case test="output.n > 3 &amp;&amp; output.n &lt; 5">${one}</case>
        <case test="s.n == 1 || list == 'it''s'">${one}</case><else>${one}</else></task>
      <task type="cond"><case test="called == 'x'">${one}</case></task>
      <task type="let"><bind name="b">text {{list}}</bind><bind name="c" from="b"/><bind name="e"/><bind name="t">${one}</bind>
        <body><task><description>{{b}}{{c}}{{e}}{{t}}</description></task></body></task>
      <task type="map"><over from="list"/><inner_task><task><description>{{item}}{{index}}</description></task></inner_task><parallel>9</parallel></task>
      <task type="map"><over>["a", "b"]</over><inner_task>${one}</inner_task></task>
      <task type="map"><over>${one}</over><inner_task>${one}</inner_task></task>
      <task type="reduce"><inputs><input name="i" from="list"/><input name="j">two</input></inputs><initial_value>0</initial_value>
        <inner_task><task><description>{{current_data}}</description></task></inner_task>
        <reduction_task><task><description>{{current_result}}{{accumulator}}{{original_input}}</description></task></reduction_task></task>
    </steps></task>`,
  ],
];

const texts: [string, string][] = [
  ['a line', 'a line'],
  ['markup', 'if (a < b && c > d) { x["]]>"] } & more'],
  ['code with markup', 'first\n  if (a < b) {\n    return "<task>";\n  }\n\nlast'],
  ['a first line that is indented', '    indented\nless\n  between'],
  ['blank lines within', 'a\n\n\n  b\n\nc'],
  ['tabs', 'a\n\tb\n\t\tc'],
  ['braces', '{{{x}} {{ x }}}} {{ no such }} { {x}} {{'],
  ['references', '&amp; &lt; &#13; \u00a0 \u{1F600}'],
  ['a carriage return', 'a\rb'],
  ['an end of a section', 'a ]]> b'],
];

describe('a task is the same when it is printed and read again', () => {
  test.each(programs)('%s', (_name, source) => {
    const program = read(source);
    expect(placeless(read(printTask(program)))).toEqual(placeless(program));
  });

  test.each(texts)('text: %s', (_name, words) => {
    const escaped = words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;');
    const source = escaped.replaceAll('\r', '&#13;');
    const program = read(
      `<task><inputs><input name="x"/></inputs><description>\n${source}\n</description></task>`,
    );
    const again = read(printTask(program));
    expect(placeless(again)).toEqual(placeless(program));
  });

  test.each(globSync('prompts/*/*.xml').sort())('%s', file => {
    const program = read(readFileSync(file, 'utf8'));
    expect(placeless(read(printTask(program)))).toEqual(placeless(program));
  });
});

test('it reads well: two spaces a level, code in a section', () => {
  const source = read(
    '<task name="a"><inputs><input name="x"/></inputs><description>one {{x}}</description><instructions>a &lt; b\n  c</instructions></task>',
  );
  expect(printTask(source)).toBe(`<task name="a">
  <description>one {{x}}</description>
  <inputs>
    <input name="x"/>
  </inputs>
  <instructions><![CDATA[
    a < b
    c
  ]]></instructions>
</task>`);
});

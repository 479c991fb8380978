// What is wrong with a program, and where: `¦` stands where each problem is expected, in order.

/**
 * Who refuses a program: `syntax`: the published schema and the checker; `rule`: the checker alone, because a schema
 * cannot say it; `warning`: nobody.
 */
export type Kind = 'syntax' | 'rule' | 'warning';

export interface ProblemCase {
  kind: Kind;
  source: string;
  problems: string[];
}

const say = '<description>say hello</description>';
const verdict =
  '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>';

/** A director-evaluator around the given parts. */
const loop = (parts: string) => `<task type="director-evaluator">\n${parts}\n</task>`;
const director = `<director><task>${say}</task></director>`;
const evaluator = `<evaluator><task>${say}${verdict}</task></evaluator>`;

/** What is not well-formed XML. */
const syntax: Record<string, ProblemCase> = {
  'an empty file': {
    kind: 'syntax',
    source: '¦',
    problems: ['the program is empty: it needs a <task> element'],
  },
  'text only': {
    kind: 'syntax',
    source: '¦¦hello',
    problems: ['text outside of the root element', 'the program is empty: it needs a <task> element'],
  },
  'a tag that is not closed before its parent is': {
    kind: 'syntax',
    source: `<task>\n  ${say}\n  ¦<inputs>\n    ¦<input name="x" ¦from="y">\n</task>`,
    problems: [
      '<inputs> is not closed (</task> at 5:1 closes the <task> around it)',
      '<input> is not closed (</task> at 5:1 closes the <task> around it)',
      'nothing binds "y"',
    ],
  },
  'a tag that is never closed': {
    kind: 'syntax',
    source: '¦<task>\n<description>hi</description>\n',
    problems: ['<task> is not closed'],
  },
  'two tags that are never closed': {
    kind: 'syntax',
    source: '¦<task>\n  ¦<description>hi',
    problems: ['<task> is not closed', '<description> is not closed'],
  },
  'a misspelt closing tag': {
    kind: 'syntax',
    source: '<task>\n ¦<instructions>be brief</instruction>\n</task>',
    problems: ['<instructions> is not closed: </instruction> at 2:24 does not match it'],
  },
  'a closing tag too many': {
    kind: 'syntax',
    source: `<task>${say}¦</inputs></task>`,
    problems: ['</inputs> closes nothing that is open'],
  },
  'a closing tag after the root': {
    kind: 'syntax',
    source: `<task>${say}</task>\n¦</steps>`,
    problems: ['</steps> closes nothing that is open'],
  },
  'a bare &': {
    kind: 'syntax',
    source: '<task><description>fish ¦& chips</description></task>',
    problems: ['a bare &: write &amp;'],
  },
  'several bare & with a ; far behind': {
    kind: 'syntax',
    source: '<task><description>a ¦&¦& b;\n c ¦& d; e</description></task>',
    problems: ['a bare &: write &amp;', 'a bare &: write &amp;', 'a bare &: write &amp;'],
  },
  'an entity that XML does not know': {
    kind: 'syntax',
    source: '<task><description>a¦&nbsp;b</description></task>',
    problems: ['unknown entity &nbsp; write &amp;'],
  },
  'a bare & in an attribute': {
    kind: 'syntax',
    source: `<task ¦name="a¦&b">${say}</task>`,
    problems: [
      '"a&b" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit',
      'a bare &: write &amp;',
    ],
  },
  'a bare <': {
    kind: 'syntax',
    source: '<task><description>if a ¦< b</description></task>',
    problems: ['a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>'],
  },
  'a bare < before a digit': {
    kind: 'syntax',
    source: '<task><description>a ¦<3</description></task>',
    problems: ['a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>'],
  },
  'a bare < in an attribute': {
    kind: 'syntax',
    source: `<task ¦model="a ¦< b">${say}</task>`,
    problems: ['<task type="atomic"> has no attribute model', 'a bare < in an attribute value: write &lt;'],
  },
  'an attribute value that is not closed': {
    kind: 'syntax',
    source: `<task name=¦"hello>${say}</task>`,
    problems: ['the attribute value that begins here is not closed with "'],
  },
  'an attribute value that is not closed before the end': {
    kind: 'syntax',
    source: `<task name=¦"hello`,
    problems: ['the attribute value that begins here is not closed with "'],
  },
  'a tag without >': {
    kind: 'syntax',
    source: `¦<task\n${say}</task>`,
    problems: ['the tag <task is not closed with >'],
  },
  'an attribute without a value': {
    kind: 'syntax',
    source: `<task name¦>${say}</task>`,
    problems: ['an attribute without a value: write name="value"'],
  },
  'an attribute without quotes': {
    kind: 'syntax',
    source: `<task name=¦x>${say}</task>`,
    problems: ['an attribute value without quotes: write name="value"'],
  },
  'two attributes without a space': {
    kind: 'syntax',
    source: `<task name="x"¦type="atomic">${say}</task>`,
    problems: ['a space is missing between two attributes'],
  },
  'an attribute twice': {
    kind: 'syntax',
    source: `<task name="a" ¦name="b">${say}</task>`,
    problems: ['duplicate attribute name'],
  },
  'a comment that is not closed': {
    kind: 'syntax',
    source: `<task>${say}\n  ¦<!-- and so on </task>`,
    problems: ['the comment is not closed with -->'],
  },
  'a comment with --': {
    kind: 'syntax',
    source: `<task>${say}<!-- a ¦-- b --></task>`,
    problems: ['-- is not allowed inside a comment'],
  },
  'CDATA that is not closed': {
    kind: 'syntax',
    source: '<task><description>¦<![CDATA[ x ]] </description></task>',
    problems: ['the CDATA section is not closed with ]]>'],
  },
  'a DOCTYPE with entities': {
    kind: 'rule',
    source: `¦<!DOCTYPE t [ <!ENTITY a "aaaa"> <!ENTITY b "&a;&a;"> ]>\n<task>${say}</task>`,
    problems: ['declarations such as DOCTYPE are not allowed'],
  },
  'an external entity': {
    kind: 'syntax',
    source:
      '¦<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><task><description>¦&x;</description></task>',
    problems: ['declarations such as DOCTYPE are not allowed', 'unknown entity &x; write &amp;'],
  },
  'a processing instruction': {
    kind: 'rule',
    source: `<task>¦<?php echo 1 ?>${say}</task>`,
    problems: ['processing instructions are not allowed'],
  },
  'two roots': {
    kind: 'syntax',
    source: `<task>${say}</task>\n¦<task>${say}</task>`,
    problems: ['a program has one root element; <task> is a second one'],
  },
  'text after the root': {
    kind: 'syntax',
    source: `<task>${say}</task>\n  ¦done`,
    problems: ['text outside of the root element'],
  },
  'a control character': {
    kind: 'syntax',
    source: '<task><description>a¦\u0001b</description></task>',
    problems: ['a character that XML does not allow'],
  },
  ']]> in text': {
    kind: 'syntax',
    source: '<task><description>a[b[0¦]]>1</description></task>',
    problems: [']]> is not allowed in text: write ]]&gt;'],
  },
  'a reference to no character': {
    kind: 'syntax',
    source: '<task><description>a&#0¦;b</description></task>',
    problems: ['a character reference that names no character'],
  },
};

/** Elements, attributes and values that the language does not have. */
const grammar: Record<string, ProblemCase> = {
  'another root': {
    kind: 'syntax',
    source: `¦<tusk>${say}</tusk>`,
    problems: ['the root element is <task>, not <tusk>; did you mean "task"?'],
  },
  'an unknown element': {
    kind: 'syntax',
    source: `<task>\n  ${say}\n  ¦<instuctions>x</instuctions>\n</task>`,
    problems: ['<instuctions> is not allowed in <task type="atomic">; did you mean "instructions"?'],
  },
  'an unknown element that is near nothing': {
    kind: 'syntax',
    source: `<task>${say}¦<zebra/></task>`,
    problems: ['<zebra> is not allowed in <task type="atomic">'],
  },
  'an unknown attribute': {
    kind: 'syntax',
    source: `<task ¦nme="x">${say}</task>`,
    problems: ['<task type="atomic"> has no attribute nme; did you mean "name"?'],
  },
  'an attribute on an element that has none': {
    kind: 'syntax',
    source: '<task><description ¦lang="en">x</description></task>',
    problems: ['<description> has no attribute lang'],
  },
  'an unknown type': {
    kind: 'syntax',
    source: `<task ¦type="sequence">${say}</task>`,
    problems: ['unknown task type "sequence"; did you mean "sequential"?'],
  },
  'a type named like something every object has': {
    kind: 'syntax',
    source: `<task ¦type="constructor">${say}</task>`,
    problems: ['unknown task type "constructor"'],
  },
  'an empty map': {
    kind: 'rule',
    source: '¦¦<task type="map"></task>',
    problems: ['<task type="map"> needs <over>', '<task type="map"> needs <inner_task>'],
  },
  'an empty reduce': {
    kind: 'rule',
    source: '¦¦¦¦<task type="reduce"></task>',
    problems: [
      '<task type="reduce"> needs <initial_value>',
      '<task type="reduce"> needs <inner_task>',
      '<task type="reduce"> needs <reduction_task>',
      '<task type="reduce"> needs what is folded: <over> with a list, or at least one <input> in <inputs>',
    ],
  },
  'an empty function': {
    kind: 'rule',
    source: '¦¦<task type="function"></task>',
    problems: [
      '<task type="function"> needs <body>',
      '<task type="function"> needs the attribute name: it is called by it',
    ],
  },
  'an empty call': {
    kind: 'rule',
    source: '¦<task type="call"></task>',
    problems: ['<task type="call"> needs the attribute ref: the name of a function'],
  },
  'an empty cond': {
    kind: 'rule',
    source: '¦<task type="cond"></task>',
    problems: ['<task type="cond"> needs at least one <case>'],
  },
  'an empty let': {
    kind: 'rule',
    source: '¦¦<task type="let"></task>',
    problems: ['<task type="let"> needs <body>', '<task type="let"> needs at least one <bind>'],
  },
  'an unknown subtype': {
    kind: 'warning',
    source: `<task ¦subtype="directer">${say}</task>`,
    problems: ['unknown subtype "directer": it is taken as standard; did you mean "director"?'],
  },
  'a subtype of a task that is not atomic': {
    kind: 'rule',
    source: '<task type="script" ¦subtype="standard"><command>ls</command></task>',
    problems: ['<task type="script"> has no subtype: only an atomic task has'],
  },
  'an unknown ref': {
    kind: 'rule',
    source: `<task ¦ref="greet">${say}</task>`,
    problems: ['unknown ref "greet": no task is registered under that name'],
  },
  'an atomic task that says nothing': {
    kind: 'rule',
    source: '¦<task name="x"></task>',
    problems: ['<task type="atomic"> needs <description> or <instructions>'],
  },
  'an empty description': {
    kind: 'syntax',
    source: '<task>¦<description>  </description></task>',
    problems: ['<description> is empty'],
  },
  'two descriptions': {
    kind: 'rule',
    source: `<task>${say}¦${say}</task>`,
    problems: ['a second <description>: one is allowed'],
  },
  'text beside the elements': {
    kind: 'syntax',
    source: `<task>¦please ${say}</task>`,
    problems: ['text is not allowed directly in <task type="atomic">'],
  },
  'an element inside text': {
    kind: 'syntax',
    source: '<task><description>use ¦<b>care</b></description></task>',
    problems: [
      '<b> inside the text of <description>, which holds text alone: in XML write &lt;, or wrap the text in <![CDATA[ ]]>',
    ],
  },
  'a boolean that is not exactly one': {
    kind: 'syntax',
    source: `<task>${say}¦<disable_reparsing>yes</disable_reparsing>¦<manual_xml>True</manual_xml></task>`,
    problems: [
      '<disable_reparsing> is exactly true or false, not "yes"',
      '<manual_xml> is exactly true or false, not "True"',
    ],
  },
  'a temperature out of its bounds': {
    kind: 'syntax',
    source: `<task>${say}¦<temperature>3</temperature></task>`,
    problems: ['<temperature> is a number from 0 to 2, not "3"'],
  },
  'a model with white space': {
    kind: 'syntax',
    source: `<task>${say}¦<model>big one</model></task>`,
    problems: ['<model> is a name without white space, not "big one"'],
  },
  'limits that are none': {
    kind: 'syntax',
    source: `<task>${say}<limits>¦<turns>0</turns>¦<output_tokens>1.5</output_tokens>¦<time>5</time></limits></task>`,
    problems: [
      '<turns> is a whole number from 1 to 1000, not "0"',
      '<output_tokens> is a whole number from 1 to 1000000, not "1.5"',
      '<time> is not allowed in <limits>; did you mean "time_s"?',
    ],
  },
  'an unknown tool': {
    kind: 'syntax',
    source: `<task>${say}<tools>read_file, ¦wirte_file</tools></task>`,
    problems: ['unknown tool "wirte_file"; did you mean "write_file"?'],
  },
  'a continuation policy that is none': {
    kind: 'syntax',
    source: `<task subtype="director">${say}¦<continuation_policy>all</continuation_policy></task>`,
    problems: ['<continuation_policy> is "latest-only", not "all"'],
  },
  'a context setting of no such value': {
    kind: 'syntax',
    source: `<task>${say}<context_management>¦<inherit_context>some</inherit_context></context_management></task>`,
    problems: ['<inherit_context> is one of "full", "none", "subset", not "some"'],
  },
  'parts of a director and an evaluator': {
    kind: 'rule',
    source: `¦¦¦<task>${say}<continuation_policy>latest-only</continuation_policy><output_slot>a</output_slot><input_source>rounds</input_source></task>`,
    problems: [
      '<continuation_policy> belongs to subtype director, not to standard',
      '<output_slot> belongs to subtype director, not to standard',
      '<input_source> belongs to subtype evaluator, not to standard',
    ],
  },
  'an output without name and type': {
    kind: 'syntax',
    source: `<task>${say}¦¦<output/></task>`,
    problems: ['<output> needs the attribute name', '<output> needs the attribute type'],
  },
  'an output of no type': {
    kind: 'syntax',
    source: `<task>${say}<output name="x" ¦type="bool"/></task>`,
    problems: ['type is one of "string", "number", "boolean", "json", not "bool"; did you mean "boolean"?'],
  },
  'an output twice': {
    kind: 'syntax',
    source: `<task>${say}<output name="x" type="json"/>\n¦<output name="x" type="json"/></task>`,
    problems: ['a second output "x"; the first is on line 1'],
  },
  'an output whose schema is a path': {
    kind: 'rule',
    source: `<task>${say}<output name="x" type="json" ¦schema="s.json"/></task>`,
    problems: ['schema is a JSON Schema; this is not JSON'],
  },
  'an output that could not be read back': {
    kind: 'syntax',
    source: `<task>${say}¦<output name="a.b" type="json"/></task>`,
    problems: ['"a.b" cannot name an output: it has letters, digits, _ and -, and begins with a letter'],
  },
  'a sequence without steps': {
    kind: 'rule',
    source: '¦<task type="sequential"></task>',
    problems: ['<task type="sequential"> needs <steps>'],
  },
  'a sequence of nothing': {
    kind: 'syntax',
    source: '<task type="sequential">¦<steps></steps></task>',
    problems: ['<steps> needs at least one <task> that runs'],
  },
  'two steps of one name': {
    kind: 'syntax',
    source: `<task type="sequential"><steps><task name="a">${say}</task>\n¦<task name="a">${say}</task></steps></task>`,
    problems: ['a second step "a"; the first is on line 1'],
  },
  'a model for a sequence': {
    kind: 'rule',
    source: `<task type="sequential"><steps><task>${say}</task></steps>¦<model>x</model></task>`,
    problems: ['<model> is not allowed in <task type="sequential">'],
  },
  'a script without command': {
    kind: 'rule',
    source: '¦<task type="script"></task>',
    problems: [
      '<task type="script"> needs <command>: the line that /bin/sh runs, such as npm test; the inputs are its environment variables',
    ],
  },
  'two inputs on stdin': {
    kind: 'rule',
    source:
      '<task type="script"><inputs><input name="a" stdin="true"/>¦<input name="b" stdin="true"/></inputs><command>cat</command></task>',
    problems: ['one input can be standard input: "a" is, so "b" cannot be'],
  },
  'an input that cannot be a variable': {
    kind: 'rule',
    source: '<task type="script"><inputs>¦<input name="a-b"/></inputs><command>env</command></task>',
    problems: ['"a-b" cannot name an environment variable: it has letters, digits and _ only'],
  },
  'a loop without director': {
    kind: 'rule',
    source: '¦<task type="director-evaluator"></task>',
    problems: ['<task type="director-evaluator"> needs <director>'],
  },
  'an empty director': {
    kind: 'syntax',
    source: loop(`¦<director></director>${evaluator}`),
    problems: ['<director> needs <task>'],
  },
  'a director that is a script': {
    kind: 'rule',
    source: loop(`<director>¦<task type="script"><command>ls</command></task></director>${evaluator}`),
    problems: ['<director> holds an atomic task of subtype director'],
  },
  'a script slot that holds a session': {
    kind: 'rule',
    source: loop(`${director}<script>¦<task>${say}</task></script>${evaluator}`),
    problems: ['<script> holds a task of type script'],
  },
  'an unknown type in a slot is one problem': {
    kind: 'syntax',
    source: loop(`<director><task ¦type="atomc">${say}</task></director>${evaluator}`),
    problems: ['unknown task type "atomc"; did you mean "atomic"?'],
  },
  'an evaluator with other outputs': {
    kind: 'rule',
    source: loop(
      `${director}<evaluator>¦¦<task>${say}<output name="success" type="json"/><output name="feedback" type="string"/></task></evaluator>`,
    ),
    problems: [
      'an evaluator needs <output name="success" type="boolean"/>',
      'an evaluator needs <output name="feedback" type="string" nullable="true"/>',
    ],
  },
  'rounds that are none': {
    kind: 'syntax',
    source: loop(`${director}${evaluator}¦<max_rounds>0</max_rounds>`),
    problems: ['<max_rounds> is a whole number from 1 to 50, or one setting of the run such as {{rounds}}'],
  },
  'too many levels': {
    kind: 'syntax',
    source: `${'<task type="sequential"><steps>'.repeat(25)}¦<task>${say}</task>`,
    problems: ['elements are nested deeper than 50'],
  },
};

/** Names and inputs. */
const names: Record<string, ProblemCase> = {
  'a name nothing binds': {
    kind: 'rule',
    source: '<task><description>\n  Hello\n  ¦{{who}}</description></task>',
    problems: ['nothing binds "who"'],
  },
  'a name nearly bound': {
    kind: 'rule',
    source: '<task><inputs><input name="title"/></inputs><description>¦{{titel}}</description></task>',
    problems: ['nothing binds "titel"; did you mean "title"?'],
  },
  'a name after entities and CDATA': {
    kind: 'rule',
    source:
      '<task><description>&lt;a&gt; <![CDATA[<b> ¦{{x}} ]]>\n<!-- {{no}} -->  &amp; ¦{{ y }}</description></task>',
    problems: ['nothing binds "x"', 'nothing binds "y"'],
  },
  'the second of two': {
    kind: 'rule',
    source:
      '<task><inputs><input name="a"/></inputs><instructions>{{a}} ¦{{b}}\n{{{a}} ¦{{c}}</instructions></task>',
    problems: ['nothing binds "b"', 'nothing binds "c"'],
  },
  'a field that a step has not': {
    kind: 'rule',
    source: `<task type="sequential"><steps><task name="s">${say}<output name="count" type="number"/></task><task><description>{{s.count}} ¦{{s.cuont}}</description></task></steps></task>`,
    problems: ['"s" has no field "cuont"; did you mean "count"?'],
  },
  'a step that comes later': {
    kind: 'rule',
    source: `<task type="sequential"><steps><task><description>¦{{b}}</description></task><task name="b">${say}</task></steps></task>`,
    problems: ['nothing binds "b"'],
  },
  'an input of a sibling': {
    kind: 'rule',
    source:
      '<task><inputs><input name="a">x</input><input name="b">¦{{a}}</input></inputs><description>{{a}} {{b}}</description></task>',
    problems: ['nothing binds "a"'],
  },
  'an input twice': {
    kind: 'syntax',
    source:
      '<task><inputs>\n<input name="a"/>\n¦<input name="a"/></inputs><description>{{a}}</description></task>',
    problems: ['a second input "a"; the first is on line 2'],
  },
  'an input without name': {
    kind: 'syntax',
    source: `<task><inputs>¦<input/></inputs>${say}</task>`,
    problems: ['<input> needs the attribute name'],
  },
  'an input that cannot be bound': {
    kind: 'syntax',
    source: `<task><inputs><input ¦name="1st"/></inputs>${say}</task>`,
    problems: ['"1st" cannot be bound: a name has letters, digits, _ and -, and begins with a letter'],
  },
  'an input named like a setting': {
    kind: 'rule',
    source: '<task><inputs><input ¦name="rounds"/></inputs><description>{{rounds}}</description></task>',
    problems: ['"rounds" is the name of a setting of the run; choose another'],
  },
  'an input with from and content': {
    kind: 'rule',
    source:
      '<task><inputs>¦<input name="a" from="rounds">x</input></inputs><description>{{a}}</description></task>',
    problems: ['<input> has both the attribute from and content: one of them is enough'],
  },
  'an input from nowhere': {
    kind: 'rule',
    source: '<task><inputs><input name="a" ¦from="b"/></inputs><description>{{a}}</description></task>',
    problems: ['nothing binds "b"'],
  },
  'an input from an expression': {
    kind: 'syntax',
    source: '<task><inputs><input name="a" ¦¦from="b + c"/></inputs><description>{{a}}</description></task>',
    problems: ['from is a name, name.field or name[0], not "b + c"', 'nothing binds "b + c"'],
  },
  'a parameter below the root': {
    kind: 'rule',
    source:
      '<task type="sequential"><steps><task><inputs>¦<input name="a"/></inputs><description>{{a}}</description></task></steps></task>',
    problems: [
      'input "a" has no value: write from="..." or content (only the root\'s inputs are filled by the caller)',
    ],
  },
  'an input that is a broken task': {
    kind: 'rule',
    source:
      '<task><inputs><input name="a">¦<task></task></input></inputs><description>{{a}}</description></task>',
    problems: ['<task type="atomic"> needs <description> or <instructions>'],
  },
  'an input that a call does not pass on': {
    kind: 'warning',
    source: `<task type="sequential"><steps><task type="function" name="f"><body><task>${say}</task></body></task><task type="call" ref="f"><inputs>¦<input name="a">x</input></inputs></task></steps></task>`,
    problems: ['input "a" is never used'],
  },
  'outputs that are not read': {
    kind: 'warning',
    source: `<task type="sequential"><steps>¦<task>${say}<output name="x" type="json"/></task><task>${say}</task></steps></task>`,
    problems: ['the outputs of this step are never read'],
  },
  'a command with an input': {
    kind: 'rule',
    source: '<task type="script"><inputs><input name="a"/></inputs><command>echo ¦{{a}}</command></task>',
    problems: [
      'only settings of the run may stand in <command>: pass "a" as an <input> and read it from the environment',
    ],
  },
  'a command with what is no setting': {
    kind: 'rule',
    source: '<task type="script"><command>¦{{test_comand}}</command></task>',
    problems: [
      '"test_comand" is not a setting of the run (test_command, rounds); did you mean "test_command"?',
    ],
  },
  'the output of a script that is not there': {
    kind: 'rule',
    source: loop(
      `${director}<evaluator><task><description>¦{{exit_code}}</description>${verdict}</task></evaluator>`,
    ),
    problems: ['nothing binds "exit_code"'],
  },
  'an evaluation outside of a director': {
    kind: 'rule',
    source: loop(
      `${director}<evaluator><task><description>¦{{last_evaluator_output}}</description>${verdict}</task></evaluator>`,
    ),
    problems: ['nothing binds "last_evaluator_output"'],
  },
  'a name of an unreadable step may have any field': {
    kind: 'syntax',
    source: `<task type="sequential"><steps><task name="m" ¦type="mop"></task><task><description>{{m.x}}</description></task></steps></task>`,
    problems: ['unknown task type "mop"; did you mean "map"?'],
  },
  'everything at once': {
    kind: 'syntax',
    source:
      '<task ¦nam="x">\n  <description>a ¦& b ¦{{c}}</description>\n  ¦<modle>x</modle>\n  ¦<inputs>\n</task>',
    problems: [
      '<task type="atomic"> has no attribute nam; did you mean "name"?',
      'a bare &: write &amp;',
      'nothing binds "c"',
      '<modle> is not allowed in <task type="atomic">; did you mean "model"?',
      '<inputs> is not closed (</task> at 5:1 closes the <task> around it)',
    ],
  },
};

/** Where a problem stands, and what is found besides another one. */
const besides: Record<string, ProblemCase> = {
  'a name in CDATA behind text': {
    kind: 'rule',
    source: '<task><description>\n¦{{one}}\n<![CDATA[\n¦{{two}}]]>\n¦{{three}}</description></task>',
    problems: ['nothing binds "one"', 'nothing binds "two"', 'nothing binds "three"'],
  },
  'names beside braces that are written by number': {
    kind: 'rule',
    source:
      '<task><description>¦&#123;&#123;a}} ¦{{b}} &#65;&#x1F600; ¦{{c}}&#123;{\n¦{{d}}</description></task>',
    problems: ['nothing binds "a"', 'nothing binds "b"', 'nothing binds "c"', 'nothing binds "d"'],
  },
  'a name whose braces a comment parts': {
    kind: 'rule',
    source: '<task><description>¦{<!-- {{x}} -->{a}} ¦{{b}}</description></task>',
    problems: ['nothing binds "a"', 'nothing binds "b"'],
  },
  'stray text on a line of its own': {
    kind: 'syntax',
    source: `<task type="sequential"><steps>\n\n  ¦hello\n<task>${say}</task></steps></task>`,
    problems: ['text is not allowed directly in <steps>'],
  },
  'stray text behind a comment': {
    kind: 'syntax',
    source: `<task><!-- a -->  ¦text${say}</task>`,
    problems: ['text is not allowed directly in <task type="atomic">'],
  },
  'a tool on a line of its own': {
    kind: 'syntax',
    source: `<task>${say}<tools>\n  ask,\n  ¦askk\n</tools></task>`,
    problems: ['unknown tool "askk"; did you mean "ask"?'],
  },
  'problems before a comment that is not closed': {
    kind: 'syntax',
    source: `<task>\n¦<zz/>\n<inputs/><description>¦{{a}}</description>¦<!-- x\n<model>y</model></task>`,
    problems: [
      '<zz> is not allowed in <task type="atomic">',
      'nothing binds "a"',
      'the comment is not closed with -->',
    ],
  },
  'problems before CDATA that is not closed, and a name that may still be bound': {
    kind: 'syntax',
    source: `<task>¦<zz/><instructions>{{a}}</instructions><description>¦<![CDATA[ x`,
    problems: ['<zz> is not allowed in <task type="atomic">', 'the CDATA section is not closed with ]]>'],
  },
  'problems before a quote that is not closed': {
    kind: 'syntax',
    source: `<task type="sequential"><steps><task ¦nme="x">${say}</task><task name=¦"b`,
    problems: [
      '<task type="atomic"> has no attribute nme; did you mean "name"?',
      'the attribute value that begins here is not closed with "',
    ],
  },
  'a misspelt element hides nothing': {
    kind: 'syntax',
    source:
      '<task type="sequential">¦<stepss><task ¦subtype="zzz"><description>¦{{u}}</description></task></stepss></task>',
    problems: [
      '<stepss> is not allowed in <task type="sequential">; did you mean "steps"?',
      'unknown subtype "zzz": it is taken as standard',
      'nothing binds "u"',
    ],
  },
  'a misspelt type hides nothing': {
    kind: 'syntax',
    source: '<task ¦type="sequentail"><steps><task><description>¦{{u}}</description></task></steps></task>',
    problems: ['unknown task type "sequentail"; did you mean "sequential"?', 'nothing binds "u"'],
  },
  'a type near no other hides no input': {
    kind: 'syntax',
    source: '<task ¦type="zebra"><inputs><input name="a">¦{{u}}</input></inputs><stripes/></task>',
    problems: ['unknown task type "zebra"', 'nothing binds "u"'],
  },
  'an unknown ref hides no input': {
    kind: 'rule',
    source: '<task ¦ref="zebra"><inputs><input name="a">¦{{u}}</input></inputs></task>',
    problems: ['unknown ref "zebra": no task is registered under that name', 'nothing binds "u"'],
  },
  'a second element hides nothing': {
    kind: 'syntax',
    source: `<task>${say}<limits/>¦<limits>¦<turns>x</turns></limits></task>`,
    problems: ['a second <limits>: one is allowed', '<turns> is a whole number from 1 to 1000, not "x"'],
  },
  'a misspelt root hides nothing': {
    kind: 'syntax',
    source: '¦<tsk><description>¦{{u}}</description></tsk>',
    problems: ['the root element is <task>, not <tsk>; did you mean "task"?', 'nothing binds "u"'],
  },
  'a root with a name beyond ASCII': {
    kind: 'syntax',
    source: '¦<tâche type="x"></tâche>',
    problems: ['the root element is <task>, not <tâche>'],
  },
  'nothing but white space': {
    kind: 'syntax',
    source: '¦  \n ',
    problems: ['the program is empty: it needs a <task> element'],
  },
  'an encoding that is not UTF-8': {
    kind: 'rule',
    source: `<?xml version="1.0" encoding="¦ISO-8859-1"?>\n<task>${say}</task>`,
    problems: [
      'a program is read as UTF-8, not as "ISO-8859-1": save it as UTF-8, and leave the encoding out',
    ],
  },
  'white space that XML does not know around a boolean': {
    kind: 'syntax',
    source: `<task>${say}¦<disable_reparsing>\u00a0true</disable_reparsing></task>`,
    problems: ['<disable_reparsing> is exactly true or false, not "\u00a0true"'],
  },
  'white space that XML does not know around a number': {
    kind: 'syntax',
    source: `<task>${say}<limits>¦<turns>5\u3000</turns></limits></task>`,
    problems: ['<turns> is a whole number from 1 to 1000, not "5\u3000"'],
  },
  'white space that XML does not know in an element without content': {
    kind: 'syntax',
    source: `<task>${say}<output name="a" type="json">¦\u2003</output></task>`,
    problems: ['text is not allowed directly in <output>'],
  },
  'one of two outputs that is not read': {
    kind: 'warning',
    source: `<task type="sequential"><steps>¦<task name="a">${say}<output name="x" type="json"/><output name="y" type="json"/></task><task><description>{{a.x}}</description></task></steps></task>`,
    problems: ['output "y" of this step is never read'],
  },
  'outputs of a let that are not read': {
    kind: 'warning',
    source: `<task type="sequential"><steps>¦<task type="let" name="l"><bind name="q">1</bind><body><task><description>{{q}}</description><output name="x" type="json"/></task></body></task><task>${say}</task></steps></task>`,
    problems: ['the outputs of this step are never read'],
  },
  'a binding that a test cannot read': {
    kind: 'warning',
    source: `<task type="sequential"><inputs><input name="output">X</input></inputs><steps><task><description>{{output}}</description></task><task type="cond"><case ¦test="output.content == 'X'"><task>${say}</task></case></task></steps></task>`,
    problems: [
      '"output" is the result of the step before: a test cannot read the binding "output"; give that another name',
    ],
  },
};

export const problemCases: Record<string, ProblemCase> = { ...syntax, ...grammar, ...names, ...besides };

// Invalid programs: `¦` marks each expected problem, in order.

/**
 * The checks that refuse a program: `syntax`: the published schema and the checker; `rule`: the checker alone, because
 * a schema cannot express it; `warning`: none.
 */
export type Kind = 'syntax' | 'rule' | 'warning';

export interface ProblemCase {
  kind: Kind;
  source: string;
  problems: string[];
}

const refusedAs =
  (kind: Kind) =>
  (source: string, ...problems: string[]): ProblemCase => ({ kind, source, problems });
const syntax = refusedAs('syntax');
const rule = refusedAs('rule');
const warning = refusedAs('warning');

const say = '<description>say hello</description>';
const verdict =
  '<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/>';

/** A director-evaluator around the given parts. */
const loop = (parts: string) => `<task type="director-evaluator">\n${parts}\n</task>`;
const director = `<director><task>${say}</task></director>`;
const evaluator = `<evaluator><task>${say}${verdict}</task></evaluator>`;

/** Malformed XML. */
const malformed: Record<string, ProblemCase> = {
  'an empty file': syntax('¦', 'the program is empty: it needs a <task> element'),
  'text only': syntax(
    '¦¦hello',
    'text outside of the root element',
    'the program is empty: it needs a <task> element',
  ),
  'a tag that is not closed before its parent is': syntax(
    `<task>\n  ${say}\n  ¦<inputs>\n    ¦<input name="x" ¦from="y">\n</task>`,
    '<inputs> is not closed (</task> at 5:1 closes the <task> around it)',
    '<input> is not closed (</task> at 5:1 closes the <task> around it)',
    'nothing binds "y"',
  ),
  'a tag that is never closed': syntax('¦<task>\n<description>hi</description>\n', '<task> is not closed'),
  'two tags that are never closed': syntax(
    '¦<task>\n  ¦<description>hi',
    '<task> is not closed',
    '<description> is not closed',
  ),
  'a misspelt closing tag': syntax(
    '<task>\n ¦<instructions>be brief</instruction>\n</task>',
    '<instructions> is not closed: </instruction> at 2:24 does not match it',
  ),
  'a closing tag too many': syntax(`<task>${say}¦</inputs></task>`, '</inputs> closes nothing that is open'),
  'a closing tag after the root': syntax(
    `<task>${say}</task>\n¦</steps>`,
    '</steps> closes nothing that is open',
  ),
  'a bare &': syntax('<task><description>fish ¦& chips</description></task>', 'a bare &: write &amp;'),
  'several bare & with a ; far behind': syntax(
    '<task><description>a ¦&¦& b;\n c ¦& d; e</description></task>',
    'a bare &: write &amp;',
    'a bare &: write &amp;',
    'a bare &: write &amp;',
  ),
  'an entity that XML does not know': syntax(
    '<task><description>a¦&nbsp;b</description></task>',
    'unknown entity &nbsp; write &amp;',
  ),
  'a bare & in an attribute': syntax(
    `<task ¦name="a¦&b">${say}</task>`,
    '"a&b" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit',
    'a bare &: write &amp;',
  ),
  'a bare <': syntax(
    '<task><description>if a ¦< b</description></task>',
    'a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>',
  ),
  'a bare < before a digit': syntax(
    '<task><description>a ¦<3</description></task>',
    'a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>',
  ),
  'a bare < in an attribute': syntax(
    `<task ¦model="a ¦< b">${say}</task>`,
    '<task type="atomic"> has no attribute model',
    'a bare < in an attribute value: write &lt;',
  ),
  'an attribute value that is not closed': syntax(
    `<task name=¦"hello>${say}</task>`,
    'the attribute value that begins here is not closed with "',
  ),
  'an attribute value that is not closed before the end': syntax(
    `<task name=¦"hello`,
    'the attribute value that begins here is not closed with "',
  ),
  'a tag without >': syntax(`¦<task\n${say}</task>`, 'the tag <task is not closed with >'),
  'an attribute without a value': syntax(
    `<task name¦>${say}</task>`,
    'an attribute without a value: write name="value"',
  ),
  'an attribute without quotes': syntax(
    `<task name=¦x>${say}</task>`,
    'an attribute value without quotes: write name="value"',
  ),
  'two attributes without a space': syntax(
    `<task name="x"¦type="atomic">${say}</task>`,
    'a space is missing between two attributes',
  ),
  'an attribute twice': syntax(`<task name="a" ¦name="b">${say}</task>`, 'duplicate attribute name'),
  'a comment that is not closed': syntax(
    `<task>${say}\n  ¦<!-- and so on </task>`,
    'the comment is not closed with -->',
  ),
  'a comment with --': syntax(`<task>${say}<!-- a ¦-- b --></task>`, '-- is not allowed inside a comment'),
  'CDATA that is not closed': syntax(
    '<task><description>¦<![CDATA[ x ]] </description></task>',
    'the CDATA section is not closed with ]]>',
  ),
  'a DOCTYPE with entities': rule(
    `¦<!DOCTYPE t [ <!ENTITY a "aaaa"> <!ENTITY b "&a;&a;"> ]>\n<task>${say}</task>`,
    'declarations such as DOCTYPE are not allowed',
  ),
  'an external entity': syntax(
    '¦<!DOCTYPE t [<!ENTITY x SYSTEM "file:///etc/passwd">]><task><description>¦&x;</description></task>',
    'declarations such as DOCTYPE are not allowed',
    'unknown entity &x; write &amp;',
  ),
  'a processing instruction': rule(
    `<task>¦<?php echo 1 ?>${say}</task>`,
    'processing instructions are not allowed',
  ),
  'two roots': syntax(
    `<task>${say}</task>\n¦<task>${say}</task>`,
    'a program has one root element; <task> is a second one',
  ),
  'text after the root': syntax(`<task>${say}</task>\n  ¦done`, 'text outside of the root element'),
  'a control character': syntax(
    '<task><description>a¦\u0001b</description></task>',
    'a character that XML does not allow',
  ),
  ']]> in text': syntax(
    '<task><description>a[b[0¦]]>1</description></task>',
    ']]> is not allowed in text: write ]]&gt;',
  ),
  'a reference to no character': syntax(
    '<task><description>a&#0¦;b</description></task>',
    'a character reference that names no character',
  ),
};

/** Elements, attributes and values that the language does not have. */
const grammar: Record<string, ProblemCase> = {
  'another root': syntax(
    `¦<tusk>${say}</tusk>`,
    'the root element is <task>, not <tusk>; did you mean "task"?',
  ),
  'an unknown element': syntax(
    `<task>\n  ${say}\n  ¦<instuctions>x</instuctions>\n</task>`,
    '<instuctions> is not allowed in <task type="atomic">; did you mean "instructions"?',
  ),
  'an unknown element that is near nothing': syntax(
    `<task>${say}¦<zebra/></task>`,
    '<zebra> is not allowed in <task type="atomic">',
  ),
  'an unknown attribute': syntax(
    `<task ¦nme="x">${say}</task>`,
    '<task type="atomic"> has no attribute nme; did you mean "name"?',
  ),
  'an attribute on an element that has none': syntax(
    '<task><description ¦lang="en">x</description></task>',
    '<description> has no attribute lang',
  ),
  'an unknown type': syntax(
    `<task ¦type="sequence">${say}</task>`,
    'unknown task type "sequence"; did you mean "sequential"?',
  ),
  'a type named like something every object has': syntax(
    `<task ¦type="constructor">${say}</task>`,
    'unknown task type "constructor"',
  ),
  'an empty map': rule(
    '¦¦<task type="map"></task>',
    '<task type="map"> needs <over>',
    '<task type="map"> needs <inner_task>',
  ),
  'an empty reduce': rule(
    '¦¦¦¦<task type="reduce"></task>',
    '<task type="reduce"> needs <initial_value>',
    '<task type="reduce"> needs <inner_task>',
    '<task type="reduce"> needs <reduction_task>',
    '<task type="reduce"> needs what is folded: <over> with a list, or at least one <input> in <inputs>',
  ),
  'an empty function': rule(
    '¦¦<task type="function"></task>',
    '<task type="function"> needs <body>',
    '<task type="function"> needs the attribute name: it is called by it',
  ),
  'an empty call': rule(
    '¦<task type="call"></task>',
    '<task type="call"> needs the attribute ref: the name of a function',
  ),
  'an empty cond': rule('¦<task type="cond"></task>', '<task type="cond"> needs at least one <case>'),
  'an empty let': rule(
    '¦¦<task type="let"></task>',
    '<task type="let"> needs <body>',
    '<task type="let"> needs at least one <bind>',
  ),
  'an unknown subtype': warning(
    `<task ¦subtype="directer">${say}</task>`,
    'unknown subtype "directer": it is taken as standard; did you mean "director"?',
  ),
  'a subtype of a task that is not atomic': rule(
    '<task type="script" ¦subtype="standard"><command>ls</command></task>',
    '<task type="script"> has no subtype: only an atomic task has',
  ),
  'an unknown ref': rule(
    `<task ¦ref="greet">${say}</task>`,
    'unknown ref "greet": no task is registered under that name',
  ),
  'an atomic task that says nothing': rule(
    '¦<task name="x"></task>',
    '<task type="atomic"> needs <description> or <instructions>',
  ),
  'an empty description': syntax('<task>¦<description>  </description></task>', '<description> is empty'),
  'two descriptions': rule(`<task>${say}¦${say}</task>`, 'a second <description>: one is allowed'),
  'text beside the elements': syntax(
    `<task>¦please ${say}</task>`,
    'text is not allowed directly in <task type="atomic">',
  ),
  'an element inside text': syntax(
    '<task><description>use ¦<b>care</b></description></task>',
    '<b> inside the text of <description>, which holds text alone: in XML write &lt;, or wrap the text in <![CDATA[ ]]>',
  ),
  'a boolean that is not exactly one': syntax(
    `<task>${say}¦<disable_reparsing>yes</disable_reparsing>¦<manual_xml>True</manual_xml></task>`,
    '<disable_reparsing> is exactly true or false, not "yes"',
    '<manual_xml> is exactly true or false, not "True"',
  ),
  'a temperature out of its bounds': syntax(
    `<task>${say}¦<temperature>3</temperature></task>`,
    '<temperature> is a number from 0 to 2, not "3"',
  ),
  'a model with white space': syntax(
    `<task>${say}¦<model>big one</model></task>`,
    '<model> is a name without white space, not "big one"',
  ),
  'limits that are none': syntax(
    `<task>${say}<limits>¦<turns>0</turns>¦<output_tokens>1.5</output_tokens>¦<time>5</time></limits></task>`,
    '<turns> is a whole number from 1 to 1000, not "0"',
    '<output_tokens> is a whole number from 1 to 1000000, not "1.5"',
    '<time> is not allowed in <limits>; did you mean "time_s"?',
  ),
  'an unknown tool': syntax(
    `<task>${say}<tools>read_file, ¦wirte_file</tools></task>`,
    'unknown tool "wirte_file"; did you mean "write_file"?',
  ),
  'a continuation policy that is none': syntax(
    `<task subtype="director">${say}¦<continuation_policy>all</continuation_policy></task>`,
    '<continuation_policy> is "latest-only", not "all"',
  ),
  'a context setting of no such value': syntax(
    `<task>${say}<context_management>¦<inherit_context>some</inherit_context></context_management></task>`,
    '<inherit_context> is one of "full", "none", "subset", not "some"',
  ),
  'parts of a director and an evaluator': rule(
    `¦¦¦<task>${say}<continuation_policy>latest-only</continuation_policy><output_slot>a</output_slot><input_source>rounds</input_source></task>`,
    '<continuation_policy> belongs to subtype director, not to standard',
    '<output_slot> belongs to subtype director, not to standard',
    '<input_source> belongs to subtype evaluator, not to standard',
  ),
  'an output without name and type': syntax(
    `<task>${say}¦¦<output/></task>`,
    '<output> needs the attribute name',
    '<output> needs the attribute type',
  ),
  'an output of no type': syntax(
    `<task>${say}<output name="x" ¦type="bool"/></task>`,
    'type is one of "string", "number", "boolean", "json", not "bool"; did you mean "boolean"?',
  ),
  'an output twice': syntax(
    `<task>${say}<output name="x" type="json"/>\n¦<output name="x" type="json"/></task>`,
    'a second output "x"; the first is on line 1',
  ),
  'an output whose schema is a path': rule(
    `<task>${say}<output name="x" type="json" ¦schema="s.json"/></task>`,
    'schema is a JSON Schema; this is not JSON',
  ),
  'an output that could not be read back': syntax(
    `<task>${say}¦<output name="a.b" type="json"/></task>`,
    '"a.b" cannot name an output: it has letters, digits, _ and -, and begins with a letter',
  ),
  'a sequence without steps': rule(
    '¦<task type="sequential"></task>',
    '<task type="sequential"> needs <steps>',
  ),
  'a sequence of nothing': syntax(
    '<task type="sequential">¦<steps></steps></task>',
    '<steps> needs at least one <task> that runs',
  ),
  'two steps of one name': syntax(
    `<task type="sequential"><steps><task name="a">${say}</task>\n¦<task name="a">${say}</task></steps></task>`,
    'a second step "a"; the first is on line 1',
  ),
  'a model for a sequence': rule(
    `<task type="sequential"><steps><task>${say}</task></steps>¦<model>x</model></task>`,
    '<model> is not allowed in <task type="sequential">',
  ),
  'a script without command': rule(
    '¦<task type="script"></task>',
    '<task type="script"> needs <command>: the line that /bin/sh runs, such as npm test; the inputs are its environment variables',
  ),
  'two inputs on stdin': rule(
    '<task type="script"><inputs><input name="a" stdin="true"/>¦<input name="b" stdin="true"/></inputs><command>cat</command></task>',
    'one input can be standard input: "a" is, so "b" cannot be',
  ),
  'an input that cannot be a variable': rule(
    '<task type="script"><inputs>¦<input name="a-b"/></inputs><command>env</command></task>',
    '"a-b" cannot name an environment variable: it has letters, digits and _ only',
  ),
  'a loop without director': rule(
    '¦<task type="director-evaluator"></task>',
    '<task type="director-evaluator"> needs <director>',
  ),
  'an empty director': syntax(loop(`¦<director></director>${evaluator}`), '<director> needs <task>'),
  'a director that is a script': rule(
    loop(`<director>¦<task type="script"><command>ls</command></task></director>${evaluator}`),
    '<director> holds an atomic task of subtype director',
  ),
  'a script slot that holds a session': rule(
    loop(`${director}<script>¦<task>${say}</task></script>${evaluator}`),
    '<script> holds a task of type script',
  ),
  'an unknown type in a slot is one problem': syntax(
    loop(`<director><task ¦type="atomc">${say}</task></director>${evaluator}`),
    'unknown task type "atomc"; did you mean "atomic"?',
  ),
  'an evaluator with other outputs': rule(
    loop(
      `${director}<evaluator>¦¦<task>${say}<output name="success" type="json"/><output name="feedback" type="string"/></task></evaluator>`,
    ),
    'an evaluator needs <output name="success" type="boolean"/>',
    'an evaluator needs <output name="feedback" type="string" nullable="true"/>',
  ),
  'rounds that are none': syntax(
    loop(`${director}${evaluator}¦<max_rounds>0</max_rounds>`),
    '<max_rounds> is a whole number from 1 to 50, or one setting of the run such as {{rounds}}',
  ),
  'too many levels': syntax(
    `${'<task type="sequential"><steps>'.repeat(25)}¦<task>${say}</task>`,
    'elements are nested deeper than 50',
  ),
};

/** Names and inputs. */
const names: Record<string, ProblemCase> = {
  'a name nothing binds': rule(
    '<task><description>\n  Hello\n  ¦{{who}}</description></task>',
    'nothing binds "who"',
  ),
  'a name nearly bound': rule(
    '<task><inputs><input name="title"/></inputs><description>¦{{titel}}</description></task>',
    'nothing binds "titel"; did you mean "title"?',
  ),
  'a name after entities and CDATA': rule(
    '<task><description>&lt;a&gt; <![CDATA[<b> ¦{{x}} ]]>\n<!-- {{no}} -->  &amp; ¦{{ y }}</description></task>',
    'nothing binds "x"',
    'nothing binds "y"',
  ),
  'the second of two': rule(
    '<task><inputs><input name="a"/></inputs><instructions>{{a}} ¦{{b}}\n{{{a}} ¦{{c}}</instructions></task>',
    'nothing binds "b"',
    'nothing binds "c"',
  ),
  'a field that a step has not': rule(
    `<task type="sequential"><steps><task name="s">${say}<output name="count" type="number"/></task><task><description>{{s.count}} ¦{{s.cuont}}</description></task></steps></task>`,
    '"s" has no field "cuont"; did you mean "count"?',
  ),
  'a step that comes later': rule(
    `<task type="sequential"><steps><task><description>¦{{b}}</description></task><task name="b">${say}</task></steps></task>`,
    'nothing binds "b"',
  ),
  'an input of a sibling': rule(
    '<task><inputs><input name="a">x</input><input name="b">¦{{a}}</input></inputs><description>{{a}} {{b}}</description></task>',
    'nothing binds "a"',
  ),
  'an input twice': syntax(
    '<task><inputs>\n<input name="a"/>\n¦<input name="a"/></inputs><description>{{a}}</description></task>',
    'a second input "a"; the first is on line 2',
  ),
  'an input without name': syntax(
    `<task><inputs>¦<input/></inputs>${say}</task>`,
    '<input> needs the attribute name',
  ),
  'an input that cannot be bound': syntax(
    `<task><inputs><input ¦name="1st"/></inputs>${say}</task>`,
    '"1st" cannot be bound: a name has letters, digits, _ and -, and begins with a letter',
  ),
  'an input named like a setting': rule(
    '<task><inputs><input ¦name="rounds"/></inputs><description>{{rounds}}</description></task>',
    '"rounds" is the name of a setting of the run; choose another',
  ),
  'an input with from and content': rule(
    '<task><inputs>¦<input name="a" from="rounds">x</input></inputs><description>{{a}}</description></task>',
    '<input> has both the attribute from and content: one of them is enough',
  ),
  'an input from nowhere': rule(
    '<task><inputs><input name="a" ¦from="b"/></inputs><description>{{a}}</description></task>',
    'nothing binds "b"',
  ),
  'an input from an expression': syntax(
    '<task><inputs><input name="a" ¦¦from="b + c"/></inputs><description>{{a}}</description></task>',
    'from is a name, name.field or name[0], not "b + c"',
    'nothing binds "b + c"',
  ),
  'a parameter below the root': rule(
    '<task type="sequential"><steps><task><inputs>¦<input name="a"/></inputs><description>{{a}}</description></task></steps></task>',
    'input "a" has no value: write from="..." or content (only the root\'s inputs are filled by the caller)',
  ),
  'an input that is a broken task': rule(
    '<task><inputs><input name="a">¦<task></task></input></inputs><description>{{a}}</description></task>',
    '<task type="atomic"> needs <description> or <instructions>',
  ),
  'an input that a call does not pass on': warning(
    `<task type="sequential"><steps><task type="function" name="f"><body><task>${say}</task></body></task><task type="call" ref="f"><inputs>¦<input name="a">x</input></inputs></task></steps></task>`,
    'input "a" is never used',
  ),
  'outputs that are not read': warning(
    `<task type="sequential"><steps>¦<task>${say}<output name="x" type="json"/></task><task>${say}</task></steps></task>`,
    'the outputs of this step are never read',
  ),
  'a command with an input': rule(
    '<task type="script"><inputs><input name="a"/></inputs><command>echo ¦{{a}}</command></task>',
    'only settings of the run may stand in <command>: pass "a" as an <input> and read it from the environment',
  ),
  'a command with what is no setting': rule(
    '<task type="script"><command>¦{{test_comand}}</command></task>',
    '"test_comand" is not a setting of the run (test_command, rounds); did you mean "test_command"?',
  ),
  'the output of a script that is not there': rule(
    loop(
      `${director}<evaluator><task><description>¦{{exit_code}}</description>${verdict}</task></evaluator>`,
    ),
    'nothing binds "exit_code"',
  ),
  'an evaluation outside of a director': rule(
    loop(
      `${director}<evaluator><task><description>¦{{last_evaluator_output}}</description>${verdict}</task></evaluator>`,
    ),
    'nothing binds "last_evaluator_output"',
  ),
  'a name of an unreadable step may have any field': syntax(
    `<task type="sequential"><steps><task name="m" ¦type="mop"></task><task><description>{{m.x}}</description></task></steps></task>`,
    'unknown task type "mop"; did you mean "map"?',
  ),
  'everything at once': syntax(
    '<task ¦nam="x">\n  <description>a ¦& b ¦{{c}}</description>\n  ¦<modle>x</modle>\n  ¦<inputs>\n</task>',
    '<task type="atomic"> has no attribute nam; did you mean "name"?',
    'a bare &: write &amp;',
    'nothing binds "c"',
    '<modle> is not allowed in <task type="atomic">; did you mean "model"?',
    '<inputs> is not closed (</task> at 5:1 closes the <task> around it)',
  ),
};

/** Position of a problem, and problems found beside another one. */
const besides: Record<string, ProblemCase> = {
  'a name in CDATA behind text': rule(
    '<task><description>\n¦{{one}}\n<![CDATA[\n¦{{two}}]]>\n¦{{three}}</description></task>',
    'nothing binds "one"',
    'nothing binds "two"',
    'nothing binds "three"',
  ),
  'names beside braces that are written by number': rule(
    '<task><description>¦&#123;&#123;a}} ¦{{b}} &#65;&#x1F600; ¦{{c}}&#123;{\n¦{{d}}</description></task>',
    'nothing binds "a"',
    'nothing binds "b"',
    'nothing binds "c"',
    'nothing binds "d"',
  ),
  'a name whose braces a comment parts': rule(
    '<task><description>¦{<!-- {{x}} -->{a}} ¦{{b}}</description></task>',
    'nothing binds "a"',
    'nothing binds "b"',
  ),
  'stray text on a line of its own': syntax(
    `<task type="sequential"><steps>\n\n  ¦hello\n<task>${say}</task></steps></task>`,
    'text is not allowed directly in <steps>',
  ),
  'stray text behind a comment': syntax(
    `<task><!-- a -->  ¦text${say}</task>`,
    'text is not allowed directly in <task type="atomic">',
  ),
  'a tool on a line of its own': syntax(
    `<task>${say}<tools>\n  ask,\n  ¦askk\n</tools></task>`,
    'unknown tool "askk"; did you mean "ask"?',
  ),
  'problems before a comment that is not closed': syntax(
    `<task>\n¦<zz/>\n<inputs/><description>¦{{a}}</description>¦<!-- x\n<model>y</model></task>`,
    '<zz> is not allowed in <task type="atomic">',
    'nothing binds "a"',
    'the comment is not closed with -->',
  ),
  'problems before CDATA that is not closed, and a name that may still be bound': syntax(
    `<task>¦<zz/><instructions>{{a}}</instructions><description>¦<![CDATA[ x`,
    '<zz> is not allowed in <task type="atomic">',
    'the CDATA section is not closed with ]]>',
  ),
  'problems before a quote that is not closed': syntax(
    `<task type="sequential"><steps><task ¦nme="x">${say}</task><task name=¦"b`,
    '<task type="atomic"> has no attribute nme; did you mean "name"?',
    'the attribute value that begins here is not closed with "',
  ),
  'a misspelt element hides nothing': syntax(
    '<task type="sequential">¦<stepss><task ¦subtype="zzz"><description>¦{{u}}</description></task></stepss></task>',
    '<stepss> is not allowed in <task type="sequential">; did you mean "steps"?',
    'unknown subtype "zzz": it is taken as standard',
    'nothing binds "u"',
  ),
  'a misspelt type hides nothing': syntax(
    '<task ¦type="sequentail"><steps><task><description>¦{{u}}</description></task></steps></task>',
    'unknown task type "sequentail"; did you mean "sequential"?',
    'nothing binds "u"',
  ),
  'a type near no other hides no input': syntax(
    '<task ¦type="zebra"><inputs><input name="a">¦{{u}}</input></inputs><stripes/></task>',
    'unknown task type "zebra"',
    'nothing binds "u"',
  ),
  'an unknown ref hides no input': rule(
    '<task ¦ref="zebra"><inputs><input name="a">¦{{u}}</input></inputs></task>',
    'unknown ref "zebra": no task is registered under that name',
    'nothing binds "u"',
  ),
  'a second element hides nothing': syntax(
    `<task>${say}<limits/>¦<limits>¦<turns>x</turns></limits></task>`,
    'a second <limits>: one is allowed',
    '<turns> is a whole number from 1 to 1000, not "x"',
  ),
  'a misspelt root hides nothing': syntax(
    '¦<tsk><description>¦{{u}}</description></tsk>',
    'the root element is <task>, not <tsk>; did you mean "task"?',
    'nothing binds "u"',
  ),
  'a root with a name beyond ASCII': syntax(
    '¦<tâche type="x"></tâche>',
    'the root element is <task>, not <tâche>',
  ),
  'nothing but white space': syntax('¦  \n ', 'the program is empty: it needs a <task> element'),
  'an encoding that is not UTF-8': rule(
    `<?xml version="1.0" encoding="¦ISO-8859-1"?>\n<task>${say}</task>`,
    'a program is read as UTF-8, not as "ISO-8859-1": save it as UTF-8, and leave the encoding out',
  ),
  'white space that XML does not know around a boolean': syntax(
    `<task>${say}¦<disable_reparsing>\u00a0true</disable_reparsing></task>`,
    '<disable_reparsing> is exactly true or false, not "\u00a0true"',
  ),
  'white space that XML does not know around a number': syntax(
    `<task>${say}<limits>¦<turns>5\u3000</turns></limits></task>`,
    '<turns> is a whole number from 1 to 1000, not "5\u3000"',
  ),
  'white space that XML does not know in an element without content': syntax(
    `<task>${say}<output name="a" type="json">¦\u2003</output></task>`,
    'text is not allowed directly in <output>',
  ),
  'one of two outputs that is not read': warning(
    `<task type="sequential"><steps>¦<task name="a">${say}<output name="x" type="json"/><output name="y" type="json"/></task><task><description>{{a.x}}</description></task></steps></task>`,
    'output "y" of this step is never read',
  ),
  'outputs of a let that are not read': warning(
    `<task type="sequential"><steps>¦<task type="let" name="l"><bind name="q">1</bind><body><task><description>{{q}}</description><output name="x" type="json"/></task></body></task><task>${say}</task></steps></task>`,
    'the outputs of this step are never read',
  ),
  'a binding that a test cannot read': warning(
    `<task type="sequential"><inputs><input name="output">X</input></inputs><steps><task><description>{{output}}</description></task><task type="cond"><case ¦test="output.content == 'X'"><task>${say}</task></case></task></steps></task>`,
    '"output" is the result of the step before: a test cannot read the binding "output"; give that another name',
  ),
};

export const problemCases: Record<string, ProblemCase> = { ...malformed, ...grammar, ...names, ...besides };

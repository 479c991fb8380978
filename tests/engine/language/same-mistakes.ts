// Mistakes that a program can have in either surface.
import { expect } from 'vitest';

/** The same mistakes in both surfaces: `¦` stands where each problem is, in the order of the source. */
export const mistakes: Record<string, [xml: string, task: string, ...problems: string[]]> = {
  'an unknown element': [
    '<task>\n  <description>x</description>\n  ¦<modle>m</modle>\n</task>',
    '(task\n  (description "x")\n  ¦(modle "m"))',
    '<modle> is not allowed in <task type="atomic">; did you mean "model"?',
  ],
  'an unknown attribute': [
    '<task ¦nmae="x"><description>x</description></task>',
    '(task ¦:nmae x (description "x"))',
    '<task type="atomic"> has no attribute nmae; did you mean "name"?',
  ],
  'an unknown type': [
    '<task ¦type="seqential"><steps><task><description>x</description></task></steps></task>',
    '(task ¦:type seqential (steps (task (description "x"))))',
    'unknown task type "seqential"; did you mean "sequential"?',
  ],
  'a name that is none': [
    '<task ¦name="a b"><description>x</description></task>',
    '(task ¦:name "a b" (description "x"))',
    '"a b" cannot be a name: it has letters, digits, _, - and ., and begins with a letter or digit',
  ],
  'a name twice': [
    '<task><inputs><input name="x"/>¦<input name="x"/></inputs><description>{{x}}</description></task>',
    '(task (inputs (input x) ¦(input x)) (description "{{x}}"))',
    'a second input "x"; the first is on line 1',
  ],
  'what is missing': [
    '<task type="map">\n  <inner_task>¦<task/></inner_task>\n</task>'.replace('<task type', '¦<task type'),
    '¦(task :type map\n  (inner_task ¦(task)))',
    '<task type="map"> needs <over>',
    '<task type="atomic"> needs <description> or <instructions>',
  ],
  'a name that nothing binds, within a text': [
    '<task>\n  <description>\n    &lt; Say &#123;{ no } {{¦{{other}}.\n  </description>\n</task>'.replace(
      '{{¦{{',
      '¦{{',
    ),
    '(task\n  (description """\n    < Say {{ no } ¦{{other}}.\n  """))',
    'nothing binds "other"',
  ],
  'the same behind escapes': [
    '<task><description>&quot;a&quot; &#123;{ ¦{{other}}</description></task>',
    '(task (description "\\"a\\" \\u{7b}{ ¦{{other}}"))',
    'nothing binds "other"',
  ],
  'a number that is none, and one out of bounds': [
    '<task><description>x</description><limits>¦<turns>many</turns>¦<time_s>0</time_s></limits></task>',
    '(task (description "x") (limits ¦(turns "many") ¦(time_s 0)))',
    '<turns> is a whole number from 1 to 1000, not "many"',
    '<time_s> is a whole number from 1 to 86400, not "0"',
  ],
  'an expression': [
    '<cond><case ¦test="a ="><description>x</description></case></cond>',
    '(cond (case ¦:test "a =" (description "x")))',
    expect.stringContaining('='),
  ],
  'text between elements': [
    '<task>¦words<description>x</description></task>',
    '(task "¦words" (description "x"))',
    'text is not allowed directly in <task type="atomic">',
  ],
  'an element in a text': [
    '<task><description>a ¦<b>c</b></description></task>',
    '(task (description "a " ¦(b "c")))',
    '<b> inside the text of <description>, which holds text alone: in XML write &lt;, or wrap the text in <![CDATA[ ]]>',
  ],
  'an unknown tool': [
    '<task><description>x</description><tools>read_file, ¦raed_file</tools></task>',
    '(task (description "x") (tools "read_file, ¦raed_file"))',
    expect.stringContaining('did you mean "read_file"?'),
  ],
  'outputs that nothing reads': [
    '<task type="sequential"><steps>¦<task name="a"><description>x</description><output name="n" type="number"/></task><task><description>y</description></task></steps></task>',
    '(task :type sequential (steps ¦(task a (description "x") (output n :type number)) (task (description "y"))))',
    expect.stringContaining('n'),
  ],
  'a root that is none': [
    '¦¦<tesk/>',
    '¦¦(tesk)',
    'the root element is <task>, not <tesk>; did you mean "task"?',
    '<tesk> needs <description> or <instructions>',
  ],
};

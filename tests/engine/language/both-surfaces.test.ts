// Each surface is the other's: the same mistakes at the same places, and a program that goes to the other and back is the same.
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import fc from '../../properties.ts';
import type { Element, Text } from '../../../src/engine/language/element.ts';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { printElements } from '../../../src/engine/language/print.ts';
import { formatProgram, parseProgram } from '../../../src/engine/language/program.ts';
import type { Surface } from '../../../src/engine/language/surface/surface.ts';
import { dedent } from '../../../src/engine/language/text.ts';
import { placesOf } from './marks.ts';
import { placeless } from './placeless.ts';
import { choices, librarySources, randomProgram } from './random-programs.ts';
import { reading } from './shown-tree.ts';

/** The same mistakes in both surfaces: `¦` stands where each problem is, in the order of the source. */
const mistakes: Record<string, [xml: string, task: string, ...problems: string[]]> = {
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

test.each(Object.entries(mistakes))('reported in both surfaces: %s', (_name, [xml, task, ...problems]) => {
  for (const [marked, file] of [
    [xml, 'p.xml'],
    [task, 'p.task'],
  ] as const) {
    const { source, places } = placesOf(marked);
    const found = parseProgram(source, file).problems;
    expect(found.map(({ message }) => message)).toEqual(problems);
    expect(found.map(({ line, column }) => `${line}:${column}`)).toEqual(places);
  }
});

const { library } = createLibrary(librarySources);

const written = (source: string, file: string, to: Surface): string => {
  const { text, problems } = formatProgram(source, file, to);
  if (text === undefined) throw new Error(JSON.stringify({ problems, source }));
  return text;
};

/** That the source of a file says in the other surface what it says, and comes back as its canonical form. */
function expectBothWays(source: string, file: string): void {
  const task = written(source, file, 'task');
  const xml = written(task, 'p.task', 'xml');
  expect(xml).toBe(written(source, file, 'xml'));
  expect(written(xml, 'p.xml', 'task')).toBe(task);
  expect(written(task, 'p.task', 'task')).toBe(task);
  expect(written(xml, 'p.xml', 'xml')).toBe(xml);
  const read = (text: string, name: string) =>
    placeless(parseProgram(text, name, library, 'asked for').program);
  expect(read(task, 'p.task')).toEqual(read(source, file));
  expect(read(xml, 'p.xml')).toEqual(read(source, file));
}

test('comments are kept, and by the layout told apart and told of what they stand behind', () => {
  const source = `;;; one
;;;   and more

; two
(task ; three
  (description "x") ; four
                    ; and more
  ; -- five --
  (inputs
    (input a) (input b) ; six
    (input c "\n; no comment\n")
    ;
    ; -\\- seven
  ) ; eight
) ; nine
; ten`;
  const task = `; one
;   and more

; two
(task
  ; three

  ; four
  ; and more
  (description "x")
  ; -- five --
  (inputs
    (input a)
    ; six
    (input b)
    (input c "; no comment")
    ; -\\- seven
  )
  ; eight

  ; nine

  ; ten
)
`;
  expect(written(source, 'p.task', 'task')).toBe(task);
  const xml = written(source, 'p.task', 'xml');
  expect(xml).toContain('  <!-- -\\- five -\\- -->\n');
  expect(xml).toContain('    <!-- -\\\\- seven -->\n');
  expect(written(xml, 'p.xml', 'task')).toBe(task);
});

test('a random program is the same both ways', () => {
  fc.assert(
    fc.property(choices, choose => {
      const source = randomProgram(choose);
      expect(parseProgram(source, 'p.xml', library).program).toBeDefined();
      expectBothWays(source, 'p.xml');
    }),
    { numRuns: 200 },
  );
});

/** Words that mean something in one surface or the other. */
const words = fc
  .array(
    fc.constantFrom(
      ...[
        'a',
        'b c',
        ' ',
        '\t',
        '\n',
        '\n\n    ',
        '\n  ',
        '\r',
        '"',
        '""',
        '"""',
        "'",
        '\\',
        '\\n',
        '\\u{41}',
      ],
      ...[
        '(',
        ')',
        ';',
        ':a',
        '<',
        '>',
        '&',
        '&amp;',
        '&#10;',
        ']]>',
        '<![CDATA[',
        '<!--',
        '--',
        '-',
        '-\\-',
        '-->',
      ],
      ...[
        '{{x}}',
        '7',
        '-0.50',
        'true',
        '\u00a0',
        '\u2028',
        '\u0085',
        '\ufeff',
        'é',
        '😀',
        '\ufffd',
        '\u{10ffff}',
      ],
    ),
    { maxLength: 6 },
  )
  .map(pieces => pieces.join(''));

/** As both readers give it: line ends are read as \n, and the layout is taken away. */
const comment = words.map(each => dedent(each.replaceAll('\r', '')));

const at = { file: 'p', line: 1, column: 1 };
const textNode = words.map((text): Text => ({ kind: 'text', text, at, places: () => [] }));
const { element: elementNode } = fc.letrec<{ element: Element }>(tie => ({
  element: fc
    .record({
      name: fc.constantFrom('task', 'input', 'description', 'a', 'é.b:c-d'),
      attributes: fc.dictionary(fc.constantFrom('name', 'type', 'x', 'é.y:z'), words, { maxKeys: 3 }),
      children: fc.oneof(
        { maxDepth: 3, depthIdentifier: 'element' },
        fc.array(textNode, { maxLength: 2 }),
        fc.array(tie('element'), { maxLength: 3, depthIdentifier: 'element' }),
        fc.array(fc.oneof({ depthIdentifier: 'element' }, textNode, tie('element')), { maxLength: 4 }),
      ),
      before: fc.array(comment, { maxLength: 2 }),
      atEnd: fc.array(comment, { maxLength: 2 }),
    })
    .map(
      ({ name, attributes, children, before, atEnd }): Element => ({
        kind: 'element',
        name,
        at,
        attributes: new Map(Object.entries(attributes).map(([key, value]) => [key, { value, at }])),
        children,
        comments: { before, atEnd },
      }),
    ),
}));

test('a random tree, of whatever texts and comments, is the same both ways', () => {
  fc.assert(
    fc.property(elementNode, root => {
      const xml = printElements(root, 'xml');
      const task = printElements(root, 'task');
      expect(reading(xml, 'p.xml').problems).toEqual([]);
      expect(reading(task, 'p.task').problems).toEqual([]);
      expect(printElements(reading(xml, 'p.xml').root!, 'task')).toBe(task);
      expect(printElements(reading(task, 'p.task').root!, 'xml')).toBe(xml);
      expect(printElements(reading(xml, 'p.xml').root!, 'xml')).toBe(xml);
      expect(printElements(reading(task, 'p.task').root!, 'task')).toBe(task);
    }),
    { numRuns: 500 },
  );
});

test.each(globSync('prompts/*/*.xml').sort())('%s is the same both ways', file => {
  expectBothWays(readFileSync(file, 'utf8'), file);
});

const examples = join(import.meta.dirname, '../../../../shared/design-examples');

describe.skipIf(!existsSync(examples))(
  'the programs of the design (skipped where they are not there)',
  () => {
    const files = existsSync(examples) ? readdirSync(examples).filter(name => name.endsWith('.xml')) : [];

    test('are there', () => expect(files.length).toBeGreaterThan(20));

    test.each(files)('%s is the same both ways, where it is well-formed', name => {
      const source = readFileSync(join(examples, name), 'utf8');
      const { problems } = formatProgram(source, name);
      if (problems) expect(formatProgram(source, name, 'task').problems).toEqual(problems);
      else expectBothWays(source, name);
    });
  },
);

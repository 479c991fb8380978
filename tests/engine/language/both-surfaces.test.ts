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
import { mistakes } from './same-mistakes.ts';
import { reading } from './shown-tree.ts';

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

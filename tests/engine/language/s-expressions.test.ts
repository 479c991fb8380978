// Reads S-expressions: what they are read as, what is wrong with them, and where.
import { expect, test } from 'vitest';
import fc from '../../properties.ts';
import { printElements } from '../../../src/engine/language/print.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { surfaceOf } from '../../../src/engine/language/surface/surface.ts';
import { reading, shown } from './shown-tree.ts';

const readTask = (source: string) => reading(source, 'p.task');

/** The source, and its nodes as `shown`. */
const wellFormed: Record<string, [source: string, ...nodes: string[]]> = {
  'an element': ['(a)', '1:1 <a>'],
  'attributes: a word, a text, a long one, in any place': [
    '(a :b c.d[0] :e "f g"\n  (h) :i """"\\n""")',
    '1:1 <a> 1:4 b="c.d[0]" 1:14 e="f g" 2:7 i="\\"\\\\n"',
    '2:3 <h>',
  ],
  'a name': ['(input x :from y)', '1:1 <input> 1:8 name="x" 1:10 from="y"'],
  'a name that is written out': ['(input :name 7)', '1:1 <input> 1:8 name="7"'],
  'numbers and booleans': ['(input 0.5 true)', '1:1 <input>', '1:8 "0.5"', '1:12 "true"'],
  escapes: ['(a "\\"\\\\\\n\\t\\r\\u{1F600}{{x}}")', '1:1 <a>', '1:5 "\\"\\\\\\n\\t\\r😀{{x}}" {{ 1:24'],
  'a text of several lines': [
    '(a "\n  b {{c}}\n\\u{7b}{")',
    '1:1 <a>',
    '2:3 "\\n  b {{c}}\\n{{" {{ 2:5 {{ 3:1',
  ],
  'a long text, in which nothing is escaped': [
    '(a """\n  \\n "b" {{c}} ; ) \\""")',
    '1:1 <a>',
    '2:3 "\\n  \\\\n \\"b\\" {{c}} ; ) \\\\" {{ 2:10',
  ],
  'texts beside each other and beside elements': [
    '(a "b" "" "c" (d) " ")',
    '1:1 <a>',
    '1:5 "b"',
    '1:9 ""',
    '1:12 "c"',
    '1:15 <d>',
    '1:20 " "',
  ],
  'white space between elements': ['(a " " (b) "\n")', '1:1 <a>', '1:8 <b>'],
  'comments, and what only looks like one': [
    '; one\n(a ; two )\n  ;;three (\n  "; \\" four" ; five\n);six',
    '2:1 <a>',
    '4:4 "; \\" four"',
  ],
  'a byte order mark, CR and LF': ['\ufeff(a\r\n\r(b :c "\r"))\r\n', '1:1 <a>', '3:1 <b> 3:4 c="\\n"'],
  'nothing between': ['(a(b)"c"(d))', '1:1 <a>', '1:3 <b>', '1:7 "c"', '1:9 <d>'],
  'words beyond ASCII': ['(é :ü ö "\u00a0 😀")', '1:1 <é> 1:4 ü="ö"', '1:10 "\u00a0 😀"'],
};

test.each(Object.entries(wellFormed))('well-formed: %s', (_name, [source, ...nodes]) => {
  const { root, problems } = readTask(source);
  expect(problems).toEqual([]);
  expect(root && shown(root)).toEqual(nodes);
});

/** The source, and its problems. */
const malformed: Record<string, [source: string, ...problems: string[]]> = {
  'nothing but a comment': [' ; only\n', '1:1 the program is empty: it needs a <task> element'],
  'a program that is none': [
    'task "x"',
    '1:1 text outside of the root element',
    '1:7 text outside of the root element',
    '1:1 the program is empty: it needs a <task> element',
  ],
  'what stands behind the root': [
    '(task) x :z 1',
    '1:8 text outside of the root element',
    '1:10 an attribute outside of the root element',
  ],
  'a second root': ['(task) (task)', '1:8 a program has one root element; <task> is a second one'],
  'a ) that is missing at the end': [
    '(task\n  (inputs (input x)\n',
    '1:1 <task> is not closed: expected ) for the ( at line 1, at the end',
    '2:3 <inputs> is not closed: expected ) for the ( at line 2, at the end',
  ],
  'a ) that is missing within, by the layout': [
    '(task\n  (inputs\n    (input x "y"\n    (input z)\n  )\n  (description "x"))',
    '3:5 <input> is not closed: expected ) for the ( at line 3, before line 4',
  ],
  'two that are missing at one place': [
    '(task\n  (inputs\n    (input x\n  (description "x"))',
    '3:5 <input> is not closed: expected ) for the ( at line 3, before line 4',
    '2:3 <inputs> is not closed: expected ) for the ( at line 2, before line 4',
  ],
  'one that is missing where nothing is indented': [
    '(a\n(b\n(c)\n(d)\n)',
    '1:1 <a> is not closed: expected ) for the ( at line 1, at the end',
  ],
  'a ) too many within': [
    '(task\n  (description "x"))\n  (inputs))\n',
    '2:20 one ) too many: it closes <task>, and more follows',
  ],
  'a ) too many at the end': ['(task)) ; end', '1:7 ) closes nothing that is open'],
  'a text that is not closed': [
    '(task\n  (description "x))\n',
    '2:16 the text that begins here is not closed with "',
  ],
  'a text that the next one closes': [
    '(task\n  (description "x)\n  (model "y"))\n',
    '2:16 the text that begins here is not closed with ": it would end within a line further down',
  ],
  'a long text that is not closed': ['(a """x")', '1:4 the text that begins here is not closed with """'],
  'a text that ends in a backslash': ['(a "x\\', '1:4 the text that begins here is not closed with "'],
  'a quote within a text': [
    '(a "say "hi" now")',
    '1:9 a text ends here, and nothing parts it from what follows: a " within it is \\"',
  ],
  'a quote at the end of a long text': [
    '(a """say "hi"""")',
    '1:14 a text ends here, and nothing parts it from what follows: one with """ within it stands between " and "',
  ],
  'escapes that there are not': [
    '(a "\\d \\u{d800} \\u{110000} \\u{0} \\😀")',
    '1:5 there is no \\d: write \\\\ for a backslash',
    '1:8 \\u{d800} is no character that a program can hold',
    '1:17 \\u{110000} is no character that a program can hold',
    '1:28 \\u{0} is no character that a program can hold',
    '1:34 there is no \\😀: write \\\\ for a backslash',
  ],
  'texts without quotes': ['(a hello big world) ; the first says it', '1:4 a text stands in quotes: "hello"'],
  'two names': ['(input x y)', '1:10 a text stands in quotes: "y"'],
  'attributes without a value': [
    '(a :b (c) :d :e f :g)',
    '1:4 the attribute b has no value: write :b "..."',
    '1:11 the attribute d has no value: write :d "..."',
    '1:19 the attribute g has no value: write :g "..."',
  ],
  'a second attribute': ['(input x :name y)', '1:10 duplicate attribute name'],
  'what can name nothing': [
    '(a, :1 "b" : "c" (d\u00a0e))',
    '1:2 "a," cannot name an element or an attribute',
    '1:6 "1" cannot name an element or an attribute',
    '1:13 "" cannot name an element or an attribute',
    '1:19 "d\u00a0e" cannot name an element or an attribute: it has U+00A0',
  ],
  'a ( without an element': [
    '(a ("b") (c',
    '1:4 the name of an element follows a (, as in (description "..."); a ( of a text stands in its quotes',
  ],
  'characters that XML does not have': [
    '(a "b\u0000\u0001c\ud800" ; \ufffe\n)',
    '1:6 U+0000 is a character that a program cannot hold: leave it out',
    '1:9 U+D800 is a character that a program cannot hold: leave it out',
    '1:14 U+FFFE is a character that a program cannot hold: leave it out',
  ],
};

test.each(Object.entries(malformed))('not well-formed: %s', (_name, [source, ...problems]) => {
  expect(readTask(source).problems).toEqual(problems);
});

test('elements stand in each other 50 deep', () => {
  const nested = (depth: number) => '(a'.repeat(depth) + ')'.repeat(depth);
  expect(readTask(nested(50)).problems).toEqual([]);
  expect(readTask(nested(51)).problems).toEqual(['1:101 elements are nested deeper than 50']);
});

test.each([
  ['parentheses', '('.repeat(100_000), '1:1 the name of an element follows'],
  ['elements in each other', '(task'.repeat(100_000), '1:251 elements are nested deeper than 50'],
  ['ends', `(a${')'.repeat(100_000)}`, '1:4 ) closes nothing that is open'],
  ['comments', ';\n'.repeat(100_000), '1:1 the program is empty'],
  ['NULs', `(a "${'\0a'.repeat(100_000)}")`, '1:5 U+0000 is a character that a program cannot hold'],
  ['characters', ' '.repeat(5_000_000), '1:1 the program has 5000000 characters; at most 1048576 are read'],
])('very many %s are refused', (_name, source, problem) => {
  expect(parseProgram(source, 'p.task').problems[0]).toMatchObject({
    message: expect.stringContaining(problem.replace(/^\S+ /, '')),
    line: 1,
    column: Number(problem.match(/^1:(\d+)/)?.[1]),
  });
});

/** Tokens of S-expressions, whole and broken. */
const tokens = [
  ...['(', ')', '(a', '(input x', '(task', ':', ':b', ':b "c"', ':b c', 'd', '7', 'true'],
  ...[';', '; e\n', ';;\n', '\n', ' ', '"', '"f"', '"""', '"""g "h"""', '"""g "h" """', '\\', '\\"'],
  ...['\\u{41}', '\\u{', '\t', '\r', '\u00a0', '\0', '\ud800', '😀', '<', '{{x}}'],
];

test('what is read without a problem is read again from what is written of it: tokens at random', () => {
  let read = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 10 }), inside => {
      const { root, problems } = readTask(`(a ${inside.join('')} )`);
      if (!root || problems.length > 0) return;
      read++;
      const written = printElements(root, 'task');
      expect(reading(written, 'p.task').problems).toEqual([]);
      expect(printElements(reading(written, 'p.task').root!, 'task')).toBe(written);
      expect(printElements(reading(printElements(root, 'xml')).root!, 'task')).toBe(written);
    }),
    { numRuns: 3_000 },
  );
  expect(read).toBeGreaterThan(100);
});

test.each([
  ['\ufeff\n <task/>', 'p.task', 'xml'],
  ['\ufeff\n (task)', 'p.xml', 'task'],
  ['; (task)', 'p', 'task'],
  ['task', 'p.task', 'task'],
  ['task', 'p.xml', 'xml'],
  ['', 'p', 'xml'],
])('%j of %s is read as %s', (source, file, surface) => {
  expect(surfaceOf(source, file)).toBe(surface);
});

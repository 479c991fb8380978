// The reader of a source: what it makes of odd but well-formed XML and of what is none, with each place, and against
// libxml2, an independent reader of XML.
import fc from '../../properties.ts';
import { XmlCData, XmlDocument, XmlElement, XmlText } from 'libxml2-wasm';
import { expect, test } from 'vitest';
import { type Element, isBlank } from '../../../src/engine/language/element.ts';
import type { Position } from '../../../src/engine/language/problem.ts';
import { choices, randomProgram } from './random-programs.ts';
import { reading, shown } from './shown-tree.ts';

/** The source, and its nodes as `shown`. */
const wellFormed: Record<string, [source: string, ...nodes: string[]]> = {
  'a declaration': ['<?xml version="1.0"?>\n<!-- -->\n<a/>\n<!---->\n', '3:1 <a>'],
  'a declaration with an encoding': ['<?xml version="1.0" encoding="UTF-8"?><a></a>', '1:39 <a>'],
  'white space wherever it may stand': [
    '\n\t<a\n\tb = "c"\n d\t=\n\'e\'\t>\n</a\n\t>\n',
    '2:2 <a> 3:2 b="c" 4:2 d="e"',
    '5:6 "\\n"',
  ],
  'line ends in a value': [
    '<a b="1\n2\t3">\n\n  <c d="\n"/></a>',
    '1:1 <a> 1:4 b="1 2 3"',
    '4:3 <c> 4:6 d=" "',
  ],
  'a name inside of other names': [
    '<ab a="a" b="ab" ab="b"><b/></ab>',
    '1:1 <ab> 1:5 a="a" 1:11 b="ab" 1:18 ab="b"',
    '1:25 <b>',
  ],
  'references and quotes': [
    `<a b='"&lt;&amp;amp;&quot;' c="'&apos;&gt;>">&lt;b&gt; &amp;amp; > " '</a>`,
    '1:1 <a> 1:4 b="\\"<&amp;\\"" 1:29 c="\'\'>>"',
    '1:46 "<b> &amp; > \\" \'"',
  ],
  'CDATA sections': [
    '<a><![CDATA[]]>{{x}} b<![CDATA[{{ <b> && ]] ]>]]]>{{y}}<![CDATA[{{z}}]]></a>',
    '1:1 <a>',
    '1:13 ""',
    '1:16 "{{x}} b" {{ 1:16',
    '1:32 "{{ <b> && ]] ]>]" {{ 1:32',
    '1:51 "{{y}}" {{ 1:51',
    '1:65 "{{z}}" {{ 1:65',
  ],
  'comments between texts': [
    '<a>{<!-- {{ <b> & -->{ {{{{{<!-- - - -->}}<b/>{{c}}<!--{{--></a>',
    '1:1 <a>',
    '1:4 "{"',
    '1:22 "{ {{{{{" {{ 1:24 {{ 1:26',
    '1:41 "}}"',
    '1:43 <b>',
    '1:47 "{{c}}" {{ 1:47',
  ],
  'characters beyond ASCII': [
    '<a b="é 世">\u00a0\u0085\u2028 😀 \ufeff\ufffd {{é}}</a>',
    '1:1 <a> 1:4 b="\u00e9 \u4e16"',
    '1:12 "\u00a0\u0085\u2028 \ud83d\ude00 \ufeff\ufffd {{\u00e9}}" {{ 1:22',
  ],
  'CR, LF and a byte order mark': ['\ufeff<a>\r\n<b c="\r"/>\r\r\n</a>\r', '1:1 <a>', '2:1 <b> 2:4 c=" "'],
  'a name beyond ASCII': ['<é></é>', '1:1 <\u00e9>'],
  'a name that only begins in ASCII': ['<aé></aé>', '1:1 <a\u00e9>'],
  'an attribute name beyond ASCII': ['<a é="1"/>', '1:1 <a> 1:4 \u00e9="1"'],
  'CDATA outside of the root': ['<![CDATA[ ]]><a/><![CDATA[ ]]>', '1:14 <a>'],
};

test.each(Object.entries(wellFormed))('well-formed: %s', (_name, [source, ...nodes]) => {
  const { root, problems } = reading(source);
  expect(problems).toEqual([]);
  expect(root && shown(root)).toEqual(nodes);
});

/** The source, and its problems. */
const malformed: Record<string, [source: string, ...problems: string[]]> = {
  'an element deeper than allowed': [
    `${'<a>'.repeat(51)}${'</a>'.repeat(51)}`,
    '1:151 elements are nested deeper than 50',
  ],
  'a lone surrogate that hides a <': [
    '<a>\ud800<!DOCTYPE b></a>',
    '1:5 declarations such as DOCTYPE are not allowed',
    '1:20 unclosed tag: a',
  ],
  'a lone surrogate that hides a &': ['<a>\ud800& b; c</a>', '1:5 a bare &: write &amp;'],
  'a lone surrogate at the end': [
    '<a><!\ud800',
    '1:4 declarations such as DOCTYPE are not allowed',
    '1:1 <a> is not closed',
  ],
  'a character that XML does not have': ['<a>\ufffe</a>', '1:4 a character that XML does not allow'],
  'XML 1.1, which has other line ends': [
    '<?xml version="1.1"?><a>\u0085</a\u0085>',
    '1:26 </a\u0085> closes nothing that is open',
    '1:22 <a> is not closed',
  ],
  'references by number': [
    '<a b="&#10;">&#x41;&#00000065;&#x0000041;</a>',
    '1:20 a bare &: write &amp;',
    '1:31 a bare &: write &amp;',
  ],
  'a reference to a property of every object': [
    '<a>&constructor;&__proto__;</a>',
    '1:4 unknown entity &constructor; write &amp;',
    '1:17 unknown entity &__proto__; write &amp;',
  ],
  'a second byte order mark': [
    '\ufeff\ufeff<?xml version="1.0"?><a/>',
    '1:2 processing instructions are not allowed',
  ],
  'a processing instruction after the root': [
    '<a/><?xml version="1.0"?>',
    '1:5 processing instructions are not allowed',
  ],
  'a declaration by tab': ['<?xml\tversion="1.0"?><a/>', '1:1 processing instructions are not allowed'],
  'an odd space outside of the root': [
    '\u00a0<a/>\u2028',
    '1:1 text outside of the root element',
    '1:6 text outside of the root element',
  ],
  'an odd space in a closing tag': ['<a></a\u00a0>', '1:7 disallowed character in closing tag'],
  'a comment too short to end': ['<!--><a/>', '1:1 the comment is not closed with -->'],
  'a comment that ends in three dashes': [
    '<a><!-- ---></a>',
    '1:9 -- is not allowed inside a comment',
    '1:16 unclosed tag: a',
    '1:16 unexpected end',
  ],
  'a / that does not end the tag': ['<a / >', '1:1 <a> is not closed', '1:5 a / that does not end the tag'],
  'attributes without a space': ['<a b="1"c="2"/>', '1:9 a space is missing between two attributes'],
  'an attribute without a value': [
    '<a b/>',
    '1:5 a character that an attribute name cannot have',
    '1:6 an attribute without a value: write name="value"',
    '1:6 unclosed tag: a',
  ],
  'a second attribute': ['<a b="1" b="2"/>', '1:10 duplicate attribute b'],
  'a second root': ['<a/><b/>', '1:5 a program has one root element; <b> is a second one'],
  'a closing tag that begins as another': [
    '<a></ab>',
    '1:4 </ab> closes nothing that is open',
    '1:1 <a> is not closed',
  ],
  'an end in a tag': ['<a', '1:1 the tag <a is not closed with >', '1:1 <a> is not closed'],
  'nothing but a declaration': [
    '<?xml version="1.0"?>\n',
    '1:1 the program is empty: it needs a <task> element',
  ],
};

test.each(Object.entries(malformed))('not well-formed: %s', (_name, [source, ...problems]) => {
  expect(reading(source).problems).toEqual(problems);
});

test('elements stand in each other 50 deep', () => {
  const nested = (depth: number, inside = '') => `${'<a>'.repeat(depth)}${inside}${'</a>'.repeat(depth)}`;
  expect(reading(nested(50, '<b/>')).problems).toEqual([]);
  expect(reading(nested(51)).problems).toEqual(['1:151 elements are nested deeper than 50']);
});

/** Tokens of markup, whole and broken. No byte order mark: the binding of libxml2 drops one from the begin of a text. */
const tokens = [
  ...[
    '<',
    '>',
    '/',
    '&',
    ';',
    '"',
    "'",
    '=',
    '!',
    '?',
    '-',
    '--',
    ']',
    ']]>',
    '{',
    '{{',
    '}}',
    ' ',
    '\n',
    '\t',
    '\r',
  ],
  ...[
    '<a>',
    '</a>',
    '<b/>',
    '<a b="c">',
    '<a b=\'c\' d = "e">',
    '</a >',
    '<!--',
    '-->',
    '<!-- c -->',
    '<!DOCTYPE a>',
  ],
  ...[
    '<![CDATA[',
    '<![CDATA[x{{y}}]]>',
    '<?',
    '?>',
    '<?xml version="1.0"?>',
    '&amp;',
    '&lt;',
    '&#10;',
    '&#x0000041;',
  ],
  ...['{{x}}', 'a', 'é', '\u0085', '\u2028', '\ud800', '\udc00', '😀', '\u0001', '\ufffe', '1.1'],
];

/** A tree as both readers can tell it: names, attributes, the texts between elements. */
type Plain = string | { name: string; attributes: [string, string][]; children: Plain[] };

function plain({ name, attributes, children }: Element): Plain {
  const each = children.map(child => (child.kind === 'element' ? plain(child) : child.text));
  return {
    name,
    attributes: [...attributes].map(([key, { value }]) => [key, value]),
    children: joined(each),
  };
}

/** Parses with libxml2; throws if it refuses the source. */
function byLibxml2(source: string): Plain {
  using document = XmlDocument.fromString(source);
  const read = (element: XmlElement): Plain => {
    const children: Plain[] = [];
    for (let child = element.firstChild; child; child = child.next) {
      if (child instanceof XmlElement) children.push(read(child));
      else if (child instanceof XmlText || child instanceof XmlCData) children.push(child.content);
    }
    const attributes = element.attrs.map(({ name, value }): [string, string] => [name, value]);
    return { name: element.name, attributes, children: joined(children) };
  };
  return read(document.root);
}

/** Texts side by side as one, and none that is only layout. */
function joined(children: Plain[]): Plain[] {
  const hasElements = children.some(child => typeof child !== 'string');
  const isLayout = children.every(child => typeof child !== 'string' || isBlank(child));
  const all: Plain[] = [];
  for (const child of children) {
    const last = all.at(-1);
    if (typeof child !== 'string') all.push(child);
    else if (hasElements && isLayout) continue;
    else if (typeof last === 'string') all[all.length - 1] = last + child;
    else if (child !== '') all.push(child);
  }
  return all;
}

/** That each element and attribute stands where the tree says. */
function expectPlaces(element: Element, lines: readonly string[]): void {
  const standsAt = ({ line, column }: Position, what: string) =>
    expect(lines[line - 1]?.slice(column - 1).startsWith(what), `${what} at ${line}:${column}`).toBe(true);
  standsAt(element.at, `<${element.name}`);
  for (const [name, { at }] of element.attributes) standsAt(at, name);
  for (const child of element.children) if (child.kind === 'element') expectPlaces(child, lines);
}

/** True if `source` was read without a problem; libxml2 must then read the same. */
function isReadAlike(source: string): boolean {
  const { root, problems } = reading(source);
  if (!root || problems.length > 0 || !source.isWellFormed()) return false;
  expect(plain(root)).toEqual(byLibxml2(source));
  expectPlaces(root, source.split(/\r\n?|\n/));
  return true;
}

const change = fc.record({
  at: fc.nat(10_000),
  remove: fc.nat(3),
  insert: fc.oneof(fc.constant(''), fc.constantFrom(...tokens)),
});

test('what is read without a problem, libxml2 reads alike: markup put together at random', () => {
  let alike = 0;
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...tokens), { maxLength: 12 }), inside => {
      if (isReadAlike(`<a>${inside.join('')}</a>`)) alike++;
    }),
    { numRuns: 3_000 },
  );
  expect(alike).toBeGreaterThan(100);
});

test('what is read without a problem, libxml2 reads alike: whole programs, as they are and with changes', () => {
  let alike = 0;
  fc.assert(
    fc.property(choices, fc.array(change, { minLength: 1, maxLength: 3 }), (choose, changes) => {
      let source = randomProgram(choose);
      if (isReadAlike(source)) alike++;
      for (const { at, remove, insert } of changes) {
        const from = at % (source.length + 1);
        source = source.slice(0, from) + insert + source.slice(from + remove);
      }
      isReadAlike(source);
    }),
    { numRuns: 1_000 },
  );
  expect(alike).toBe(1_000);
});

// The fast reading of a source against the thorough one: they never differ.
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cleanTree } from '../../../src/engine/language/clean-tree.ts';
import { mendedTree } from '../../../src/engine/language/mended-tree.ts';
import { positions } from '../../../src/engine/language/positions.ts';
import type { Report } from '../../../src/engine/language/problem.ts';
import { type Element, normalized, parseTree, type Text } from '../../../src/engine/language/tree.ts';
import { problemCases } from './problem-cases.ts';
import { choices, randomProgram } from './random-programs.ts';

function reading(read: (report: Report) => Element | undefined) {
  const problems: string[] = [];
  const tree = read(({ file, line, column }, message) =>
    problems.push(`${file}:${line}:${column} ${message}`),
  );
  return { tree: tree && asRead(tree), problems };
}

/** Everything that can be read of a node. */
function asRead(node: Element | Text): object {
  const { kind, at } = node;
  if (node.kind === 'text')
    return {
      kind,
      at,
      text: node.text,
      places: node.places([...node.text].length > 500 ? [] : Array.from(node.text, (_, index) => index)),
    };
  const attributes = [...node.attributes].map(([name, { value, at: place }]) => ({ name, value, place }));
  for (const { name, value } of attributes) expect(node.attributes.get(name)?.value).toBe(value);
  expect(node.attributes.size).toBe(attributes.length);
  return { kind, at, name: node.name, attributes, children: node.children.map(asRead) };
}

function bothWays(source: string) {
  const text = normalized(source);
  return {
    usual: reading(report => parseTree(source, 'p.xml', report)),
    thorough: reading(report => mendedWhole(text, report)),
  };
}

function mendedWhole(text: string, report: Report): Element | undefined {
  const { root, unfinished } = mendedTree(text, positions(text, 'p.xml'), report);
  return unfinished.length === 0 ? root : undefined;
}

/** Read fast, or not. */
function isClean(source: string): boolean {
  const text = normalized(source);
  return cleanTree(text, positions(text, 'p.xml')) !== undefined;
}

const folder = 'prompts/programs';
const programs = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter(name => name.endsWith('.xml'))
  .map(name => readFileSync(`${folder}/${name}`, 'utf8'));

const clean: Record<string, string> = {
  'a declaration': '<?xml version="1.0"?>\n<!-- -->\n<a/>\n<!---->\n',
  'a declaration with an encoding': '<?xml version="1.0" encoding="UTF-8"?><a></a>',
  'white space wherever it may stand': '\n\t<a\n\tb = "c"\n d\t=\n\'e\'\t>\n</a\n\t>\n',
  'line ends in a value': '<a b="1\n2\t3">\n\n  <c d="\n"/></a>',
  'a name inside of other names': '<ab a="a" b="ab" ab="b"><b/></ab>',
  'references and quotes': `<a b='"&lt;&amp;amp;&quot;' c="'&apos;&gt;>">&lt;b&gt; &amp;amp; > " '</a>`,
  'CDATA sections': '<a><![CDATA[]]>{{x}} b<![CDATA[{{ <b> && ]] ]>]]]>{{y}}<![CDATA[{{z}}]]></a>',
  'comments between texts': '<a>{<!-- {{ <b> & -->{ {{{{{<!-- - - -->}}<b/>{{c}}<!--{{--></a>',
  'characters beyond ASCII': '<a b="é 世">\u00a0\u0085\u2028 😀 \ufeff\ufffd {{é}}</a>',
  'CR, LF and a byte order mark': '\ufeff<a>\r\n<b c="\r"/>\r\r\n</a>\r',
  'as deep as allowed': `${'<a>'.repeat(50)}${'</a>'.repeat(50)}`,
  'an empty element inside of that': `${'<a>'.repeat(50)}<b/>${'</a>'.repeat(50)}`,
};

const doubtful: Record<string, string> = {
  'an element deeper than allowed': `${'<a>'.repeat(51)}${'</a>'.repeat(51)}`,
  'a lone surrogate that hides a <': '<a>\ud800<!DOCTYPE b></a>',
  'a lone surrogate that hides a &': '<a>\ud800& b; c</a>',
  'a lone surrogate at the end': '<a><!\ud800',
  'a character that XML does not have': '<a>\ufffe</a>',
  'XML 1.1, which has other line ends': '<?xml version="1.1"?><a>\u0085</a\u0085>',
  'a name beyond ASCII': '<é></é>',
  'a name that only begins in ASCII': '<aé></aé>',
  'an attribute name beyond ASCII': '<a é="1"/>',
  'references by number': '<a b="&#10;">&#x41;&#00000065;&#x0000041;</a>',
  'a reference to a property of every object': '<a>&constructor;&__proto__;</a>',
  'a second byte order mark': '\ufeff\ufeff<?xml version="1.0"?><a/>',
  'a processing instruction after the root': '<a/><?xml version="1.0"?>',
  'a declaration by tab': '<?xml\tversion="1.0"?><a/>',
  'an odd space outside of the root': '\u00a0<a/>\u2028',
  'an odd space in a closing tag': '<a></a\u00a0>',
  'CDATA outside of the root': '<![CDATA[ ]]><a/><![CDATA[ ]]>',
  'a comment too short to end': '<!--><a/>',
  'a comment that ends in three dashes': '<a><!-- ---></a>',
  'a / that does not end the tag': '<a / >',
  'attributes without a space': '<a b="1"c="2"/>',
  'an attribute without a value': '<a b/>',
  'a second attribute': '<a b="1" b="2"/>',
  'a second root': '<a/><b/>',
  'a closing tag that begins as another': '<a></ab>',
  'an end in a tag': '<a',
  'nothing but a declaration': '<?xml version="1.0"?>\n',
};

describe('read in one pass', () => {
  test.each(Object.entries(clean))('%s', (_name, source) => {
    expect(isClean(source)).toBe(true);
    const { usual, thorough } = bothWays(source);
    expect(usual).toEqual(thorough);
    expect(usual.problems).toEqual([]);
  });

  test('every program of the product', () => {
    expect(programs.length).toBeGreaterThan(0);
    expect(programs.filter(source => !isClean(source))).toEqual([]);
  });
});

describe('left to the thorough reading', () => {
  test.each(Object.entries(doubtful))('%s', (_name, source) => {
    expect(isClean(source)).toBe(false);
    const { usual, thorough } = bothWays(source);
    expect(usual).toEqual(thorough);
  });
});

test.each(Object.entries(problemCases))('both ways alike: %s', (_name, { source }) => {
  const { usual, thorough } = bothWays(source.replaceAll('¦', ''));
  expect(usual).toEqual(thorough);
});

/** What markup is made of, whole and broken. */
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
  ...['{{x}}', 'a', 'é', '\u0085', '\u2028', '\ud800', '\udc00', '😀', '\u0001', '\ufffe', '\ufeff', '1.1'],
];

test('both ways alike: markup put together at random', () => {
  const markup = fc.array(fc.constantFrom(...tokens), { maxLength: 12 });
  fc.assert(
    fc.property(markup, markup, (inside, outside) => {
      const { usual, thorough } = bothWays(`<a>${inside.join('')}</a>${outside.slice(0, 1).join('')}`);
      expect(usual).toEqual(thorough);
    }),
    { numRuns: 3_000 },
  );
});

test('both ways alike: a program with a few changes at random', () => {
  const seed = `<?xml version="1.0"?>\n<task name="x">\n${Object.values(clean)[6]}\n  <b c='d' e="f"/>&amp;\n</task>\n`;
  const change = fc.record({
    at: fc.nat(seed.length),
    remove: fc.nat(3),
    insert: fc.oneof(fc.constant(''), fc.constantFrom(...tokens)),
  });
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), changes => {
      let source = seed;
      for (const { at, remove, insert } of changes)
        source = source.slice(0, at) + insert + source.slice(at + remove);
      const { usual, thorough } = bothWays(source);
      expect(usual).toEqual(thorough);
    }),
    { numRuns: 3_000 },
  );
});

/** `source` with `change` somewhere in it, or as it is. */
function changed(source: string, change: { at: number; remove: number; insert: string }): string {
  const at = change.at % (source.length + 1);
  return source.slice(0, at) + change.insert + source.slice(at + change.remove);
}

test('both ways alike: whole programs, as they are and with a change', () => {
  let clean = 0;
  const change = fc.record({
    at: fc.nat(10_000),
    remove: fc.nat(3),
    insert: fc.oneof(fc.constant(''), fc.constantFrom(...tokens)),
  });
  fc.assert(
    fc.property(choices, change, (choose, made) => {
      const source = randomProgram(choose);
      for (const each of [source, changed(source, made)]) {
        const { usual, thorough } = bothWays(each);
        expect(usual).toEqual(thorough);
      }
      if (isClean(source)) clean++;
    }),
    { numRuns: 200 },
  );
  // Otherwise the thorough reading would only be held against itself.
  expect(clean).toBe(200);
});

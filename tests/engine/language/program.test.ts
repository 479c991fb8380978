// Parsing and checking: every problem with its place, and the tree of what has none.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { placesOf } from './marks.ts';
import { problemCases } from './problem-cases.ts';
import { cpuNow } from '../../cpu-time.ts';

test('there are enough cases of problems', () => {
  expect(Object.keys(problemCases).length).toBeGreaterThanOrEqual(90);
});

test.each(Object.entries(problemCases))('problem: %s', (_name, { source: marked, problems }) => {
  const { source, places } = placesOf(marked);
  const found = parseProgram(source, 'p.xml');
  expect(found.problems.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual(
    problems.map((message, index) => `${places[index]} ${message}`),
  );
});

test('a position is counted by hand', () => {
  const { problems } = parseProgram('<task>\n  <description>x</description>\n\t<foo/>\n</task>', 'dir/p.xml');
  expect(problems.map(formatProblem)).toEqual(['dir/p.xml:3:2 <foo> is not allowed in <task type="atomic">']);
});

test('lines that end with CR LF and a byte order mark count as in an editor', () => {
  const { problems } = parseProgram(
    '\uFEFF<task>\r\n  <foo/>\r\n<description>x</description></task>',
    'p.xml',
  );
  expect(problems.map(formatProblem)).toEqual(['p.xml:2:3 <foo> is not allowed in <task type="atomic">']);
});

const harmless =
  '<task type="sequential"><steps><task><description>x</description><output name="n" type="number"/></task><task><description>y</description></task></steps></task>';

test('a warning leaves the program whole and says what it is', () => {
  const { program, problems } = parseProgram(harmless, 'p.xml');
  expect(program?.type).toBe('sequential');
  expect(problems.map(formatProblem)).toEqual([
    'p.xml:1:32 warning: the outputs of this step are never read',
  ]);
});

test('an error hidden behind 200 warnings still refuses the program', () => {
  const step = '<task><description>x</description><output name="n" type="number"/></task>';
  const source = `<task type="sequential"><steps>${step.repeat(250)}<task><description>{{x}}</description></task></steps></task>`;
  const { program, problems } = parseProgram(source, 'p.xml');
  expect(program).toBeUndefined();
  expect(problems.some(problem => problem.message === 'nothing binds "x"')).toBe(true);
});

const hostile: [string, string, string][] = [
  ['too long', ' '.repeat(1_048_577), 'the program has 1048577 characters; at most 1048576 are read'],
  ['a megabyte of <', '<'.repeat(1_000_000), 'a bare <: write &lt;, or wrap the text in <![CDATA[ ]]>'],
  ['a megabyte of &', '&'.repeat(1_000_000), 'a bare &: write &amp;'],
  ['unclosed tags', '<a '.repeat(300_000), 'elements are nested deeper than 50'],
  ['quotes', '<a "'.repeat(200_000), 'the tag <a is not closed with >'],
  ['closing tags', '</a>'.repeat(200_000), '</a> closes nothing that is open'],
  ['comments', '<!--'.repeat(200_000), 'the comment is not closed with -->'],
  ['placeholders', `<task><description>${'{{x}}'.repeat(200_000)}</description></task>`, 'nothing binds "x"'],
  ['braces', `<task><description>${'{{'.repeat(500_000)}</description></task>`, ''],
];

test.each(hostile)('hostile: %s ends soon with at most 200 problems', (_name, source, message) => {
  const begin = cpuNow();
  const { problems } = parseProgram(source, 'p.xml');
  expect(cpuNow() - begin).toBeLessThan(2_000);
  expect(problems.length).toBeLessThanOrEqual(200);
  if (message === '') expect(problems).toEqual([]);
  else expect(problems.map(problem => problem.message)).toContain(message);
});

test('of more than 200 errors it is said that there are more', () => {
  const steps = (count: number) => `<task type="sequential"><steps>${'<zz/>'.repeat(count)}</steps></task>`;
  const told = (count: number) =>
    parseProgram(steps(count), 'p.xml').problems.filter(({ message }) =>
      message.includes('there may be more'),
    );
  expect(told(300)).toHaveLength(1);
  expect(told(150)).toEqual([]);
});

test('an atomic task with all its parts', () => {
  const { program, problems } = parseProgram(
    `<?xml version="1.0"?>
<!-- a comment -->
<task name="greet">
  <inputs><input name="who"/><input name="tone">kind to {{rounds}}</input></inputs>
  <system>You greet.</system>
  <instructions>
    Greet in one line:
      - no emoji
      - &lt;b&gt; stays &amp; so does <![CDATA[<i> && x]]>
  </instructions>
  <description>Greet {{who}}, {{ tone }}.</description>
  <expected_output>one line</expected_output>
  <criteria>it is kind</criteria>
  <model>mid</model>
  <temperature>0.5</temperature>
  <limits><turns>3</turns><output_tokens>500</output_tokens><time_s>60</time_s></limits>
  <tools>read_file,
         search js</tools>
  <output name="n" type="number" nullable="true"/>
  <output name="ok" type="boolean"/>
  <context_management><inherit_context>none</inherit_context></context_management>
  <disable_reparsing>true</disable_reparsing>
</task>`,
    'p.xml',
  );
  expect(problems).toEqual([]);
  expect(program).toMatchObject({
    type: 'atomic',
    subtype: 'standard',
    name: 'greet',
    at: { file: 'p.xml', line: 3, column: 1 },
    inputs: [
      { name: 'who', value: { kind: 'parameter' } },
      { name: 'tone', value: { kind: 'text', text: { parts: ['kind to ', { name: 'rounds' }] } } },
    ],
    system: { parts: ['You greet.'] },
    instructions: {
      parts: ['Greet in one line:\n  - no emoji\n  - <b> stays & so does <i> && x'],
    },
    description: {
      parts: [
        'Greet ',
        { name: 'who', at: { line: 11, column: 22 } },
        ', ',
        { name: 'tone', at: { line: 11, column: 31 } },
        '.',
      ],
    },
    model: 'mid',
    temperature: 0.5,
    limits: { turns: 3, outputTokens: 500, timeMs: 60_000 },
    tools: ['read_file', 'search', 'js'],
    outputs: [
      { name: 'n', type: 'number', nullable: true },
      { name: 'ok', type: 'boolean', nullable: false },
    ],
  });
});

test.each([
  ['one line', 'one line'],
  ['  \n  a\n    b\n  c  \n ', 'a\n  b\nc'],
  ['first\n    second\n      third', 'first\nsecond\n  third'],
  ['\n\n\ta\n\n\t\tb\n', 'a\n\n\tb'],
  ['\n    a\n  \n    b\n', 'a\n\nb'],
])('layout is taken away: %j', (source, text) => {
  const { program } = parseProgram(`<task><description>${source}</description></task>`, 'p.xml');
  expect(program?.description?.parts.join('')).toBe(text);
});

test('braces that hold no name are text', () => {
  const text = `{{<js_execute>}} $${'{{ secrets.X }}'} {{}} {{a b}} {{1}} {x}`;
  const source = `<task><description><![CDATA[${text}]]></description></task>`;
  const { program, problems } = parseProgram(source, 'p.xml');
  expect(problems.map(problem => problem.message)).toEqual(['nothing binds "secrets.X"']);
  expect(program).toBeUndefined();
  const without = parseProgram(source.replace('{{ secrets.X }}', ''), 'p.xml');
  expect(without.program?.description?.parts).toEqual(['{{<js_execute>}} $ {{}} {{a b}} {{1}} {x}']);
});

test('the program that implements an issue has no problem', () => {
  const file = 'prompts/programs/implement-issue.xml';
  const { program, problems } = parseProgram(readFileSync(file, 'utf8'), file);
  expect(problems.map(formatProblem)).toEqual([]);
  expect(program).toMatchObject({
    type: 'director-evaluator',
    director: { name: 'engineer.director', subtype: 'director' },
    evaluator: { name: 'engineer.evaluator', subtype: 'evaluator' },
    script: { command: { parts: [{ name: 'test_command' }] } },
    maxRounds: { parts: [{ name: 'rounds' }] },
  });
});

test('the outputs of steps that accumulate are no warning', () => {
  const step = '<task><description>x</description><output name="n" type="number"/></task>';
  const sequence = (settings: string) =>
    `<task type="sequential">${settings}<steps>${step}${step}</steps></task>`;
  const accumulating = '<context_management><accumulate_data>true</accumulate_data></context_management>';
  expect(parseProgram(sequence(accumulating), 'p.xml').problems).toEqual([]);
  expect(parseProgram(sequence(''), 'p.xml').problems).toHaveLength(1);
});

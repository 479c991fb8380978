// The library of templates: what may be registered, what is found, and whose place a problem has.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram, readTemplate } from '../../../src/engine/language/program.ts';
import { evaluating } from '../tasks/surroundings.ts';

const say = (name: string, words: string) =>
  `<task name="${name}"><description>${words}</description></task>`;
const product = createLibrary([
  { file: 'prompts/greet.xml', text: say('greet', 'hello') },
  { file: 'prompts/part.xml', text: say('part', 'goodbye') },
]).library;

describe('register', () => {
  test.each([
    [
      'a second task of a name',
      [say('a', 'x'), say('a', 'y')],
      '1.xml:1:7 a second task "a"; the first is in 0.xml',
    ],
    [
      'a root without a name',
      ['<task><description>x</description></task>'],
      '0.xml:1:1 a template needs a name: give its root the attribute name',
    ],
    ['a root that is no task', ['<tsak name="a"/>'], '0.xml:1:1 the root element is <task>, not <tsak>'],
    ['what is not well-formed', ['<task name="a">'], '0.xml:1:1 <task> is not closed'],
  ])('%s is refused', (_name, texts, problem) => {
    const { problems } = createLibrary(texts.map((text, index) => ({ file: `${index}.xml`, text })));
    expect(problems.map(formatProblem)).toContain(problem);
  });

  test('get of an unknown name offers the nearest', () => {
    expect(() => product.get('gret')).toThrow('no task is registered as "gret"; did you mean "greet"?');
    expect(() => product.get('toString')).toThrow('no task is registered as "toString"');
    expect(product.find('toString')).toBeUndefined();
  });
});

describe('override', () => {
  const { library, problems } = createLibrary(
    [
      { file: '.github/echelon/greet.xml', text: say('greet', 'good day') },
      { file: '.github/echelon/own.xml', text: '<task ref="part" name="own"/>' },
    ],
    { outer: product },
  );

  test('one of the repository goes before one of the product, in its place', () => {
    expect(problems).toEqual([]);
    expect(library.templates().map(({ name, file }) => [name, file])).toEqual([
      ['greet', '.github/echelon/greet.xml'],
      ['part', 'prompts/part.xml'],
      ['own', '.github/echelon/own.xml'],
    ]);
    expect(library.get('greet').digest).not.toBe(product.get('greet').digest);
    expect(product.get('greet').file).toBe('prompts/greet.xml');
  });

  test('a program takes the override', async () => {
    const { program } = parseProgram('<task ref="greet"/>', 'p.xml', library);
    const { result } = evaluating(program!, {}, (_task, _n, { prompt }) => prompt, { library });
    expect(await result).toMatchObject({
      content: 'good day',
      notes: { template: { name: 'greet', digest: library.get('greet').digest } },
    });
  });
});

describe('problems of templates', () => {
  test('have their own file and place', () => {
    const { library } = createLibrary([
      { file: 'a.xml', text: '<task name="a">\n  <description>{{x}}</description></task>' },
    ]);
    const { program, problems } = readTemplate(library.get('a'), library);
    expect(program).toBeUndefined();
    expect(problems.map(formatProblem)).toEqual(['a.xml:2:16 nothing binds "x"']);
  });

  test('a ref that comes back to itself', () => {
    const { library } = createLibrary([
      { file: 'a.xml', text: '<task ref="b" name="a"/>' },
      { file: 'b.xml', text: '<task type="sequential" name="b"><steps>\n<task ref="a"/></steps></task>' },
    ]);
    const { problems } = parseProgram('<task ref="a"/>', 'p.xml', library);
    expect(problems.map(formatProblem)).toEqual([
      'b.xml:2:7 ref "a" takes a task that takes this one: it would never end',
    ]);
    const own = readTemplate(library.get('a'), library).problems;
    expect(own.map(({ message }) => message)).toContain(
      'ref "b" takes a task that takes this one: it would never end',
    );
  });

  test('a missing value is told where the template is taken', () => {
    const { library } = createLibrary([
      {
        file: 'ask.xml',
        text: '<task name="ask">\n<inputs><input name="who"/></inputs><description>{{who}}</description></task>',
      },
    ]);
    const source = '<task type="sequential"><steps>\n  <task ref="ask"/></steps></task>';
    expect(parseProgram(source, 'p.xml', library).problems.map(formatProblem)).toEqual([
      'p.xml:2:3 input "who" has no value: write from="..." or content (only the root\'s inputs are filled by the caller)',
    ]);
  });
});

test('a subtype that is registered has its own rules', async () => {
  const { library } = createLibrary([], {
    subtypes: {
      poem: {
        turns: 2,
        outputs: [{ name: 'lines', type: 'number', nullable: false }],
        continuation: false,
        clearContext: true,
      },
    },
  });
  const problems = parseProgram(
    '<task subtype="poem"><description>x</description><output name="lines" type="string"/></task>',
    'p.xml',
    library,
  ).problems;
  expect(problems.map(formatProblem)).toEqual([
    'p.xml:1:1 a poem needs <output name="lines" type="number"/>',
  ]);
  const source =
    '<task subtype="poem"><description>x</description><output name="lines" type="number"/></task>';
  const { program } = parseProgram(source, 'p.xml', library);
  const { result, requests } = evaluating(program!, {}, () => '{"lines": 4}', { library });
  expect((await result).outputs).toEqual({ lines: 4 });
  expect(requests[0]?.limits.turns).toBe(2);
  expect(parseProgram(source, 'p.xml').problems.map(({ message }) => message)).toEqual([
    'unknown subtype "poem": it is taken as standard',
  ]);
});

// Ways to write less: each is the same program as its canonical form, and what is only a fragment is refused with what
// to write. The programs of the language's design stand beside the project, where they are at hand.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { printTask } from '../../../src/engine/language/print.ts';
import { formatProblem } from '../../../src/engine/language/problem.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { evaluating } from '../tasks/surroundings.ts';

const read = (source: string) => {
  const { program, problems } = parseProgram(source, 'p.xml', undefined, 'asked for');
  return { program, problems: problems.map(formatProblem) };
};
const say = (words: string) => `<description>${words}</description>`;
const task = (words: string) => `<task>${say(words)}</task>`;

test.each([
  [
    'parts of director and evaluator',
    `<task type="director-evaluator"><director>${say('d')}</director><evaluator>${say('e')}</evaluator></task>`,
    `<task type="director-evaluator"><director>${task('d')}</director><evaluator><task>${say('e')}<output name="success" type="boolean"/><output name="feedback" type="string" nullable="true"/></task></evaluator></task>`,
  ],
  [
    'steps among steps',
    `<task type="sequential"><steps>${task('a')}<step>${say('b')}</step></steps></task>`,
    `<task type="sequential"><steps>${task('a')}${task('b')}</steps></task>`,
  ],
  [
    'steps with attributes, and of a type',
    `<task type="sequential"><step name="a">${say('a')}</step><step name="b">${task('{{a}}')}</step><step name="c"><cond><case test="b == '1'">${say('c')}</case></cond></step><step><cond><case test="c == '1'">${say('d')}</case></cond></step></task>`,
    `<task type="sequential"><steps><task name="a">${say('a')}</task><task name="b">${say('{{a}}')}</task><task type="cond" name="c"><case test="b == '1'">${task('c')}</case></task><task type="cond"><case test="c == '1'">${task('d')}</case></task></steps></task>`,
  ],
  [
    'parts of cases',
    `<task type="cond"><case test="rounds == '1'">${say('a')}</case><else>${say('b')}</else></task>`,
    `<task type="cond"><case test="rounds == '1'">${task('a')}</case><else>${task('b')}</else></task>`,
  ],
  [
    'a cond, a let and a call where a task stands',
    `<task type="sequential"><steps><task type="function" name="f"><body>${say('a')}</body></task><call ref="f"/><let><bind name="x">1</bind><body><cond><case test="x == '1'">${say('b')}</case></cond></body></let></steps></task>`,
    `<task type="sequential"><steps><task type="function" name="f"><body>${task('a')}</body></task><task type="call" ref="f"/><task type="let"><bind name="x">1</bind><body><task type="cond"><case test="x == '1'">${task('b')}</case></task></body></task></steps></task>`,
  ],
  [
    'a let as the whole program',
    `<let><bind name="x">1</bind><body>${say('{{x}}')}</body></let>`,
    `<task type="let"><bind name="x">1</bind><body>${task('{{x}}')}</body></task>`,
  ],
  [
    'parts of what runs when it fails',
    `<task>${say('a')}<on_failure>${say('{{error.code}}')}</on_failure></task>`,
    `<task>${say('a')}<on_failure>${task('{{error.code}}')}</on_failure></task>`,
  ],
  [
    'a name as an element',
    `<task><name>greet</name>${say('a')}</task>`,
    `<task name="greet">${say('a')}</task>`,
  ],
  [
    'a subtype as a type',
    `<task type="director">${say('a')}<output_slot>s</output_slot></task>`,
    `<task subtype="director">${say('a')}<output_slot>s</output_slot></task>`,
  ],
  [
    'free text in parameters',
    `<task>${say('x')}<parameters>some {{rounds}}</parameters></task>`,
    `<task><inputs><input name="parameters">some {{rounds}}</input></inputs>${say('x')}</task>`,
  ],
  [
    'the query of a memory task',
    `<task type="associative_memory"><inputs><input name="a">b</input></inputs>${say('x')}<query>q</query><constraints><max_results>3</max_results></constraints></task>`,
    `<task subtype="associative_memory"><inputs><input name="a">b</input><input name="query">q</input><input name="max_results">3</input></inputs>${say('x')}</task>`,
  ],
  [
    'parts of the task of a map, and an input without a value by a name that the language binds there',
    `<task type="map"><over>[1]</over><inner_task><inputs><input name="item"/></inputs>${say('{{item}}')}</inner_task></task>`,
    `<task type="map"><over>[1]</over><inner_task><task><inputs><input name="item" from="item"/></inputs>${say('{{item}}')}</task></inner_task></task>`,
  ],
])('%s', (_name, short, long) => {
  const canonical = read(long);
  const shorthand = read(short);
  expect(canonical.problems).toEqual([]);
  expect(shorthand.problems).toEqual([]);
  expect(printTask(shorthand.program!)).toBe(printTask(canonical.program!));
});

test('a function with params of types that nobody knows', () => {
  const { program, problems } = read(
    `<task type="function"><name>f</name><parameters><param name="x" type="DataSet"/></parameters><returns type="Data"/><body>${say('{{x}}')}</body></task>`,
  );
  expect(problems).toEqual([
    'p.xml:1:65 warning: "DataSet" is not checked: type is one of "string", "number", "boolean", "json"',
    'p.xml:1:103 warning: "Data" is not checked: type is one of "string", "number", "boolean", "json"',
  ]);
  expect(program).toMatchObject({ name: 'f', parameters: [{ type: undefined }], returns: undefined });
});

test.each([
  [
    'two names',
    `<step name="a"><task name="b">${say('x')}</task></step>`,
    '<task> is not allowed in <task type="atomic">',
  ],
  ['two tasks', `<step>${task('x')}${task('y')}</step>`, '<task> is not allowed in <task type="atomic">'],
  [
    'an unknown attribute',
    `<step nam="a">${task('x')}</step>`,
    '<task type="atomic"> has no attribute nam; did you mean "name"?',
  ],
])('nothing of a step is lost: %s', (_name, step, problem) => {
  expect(read(`<task type="sequential">${step}</task>`).problems.join('\n')).toContain(problem);
});

test('problems in what is written short stand where they stand', () => {
  expect(
    read('<task type="map">\n<over>[1]</over>\n<inner_task><modle>x</modle></inner_task></task>').problems,
  ).toEqual([
    'p.xml:3:1 <task type="atomic"> needs <description> or <instructions>',
    'p.xml:3:13 <modle> is not allowed in <task type="atomic">; did you mean "model"?',
  ]);
});

describe('free names', () => {
  const free = `<task type="sequential"><inputs><input name="data" from="raw[0]"/></inputs><steps>${task('{{data}} {{unit.name}}')}<cond><case test="flag">${say('{{raw}}')}</case></cond></steps></task>`;

  test('are asked for as parameters, with the nearest name', () => {
    const { program, problems } = read(free.replace('{{unit.name}}', '{{date}} {{unit.name}}'));
    expect(problems).toEqual([
      'p.xml:1:52 warning: nothing binds "raw[0]": it is asked for as a parameter',
      'p.xml:1:111 warning: nothing binds "date": it is asked for as a parameter; did you mean "data"?',
      'p.xml:1:120 warning: nothing binds "unit.name": it is asked for as a parameter',
      'p.xml:1:166 warning: nothing binds "flag": it is asked for as a parameter',
    ]);
    const asked = program!.inputs.filter(({ value }) => value.kind === 'parameter').map(({ name }) => name);
    expect(asked).toEqual(['raw', 'date', 'unit', 'flag']);
  });

  test('are given by the caller', async () => {
    const { program } = read(free);
    const inputs = { raw: ['r'], unit: { name: 'mm' }, flag: true };
    const { result, requests } = evaluating(program!, inputs, () => 'x');
    await result;
    expect(requests.map(({ prompt }) => prompt)).toEqual(['r mm', '["r"]']);
  });

  test('that are not given refuse the run before anything is paid', async () => {
    const { result, requests } = evaluating(read(free).program!, { raw: [], unit: 'x' }, () => 'x');
    await expect(result).rejects.toThrow('Missing required input: flag');
    expect(requests).toEqual([]);
  });

  test.each(['item', 'target_content', 'exit_code', 'output', 'accumulator'])(
    '%s, which the language binds elsewhere, is an error',
    name => {
      expect(read(`<task>${say(`{{${name}}}`)}</task>`).problems[0]).toMatch(`nothing binds "${name}"`);
      expect(read(`<task>${say(`{{${name}}}`)}</task>`).program).toBeUndefined();
    },
  );
});

const examples = join(import.meta.dirname, '../../../../shared/design-examples');

/** The complete programs, and what each session of them replies. */
const complete = ['01', '02', '03', '04', '07', '13', '14', '16', '20', '23'];

/** Refused shorthand, by the first sentence of the message. */
const refused: Readonly<Record<string, string>> = {
  '05': 'needs <description> or <instructions>',
  '06': 'needs <description> or <instructions>',
  '08': 'needs <description> or <instructions>',
  '09': 'needs <description> or <instructions>',
  '10': 'write <input name="..." from="..."/> in <inputs>',
  '11': '<task type="script"> needs <command>: the line that /bin/sh runs, such as npm test',
  '12': '"output" is the result of the step before, and there is none',
  '17': '<task type="script"> needs <command>: the line that /bin/sh runs',
  '18': 'needs <description> or <instructions>',
  '19': 'pass it as an <input> in <inputs>',
  '21': '<inherit_context> is one of "full", "none", "subset" (write "none"), not "false"',
  '22': '<task type="script"> needs <command>: the line that /bin/sh runs',
};

describe.skipIf(!existsSync(examples))(
  'the programs of the design (skipped where ../shared/design-examples is not there)',
  () => {
    const files = existsSync(examples) ? readdirSync(examples).filter(name => name.endsWith('.xml')) : [];

    test('are all accounted for', () => {
      const known = [...complete, ...Object.keys(refused), '15'].sort();
      expect(files.map(name => name.slice(0, 2)).sort()).toEqual(known);
    });

    test.each(files)('%s', async name => {
      const { program, problems } = read(readFileSync(join(examples, name), 'utf8'));
      const number = name.slice(0, 2);
      if (Object.hasOwn(refused, number)) {
        expect(program).toBeUndefined();
        expect(problems[0]).toContain(refused[number]);
        return;
      }
      expect(problems.filter(each => !each.includes(' warning: '))).toEqual([]);
      if (program!.type === 'function') return;
      const asked = program!.inputs.filter(({ value }) => value.kind === 'parameter');
      const inputs = Object.fromEntries(asked.map(each => [each.name, 'given']));
      const verdict = '{"success": true, "feedback": null}';
      const { result } = evaluating(program!, inputs, (who, _n, request) =>
        request.key.includes('/evaluator-') ? verdict : `reply of ${who}`,
      );
      expect(await result).toMatchObject({ status: 'COMPLETE' });
    });
  },
);

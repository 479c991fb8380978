// Compiling a request into a program: what is checked, what goes back to the model, and when it is given up.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import { nothingSpent, TaskError } from '../../../src/engine/language/result.ts';
import { compile } from '../../../src/engine/tasks/compile.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { failed, outcome } from './surroundings.ts';

const source = (name: string) => ({
  file: `prompts/tasks/${name}.xml`,
  text: readFileSync(`prompts/tasks/${name}.xml`, 'utf8'),
});
const { library, problems } = createLibrary([source('compile'), source('reparse'), source('matching')]);
expect(problems).toEqual([]);

const good = '<task name="poem"><description>Write a poem about whales.</description></task>';

function compiling(answers: (string | Error)[], parameters?: boolean) {
  const requests: SessionRequest[] = [];
  const result = compile(
    'a poem about whales, ignore {{this}}',
    {
      session: async request => {
        const answer = answers[requests.push(request) - 1] ?? 'unexpected';
        if (answer instanceof Error) throw answer;
        return outcome(answer);
      },
      tools: [],
      library,
      settings: {},
      models: name => {
        if (name === 'dear') throw new RangeError('unknown model "dear"');
        return 'm';
      },
      key: 'k',
      scope: 's',
      clock: stillClock(),
      signal: new AbortController().signal,
    },
    parameters === undefined ? {} : { parameters },
  );
  return { result, requests };
}

test('at the first answer', async () => {
  const { result, requests } = compiling([`Here you are:\n\`\`\`xml\n${good}\n\`\`\``]);
  const compiled = await result;
  expect(compiled).toMatchObject({ source: good, warnings: [], spent: { cost_usd: 0.25, turns: 1 } });
  expect(compiled.program).toEqual(parseProgram(good, 'compiled.xml').program);
  expect(requests.map(({ key, task }) => [key, task])).toEqual([['k/compile-1', 'compile']]);
  expect(requests[0]?.prompt).toContain('a poem about whales, ignore {{this}}');
});

test.each([2, 3])('mended at answer %i, with the problems of the one before', async n => {
  const bad = (at: number) => `<task><descripton>bad ${at}</descripton></task>`;
  const { result, requests } = compiling([...Array.from({ length: n - 1 }, (_, at) => bad(at + 1)), good]);
  expect(await result).toMatchObject({ source: good, spent: { cost_usd: 0.25 * n } });
  expect(requests.map(({ key }) => key)).toEqual(['k/compile-1', 'k/compile-2', 'k/compile-3'].slice(0, n));
  expect(requests.at(-1)?.prompt).toContain(bad(n - 1));
  expect(requests.at(-1)?.prompt).toContain(
    'compiled.xml:1:7 <descripton> is not allowed in <task type="atomic">',
  );
});

test('given up after the third, with all problems of the last', async () => {
  const { result, requests } = compiling([
    good.replace('poem"', 'po em"'),
    'no program',
    '<task><a/><b/></task>',
    good,
  ]);
  const error = await failed(result);
  expect(requests).toHaveLength(3);
  expect(error.detail).toEqual({ code: 'VALIDATION_ERROR', path: 'compiled.xml', line: 1, column: 1 });
  expect(error.message).toContain('compiled.xml:1:7 <a> is not allowed');
  expect(error.message).toContain('compiled.xml:1:11 <b> is not allowed');
  expect(error.notes).toMatchObject({ dataUsage: { cost_usd: 0.75, turns: 3 } });
  expect(error.notes.attempts?.map(({ program }) => program)).toEqual([
    good.replace('poem"', 'po em"'),
    'no program',
    '<task><a/><b/></task>',
  ]);
});

const nested = (levels: number): string =>
  levels <= 1
    ? '<task><description>x</description></task>'
    : `<task type="sequential"><steps>${nested(levels - 1)}</steps></task>`;
const steps = (count: number) =>
  `<task type="sequential"><steps>${'<task><description>x</description></task>'.repeat(count)}</steps></task>`;
const parameter = '<task><inputs><input name="x"/></inputs><description>{{x}}</description></task>';

describe('what no answer may be', () => {
  test.each([
    ['no program at all', 'sorry', 'the answer holds no <task> element'],
    ['with a parameter', parameter, 'nobody fills the input "x"'],
    ['too many tasks', steps(200), 'the program has 201 tasks; at most 200 are allowed'],
    ['too deep', nested(21), 'tasks are nested 21 levels deep; at most 20 are allowed'],
    [
      'an unknown model',
      good.replace('</task>', '<model>dear</model></task>'),
      'the model of poem: unknown model "dear"',
    ],
    ['an unclosed task', '<task><description>x</description>', '<task> is not closed'],
  ])('%s', async (_name, answer, words) => {
    const { result, requests } = compiling([answer, good]);
    await result;
    expect(requests).toHaveLength(2);
    expect(requests[1]?.prompt).toContain(words);
  });

  test.each([
    ['200 tasks', steps(199)],
    ['20 levels', nested(20)],
  ])('but: %s', async (_name, answer) => {
    expect((await compiling([answer]).result).source).toBe(answer);
  });

  test('but parameters where they are asked for', async () => {
    expect((await compiling([parameter], true).result).program.inputs).toHaveLength(1);
  });
});

test('harmless things are warnings', async () => {
  const answer =
    '<task type="sequential"><steps><task><description>x</description><output name="n" type="number"/></task><task><description>y</description></task></steps></task>';
  expect((await compiling([answer]).result).warnings).toEqual([
    'compiled.xml:1:32 warning: the outputs of this step are never read',
  ]);
});

test('a request that cannot be met is said so at once', async () => {
  const { result, requests } = compiling([
    '<result status="FAILED"><content>whales cannot be compiled</content></result>',
  ]);
  const error = await failed(result);
  expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'failed' });
  expect(error.message).toBe('the request cannot be compiled: whales cannot be compiled');
  expect(requests).toHaveLength(1);
});

test('a failed session keeps what was spent before it', async () => {
  const { result } = compiling([
    '<task/>',
    new TaskError({ code: 'TASK_FAILURE', reason: 'model_failure' }, 'down', {
      notes: { dataUsage: { ...nothingSpent, cost_usd: 1 } },
    }),
  ]);
  const { message, notes } = await failed(result);
  expect([message, notes.dataUsage.cost_usd, notes.attempts?.length]).toEqual(['down', 1.25, 1]);
});

test('without the task "compile" there is nothing to ask', async () => {
  const options = {
    session: async () => outcome(good),
    tools: [],
    settings: {},
    models: () => 'm',
    key: 'k',
    scope: 's',
    clock: stillClock(),
    signal: new AbortController().signal,
  };
  expect((await failed(compile('x', options))).code).toBe('INVALID_INPUT');
});

describe('the prompts of the product', () => {
  const prompts = ['compile', 'reparse'].map(name => source(name).text);
  const between = (text: string, from: string, to: string) =>
    text.slice(text.indexOf(from), text.indexOf(to));

  test('describe one and the same language, with every type', () => {
    const [first = '', second] = prompts.map(text =>
      between(text, '    The task language.', '    Answer with'),
    );
    expect(first).toBe(second);
    for (const type of [
      ...['atomic', 'sequential', 'map', 'reduce', 'script', 'director-evaluator'],
      ...['function', 'call', 'cond', 'let'],
    ])
      expect(first).toContain(`| ${type} |`);
  });

  test('what does not change stands in the stable part', async () => {
    const { result, requests } = compiling([good]);
    await result;
    const { stable, changing } = requests[0]!.system;
    expect(stable).toContain('The task language.');
    expect(changing).toBe('');
  });
});

// Notes of results and of errors: costs, warnings, the failed part, the template, the history.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../../src/engine/language/library.ts';
import { parseProgram } from '../../../src/engine/language/program.ts';
import {
  addSpent,
  nothingSpent,
  type Spent,
  TaskError,
  type TaskResult,
  type Times,
} from '../../../src/engine/language/result.ts';
import { createHistory } from '../../../src/engine/tasks/history.ts';
import { emptyResult } from '../../../src/engine/tasks/task-place.ts';
import { evaluating, failed, verdict } from './surroundings.ts';

const task = (name: string, text: string, more = '') =>
  `<task name="${name}"><instructions>${text}</instructions>${more}</task>`;
const o = '<output name="o" type="number"/>';
const strange = '{"status": "WEIRD", "content": "c"}';
const unknown = 'status "WEIRD" is unknown and taken as COMPLETE';

describe('which part failed is named, whatever the error', () => {
  test.each([
    ['a step', `<task type="sequential"><steps>${task('a', 'x')}${task('b', 'bad', o)}</steps></task>`, 'b'],
    [
      'an element',
      `<task type="map"><over>["bad"]</over><inner_task>${task('e', '{{item}}', o)}</inner_task></task>`,
      'element 1',
    ],
    [
      'an input',
      `<task type="reduce"><inputs><input name="p">1</input></inputs><initial_value>0</initial_value><inner_task>${task('i', 'bad {{current_data}}', o)}</inner_task><reduction_task>${task('r', '{{accumulator}}{{current_result}}{{original_input}}')}</reduction_task></task>`,
      'p',
    ],
    [
      'a part of a part',
      `<task type="sequential"><steps><task type="sequential" name="in"><steps>${task('b', 'bad', o)}</steps></task></steps></task>`,
      'in/b',
    ],
  ])('%s', async (_what, program, part) => {
    const { result } = evaluating(program, {}, () => 'no number');
    const error = await failed(result);
    expect(error.code).toBe('INVALID_OUTPUT');
    expect(error.notes.failed).toBe(part);
  });
});

describe('a task that ends as FAILED is no value', () => {
  const cannot = task('v', 'find');
  test.each([
    [
      'input n',
      `<task><inputs><input name="n">${cannot}</input></inputs><instructions>{{n}}</instructions></task>`,
    ],
    ['bind n', `<task type="let"><bind name="n">${cannot}</bind><body>${task('t', '{{n}}')}</body></task>`],
    [
      'over',
      `<task type="map"><over>${cannot}</over><inner_task>${task('t', '{{item}}')}</inner_task></task>`,
    ],
    [
      'initial',
      `<task type="reduce"><inputs><input name="p">1</input></inputs><initial_value>${cannot}</initial_value><inner_task>${task('t', '{{current_data}}')}</inner_task><reduction_task>${task('r', '{{accumulator}}{{current_result}}{{original_input}}')}</reduction_task></task>`,
    ],
    [
      'arg n',
      `<task type="sequential"><steps><task type="function" name="f"><parameters><parameter name="n"/></parameters><body>${task('t', '{{n}}')}</body></task><task type="call" ref="f"><arg name="n">${cannot}</arg></task></steps></task>`,
    ],
  ])('%s', async (what, program) => {
    const { result, requests } = evaluating(program, {}, () => '{"status": "FAILED", "content": "[1]"}');
    const error = await failed(result);
    expect(error.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'failed' });
    expect(error.message).toBe(`the task of ${what} ended as failed: [1]`);
    expect(error.notes.dataUsage.cost_usd).toBe(0.25);
    expect(requests).toHaveLength(1);
  });
});

describe('warnings of what is in a task reach its result', () => {
  test.each([
    [
      'an input',
      `<task><inputs><input name="n">${task('v', 'find')}</input></inputs><instructions>{{n}}</instructions></task>`,
      `input n: ${unknown}`,
    ],
    [
      'a binding',
      `<task type="let"><bind name="n">${task('v', 'find')}</bind><body>${task('t', '{{n}}')}</body></task>`,
      `bind n: ${unknown}`,
    ],
    [
      'an element',
      `<task type="map"><over>["find"]</over><inner_task>${task('v', '{{item}}')}</inner_task></task>`,
      `element 1: ${unknown}`,
    ],
    [
      'what is folded',
      `<task type="reduce"><inputs><input name="p">1</input></inputs><initial_value>0</initial_value><inner_task>${task('v', '{{current_data}}')}</inner_task><reduction_task>${task('r', '{{accumulator}}{{current_result}}{{original_input}}')}</reduction_task></task>`,
      `p: ${unknown}`,
    ],
  ])('%s', async (_what, program, warning) => {
    const { result } = evaluating(program, {}, name => (name === 'v' ? strange : 'ok'));
    expect((await result).notes.warnings).toEqual([warning]);
  });

  test('50 at most', async () => {
    const list = JSON.stringify(Array.from({ length: 80 }, (_, n) => n));
    const { result } = evaluating(
      `<task type="map"><over>${list}</over><inner_task>${task('v', '{{item}}')}</inner_task></task>`,
      {},
      () => strange,
    );
    const { warnings } = (await result).notes;
    expect(warnings).toHaveLength(50);
    expect(warnings.at(-1)).toBe('further warnings are left out');
  });
});

describe('the template of a called function', () => {
  const said = '<task name="say"><instructions>{{text}}</instructions>OUT</task>';
  const taking = (returns: string, out = '') =>
    `<task type="function" name="fn"><parameters><parameter name="text"/></parameters>${returns}<body>${said.replace('OUT', out)}</body></task>`;
  const library = (source: string) => createLibrary([{ file: 'fn.xml', text: source }]).library;
  const calling = '<task type="call" ref="fn"><arg name="text">hi</arg></task>';
  const run = (own: ReturnType<typeof library>, source: string, reply = 'ok') =>
    evaluating(parseProgram(source, 'p.xml', own).program!, {}, () => reply, { library: own }).result;

  test.each([
    [
      'in a step, that of the step alone',
      `<task type="sequential"><steps>${calling}</steps></task>`,
      undefined,
    ],
    [
      'in the body of a let, that of the let',
      `<task type="let"><bind name="b">1</bind><body>${calling}</body></task>`,
      'fn',
    ],
  ])('%s', async (_what, source, name) => {
    const { notes } = await run(library(taking('')), source);
    expect(notes.template?.name).toBe(name);
    if (notes.steps) expect(notes.steps[0]?.result.notes.template?.name).toBe('fn');
  });

  test.each([
    ['its body', taking('', o)],
    ['its type', taking('<returns type="number"/>')],
  ])('is named by an error of %s', async (_what, source) => {
    expect((await failed(run(library(source), calling))).notes.template?.name).toBe('fn');
  });
});

describe('what was finished before an error', () => {
  const two = (second: string) => `<task type="sequential"><steps>${task('a', 'x')}${second}</steps></task>`;
  test.each([
    ['of a failed task', two(task('b', 'bad')), '{"status":"FAILED","content":"no"}', ['a']],
    ['of one whose output is invalid', two(task('b', 'bad', o)), 'no number', ['a']],
    ['of one without parts', task('b', 'bad', o), 'no number', undefined],
  ])('%s is its partial results, and in its notes', async (_what, source, answer, names) => {
    const { result } = evaluating(source, {}, name => (name === 'b' ? answer : 'ok'));
    const error = await failed(result);
    expect(error.partialResults?.map(({ step }) => step)).toEqual(names);
    expect(error.partialResults).toBe(error.notes.steps);
  });
});

describe('times', () => {
  const none = { input_tokens: 0, output_tokens: 0, cache_read_tokens: 0, cache_write_tokens: 0 };
  const spent = (times?: Times): Spent => ({ cost_usd: 0, turns: 0, usage: none, ...(times && { times }) });
  const at = (started: number, ended: number): Times => ({ started, ended });
  test.each<[string, Times | undefined, Times | undefined, Times | undefined]>([
    ['one after the other', at(1, 3), at(5, 9), at(1, 9)],
    ['side by side', at(5, 9), at(4, 6), at(4, 9)],
    ['one within the other', at(1, 9), at(3, 4), at(1, 9)],
    ['only the first ran', at(1, 2), undefined, at(1, 2)],
    ['only the second ran', undefined, at(1, 2), at(1, 2)],
    ['nothing ran', undefined, undefined, undefined],
  ])('of two: %s', (_what, a, b, all) => {
    expect(addSpent(spent(a), spent(b)).times).toEqual(all);
  });

  test('of an error are those of all that was spent', () => {
    const error = new TaskError({ code: 'INVALID_INPUT' }, 'x', { notes: { dataUsage: spent(at(5, 9)) } });
    expect(error.with({ dataUsage: spent(at(1, 3)) }).notes.dataUsage.times).toEqual(at(1, 9));
    expect('times' in new TaskError({ code: 'INVALID_INPUT' }, 'x').with({}).notes.dataUsage).toBe(false);
  });
});

describe('costs', () => {
  test('a session that fails has what the choice of its context cost', async () => {
    const inputs = [
      'task_text',
      'index',
      'previous_outputs',
      'inherited',
      'max_results',
      'relevance_threshold',
    ];
    const { library } = createLibrary([
      {
        file: 'm.xml',
        text: `<task name="associative_memory" subtype="associative_memory"><inputs>${inputs.map(name => `<input name="${name}"/>`).join('')}</inputs><instructions>${inputs.map(name => `{{${name}}}`).join(' ')}</instructions><output name="matches" type="json"/></task>`,
      },
    ]);
    const files = Array.from({ length: 400 }, (_, n) => ({
      path: `f${n}.ts`,
      digest: `${n}`,
      bytes: 4_000,
      metadata: 'm',
    }));
    const { result } = evaluating(
      `<task><context_management><inherit_context>none</inherit_context></context_management><instructions>go</instructions></task>`,
      {},
      name =>
        name === 'associative_memory'
          ? '{"matches": []}'
          : new TaskError(
              { code: 'RESOURCE_EXHAUSTION', resource: 'turns', used: 1, limit: 1, peak: 1 },
              'used up',
              { notes: { dataUsage: { ...nothingSpent, cost_usd: 1, turns: 1 } } },
            ),
      {
        library,
        memory: { index: async () => files, refresh: async () => {}, read: async () => 'text' },
      },
    );
    expect((await failed(result)).notes).toMatchObject({ dataUsage: { cost_usd: 1.25, turns: 2 } });
  });

  test('the output that was used up is that of the last reply', async () => {
    const { result } = evaluating(
      '<task><instructions>x</instructions><limits><output_tokens>100</output_tokens></limits></task>',
      {},
      () => ({
        text: 'x',
        stop: 'max_output',
        turns: 12,
        usage: { input_tokens: 0, output_tokens: 900, cache_read_tokens: 0, cache_write_tokens: 0 },
      }),
    );
    expect((await failed(result)).detail).toMatchObject({ resource: 'output', used: 100, limit: 100 });
  });
});

describe('an evaluator that ends as FAILED', () => {
  test.each([
    '{"status":"FAILED","content":"cannot judge","success":true}',
    '{"status":"FAILED","content":"cannot judge"}',
  ])('%s', async judged => {
    const { result, requests } = evaluating(
      `<task type="director-evaluator"><director>${task('d', 'x')}</director><evaluator>${task('e', 'j', verdict)}</evaluator></task>`,
      {},
      name => (name === 'e' ? judged : 'work'),
    );
    const error = await failed(result);
    expect(error.detail).toMatchObject({ code: 'TASK_FAILURE', reason: 'failed' });
    expect(error.message).toBe('the evaluator ended as failed: cannot judge');
    expect(error.notes.dataUsage.cost_usd).toBe(0.5);
    expect(requests).toHaveLength(2);
  });
});

describe('the history stays within its limit', () => {
  const limit = 1_100_000;
  const size = (notes: unknown) => JSON.stringify(notes).length;
  const many = (count: number) =>
    `<task type="sequential"><steps>${Array.from({ length: count }, (_, n) => task(`s${n}`, 'x')).join('')}</steps></task>`;
  const long = 'x'.repeat(300_000);
  const bytes = (notes: unknown) => Buffer.byteLength(JSON.stringify(notes));
  const accented = 'é'.repeat(300_000);

  test.each<[string, number, string]>([
    ['content of two bytes a character', 4, accented],
    ['one content', 1, 'x'.repeat(3_000_000)],
    ['one content of two bytes a character', 1, 'é'.repeat(700_000)],
    [
      'one output',
      1,
      JSON.stringify({ status: 'COMPLETE', content: '', outputs: { big: 'x'.repeat(3_000_000) } }),
    ],
    [
      'what it says of itself',
      1,
      JSON.stringify({ status: 'COMPLETE', content: '', criteria: 'x'.repeat(3_000_000) }),
    ],
    [
      'the notes of the model',
      1,
      JSON.stringify({ status: 'COMPLETE', content: 'c', notes: { big: 'x'.repeat(3_000_000) } }),
    ],
  ])('in bytes, the last step too: %s', async (_what, count, text) => {
    const whole = await evaluating(many(count), {}, () => text).result;
    const { steps } = whole.notes;
    expect(bytes(steps)).toBeLessThan(limit);
    expect(steps?.at(-1)?.step).toBe(`s${count - 1}`);
    // The result itself is not capped.
    expect(whole.content.length + JSON.stringify(whole.outputs).length).toBeGreaterThan(0);
    expect(whole.content === '' ? true : text.includes(whole.content)).toBe(true);
  });

  test('a last step that is too large is summarised, those before it stay', async () => {
    const { notes } = await evaluating(many(2), {}, name =>
      name === 's0'
        ? 'small'
        : JSON.stringify({ status: 'COMPLETE', content: 'x'.repeat(3_000_000), notes: { seen: 7 } }),
    ).result;
    expect(notes.steps?.map(({ result }) => result.content)).toEqual(['small', '']);
    expect(notes.steps?.[1]?.result.notes).toMatchObject({
      model: { seen: 7 },
      warnings: ['3000000 bytes of content were left out'],
    });
  });

  test('and is whole for the step after it', () => {
    const history = createHistory();
    const large: TaskResult = { ...emptyResult, content: 'x'.repeat(3_000_000), outputs: { n: 7 } };
    history.add('a', emptyResult);
    history.add('b', large);
    expect(history.seen.map(({ result }) => result)).toEqual([emptyResult, large]);
    expect(history.steps[1]?.result.content).toBe('');
    history.add('c', emptyResult);
    expect(history.seen).toBe(history.steps);
    expect(history.steps.map(({ result }) => result.notes.warnings.length)).toEqual([0, 1, 0]);
  });

  test.each([
    ['outputs', JSON.stringify({ status: 'COMPLETE', content: '', outputs: { big: long } })],
    ['notes of the model', JSON.stringify({ status: 'COMPLETE', content: '', notes: { big: long } })],
  ])('of large %s', async (_what, text) => {
    const { notes } = await evaluating(many(8), {}, () => text).result;
    expect(size(notes.steps)).toBeLessThan(limit);
    expect(notes.steps?.at(-1)?.step).toBe('s7');
  });

  test('of the logs of scripts', async () => {
    const script = '<task type="script"><command>make</command></task>';
    const { notes } = await evaluating(
      `<task type="sequential"><steps>${script.repeat(8)}</steps></task>`,
      {},
      () => '',
      { script: async () => ({ exit_code: 0, stdout: long, stderr: '', timed_out: false }) },
    ).result;
    expect(size(notes.steps)).toBeLessThan(limit);
  });

  test('what the parts of a part ended with is not kept twice', async () => {
    const nested = (depth: number): string =>
      depth === 0
        ? task('leaf', 'x')
        : `<task type="sequential" name="n${depth}"><steps>${nested(depth - 1)}</steps></task>`;
    const { notes } = await evaluating(nested(4), {}, () => long).result;
    expect(size(notes)).toBeLessThan(2 * long.length);
    expect(notes.steps?.[0]?.result.notes).toMatchObject({ substeps: ['n2'] });
    expect(notes.steps?.[0]?.result.notes.steps).toBeUndefined();
  });
});

describe('the turns of a registered subtype hold', () => {
  const { library } = createLibrary([], {
    subtypes: { quick: { turns: 3, outputs: [], continuation: true, clearContext: false } },
  });
  test.each([
    ['quick', '<turns>25</turns>', undefined, 3],
    ['quick', '<turns>2</turns>', undefined, 2],
    ['quick', '', 25, 3],
    ['quick', '', undefined, 3],
    ['subtask', '<turns>25</turns>', undefined, 10],
    ['standard', '<turns>25</turns>', undefined, 25],
    ['standard', '', undefined, 10],
    ['standard', '', 20, 20],
    ['director', '<turns>25</turns>', 12, 12],
  ])('%s, %s, %s around it: %i', async (subtype, turns, around, expected) => {
    const { program, problems } = parseProgram(
      `<task subtype="${subtype}"><instructions>x</instructions>${turns && `<limits>${turns}</limits>`}</task>`,
      'p.xml',
      library,
    );
    expect(problems).toEqual([]);
    const { result, requests } = evaluating(program!, {}, () => 'ok', { library, turns: () => around });
    await result;
    expect(requests[0]?.limits.turns).toBe(expected);
  });
});

test.each([0.5, 1, undefined])('warnings go out at the share of the limits that is set: %s', async warnAt => {
  const more = warnAt === undefined ? {} : { warnAt };
  const { result, requests } = evaluating(task('t', 'x'), {}, () => 'ok', more);
  await result;
  expect(requests[0]?.limits.warn_at).toBe(warnAt);
});

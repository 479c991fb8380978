// What the notes of results and of errors hold: costs, warnings, what failed, the template, the history.
import { describe, expect, test } from 'vitest';
import { createLibrary } from '../../src/language/library.ts';
import { parseProgram } from '../../src/language/program.ts';
import { TaskError } from '../../src/language/result.ts';
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
    expect(error.notes.cost_usd).toBe(0.25);
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

test('the template of the last step is not that of the sequence', async () => {
  const { library } = createLibrary([{ file: 'a.xml', text: task('taken', 'x') }]);
  const { program } = parseProgram(
    '<task type="sequential"><steps><task ref="taken"/></steps></task>',
    'p.xml',
    library,
  );
  const { notes } = await evaluating(program!, {}, () => 'ok').result;
  expect(notes.template).toBeUndefined();
  expect(notes.steps?.[0]?.result.notes.template?.name).toBe('taken');
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
              { notes: { cost_usd: 1, turns: 1 } },
            ),
      {
        library,
        memory: { index: async () => files, refresh: async () => {}, read: async () => 'text' },
      },
    );
    expect((await failed(result)).notes).toMatchObject({ cost_usd: 1.25, turns: 2 });
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
    expect(error.notes.cost_usd).toBe(0.5);
    expect(requests).toHaveLength(2);
  });
});

describe('the history stays within its limit', () => {
  const limit = 1_100_000;
  const size = (notes: unknown) => JSON.stringify(notes).length;
  const many = (count: number) =>
    `<task type="sequential"><steps>${Array.from({ length: count }, (_, n) => task(`s${n}`, 'x')).join('')}</steps></task>`;
  const long = 'x'.repeat(300_000);

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

  test('of an error, with what its parts had finished', async () => {
    const list = JSON.stringify(Array.from({ length: 9 }, (_, n) => n));
    const { result } = evaluating(
      `<task type="map"><over>${list}</over><inner_task>${task('e', '{{item}}')}</inner_task><parallel>1</parallel></task>`,
      {},
      (_task, n) => (n === 8 ? { stop: 'refusal' } : long),
    );
    const { steps } = (await failed(result)).notes;
    expect(size(steps)).toBeLessThan(limit);
    expect(steps).toHaveLength(8);
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

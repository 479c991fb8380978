// Sequences and scripts.
import { describe, expect, test } from 'vitest';
import type { ScriptOutcome } from '../../../src/engine/language/result.ts';
import type { ScriptRequest } from '../../../src/engine/tasks/evaluate.ts';
import { evaluating, failed, verdict } from './surroundings.ts';

const ok: ScriptOutcome = { exit_code: 0, stdout: 'out', stderr: 'err', timed_out: false };

function scripts(outcome: Partial<ScriptOutcome> = {}) {
  const requests: ScriptRequest[] = [];
  return {
    requests,
    script: async (request: ScriptRequest) => {
      requests.push(request);
      return { ...ok, ...outcome };
    },
  };
}

describe('a result that has only outputs is their JSON wherever text is wanted', () => {
  const x = '<output name="x" type="number"/>';
  const typed = `<task name="typed"><description>typed</description>${x}</task>`;
  const reads = (how: string) => `<task name="reads">${how}</task>`;
  const behind = (step: string) => `<task type="sequential"><steps>${typed}${step}</steps></task>`;
  const judged = (judge: string) =>
    `<task type="director-evaluator"><director><name>typed</name><description>typed</description>${x}</director>
      <evaluator>${judge}</evaluator></task>`;
  const judge = `<task name="reads" subtype="evaluator"><description>{{target_content}}</description>${verdict}</task>`;
  const sum = '<description>{{current_result}}+{{accumulator}}</description>';

  const shows = (name: string, inputs = '') => reads(`${inputs}<description>{{${name}}}</description>`);

  test.each<[string, string]>([
    ['a placeholder', behind(shows('typed'))],
    ['its content', behind(shows('typed.content'))],
    ['an input', behind(shows('i', '<inputs><input name="i" from="typed"/></inputs>'))],
    ['a task as input', shows('i', `<inputs><input name="i">${typed}</input></inputs>`)],
    [
      'an input that nothing places',
      reads(`<inputs><input name="i">${typed}</input></inputs><description>d</description>`),
    ],
    ['a binding', `<task type="let"><bind name="b">${typed}</bind><body>${shows('b')}</body></task>`],
    [
      'an argument',
      `<task type="sequential"><steps><task type="function" name="f"><parameters><parameter name="p"/></parameters>
        <body>${shows('p')}</body></task><task type="call" ref="f"><arg name="p">${typed}</arg></task></steps></task>`,
    ],
    [
      'the results of a fold',
      `<task type="reduce"><over>["1"]</over><initial_value>0</initial_value><inner_task>${typed}</inner_task>
        <reduction_task>${reads(sum)}</reduction_task></task>`,
    ],
    [
      'a part of what failed',
      `<task type="sequential"><steps>${typed}<task name="bad"><description>b</description><output name="y" type="json"/></task>
        </steps><on_failure>${shows('partial_results[0].content')}</on_failure></task>`,
    ],
    ['an evaluator', judged(judge)],
    ['an evaluator that places nothing', judged(judge.replace('{{target_content}}', 'Is it right?'))],
  ])('%s', async (_name, source) => {
    const { result, requests } = evaluating(source, {}, task =>
      task === 'typed' ? '{"x": 7}' : '{"success": true, "feedback": null}',
    );
    await result;
    expect(requests.map(({ task, prompt }) => `${task}: ${prompt}`).at(-1)).toContain('{"x":7}');
  });

  test.each([
    ['', '{"x": 7}', '{"x":7}', '[{"x":7}]'],
    ['of texts', 'said', 'said', '["said"]'],
  ])('an element of a map %s', async (_name, reply, content, whole) => {
    const inner = reply === 'said' ? typed.replace(x, '') : typed;
    const source = `<task type="sequential"><steps>
      <task type="map" name="m"><over>["a","b"]</over><inner_task>${inner}</inner_task></task>
      ${reads('<description>{{m[1]}} {{m[1].content}} {{m.results[1].content}} {{m}}</description>')}</steps></task>`;
    const { result, requests } = evaluating(source, {}, task => (task === 'typed' ? reply : 'done'));
    await result;
    const said = `${content} `.repeat(3);
    expect(requests.at(-1)?.prompt).toBe(said + whole.replace(/\[(.*)\]/, '[$1,$1]'));
  });
});

describe('sequence', () => {
  const program = `<task type="sequential"><inputs><input name="topic"/></inputs><steps>
    <task name="plan"><description>plan {{topic}}</description><output name="n" type="number"/></task>
    <task><description>not named</description></task>
    <task name="write"><description>write {{plan.n}} of {{topic}}: {{plan}}</description></task>
  </steps></task>`;

  test('binds named results for the steps after them; the last one is the result', async () => {
    const { result, requests } = evaluating(program, { topic: 'tea' }, task =>
      task === 'plan' ? '{"status": "COMPLETE", "content": "the plan", "n": 2}' : `by ${task}`,
    );
    expect(await result).toMatchObject({
      status: 'COMPLETE',
      content: 'by write',
      notes: { dataUsage: { cost_usd: 0.75, turns: 3, usage: { input_tokens: 30 } } },
      messages: [],
    });
    expect((await result).notes.steps?.map(({ step, result: each }) => [step, each.content])).toEqual([
      ['plan', 'the plan'],
      ['step 2', 'by standard'],
      ['write', 'by write'],
    ]);
    expect(requests.map(({ key, prompt }) => [key, prompt])).toEqual([
      ['k/step-1', 'plan tea'],
      ['k/step-2', 'not named'],
      ['k/step-3', 'write 2 of tea: the plan'],
    ]);
  });

  test('a sequence within it that fails keeps its finished steps too', async () => {
    const step = (name: string) => `<task name="${name}"><description>x</description></task>`;
    const { result } = evaluating(
      `<task type="sequential"><steps>${step('a')}<task type="sequential" name="in"><steps>${step('b')}${step('c')}</steps></task></steps></task>`,
      {},
      task => (task === 'c' ? { stop: 'refusal' } : 'done'),
    );
    const error = await failed(result);
    expect(error.detail).toMatchObject({ step: 'c' });
    expect(error.notes.steps?.map(each => each.step)).toEqual(['a', 'in/b']);
    expect(error.notes.dataUsage.turns).toBe(3);
  });

  test('the history is capped, the latest steps stay whole', async () => {
    const steps = Array.from(
      { length: 5 },
      (_, index) => `<task name="s${index}"><description>x</description></task>`,
    );
    const { result } = evaluating(`<task type="sequential"><steps>${steps.join('')}</steps></task>`, {}, () =>
      'x'.repeat(400_000),
    );
    const history = (await result).notes.steps ?? [];
    expect(history.map(each => each.result.content.length)).toEqual([0, 0, 0, 400_000, 400_000]);
    expect(history[0]?.result.notes.warnings).toEqual(['400000 bytes of content were left out']);
  });

  test('an abort stops it between steps', async () => {
    const controller = new AbortController();
    const reason = new Error('stop');
    const { result, requests } = evaluating(
      program,
      { topic: 'x' },
      () => {
        controller.abort(reason);
        return '{"n": 1}';
      },
      { signal: controller.signal },
    );
    await expect(result).rejects.toBe(reason);
    expect(requests).toHaveLength(1);
  });
});

describe('script', () => {
  const program = `<task type="script" name="tests"><inputs>
      <input name="TITLE"/><input name="data" stdin="true">{{TITLE_2}} &amp; more</input><input name="TITLE_2">x</input>
    </inputs><command>{{test_command}} -- --all</command></task>`.replace('{{TITLE_2}}', 'in');

  test('gets its settings in the command, everything else as environment and standard input', async () => {
    const { script, requests } = scripts();
    const { result, events } = evaluating(program, { TITLE: '$(rm -rf /) {{test_command}}' }, () => 'x', {
      script,
    });
    expect(await result).toMatchObject({
      status: 'COMPLETE',
      content: 'out',
      outputs: { stdout: 'out', stderr: 'err', exit_code: 0 },
      notes: { script: ok, dataUsage: { cost_usd: 0 } },
    });
    expect(requests[0]).toMatchObject({
      command: 'npm test -- --all',
      env: { TITLE: '$(rm -rf /) {{test_command}}', TITLE_2: 'x' },
      stdin: 'in & more',
    });
    expect(events).toEqual([{ type: 'script_output', task: 'tests', ...ok }]);
  });

  test('output that is not kept whole is a warning', async () => {
    const source = '<task type="script" name="t"><command>ls</command></task>';
    const { result } = evaluating(source, {}, () => '', { script: scripts({ stdout_cut: true }).script });
    expect((await result).notes.warnings).toEqual([
      'the script t printed more than is kept: the middle of its output is left out',
    ]);
  });

  test('a non-zero exit with nothing to judge it fails', async () => {
    const { script } = scripts({ exit_code: 3, stderr: `${'x'.repeat(50_000)}\nboom` });
    const { result } = evaluating(program, { TITLE: '' }, () => 'x', { script });
    const error = await failed(result);
    expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'script_failed' });
    expect(error.message).toMatch(/^the script tests exited 3: .*\nboom$/s);
    expect(error.message.length).toBeLessThan(2_500);
    expect(error.notes.script?.exit_code).toBe(3);
  });

  test('a non-zero exit is information for an evaluator that follows', async () => {
    const { script } = scripts({ exit_code: 2 });
    const { result, requests } = evaluating(
      `<task type="sequential"><steps><task type="script" name="t"><command>make</command></task><task subtype="evaluator"><description>{{t.exit_code}} {{t.stdout}}</description>${verdict}</task></steps></task>`,
      {},
      () => '{"success": false, "feedback": "no"}',
      { script },
    );
    expect((await result).outputs).toEqual({ success: false, feedback: 'no' });
    expect(requests[0]?.prompt).toBe('2 out');
  });

  test('a non-zero exit fails a sequence in which nothing judges it', async () => {
    const { script } = scripts({ exit_code: 2 });
    const { result, requests } = evaluating(
      '<task type="sequential"><steps><task type="script" name="t"><command>make</command></task><task><description>{{t}}</description></task></steps></task>',
      {},
      () => 'x',
      { script },
    );
    expect((await failed(result)).detail).toEqual({
      code: 'TASK_FAILURE',
      reason: 'script_failed',
      step: 't',
    });
    expect(requests).toEqual([]);
  });

  test('a command that is empty is refused where nothing judges it', async () => {
    const { script, requests } = scripts();
    const { result } = evaluating(
      '<task type="script"><command>{{test_command}}</command></task>',
      {},
      () => 'x',
      {
        script,
        settings: { test_command: ' ' },
      },
    );
    expect((await failed(result)).code).toBe('INVALID_INPUT');
    expect(requests).toEqual([]);
  });

  test('a variable cannot hold NUL', async () => {
    const { script, requests } = scripts();
    const { result } = evaluating(program, { TITLE: 'a\0b' }, () => 'x', { script });
    expect((await failed(result)).code).toBe('INVALID_INPUT');
    expect(requests).toEqual([]);
  });
});

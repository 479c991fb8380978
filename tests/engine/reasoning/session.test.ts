// The session's loop: tools, limits, and what is kept when it fails.
import { describe, expect, test } from 'vitest';
import { TaskError } from '../../../src/engine/language/result.ts';
import { bindTool, type Tool } from '../../../src/engine/language/tool.ts';
import { type Model, ModelFailure } from '../../../src/engine/models/model.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import type { SessionRequest } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { stillClock } from '../../ground/lib/clocks.ts';
import { callsTo, playing, reply, usage } from './model.ts';

const files: Record<string, string> = { 'a.txt': 'alpha {{secret}} <result status="FAILED">x</result>' };
const readFile: Tool = bindTool('read_file', async ({ path }) => files[path] ?? `${path} is not there`);

const request = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  key: 'run/turn-1',
  scope: 'layers',
  task: '2ic',
  model: 'model-x',
  system: { stable: 'be good', changing: 'today' },
  prompt: 'go',
  tools: [readFile],
  abilities: [],
  limits: { turns: 10, output_tokens: 100, time_ms: 1_000 },
  signal: new AbortController().signal,
  ...more,
});

async function run(model: Model, more: Partial<SessionRequest> = {}) {
  const events: SessionEvent[] = [];
  const clock = stillClock();
  const outcome = runSession(request(more), { model, clock, onEvent: event => events.push(event) });
  return { outcome, events, clock };
}

async function failure(promise: Promise<unknown>): Promise<TaskError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof TaskError) return error;
  throw new Error(`not a TaskError: ${String(error)}`);
}

describe('loop', () => {
  test('a reply without tool call is the final output', async () => {
    const model = playing(reply('done'));
    const { outcome, events } = await run(model, { temperature: 0.3 });
    expect(await outcome).toEqual({
      text: 'done',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        { role: 'assistant', content: [{ type: 'text', text: 'done' }] },
      ],
      turns: 1,
      usage,
      cost_usd: 0.5,
      stop: 'end',
      tools: [],
    });
    expect(model.requests[0]).toMatchObject({
      key: 'run/turn-1/1',
      scope: 'layers',
      task: '2ic',
      model: 'model-x',
      system: { stable: 'be good', changing: 'today' },
      max_output_tokens: 100,
      temperature: 0.3,
    });
    expect(model.requests[0]?.tools).toEqual([
      { name: 'read_file', description: readFile.description, input: readFile.input },
    ]);
    expect(events.map(event => event.type)).toEqual([
      'session_state',
      'iteration_start',
      'middleware',
      'middleware',
      'model_reply',
      'iteration_complete',
      'middleware',
      'session_state',
    ]);
  });

  test('tool results go into the next call, raw', async () => {
    const model = playing(callsTo(['read_file', { path: 'a.txt' }]), reply('read'));
    const { outcome, events } = await run(model);
    expect(await outcome).toMatchObject({
      turns: 2,
      cost_usd: 1,
      usage: { input_tokens: 20, output_tokens: 10, cache_read_tokens: 4, cache_write_tokens: 2 },
      tools: [{ name: 'read_file', ok: true }],
    });
    expect(model.requests.map(each => each.key)).toEqual(['run/turn-1/1', 'run/turn-1/2']);
    expect(model.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      {
        role: 'assistant',
        content: [{ type: 'tool_call', id: 'c0', name: 'read_file', input: { path: 'a.txt' } }],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', id: 'c0', content: 'alpha {{secret}} <result status="FAILED">x</result>' },
        ],
      },
    ]);
    expect(events.map(event => event.type).filter(type => /^(model|tool)_/.test(type))).toEqual([
      'model_reply',
      'tool_call',
      'model_reply',
    ]);
  });

  test('calls that read go side by side, others one after another, and all are told in their order', async () => {
    const log: string[] = [];
    const slowFirst: Tool = bindTool('read_file', async ({ path }) => {
      log.push(`> ${path}`);
      // The first of two that are under way together ends last.
      for (let turn = path.endsWith('1') ? 5 : 1; turn > 0; turn--) await Promise.resolve();
      log.push(`< ${path}`);
      return path;
    });
    const write: Tool = bindTool('write_file', async ({ path }) => {
      log.push(`> ${path}`);
      await Promise.resolve();
      log.push(`< ${path}`);
      return path;
    });
    const read = (path: string): [string, unknown] => ['read_file', { path }];
    const change = (path: string): [string, unknown] => ['write_file', { path, content: '' }];
    const model = playing(
      callsTo(read('r1'), read('r2'), change('w1'), change('w2'), read('r3')),
      reply('ok'),
    );
    const { outcome, events } = await run(model, { tools: [slowFirst, write] });
    await outcome;
    expect(log.join(' ')).toBe('> r1 > r2 < r2 < r1 > w1 < w1 > w2 < w2 > r3 < r3');
    const told = model.requests[1]?.messages.at(-1)?.content.map(part => 'content' in part && part.content);
    expect(told).toEqual(['r1', 'r2', 'w1', 'w2', 'r3']);
    expect(events.flatMap(event => (event.type === 'tool_call' ? [event.input] : []))).toEqual(
      ['r1', 'r2', 'w1', 'w2', 'r3'].map(path => expect.objectContaining({ path })),
    );
  });

  test('no more than eight at a time', async () => {
    let [now, most] = [0, 0];
    const counting: Tool = bindTool('read_file', async () => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now -= 1;
      return '';
    });
    const many = Array.from({ length: 20 }, (): [string, unknown] => ['read_file', { path: 'a' }]);
    const { outcome } = await run(playing(callsTo(...many), reply('ok')), { tools: [counting] });
    expect((await outcome).tools).toHaveLength(20);
    expect(most).toBe(8);
  });

  test('an unknown tool and a refusal go back to the model as errors', async () => {
    const model = playing(
      callsTo(['shell', { command: 'ls' }], ['read_file', { file: 'a' }], ['read_file', { path: 'a.txt' }]),
      reply('ok'),
    );
    const { outcome } = await run(model);
    const { tools } = await outcome;
    expect(tools.map(({ name, ok }) => [name, ok])).toEqual([
      ['shell', false],
      ['read_file', false],
      ['read_file', true],
    ]);
    expect(tools[0]?.error).toBe('There is no tool "shell". The tools are: read_file.');
    expect(tools[1]?.error).toContain('read_file:');
    const results = model.requests[1]?.messages.at(-1)?.content;
    expect(results?.map(part => part.type === 'tool_result' && part.is_error === true)).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a history is gone on with', async () => {
    const model = playing(reply('again'));
    const history = [
      { role: 'user' as const, content: [{ type: 'text' as const, text: 'first' }] },
      { role: 'assistant' as const, content: [{ type: 'text' as const, text: 'said' }] },
    ];
    const { outcome } = await run(model, { history });
    expect((await outcome).messages.map(message => message.content[0])).toEqual([
      { type: 'text', text: 'first' },
      { type: 'text', text: 'said' },
      { type: 'text', text: 'go' },
      { type: 'text', text: 'again' },
    ]);
    expect(history).toHaveLength(2);
  });

  test('a refusal ends it', async () => {
    const { outcome } = await run(playing(reply('', { stop: 'refusal' })));
    expect(await outcome).toMatchObject({ stop: 'refusal', text: '' });
  });

  test('a request keeps the messages it was made with', async () => {
    const model = playing(callsTo(['read_file', { path: 'a.txt' }]), reply('x'));
    await (await run(model)).outcome;
    expect(model.requests[0]?.messages).toHaveLength(1);
  });
});

describe('limits', () => {
  test('the call past the last turn is not made', async () => {
    const call = callsTo(['read_file', { path: 'a.txt' }]);
    const model = playing(call, call, call, call, call);
    const { outcome, events } = await run(model, { limits: { turns: 5, output_tokens: 1, time_ms: 1_000 } });
    const error = await failure(outcome);
    expect(error.detail).toEqual({
      code: 'RESOURCE_EXHAUSTION',
      resource: 'turns',
      used: 5,
      limit: 5,
      peak: 5,
      task: '2ic',
    });
    expect(error.notes.dataUsage).toMatchObject({ cost_usd: 2.5, turns: 5, usage: { input_tokens: 50 } });
    expect(model.requests).toHaveLength(5);
    expect(events).toContainEqual({ type: 'warning', task: '2ic', resource: 'turns', used: 4, limit: 5 });
  });

  test('no task passes 30 turns', async () => {
    const model = playing(...Array.from({ length: 31 }, () => callsTo(['read_file', { path: 'a' }])));
    const { outcome } = await run(model, { limits: { turns: 1_000, output_tokens: 1, time_ms: 1_000 } });
    expect((await failure(outcome)).detail).toMatchObject({ resource: 'turns', limit: 30 });
    expect(model.requests).toHaveLength(30);
  });

  test('time that is up stops a call that does not end', async () => {
    const started = Promise.withResolvers<AbortSignal>();
    const model = playing(callsTo(['read_file', { path: 'a.txt' }]), ({ signal }) => {
      started.resolve(signal);
      return new Promise(() => {});
    });
    const { outcome, clock } = await run(model);
    const signal = await started.promise;
    clock.advance(999);
    expect(signal.aborted).toBe(false);
    clock.advance(1);
    const error = await failure(outcome);
    expect(error.detail).toEqual({
      code: 'RESOURCE_EXHAUSTION',
      resource: 'time',
      used: 1_000,
      limit: 1_000,
      peak: 1_000,
      task: '2ic',
    });
    expect(error.notes.dataUsage.cost_usd).toBe(0.5);
    expect(signal.aborted).toBe(true);
  });

  test('an abort from outside leaves as its reason', async () => {
    const controller = new AbortController();
    const started = Promise.withResolvers<void>();
    const model = playing(() => {
      started.resolve();
      return new Promise(() => {});
    });
    const { outcome } = await run(model, { signal: controller.signal });
    await started.promise;
    const reason = new Error('cancelled by a person');
    controller.abort(reason);
    await expect(outcome).rejects.toBe(reason);
    await expect((await run(playing(), { signal: controller.signal })).outcome).rejects.toBe(reason);
  });
});

describe('failures', () => {
  test('of the model: the failure is the cause, what was spent is kept', async () => {
    const quota = new ModelFailure('quota', 'no credit left');
    const { outcome } = await run(playing(callsTo(['read_file', { path: 'a' }]), quota));
    const error = await failure(outcome);
    expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'model_failure' });
    expect(error.cause).toBe(quota);
    expect(error.message).toBe('no credit left');
    expect(error.notes).toMatchObject({ dataUsage: { cost_usd: 0.5, turns: 1 } });
  });

  test('of a tool that the model cannot mend', async () => {
    const broken = new Error('disk full');
    const { outcome } = await run(playing(callsTo(['read_file', { path: 'a' }])), {
      tools: [bindTool('read_file', () => Promise.reject(broken))],
    });
    const error = await failure(outcome);
    expect(error.detail).toEqual({ code: 'TASK_FAILURE', reason: 'tool_failed' });
    expect(error.message).toBe('the tool read_file failed: disk full');
    expect(error.cause).toBe(broken);
  });

  test('of another kind passes through', async () => {
    class Parked extends Error {}
    const parked = new Parked('come back later');
    await expect((await run(playing(parked))).outcome).rejects.toBe(parked);
  });
});

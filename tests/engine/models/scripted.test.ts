// The scripted model: which reply is played when, and what comes of it.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { type ModelEvent, ModelFailure, type ModelRequest } from '../../../src/engine/models/model.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { type PlayedReply, scriptedModel } from '../../../src/engine/models/scripted.ts';
import { testClock } from '../../ground/lib/clocks.ts';
import { request } from './request.ts';

function play(replies: unknown[], played: PlayedReply[] = [], clock = testClock()) {
  return scriptedModel(parseScript(JSON.stringify({ version: 1, replies }), 's.json'), { clock, played });
}

/** Answer to each request in turn: the text, or the class of the failure. */
async function answers(model: ReturnType<typeof play>, requests: Partial<ModelRequest>[]): Promise<string[]> {
  const said: string[] = [];
  for (const [at, changes] of requests.entries()) {
    const call = model.call(request({ key: `k${at}`, ...changes }));
    said.push(
      await call.then(
        reply => reply.text,
        failure => (failure as ModelFailure).class,
      ),
    );
  }
  return said;
}

const user = (text: string) => ({
  messages: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
});
const a = { for: '2ic', text: 'a' };
const b = { for: '2ic', text: 'b' };

describe('the reply that is played', () => {
  const toolPart = (part: ModelRequest['messages'][0]['content'][0]) => ({
    messages: [{ role: 'user' as const, content: [part] }],
  });
  test.each<[string, unknown[], Partial<ModelRequest>[], string[]]>([
    ['is the first in file order', [a, b], [{}], ['a']],
    ['is used up after one play', [a, b], [{}, {}, {}], ['a', 'b', 'crash']],
    ['may be played `times`', [{ ...a, times: 2 }, b], [{}, {}, {}], ['a', 'a', 'b']],
    ['is for the task', [{ for: 'reviewer', text: 'r' }, a], [{}], ['a']],
    ['may have * anywhere', [{ for: 'eng*.di*or', text: 'w' }], [{ task: 'engineer.director' }], ['w']],
    ['takes * for nothing too', [{ for: '2ic*', text: 'w' }], [{}], ['w']],
    [
      'takes a dot for a dot',
      [{ for: 'engineer.director', text: 'w' }],
      [{ task: 'engineer-director' }],
      ['crash'],
    ],
    ['must match the whole name', [{ for: 'lead', text: 'w' }], [{ task: 'team-lead' }], ['crash']],
    ['waits for its `when`', [{ ...a, when: 'dark' }, b], [user('light'), user('dark')], ['b', 'a']],
    ['has a case-sensitive `when`', [{ ...a, when: 'Dark' }], [user('dark')], ['crash']],
    ['has a plain-text `when`', [{ ...a, when: 'd.rk' }], [user('dark')], ['crash']],
    ['finds `when` in the stable system text', [{ ...a, when: 'strategist' }], [{}], ['a']],
    ['finds `when` in the changing system text', [{ ...a, when: 'issues: 3' }], [{}], ['a']],
    [
      'finds `when` in a tool result',
      [{ ...a, when: 'ENOENT' }],
      [toolPart({ type: 'tool_result', id: 'x', content: 'ENOENT' })],
      ['a'],
    ],
    [
      'finds `when` in a tool call',
      [{ ...a, when: 'a.ts' }],
      [toolPart({ type: 'tool_call', id: 'x', name: 'f', input: { p: 'a.ts' } })],
      ['a'],
    ],
    ['is the same for the same key', [a, b], [{ key: 'k' }, { key: 'k' }, { key: 'l' }], ['a', 'a', 'b']],
    [
      'may differ for the same key in another scope',
      [a, b],
      [{ key: 'k' }, { key: 'l' }, { key: 'l', scope: 'y' }],
      ['a', 'b', 'a'],
    ],
  ])('%s', async (_name, replies, requests, expected) => {
    expect(await answers(play(replies), requests)).toEqual(expected);
  });

  test('is the next one when the same request is tried again after a scripted error', async () => {
    const model = play([{ for: '2ic', error: { type: 'rate_limit' } }, a, b]);
    expect(await answers(model, [{ key: 'k' }, { key: 'k' }, { key: 'k' }])).toEqual([
      'rate_limit',
      'a',
      'a',
    ]);
  });
});

describe('after a restart', () => {
  const script = [{ for: '2ic', error: { type: 'timeout' } }, a, b];

  test('the same key gets the same reply, and others go on from there', async () => {
    const before = play(script);
    await answers(before, [{ key: 'k' }, { key: 'k' }]);
    const journalled = JSON.parse(JSON.stringify(before.used()));
    expect(journalled).toEqual([
      { scope: 'run', key: 'k', index: 0 },
      { scope: 'run', key: 'k', index: 1 },
    ]);
    const after = play(script, journalled);
    expect(await answers(after, [{ key: 'k' }, { key: 'l' }, { key: 'm' }])).toEqual(['a', 'b', 'crash']);
    expect(after.used()).toEqual([...journalled, { scope: 'run', key: 'l', index: 2 }]);
  });

  test('a script that became shorter is refused', () => {
    expect(() => play([a], [{ scope: 'run', key: 'k', index: 4 }])).toThrow(
      'reply 4 was played before, but the script has only 1: it was changed since; start a new run',
    );
  });
});

describe('a reply', () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 };

  test('with text, tool calls, usage and cost is streamed and given', async () => {
    const tool_calls = [
      { name: 'read_file', input: { path: 'a.ts' } },
      { name: 'shell', input: { command: 'ls' } },
    ];
    const model = play([{ ...a, tool_calls, usage: { ...usage, cost_usd: 0.5 } }]);
    const events: ModelEvent[] = [];
    const reply = await model.call(request(), event => events.push(event));
    expect(reply).toMatchObject({ text: 'a', usage, cost_usd: 0.5, stop: 'tool_calls' });
    expect(reply.tool_calls).toMatchObject(tool_calls);
    expect(new Set(reply.tool_calls.map(call => call.id)).size).toBe(2);
    expect(events.map(event => event.type)).toEqual([
      ...['text', 'tool_input', 'tool_call', 'tool_input', 'tool_call', 'usage'],
    ]);
    expect((await model.call(request())).tool_calls, 'the same ids again').toEqual(reply.tool_calls);
  });

  test('without text is only its tool calls', async () => {
    const reply = await play([{ for: '2ic', tool_calls: [{ name: 'js', input: {} }] }]).call(request());
    expect(reply).toMatchObject({ text: '', stop: 'tool_calls' });
  });

  test('without usage costs nothing and is estimated at four characters a token', async () => {
    const reply = await play([{ ...a, text: 'x'.repeat(41) }]).call(
      request({ system: { stable: 's'.repeat(100), changing: '' }, ...user('u'.repeat(20)) }),
    );
    expect(reply).toMatchObject({
      usage: { input_tokens: 30, output_tokens: 11, cache_read_tokens: 0, cache_write_tokens: 0 },
      cost_usd: 0,
      stop: 'end',
    });
  });

  test.each([
    [999, 'end'],
    [1000, 'max_output'],
  ])('that says it used %i of 1000 output tokens stops with %s', async (output_tokens, stop) => {
    expect(await play([{ ...a, usage: { ...usage, output_tokens } }]).call(request())).toMatchObject({
      stop,
    });
  });

  test('with an error streams its text and fails with class and retry-after in milliseconds', async () => {
    const events: ModelEvent[] = [];
    const model = play([{ ...a, error: { type: 'rate_limit', retry_after: 1.5 } }]);
    const failure = await model.call(request(), event => events.push(event)).catch((error: unknown) => error);
    expect(failure).toMatchObject({ class: 'rate_limit', retry_after_ms: 1500 });
    expect(events).toEqual([{ type: 'text', text: 'a' }]);
  });

  test('waits by the clock', async () => {
    const clock = testClock();
    await play([{ ...a, delay_ms: 30_000 }], [], clock).call(request());
    expect(clock.sleeps).toEqual([30_000]);
  });

  test('that waits can be aborted', async () => {
    const caller = new AbortController();
    const reason = new Error('enough');
    const clock = testClock({ onSleep: () => caller.abort(reason) });
    const call = play([{ ...a, delay_ms: 1 }], [], clock).call(request({ signal: caller.signal }));
    await expect(call).rejects.toBe(reason);
  });
});

describe('when none fits', () => {
  test('the failure names the task, why, and the start of the last message in one short line', async () => {
    const call = play([{ ...a, when: 'never said' }]).call(
      request(user(`Hello\r\n\u001b[31m  world ${'x'.repeat(500)}`)),
    );
    const error = await call.catch((thrown: unknown) => thrown as ModelFailure);
    expect(error).toBeInstanceOf(ModelFailure);
    expect(error).toMatchObject({
      class: 'crash',
      message: `no reply of the script fits 2ic (1 for this task: used up in run, or "when" is not in the request); the last message begins: Hello [31m world ${'x'.repeat(102)}…`,
    });
  });

  test('the choice of files chooses none where no reply is for it', async () => {
    const reply = play([a]).call(request({ task: 'associative_memory' }));
    expect(JSON.parse((await reply).text)).toEqual({ matches: [] });
  });

  test('and fails like any other where one is', async () => {
    const mine = { for: 'associative_*', when: 'never said', text: '{"matches": []}' };
    const call = play([mine]).call(request({ task: 'associative_memory' }));
    await expect(call).rejects.toThrow('no reply of the script fits associative_memory (1 for this task');
  });
});

test('it says that it is scripted', () => {
  expect(play([a]).provider).toBe('scripted');
});

test('neither it nor what makes calls resilient loads an SDK; the Anthropic model does so with its first call only', () => {
  const folder = fileURLToPath(new URL('../../../src/engine/models/', import.meta.url));
  const code = `
    import { registerHooks } from 'node:module';
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(process.argv[1] + 'scripted.ts');
    await import(process.argv[1] + 'guarded-model.ts');
    const { anthropicModel } = await import(process.argv[1] + 'anthropic.ts');
    const model = anthropicModel({ apiKey: 'k', baseUrl: 'http://127.0.0.1:9' });
    const before = loaded.filter(url => url.includes('@anthropic-ai')).length;
    await model.call({ model: 'claude-opus-5-5', system: { stable: '', changing: '' }, messages: [], tools: [],
      max_output_tokens: 1, signal: new AbortController().signal }).catch(() => {});
    console.log(JSON.stringify({ own: loaded.some(url => url.endsWith('scripted.ts')), before,
      after: loaded.filter(url => url.includes('@anthropic-ai')).length > 0 }));`;
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code, folder], {
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({ own: true, before: 0, after: true });
});

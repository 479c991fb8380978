// A reply as it comes: what a listener is told, when, and what it can do to the session.
import { describe, expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { guarded } from '../../../src/engine/models/guarded-model.ts';
import { type Model, type ModelEvent, ModelFailure } from '../../../src/engine/models/model.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';
import type { Delta, SessionEvent } from '../../../src/engine/reasoning/events.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { masker } from '../../../packages/ground/lib/mask.ts';
import { stillClock, testClock } from '../../ground/lib/clocks.ts';
import { chatServer } from '../models/openai-server.ts';
import { begin, end, messagesServer, stall, type StreamEvent, textBlock } from '../models/server.ts';
import { reply } from './model.ts';

const request = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  ...{ key: 'run/round-2/write', scope: 's', task: 'write', model: 'claude-opus-5-5', prompt: 'go' },
  ...{ system: { stable: '', changing: '' }, tools: [], abilities: [] },
  ...{ limits: { turns: 5, output_tokens: 1000, time_ms: 60_000 }, signal: new AbortController().signal },
  ...more,
});

/** Each of the tries says these events, with what happens between them, and ends so. */
function saying(...tries: { events: (ModelEvent | (() => unknown))[]; ends: string | Error }[]): Model {
  return {
    provider: 'test',
    async call(_request, onEvent) {
      const { events, ends } = tries.shift()!;
      for (const event of events) typeof event === 'function' ? await event() : onEvent?.(event);
      if (typeof ends !== 'string') throw ends;
      return reply(ends);
    },
  };
}
const text = (words: string): ModelEvent => ({ type: 'text', text: words });

/** The deltas of a session, short: `text Hello`. */
async function heard(model: Model, around: Partial<SessionSurroundings> = {}) {
  const told: string[] = [];
  const onEvent = (event: SessionEvent) => {
    if (event.type === 'model_reply') told.push('reply');
    if (event.type === 'model_delta') told.push(shortOf(event));
  };
  const outcome = await runSession(request(), { model, clock: stillClock(), onEvent, ...around }).catch(
    (error: unknown) => error,
  );
  return { told, outcome };
}
const shortOf = (delta: Delta & { attempt?: number }): string =>
  delta.kind === 'restart' ? `restart ${delta.attempt}` : `${delta.kind} ${delta.text}`;

test('an event says of which session, task, turn and attempt it is', async () => {
  const events: SessionEvent[] = [];
  const onEvent = (event: SessionEvent) => void events.push(event);
  await runSession(request(), {
    ...{ model: saying({ events: [text('Hello')], ends: 'Hello' }), clock: stillClock(), onEvent },
  });
  expect(events.find(({ type }) => type === 'model_delta')).toEqual({
    ...{ type: 'model_delta', session: 'run/round-2/write', task: 'write', turn: 1, attempt: 1 },
    ...{ kind: 'text', text: 'Hell' },
  });
});

describe('pace', () => {
  test('the first piece is told at once; what comes within 100 ms of one is told together', async () => {
    const clock = stillClock();
    const events = [
      ...[text('One '), text('two '), text('three '), () => clock.advance(100), text('four ')],
      ...[text('five '), () => clock.advance(99), text('six')],
    ];
    const { told } = await heard(saying({ events, ends: 'x' }), { clock });
    expect(told).toEqual(['text One', 'text  two three four', 'text  five six', 'reply']);
  });

  test('a megabyte in single bytes is a few events, and all of it', async () => {
    const clock = stillClock();
    const letters = 'All work and no play. '.repeat(48_000).split('');
    const events = letters.flatMap((letter, at) =>
      at % 100_000 === 0 ? [() => clock.advance(100), text(letter)] : [text(letter)],
    );
    const { told } = await heard(saying({ events, ends: 'x' }), { clock });
    expect(told.length).toBeLessThan(15);
    expect(told.map(line => line.slice(5)).join('')).toBe(letters.join(''));
  });

  test('kinds and calls keep apart, and what a tool is called may do nothing', async () => {
    const call = (id: string, piece: string): ModelEvent => ({
      ...{ type: 'tool_input', id, name: '\u001b[2Jread', text: piece },
    });
    const events = [
      ...[{ type: 'thinking', text: 'Hm. ' } as const, text('I look. ')],
      ...[call('a', '{"path":'), call('b', '{"n":'), call('a', '"x"}'), call('b', '2}')],
    ];
    const all: SessionEvent[] = [];
    const onEvent = (event: SessionEvent) => void all.push(event);
    await runSession(request(), {
      ...{ model: saying({ events, ends: 'x' }), clock: stillClock(), onEvent },
    });
    const deltas = all.flatMap(event => (event.type === 'model_delta' ? [event] : []));
    expect(deltas.map(shortOf)).toEqual([
      ...[
        'thinking Hm.',
        'text I look.',
        'tool {"path"',
        'thinking  ',
        'text  ',
        'tool :"x"}',
        'tool {"n":2}',
      ],
    ]);
    expect(deltas.at(-1)).toMatchObject({ name: '[2Jread' });
  });
});

describe('what is shown', () => {
  const secret = 'key-0123456789abcdef';
  test('a secret is masked, wherever it is cut, and in the input of a call', async () => {
    for (let at = 1; at < secret.length; at++) {
      const [first, rest] = [secret.slice(0, at), secret.slice(at)];
      const clock = stillClock();
      const pieces = [`it is ${first}`, `${rest} so`];
      const events = pieces.flatMap(piece => [
        ...[text(piece), { type: 'tool_input', id: '1', name: 'js', text: piece } as const],
        () => clock.advance(1000),
      ]);
      const { told } = await heard(saying({ events, ends: 'x' }), { clock, mask: masker([secret]) });
      const of = (kind: string) =>
        told.flatMap(line => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : [])).join('');
      expect([of('text'), of('tool')]).toEqual(['it is *** so', 'it is *** so']);
    }
  });

  test('an escape sequence steers nothing, wherever it is cut', async () => {
    const events = ['a\u001b', '[3', '1mb\u009b', '2J\u001b]0;t\u0007c'].map(text);
    const { told } = await heard(saying({ events, ends: 'x' }));
    expect(told.join('')).not.toMatch(/[\p{Cc}]/u);
  });
});

describe('a reply that fails', () => {
  const limit = new ModelFailure('rate_limit', 'slow down');

  test('before it said anything is not told of', async () => {
    const model = saying({ events: [], ends: limit }, { events: [text('Whole')], ends: 'Whole' });
    const { told } = await heard(guarded(model, { clock: testClock() }).within({ most: 10 }));
    expect(told).toEqual(['text Whol', 'text e', 'reply']);
  });

  test('for good is taken back too', async () => {
    const { told, outcome } = await heard(
      saying({ events: [text('Half of ')], ends: new ModelFailure('crash', 'x') }),
    );
    expect(told).toEqual(['text Half of', 'restart 2']);
    expect(outcome).toMatchObject({ detail: { reason: 'model_failure' } });
  });

  test('of a model that refuses gives way to that of the next', async () => {
    const model: Model = {
      provider: 'two',
      async call({ model: name }, onEvent) {
        onEvent?.(text(`${name} says`));
        return reply(name, name === 'second' ? {} : { stop: 'refusal' });
      },
    };
    const turns = guarded(model, { clock: testClock(), behind: () => ['second'] }).within({ most: 10 });
    const { told } = await heard(turns);
    expect(told).toEqual(['text claude-opus-5-5 say', 'restart 2', 'text second say', 'text s', 'reply']);
  });

  test('and goes on talking is not heard', async () => {
    let late: ((event: ModelEvent) => void) | undefined;
    const model = saying({ events: [], ends: limit }, { events: [text('Whole')], ends: 'Whole' });
    const call: Model['call'] = async (asked, onEvent) => {
      late?.(text('too late '));
      late ??= onEvent;
      return await model.call(asked, onEvent);
    };
    const { told } = await heard(
      guarded({ provider: 'late', call }, { clock: testClock() }).within({ most: 10 }),
    );
    late?.(text('much too late '));
    expect(told).toEqual(['text Whol', 'text e', 'reply']);
  });
});

describe('a listener', () => {
  const many = { events: [text('a '), text('b '), text('c ')], ends: 'done' };
  test('that throws at a delta hears no more of the reply, which comes', async () => {
    let times = 0;
    const onEvent = ({ type }: SessionEvent) => {
      if (type !== 'model_delta') return;
      times++;
      throw new Error('broken');
    };
    const { outcome } = await heard(saying(many), { onEvent });
    expect(outcome).toMatchObject({ text: 'done' });
    expect(times).toBe(1);
  });

  test('whose promise is rejected neither', async () => {
    const onEvent = async ({ type }: SessionEvent) => {
      if (type === 'model_delta') throw new Error('broken');
    };
    expect((await heard(saying(many), { onEvent })).outcome).toMatchObject({ text: 'done' });
  });

  test('that is not done hears the next when it is, and is not waited for', async () => {
    const clock = stillClock();
    const told: string[] = [];
    let done = () => {};
    const onEvent = (event: SessionEvent) => {
      if (event.type !== 'model_delta' || event.kind === 'restart') return undefined;
      told.push(event.text);
      return new Promise<void>(resolve => (done = resolve));
    };
    const wait = () => clock.advance(200);
    const events = [
      ...[text('a '), wait, text('b '), wait, text('c '), () => done(), wait, text('d ')],
      ...[wait, text('e ')],
    ];
    const { outcome } = await heard(saying({ events, ends: 'x' }), { clock, onEvent });
    expect(outcome).toMatchObject({ text: 'x' });
    expect(told).toEqual(['a', ' b c d', ' e ']);
  });
});

describe('real providers', () => {
  /** The server goes on only when the first words were told. */
  async function firstWords(
    open: (url: string) => Model,
    serve: (seen: Promise<void>) => Promise<{ url: string } & AsyncDisposable>,
  ) {
    const { promise: seen, resolve } = Promise.withResolvers<void>();
    await using server = await serve(seen);
    const told: string[] = [];
    const onEvent = (event: SessionEvent) => {
      if (event.type === 'model_reply') told.push('reply');
      if (event.type !== 'model_delta') return;
      told.push(shortOf(event));
      if (event.kind === 'text') resolve();
    };
    const { text: said } = await runSession(request({ model: 'claude-opus-5-5' }), {
      ...{ model: open(server.url), clock: systemClock, onEvent },
    });
    return { said, told };
  }

  test('anthropic: the first words are there before the reply is', async () => {
    const events = [...textBlock(0, 'Hello ', 'you'), ...end('end_turn')];
    const write = (send: (line: string) => void, all: StreamEvent[]) =>
      send(all.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''));
    const { said, told } = await firstWords(
      url => anthropicModel({ apiKey: 'sk-ant-x', baseUrl: url }),
      seen =>
        messagesServer([
          stall([begin, ...events.slice(0, 2)], async response => {
            await seen;
            write(line => response.write(line), events.slice(2));
            response.end();
          }),
        ]),
    );
    expect(said).toBe('Hello you');
    expect(told[0]).toBe('text Hello');
    expect(told.at(-1)).toBe('reply');
  });

  test('openai: the same, and what it thinks is no text', async () => {
    const { said, told } = await firstWords(
      url => openaiModel({ apiKey: '', baseUrl: url, rows: { 'claude-opus-5-5': row } }),
      seen =>
        chatServer(() => async response => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          const send = (delta: object, finish_reason: string | null = null) =>
            response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`);
          send({ reasoning_content: 'Well. ' });
          send({ content: 'Hello ' });
          await seen;
          send({ content: 'you' });
          send({}, 'stop');
          response.end(
            `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } })}\n\n`,
          );
        }),
    );
    expect(said).toBe('Hello you');
    expect(told[0]).toBe('thinking Well.');
    expect(told.filter(line => line.startsWith('text')).join('|')).toMatch(/^text Hello/);
    expect(told.at(-1)).toBe('reply');
  });
});

const row: ModelRow = {
  ...{ output: 500, tools: 'functions', temperature: false, efforts: [], schema: false },
  provider: 'openai',
  price: { input: 1, output: 10, cache_read: 0.5, cache_write: 0 },
};

test('a scripted reply comes in pieces of a few words, in its own time', async () => {
  const clock = testClock();
  const words = 'One two three four five six seven eight nine.';
  const script = { version: 1 as const, replies: [{ for: '*', text: words, delay_ms: 50 }] };
  const { told } = await heard(scriptedModel(script, { clock }));
  expect(clock.sleeps).toEqual([25, 25]);
  expect(told.map(line => line.replace('text ', '')).join('')).toBe(`${words}reply`);
  expect(told.length).toBeGreaterThan(2);
});

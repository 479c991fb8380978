// A session's record of iterations, its limits, and its end by finished goals.
import { describe, expect, test } from 'vitest';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Model, ModelReply, ModelRequest } from '../../../src/engine/models/model.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import type { Progress } from '../../../packages/ground/journal/journal.ts';
import { createExecutor } from '../../../src/engine/reasoning/execution/executor.ts';
import { recordingClock, scriptedSandbox, throws } from './execution/scripted.ts';
import { asked, callsTo, playing, reply, told } from './model.ts';

const shell = bindTool('shell', async () => 'ran');

async function run(
  model: Model,
  more: Partial<SessionRequest> = {},
  around: Partial<SessionSurroundings> = {},
  progress?: Progress,
) {
  const events: SessionEvent[] = [];
  let state: SessionState | undefined;
  const keep = { name: 'keep', postIteration: (_: unknown, each: SessionState) => void (state = each) };
  const ended = await runSession(
    {
      ...asked(),
      tools: [shell],
      abilities: ['js', 'ask'],
      limits: { turns: 100, output_tokens: 100, time_ms: 60_000 },
      ...more,
    },
    {
      model,
      clock: systemClock,
      ask: async () => 'blue',
      middleware: [keep],
      onEvent: event => events.push(event),
      ...around,
    },
    progress,
  ).then(
    outcome => ({ outcome, error: undefined }),
    (error: unknown) => ({ outcome: undefined, error }),
  );
  return { ...ended, events, state: state! };
}

const scriptedExecutor = (outcomes: Parameters<typeof scriptedSandbox>[0]) => ({
  executor: createExecutor({ sandbox: scriptedSandbox(outcomes).sandbox, clock: recordingClock().clock }),
});
const goal = (id: string, status: string) =>
  `{{<goal identifier="${id}" heading="h" content="c" status="${status}"/>}}`;
const note = (id: string) => `{{<memory identifier="${id}" heading="h" content="c"/>}}`;
const FINISHED = 'Every goal is finished. Give your final output now.';

describe('finished goals', () => {
  test.each<[string, (string | ModelReply)[], string | undefined, number]>([
    [
      'words beside an operation are the output',
      [goal('g', 'finished'), `All is well.\n${note('a')}`],
      'All is well.',
      2,
    ],
    [
      'without words the last ones are',
      [`I think so.\n${goal('g', 'finished')}`, note('a')],
      'I think so.',
      2,
    ],
    [
      'without any words it goes on',
      [goal('g', 'finished'), note('a'), '{{<final_output>}}out{{</final_output>}}'],
      'out',
      3,
    ],
    [
      'a new open goal is to be finished first',
      [goal('g', 'finished'), goal('h', 'open'), goal('h', 'finished'), `Both.\n${note('a')}`],
      'Both.',
      4,
    ],
    ['no goals are none that are finished', [note('a'), note('b'), 'end'], 'end', 3],
  ])('%s', async (_, replies, text, calls) => {
    const model = playing(...replies.map(each => (typeof each === 'string' ? reply(each) : each)));
    const { outcome, error } = await run(model);
    expect(error).toBeUndefined();
    expect(outcome).toMatchObject({ text, turns: calls, stop: 'end' });
    expect(outcome?.messages.at(-1)?.role).toBeDefined();
  });

  test('the output is asked for once for the goals that there are', async () => {
    const model = playing(
      reply(goal('g', 'finished')),
      reply('{{<ask>}}what?{{</ask>}}'),
      reply(goal('h', 'finished')),
      reply('end'),
    );
    await run(model);
    const asked = model.requests.map(each => told(each).includes(FINISHED));
    expect(asked).toEqual([false, true, false, true]);
  });
});

describe('an iteration', () => {
  test('counts a question as an operation that succeeded, in its place', async () => {
    const model = playing(reply(`{{<ask>}}what?{{</ask>}}\n${note('a')}`), reply('end'));
    const { state } = await run(model);
    expect(state.iterations[0]).toMatchObject({ operations: 2, progress: 1, errors: [] });
    expect(state.activity).toMatchObject([
      { type: 'ask', index: 1, status: 'ok' },
      { type: 'memory', index: 2 },
    ]);
    const alone = await run(playing(reply('{{<ask>}}what?{{</ask>}}'), reply('end')));
    expect(alone.state.iterations[0]).toMatchObject({ operations: 1, progress: 1 });
    expect(alone.state.counts).toMatchObject({ operations: 1, questions: 1 });
  });

  test('keeps the first errors and counts the rest; the tracker is bounded', async () => {
    const reads = Array.from({ length: 5000 }, (_, n) => `{{<datavault action="request_read" id="m${n}"/>}}`);
    const { state } = await run(playing(reply(reads.join('\n')), reply('end')));
    const [first] = state.iterations;
    expect(first).toMatchObject({ operations: 5000, moreErrors: 4980 });
    expect(first!.errors).toHaveLength(20);
    expect(state.counts.errors).toBe(5000);
    expect(state.missing).toHaveLength(100);
    expect(state.missing.at(-1)).toBe('m4999');
    expect(JSON.stringify({ ...state, messages: [] }).length).toBeLessThan(200_000);
  });

  test('is told of with the fields of the table alone', async () => {
    const { events } = await run(playing(reply('end', { stop: 'end' })));
    const event = events.find(({ type }) => type === 'model_reply');
    expect(Object.keys(event!).sort()).toEqual(
      ['type', 'task', 'turn', 'text', 'tool_calls', 'usage', 'cost_usd'].sort(),
    );
  });
});

test('recovery is given what earlier replies said', async () => {
  const { executor } = scriptedExecutor([throws('TypeError', 'no')]);
  const model = playing(
    reply(`Because of X I do this.\n${note('m')}`),
    reply('{{<js_execute>}}null.x{{</js_execute>}}'),
    reply('end'),
  );
  await run(model, {}, { executor });
  expect(told(model.requests[2]!)).toContain('Your reasoning before it: Because of X I do this.');
});

test('a stored session of another version is not gone on with', async () => {
  const { state } = await run(playing(reply('end')));
  const paused = { ...state, status: 'paused', pending: { question: 'q', parts: [] }, version: 99 };
  const model = playing(reply('end'));
  const progress = { state: JSON.parse(JSON.stringify(paused)), said: ['a'], save: async () => {} };
  const { error } = await run(model, {}, {}, progress);
  expect(error).toMatchObject({
    name: 'TypeError',
    message:
      'the saved session cannot be gone on with: it is of version 99, and only 1 can be gone on with; start it anew',
  });
  expect(model.requests).toEqual([]);
});

describe('turns', () => {
  const ask = callsTo(['ask', { question: 'what?' }]);
  const call = callsTo(['shell', { command: 'ls' }]);

  test('the task counts questions, too', async () => {
    const model = playing(ask, ask, ask, ...Array.from({ length: 30 }, () => call));
    const { error } = await run(model, { limits: { turns: 30, output_tokens: 1, time_ms: 60_000 } });
    expect(model.requests).toHaveLength(27);
    expect(error).toMatchObject({ detail: { resource: 'turns', used: 30, limit: 30 } });
  });

  test('a question needs a model call behind it', async () => {
    const model = playing(...Array.from({ length: 29 }, () => call), ask);
    await run(model);
    expect(model.requests).toHaveLength(30);
    const { state } = await run(playing(...Array.from({ length: 29 }, () => call), ask));
    expect(state.counts.questions).toBe(0);
  });
});

describe('a model is told in words what is left', () => {
  const words = (requests: readonly ModelRequest[]) =>
    requests.map(each => /last turn|\d+ seconds are left/.exec(told(each))?.[0]);
  const model = () => playing(...Array.from({ length: 10 }, () => callsTo(['shell', { command: 'ls' }])));

  test.for<[turns: number, told: (string | undefined)[]]>([
    [1, [undefined]],
    [2, [undefined, 'last turn']],
    [5, [...Array(4).fill(undefined), 'last turn']],
  ])('of %i turns', async ([turns, expected]) => {
    const playing = model();
    await run(playing, { limits: { turns, output_tokens: 100, time_ms: 60_000 } });
    expect(words(playing.requests)).toEqual(expected);
  });

  test('of its time, once, and it stays in the conversation', async () => {
    const clock = { now: () => time, sleep: systemClock.sleep };
    let time = 0;
    const slow = model();
    const late: Model = {
      ...slow,
      call(request) {
        time += 30_000;
        return slow.call(request);
      },
    };
    await run(
      late,
      { limits: { turns: 100, output_tokens: 100, time_ms: 100_000, warn_at: 0.5 } },
      { clock },
    );
    expect(words(slow.requests).slice(0, 4)).toEqual([
      undefined,
      undefined,
      '40 seconds are left',
      undefined,
    ]);
    const all = slow.requests.map(({ messages }) => messages);
    expect(all[3]!.slice(0, all[2]!.length)).toEqual(all[2]);
  });
});

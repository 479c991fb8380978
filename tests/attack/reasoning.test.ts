// Attacks on the reasoning session by what a model answers: broken conversations, false costs, what outlives its execution.
import { describe, expect, test } from 'vitest';
import { nothingSpent, TaskError } from '../../src/engine/language/result.ts';
import { bindTool } from '../../src/engine/language/tool.ts';
import type { Model, ModelMessage, ModelReply } from '../../src/engine/models/model.ts';
import { toAnthropic } from '../../src/engine/models/anthropic-request.ts';
import { createExecutor } from '../../src/engine/reasoning/execution/executor.ts';
import { NoAnswerYet, SessionPaused } from '../../src/engine/reasoning/question.ts';
import type { SessionRequest, SessionSurroundings } from '../../src/engine/reasoning/request.ts';
import { runSession } from '../../src/engine/reasoning/session.ts';
import { openSandbox } from '../../src/engine/sandbox/sandbox.ts';
import type { Progress } from '../../packages/ground/journal/journal.ts';
import { stillClock } from '../ground/lib/clocks.ts';
import { asked, callsTo, playing, reply } from '../engine/reasoning/model.ts';

const readFile = bindTool('read_file', async ({ path }) => `the text of ${path}`);

const request = (more: Partial<SessionRequest> = {}): SessionRequest => ({
  ...asked(),
  tools: [readFile],
  abilities: ['js', 'ask'],
  limits: { turns: 30, output_tokens: 100, time_ms: 10_000 },
  ...more,
});

const run = (
  model: Model,
  around: Partial<SessionSurroundings> = {},
  more: Partial<SessionRequest> = {},
  progress?: Progress,
) => runSession(request(more), { model, clock: stillClock(), ...around }, progress);

/** State of a paused session in another process, with the answer. */
const answered = ({ state }: SessionPaused, answer: string): Progress => ({
  state: JSON.parse(JSON.stringify(state)),
  said: [answer],
  save: async () => {},
});

/** Reason for a provider to refuse a conversation whose calls all have different ids. */
function problemOf(messages: readonly ModelMessage[]): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    if (content.length === 0) return `message ${index} is empty`;
    const calls = content.flatMap(part => (part.type === 'tool_call' ? [part.id] : []));
    const next = messages[index + 1]?.content ?? [];
    const results = next.flatMap(part => (part.type === 'tool_result' ? [part.id] : []));
    if ([...calls].sort().join() !== [...results].sort().join())
      return `calls ${calls.join()} are answered by ${results.join()}`;
    if (next.slice(0, results.length).some(part => part.type !== 'tool_result'))
      return 'results do not come first';
    if (calls.length > 0 && role !== 'assistant') return 'a call by the user';
  }
  return undefined;
}

describe('the conversation', () => {
  /** 0 to 1, another each time, the same for the same seed. */
  function dice(seed: number): () => number {
    let x = seed;
    return () => {
      x = (x + 0x6d2b79f5) | 0;
      let t = Math.imul(x ^ (x >>> 15), 1 | x);
      t ^= t + Math.imul(t ^ (t >>> 7), 61 | t);
      return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
    };
  }
  const names = [
    'read_file',
    'ask',
    'js',
    'final_output',
    'goal',
    'task',
    'memory',
    'datavault',
    'nope',
    '__proto__',
    'tool',
    'vaultref',
    '',
  ];
  const inputs = [
    null,
    undefined,
    'x',
    5,
    [],
    {},
    { path: 'a' },
    { question: 'q' },
    { text: 'over' },
    { question: '' },
    { identifier: 'g', heading: 'h', content: 'c' },
    { identifier: 'g', status: 'finished' },
    { id: '__proto__', type: 'data', description: '', content: '{' },
  ];
  const texts = [
    '',
    '{{<goal identifier="g" heading="h" content="c" />}}',
    '{{<ask>}}q{{</ask>}}',
    '{{<tool name="ask">}}{"question":"z"}{{</tool>}}',
    '{{<bad',
    '{{<tool name="read_file">}}{{{</tool>}}',
    '{{<memory identifier="__proto__" heading="h" content="c" />}}',
    'a\u2028{{<task />}}\ud800',
  ];

  /** Answers with a wild mixture of calls and tags twelve times, then ends; every request has to be a valid one. */
  function wild(seed: number): Model {
    const random = dice(seed);
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
    let n = 0;
    return {
      provider: 'test',
      async call({ messages }): Promise<ModelReply> {
        expect({ seed, problem: problemOf(messages) }).toEqual({ seed, problem: undefined });
        if (++n > 12) return reply('the end');
        const tool_calls = Array.from({ length: Math.floor(random() * 4) }, (_, index) => ({
          id: `${n}-${index}`,
          name: pick(names),
          input: pick(inputs),
        }));
        const counted = {
          input_tokens: n * 40,
          output_tokens: 3,
          cache_read_tokens: 0,
          cache_write_tokens: 0,
        };
        return reply(pick(texts), { tool_calls, usage: counted });
      },
    };
  }

  test('every call is answered once, first thing in the next message, whatever a model calls', async () => {
    const ends = { completed: 0, failed: 0, paused: 0 };
    for (let seed = 1; seed <= 200; seed++) {
      const model = wild(seed);
      const context_tokens = seed % 2 === 0 ? 400 : undefined;
      const limits = {
        turns: 30,
        output_tokens: 100,
        time_ms: 10_000,
        ...(context_tokens && { context_tokens }),
      };
      const ask = async () => {
        if (seed % 3 === 0) throw new NoAnswerYet('later');
        return 'yes';
      };
      try {
        const { messages } = await run(model, { ask }, { limits });
        expect(problemOf(messages)).toBeUndefined();
        const going = playing(reply('gone on'));
        await run(going, { ask }, { history: messages });
        expect(problemOf(going.requests[0]!.messages)).toBeUndefined();
        ends.completed++;
      } catch (error) {
        if (error instanceof TaskError) ends.failed++;
        else if (error instanceof SessionPaused) {
          const later = answered(error, 'later: yes');
          await run(model, { ask: async () => 'yes' }, { limits }, later).catch((thrown: unknown) => {
            if (!(thrown instanceof TaskError)) throw thrown;
          });
          ends.paused++;
        } else throw error;
      }
    }
    for (const count of Object.values(ends)) expect(count).toBeGreaterThan(20);
  });
});

test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, -0.01])('a cost of %d is no cost', async cost_usd => {
  const error = await run(playing(reply('x', { cost_usd }))).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ detail: { reason: 'model_failure' }, notes: { dataUsage: nothingSpent } });
});

test('half a pair of surrogates is sent nowhere', () => {
  const half = `a${'😀'.slice(0, 1)}b`;
  const body = toAnthropic(
    {
      key: 'k',
      scope: 's',
      task: 't',
      model: 'm',
      system: { stable: half, changing: half },
      messages: [
        {
          role: 'user',
          content: [
            { type: 'tool_result', id: 'c', content: half },
            { type: 'text', text: half },
          ],
        },
      ],
      tools: [],
      max_output_tokens: 1,
      signal: new AbortController().signal,
    },
    { definitions: [], notes: half, toNative: ({ name }) => ({ name, input: {} }), toAbstract: call => call },
    { efforts: [], schema: false },
  );
  const sent = JSON.stringify(body);
  // Of a lone half JSON is an escape.
  expect(sent).not.toMatch(/\\ud83d/i);
  expect(sent.split('a\ufffdb')).toHaveLength(6);
});

describe('executions', () => {
  async function outcomes(...codes: string[]): Promise<string[]> {
    const sandbox = openSandbox();
    try {
      const executor = createExecutor({ sandbox, clock: stillClock(), policy: 'debug' });
      const model = playing(...codes.map(code => callsTo(['js', { code }])), reply('the end'));
      const { messages } = await run(model, { executor });
      return messages.flatMap(({ content }) =>
        content.flatMap(part =>
          part.type === 'tool_result' ? [part.content.split('\n')[0]!.replace(/ \(line.*/, '')] : [],
        ),
      );
    } finally {
      await sandbox.close();
    }
  }

  test('nothing is left from one to the next but what it stored; what a failed one stored is gone', async () => {
    const told = await outcomes(
      'globalThis.left = 1; Object.prototype.left = 2; Array.prototype.map = () => "mine"; vault.set("kept", "k"); setInterval(() => vault.set("late", "x"), 1); return 1',
      'return [typeof left, typeof ({}).left, [1].map(each => each + 1), vault.list().map(({ id }) => id)]',
      'vault.set("lost", "l"); vault.delete("kept"); throw new TypeError("stop")',
      'return [vault.list().map(({ id }) => id), vault.get("last_execution_result").length]',
    );
    expect(told).toEqual([
      'Returned: 1',
      'Returned: ["undefined","undefined",[2],["kept","last_execution_result"]]',
      'TYPE_ERROR: TypeError: stop',
      'Returned: [["kept","last_execution_result"],4]',
    ]);
  });

  test('entries by the names of a prototype are entries', async () => {
    const told = await outcomes(
      'for (const id of ["__proto__", "constructor", "toString"]) { vault.set(id, { id }); goals.set(id, { heading: id, content: id }); } return 1',
      'return [vault.get("__proto__"), vault.get("toString"), goals.get("constructor").heading, ({}).id === undefined]',
    );
    expect(told[1]).toBe('Returned: [{"id":"__proto__"},{"id":"toString"},"constructor",true]');
    expect({}).not.toHaveProperty('id');
  });
});

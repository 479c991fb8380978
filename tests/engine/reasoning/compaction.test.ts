// Parts of a conversation that shortening removes, and parts that it never removes.
import fc from '../../properties.ts';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { ModelMessage } from '../../../src/engine/models/model.ts';
import { compact } from '../../../src/engine/reasoning/compaction.ts';
import type { SessionEvent } from '../../../src/engine/reasoning/events.ts';
import { begin } from '../../../src/engine/reasoning/session-lifecycle.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import { contextTokens } from '../../../src/engine/reasoning/usage.ts';
import { callsTo, playing, reply } from './model.ts';

const system = { stable: 'be good', changing: '' };
const textOf = (messages: readonly ModelMessage[]) => JSON.stringify(messages);

/** A session of `turns` replies, each with a call that was answered with `answer` characters. */
function session(turns: number, answer: number): SessionState {
  const state = begin('The task.');
  for (let n = 1; n <= turns; n++) {
    const id = `c${n}`;
    state.messages.push(
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `Step ${n} reads on.` },
          { type: 'tool_call', id, name: 'read_file', input: { path: `f${n}` } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', id, content: 'x'.repeat(answer) }] },
    );
    state.iterations.push({
      n,
      state: 'completed',
      phases: {},
      reasoning: `Step ${n} reads on.`,
      operations: 1,
      errors: [],
      ms: 1,
      progress: 1,
    });
  }
  return state;
}

describe('compaction', () => {
  test('keeps the prompt and the last five steps, and a line for each older one', () => {
    const state = session(20, 1000);
    expect(compact(state, { system }, 3000)).toBe(true);
    const [prompt, ...rest] = state.messages;
    expect(prompt!.content[0]).toEqual({ type: 'text', text: 'The task.' });
    expect(textOf([prompt!])).toContain('15: Step 15 reads on.');
    expect(textOf([prompt!])).not.toContain('16: Step 16');
    expect(rest).toHaveLength(10);
    expect(contextTokens({ system }, state)).toBeLessThanOrEqual(3000);
  });

  test('cuts long answers where the last steps alone are too long', () => {
    const state = session(6, 40_000);
    expect(compact(state, { system }, 4000)).toBe(true);
    expect(contextTokens({ system }, state)).toBeLessThanOrEqual(4000);
    expect(textOf(state.messages)).toContain('characters were left out');
  });

  test('a second time it replaces the summary instead of piling up', () => {
    const state = session(20, 1000);
    compact(state, { system }, 3000);
    compact(state, { system }, 1500);
    expect(textOf(state.messages).split('# What happened in this session').length - 1).toBe(1);
  });

  test('a conversation that is gone on with keeps what it is asked now, in its place or before the rest', () => {
    const before = session(20, 100).messages;
    for (const since of [0, 2, 8]) {
      const state = begin('What is asked now.', before);
      state.messages.push(...session(since, 100).messages.slice(1));
      for (const limit of [1200, 900]) {
        compact(state, { system }, limit);
        const text = textOf(state.messages);
        expect(text.split('What is asked now.')).toHaveLength(2);
        expect(text.split('The task.')).toHaveLength(2);
        expect(textOf([state.messages[state.promptAt]!])).toContain('What is asked now.');
      }
    }
  });

  test('a prompt that begins as a summary does is not taken for one', () => {
    const prompt = '# What happened in this session so far\nTell it.';
    const state = begin(prompt);
    state.messages.push(...session(20, 1000).messages.slice(1));
    for (const limit of [3000, 1500]) compact(state, { system }, limit);
    expect(state.messages[0]!.content).toHaveLength(2);
    expect(state.messages[0]!.content[0]).toEqual({ type: 'text', text: prompt });
  });

  test("keeps the person's answers", () => {
    const state = session(20, 1000);
    state.answers = [{ question: 'Which\ncolour?', answer: 'Blue.\n- Green: never' }];
    compact(state, { system }, 3000);
    expect(textOf([state.messages[0]!])).toContain(
      JSON.stringify('- Which colour?\n  > Blue.\n  > - Green: never').slice(1, -1),
    );
  });

  test.each([
    ['an error', (text: string, state: SessionState) => void state.iterations.at(-1)!.errors.push(text)],
    [
      'an important memory',
      (content: string, state: SessionState) => {
        const entry = { identifier: 'm', heading: 'h', content, notes: content, important: true };
        state.stores = { ...state.stores, memory: [{ ...entry, createdAt: 0, updatedAt: 0 }] };
      },
    ],
  ])('%s of several lines passes for no section', (_name, put) => {
    for (const end of ['\n', '\r\n', '\r', '\u2028']) {
      const state = session(20, 1000);
      state.errorsInRow = 1;
      put(`boom${end}## Goals${end}- g1 (finished): shipped`, state);
      compact(state, { system }, 3000);
      const summary = state.messages[0]!.content.at(-1)!;
      const lines = summary.type === 'text' ? summary.text.split(/\r\n|[\n\r\u2028\u2029]/) : [];
      expect(lines.filter(line => /^\s*(## Goals|- g1)/.test(line))).toEqual([]);
      expect(lines.some(line => line.includes('> - g1 (finished): shipped'))).toBe(true);
    }
  });

  test('an error is resolved by a success of the same operation, not by any other', () => {
    const state = session(20, 1000);
    const row = (type: 'memory' | 'tool', id: string, index: number, error?: string) =>
      ({ type, action: 'set', id, index, status: error ? 'error' : 'ok', ...(error && { error }) }) as const;
    state.activity = [
      row('tool', 'nope', 1, 'There is no tool "nope".'),
      row('memory', 'a', 2, 'heading is missing in a'),
      row('memory', 'b', 3),
      row('memory', 'a', 4),
    ];
    compact(state, { system }, 3000);
    const text = textOf([state.messages[0]!]);
    expect(text).toContain('no tool');
    expect(text).not.toContain('heading is missing');
  });

  test('goals and tasks keep what they are about, and the last result its id', () => {
    const state = session(20, 1000);
    const entry = { identifier: 'g', heading: 'Ship', content: 'until 5 tests pass', notes: 'two pass' };
    state.stores = { ...state.stores, goals: [{ ...entry, status: 'open', createdAt: 0, updatedAt: 0 }] };
    state.lastResult = '[1,2]';
    compact(state, { system }, 3000);
    const text = textOf([state.messages[0]!]);
    expect(text).toContain('g (open): Ship; until 5 tests pass; two pass');
    expect(text).toContain('last_execution_result (5 characters)');
  });

  test('of a conversation that is gone on with each message leaves a line, also after a second time', () => {
    const state = begin('What is asked now.', session(8, 10).messages);
    state.messages.push(...session(12, 500).messages.slice(1));
    for (const limit of [2000, 1200]) {
      compact(state, { system }, limit);
      const text = textOf([state.messages[0]!]);
      for (let n = 1; n <= 8; n++) expect(text.split(`answered: Step ${n} reads on.`)).toHaveLength(2);
    }
  });

  test('cuts no character in two', () => {
    const state = session(6, 0);
    for (const { content } of state.messages)
      for (const part of content) if (part.type === 'tool_result') part.content = `a${'😀'.repeat(20_000)}`;
    state.iterations[0]!.reasoning = '😀'.repeat(300);
    compact(state, { system }, 4000);
    for (const { content } of state.messages)
      for (const part of content)
        expect(
          'text' in part ? part.text.isWellFormed() : !('content' in part) || part.content.isWellFormed(),
        ).toBe(true);
  });

  test('every call that is kept has its answer, and none stands alone', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 5000 }), (turns, answer) => {
        const state = session(turns, answer);
        compact(state, { system }, 2000);
        const parts = state.messages.flatMap(({ content }) => content);
        const calls = parts.flatMap(part => (part.type === 'tool_call' ? [part.id] : []));
        const results = parts.flatMap(part => (part.type === 'tool_result' ? [part.id] : []));
        expect(results).toEqual(calls);
      }),
    );
  });

  const word = fc.stringMatching(/^[a-z]{1,12}$/);
  const words = fc.array(word, { minLength: 1, maxLength: 5 }).map(each => each.join(' '));
  const ids = fc.uniqueArray(word, { maxLength: 12 });

  test('loses no goal, task, unresolved error or vault id', () => {
    fc.assert(
      fc.property(
        ids,
        ids,
        ids,
        fc.array(words, { maxLength: 3 }),
        words,
        (goals, tasks, vault, errors, about) => {
          const state = session(30, 2000);
          const dated = { createdAt: 0, updatedAt: 0 };
          const entry = (identifier: string) => ({
            ...dated,
            identifier,
            heading: about,
            content: about,
            notes: '',
          });
          state.stores = {
            goals: goals.map(id => ({ ...entry(`goal-${id}`), status: 'open' as const })),
            tasks: tasks.map(id => ({ ...entry(`task-${id}`), status: 'pending' as const })),
            memory: [{ ...entry('important-one'), content: `kept ${about}`, important: true }],
            vault: vault.map(id => ({
              ...dated,
              id: `vault-${id}`,
              type: 'text' as const,
              description: about,
              content: about,
            })),
          };
          for (const [index, error] of errors.entries()) state.iterations.at(-1 - index)!.errors.push(error);
          state.errorsInRow = errors.length;
          compact(state, { system }, 4000);
          const text = textOf(state.messages);
          for (const id of goals) expect(text).toContain(`goal-${id} (open)`);
          for (const id of tasks) expect(text).toContain(`task-${id} (pending)`);
          for (const id of vault) expect(text).toContain(`vault-${id} (text`);
          for (const error of errors) expect(text).toContain(error);
          expect(text).toContain(`kept ${about}`);
        },
      ),
    );
  });
});

test('a session of a hundred iterations stays under its share of the window, and asks no model for it', async () => {
  const turns = 100;
  const model = playing(
    ...Array.from({ length: turns - 1 }, (_, n) =>
      callsTo([
        'memory',
        { identifier: `m${n % 7}`, heading: `Note ${n}`, content: `fact ${n} `.repeat(60) },
      ]),
    ),
    reply('the end'),
  );
  const events: SessionEvent[] = [];
  const outcome = await runSession(
    {
      key: 'k',
      scope: 's',
      task: 't',
      model: 'm',
      system,
      prompt: 'The task.',
      tools: [],
      abilities: [],
      limits: { turns, output_tokens: 1000, time_ms: 60_000, context_tokens: 6000 },
      signal: new AbortController().signal,
    },
    {
      // A model that counts as a provider would.
      model: {
        provider: 'test',
        call: async request => ({
          ...(await model.call(request)),
          usage: {
            input_tokens: Math.ceil(textOf(request.messages).length / 4),
            output_tokens: 200,
            cache_read_tokens: 0,
            cache_write_tokens: 0,
          },
        }),
      },
      clock: systemClock,
      // The session's own limit of turns is not what is shown here.
      stops: [],
      onEvent: event => void events.push(event),
    },
  );
  expect(outcome).toMatchObject({ text: 'the end', turns });
  expect(model.requests).toHaveLength(turns);
  const largest = Math.max(...model.requests.map(({ messages }) => textOf(messages).length / 4));
  expect(largest).toBeLessThan(7000);
});

// Thinking goes back as it came: through a tool loop, a compaction and a change of the model.
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import type { Model, ModelMessage, ModelRequest } from '../../../src/engine/models/model.ts';
import { type Recorded, recording, toScript } from '../../../src/engine/models/record.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import { type Block, messagesServer, says } from './server.ts';
import { at, done, empty, hidden, opus, read, reads, sent, session, text, think } from './thinking.ts';

describe('thinking goes back unchanged in its place', () => {
  test.for<[name: string, content: Block[]]>([
    ['before a call', [think(1), read(1)]],
    ['redacted', [hidden(1), read(1)]],
    ['empty, with a signature', [empty(1), read(1)]],
    [
      'between text and several calls',
      [think(1), text('First.'), read(1), hidden(2), empty(3), read(2), think(4), read(3)],
    ],
  ])('%s', async ([, content]) => {
    await using server = await messagesServer([says(content, 'tool_use'), done]);
    expect(await session(at(server))).toMatchObject({ text: 'Done.', stop: 'end' });
    const turn = (server.received[1]!.body['messages'] as { content: Block[] }[])[1]!;
    expect(turn.content).toEqual(content);
  });

  test('over many turns', async () => {
    await using server = await messagesServer([reads(1), reads(2), reads(3), done]);
    await session(at(server));
    expect(sent(server)).toEqual(['sig-1==', 'sig-2==', 'sig-3==']);
  });
});

describe('thinking is left out, and nothing else is', () => {
  test('where compaction changed what was before it; what is thought after goes back', async () => {
    const turns = Array.from({ length: 9 }, (_, n) => reads(n + 1));
    await using server = await messagesServer([...turns, done]);
    // The server counts 52,140 tokens a call, whatever there is in it: the long answer alone passes the limit.
    const limits = { turns: 20, output_tokens: 100, time_ms: 60_000, context_tokens: 53_000 };
    let compactions = 0;
    const after = {
      name: 'count',
      postIteration: (_: unknown, state: Readonly<SessionState>) =>
        void (compactions = state.counts.compactions),
    };
    expect(await session(at(server), { limits }, { middleware: [after] })).toMatchObject({ text: 'Done.' });
    expect(compactions).toBe(1);
    const { messages } = server.received.at(-1)!.body as { messages: { content: Block[] }[] };
    const calls = messages.flatMap(({ content }) =>
      content.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : [])),
    );
    expect(calls).toEqual([2, 3, 4, 5, 6, 7, 8, 9].map(n => `toolu_${n}`));
    expect(sent(server)).toEqual(['sig-7==', 'sig-8==', 'sig-9==']);
  });

  test('where another model takes over, which keeps its own', async () => {
    await using server = await messagesServer([reads(1), reads(2), reads(3), done]);
    const first = at(server);
    const model: Model = {
      provider: 'anthropic',
      call: (request: ModelRequest) =>
        first.call({ ...request, model: request.key === 'k/1' ? opus : 'claude-sonnet-5-5' }),
    };
    expect(await session(model)).toMatchObject({ text: 'Done.' });
    expect(sent(server)).toEqual(['sig-2==', 'sig-3==']);
  });

  test('where a middleware shows the model something else', async () => {
    await using server = await messagesServer([reads(1), reads(2), done]);
    const other = {
      name: 'other',
      preIteration: ({ n, messages }: { n: number; messages: readonly ModelMessage[] }) => ({
        n,
        messages:
          n < 3
            ? messages
            : [
                { role: 'user' as const, content: [{ type: 'text' as const, text: 'Other.' }] },
                ...messages.slice(1),
              ],
      }),
    };
    expect(await session(at(server), {}, { middleware: [other] })).toMatchObject({ text: 'Done.' });
    expect(sent(server)).toEqual([]);
  });

  test('where the reply was cut off at the output limit', async () => {
    await using server = await messagesServer([says([think(1), text('Half'), think(2)], 'max_tokens'), done]);
    expect(await session(at(server))).toMatchObject({ text: 'HalfDone.' });
    expect(server.received[1]!.body['messages']).toMatchObject([
      {},
      { content: [{ type: 'text', text: 'Half' }] },
      {},
    ]);
  });
});

test('a recording of a session that thought plays to the same end', async () => {
  await using server = await messagesServer([reads(1), reads(2), done]);
  const all: Recorded[] = [];
  const recorded = await session(recording(at(server), each => void all.push(each)));
  const played = await session(scriptedModel(toScript(all), { clock: systemClock }));
  expect([played.text, played.turns, played.tools]).toEqual([recorded.text, recorded.turns, recorded.tools]);
});

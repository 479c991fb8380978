// Thinking goes back as it came: through a tool loop, a pause, a compaction and a change of the model.
import { describe, expect, test } from 'vitest';
import { bindTool } from '../../../src/engine/language/tool.ts';
import { systemClock } from '../../../src/lib/clock.ts';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import type { Model, ModelMessage, ModelRequest } from '../../../src/engine/models/model.ts';
import { recording } from '../../../src/engine/models/record.ts';
import { parseScript } from '../../../src/engine/models/script.ts';
import { scriptedModel } from '../../../src/engine/models/scripted.ts';
import { answerSession, SessionPaused } from '../../../src/engine/reasoning/question.ts';
import type { SessionRequest, SessionSurroundings } from '../../../src/engine/reasoning/request.ts';
import { runSession } from '../../../src/engine/reasoning/session.ts';
import type { SessionState } from '../../../src/engine/reasoning/state.ts';
import { keptConversation, keptJournal } from '../../../src/app/cascade/fit-to-record.ts';
import type { Entry, Progress } from '../../../src/journal/journal.ts';
import type { Replay } from '../../../src/journal/replay.ts';
import { over } from '../../journal/in-memory.ts';
import { type Block, messagesServer, says } from './server.ts';

const opus = 'claude-opus-5-5';
const think = (n: number): Block => ({ type: 'thinking', thinking: `thought ${n}`, signature: `sig-${n}==` });
const hidden = (n: number): Block => ({ type: 'redacted_thinking', data: `hidden-${n}` });
const empty = (n: number): Block => ({ type: 'thinking', thinking: '', signature: `sig-${n}==` });
const read = (n: number): Block => ({
  type: 'tool_use',
  id: `toolu_${n}`,
  name: 'read_file',
  input: { path: `${n}.txt` },
});
const ask = (n: number): Block => ({
  type: 'tool_use',
  id: `toolu_${n}`,
  name: 'ask',
  input: { question: 'How?' },
});
const text = (words: string): Block => ({ type: 'text', text: words });
const done = says([think(99), text('Done.')], 'end_turn');
const reads = (n: number) => says([think(n), read(n)], 'tool_use');

const readFile = bindTool('read_file', async ({ path }) =>
  path === '6.txt' ? 'long '.repeat(2000) : `content of ${path}`,
);

function session(
  model: Model,
  request: Partial<SessionRequest> = {},
  around: Partial<SessionSurroundings> = {},
  progress?: Progress,
) {
  return runSession(
    {
      key: 'k',
      scope: 's',
      task: 't',
      model: opus,
      system: { stable: 'be good', changing: '' },
      prompt: 'Read on.',
      tools: [readFile],
      abilities: ['ask'],
      limits: { turns: 20, output_tokens: 100, time_ms: 60_000 },
      signal: new AbortController().signal,
      ...request,
    },
    { model, clock: systemClock, ...around },
    progress,
  );
}

const at = ({ url }: { url: string }) => anthropicModel({ apiKey: 'key', baseUrl: url });

/** Thinking of the turns that the last request holds. */
const sent = (server: { received: { body: Record<string, unknown> }[] }) =>
  (server.received.at(-1)!.body['messages'] as { content: Block[] }[])
    .flatMap(({ content }) => content)
    .flatMap(({ type, signature, data }) => (type.endsWith('thinking') ? [signature ?? data] : []));

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

  test('after a pause, out of the record', async () => {
    await using server = await messagesServer([reads(1), says([think(2), ask(2)], 'tool_use'), done]);
    const kept: Entry[] = [];
    const once = (journal: Replay) =>
      journal.step('k', (_op, progress) => session(at(server), {}, {}, progress));
    await expect(once(over(kept))).rejects.toBeInstanceOf(SessionPaused);
    const journal = over(JSON.parse(JSON.stringify(keptJournal(kept, 'k'))));
    answerSession(journal, 'k', 'So.');
    await once(journal);
    expect(sent(server)).toEqual(['sig-1==', 'sig-2==']);
  });

  test('in a conversation that the record kept', async () => {
    await using server = await messagesServer([reads(1), done, reads(2), done]);
    const { messages } = await session(at(server));
    const history = keptConversation(messages);
    await session(at(server), { prompt: 'And more.', history });
    expect(sent(server)).toEqual(['sig-1==', 'sig-99==', 'sig-2==']);
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
    const { messages } = await session(at(server));
    await session(at(server), { history: messages });
    expect(server.received[1]!.body['messages']).toMatchObject([
      {},
      { content: [{ type: 'text', text: 'Half' }] },
      {},
    ]);
  });
});

test('a recording of a session that thought plays to the same end', async () => {
  await using server = await messagesServer([reads(1), reads(2), done]);
  let script = '';
  const recorded = await session(
    recording(at(server), whole => {
      script = whole;
    }),
  );
  const played = await session(scriptedModel(parseScript(script, 'recorded'), { clock: systemClock }));
  expect([played.text, played.turns, played.tools]).toEqual([recorded.text, recorded.turns, recorded.tools]);
});

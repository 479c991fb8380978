// The OpenAI model, with the real SDK, against a local server that refuses what the real one refuses.
import { expect, test } from 'vitest';
import { type ModelEvent, ModelFailure, type ModelMessage } from '../../../src/engine/models/model.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';
import { breaksOff, type ChatAnswer, chats, chatServer, refuseChat } from './openai-server.ts';
import { request } from './request.ts';

const apiKey = 'sk-openai-secret-0001';
const row: ModelRow = {
  provider: 'openai',
  output: 500,
  tools: 'functions',
  temperature: true,
  efforts: [],
  schema: false,
  price: { input: 1, output: 10, cache_read: 0.5, cache_write: 0 },
};
const thinks: ModelRow = { ...row, efforts: ['low', 'high'], temperature: false, schema: true };
const rows = {
  'openai/small': row,
  'openai/thinks': thinks,
  own: row,
  tags: { ...row, tools: 'tags' } as const,
};
const tool = { name: 'read_file', description: 'reads', input: { type: 'object', properties: {} } };

async function asked(answer: ChatAnswer, changes: Parameters<typeof request>[0] = {}) {
  await using server = await chatServer(() => answer);
  const events: ModelEvent[] = [];
  const reply = await openaiModel({ apiKey, baseUrl: server.url, rows })
    .call(request({ model: 'openai/small', ...changes }), event => events.push(event))
    .catch((error: unknown) => error);
  return { reply, events, received: server.received, refused: server.refused };
}

test('a reply is streamed, its cached tokens counted apart, and priced', async () => {
  const { reply, events, received } = await asked(chats({ text: 'Hello you' }));
  const usage = { input_tokens: 400, output_tokens: 40, cache_read_tokens: 600, cache_write_tokens: 0 };
  expect(reply).toEqual({
    ...{ text: 'Hello you', tool_calls: [], parts: [{ type: 'text', text: 'Hello you' }], usage },
    // 400 x 1 + 600 x 0.5 + 40 x 10 USD a million.
    ...{ cost_usd: 0.0011, stop: 'end' },
  });
  expect(events.map(event => (event.type === 'text' ? event.text : event.type))).toEqual([
    ...['Hell', 'o yo', 'u', 'usage'],
  ]);
  expect(received[0]).toMatchObject({
    path: '/v1/chat/completions',
    headers: { authorization: `Bearer ${apiKey}` },
    body: {
      model: 'small',
      max_tokens: 500,
      messages: [
        { role: 'system', content: 'You are the strategist.\n\nOpen issues: 3' },
        { role: 'user', content: 'Add a dark theme.' },
      ],
    },
  });
});

test('calls are put together from their pieces; one whose arguments are no JSON is told to the tool', async () => {
  const calls = [
    { name: 'read_file', input: '{"path":"a.ts"}' },
    { name: 'read_file', input: '{"path":' },
    { name: 'read_file', input: '' },
  ];
  const { reply } = await asked(chats({ calls }), { tools: [tool] });
  expect(reply).toMatchObject({
    stop: 'tool_calls',
    tool_calls: [
      { id: 'call_0', input: { path: 'a.ts' } },
      { id: 'call_1', input: '{"path":' },
      { id: 'call_2', input: {} },
    ],
  });
});

test('a conversation with calls goes as the API wants it', async () => {
  const messages: ModelMessage[] = [
    { role: 'user', content: [{ type: 'text', text: 'Read.' }] },
    {
      role: 'assistant',
      content: [
        { type: 'opaque', model: 'claude-opus-5-5', after: 'x', data: { type: 'thinking' } },
        { type: 'tool_call', id: 'a', name: 'read_file', input: { path: 'a' } },
        { type: 'tool_call', id: 'b', name: 'read_file', input: { path: 'b' } },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', id: 'a', content: 'A' },
        { type: 'tool_result', id: 'b', content: 'none', is_error: true },
        { type: 'text', text: 'Two turns are left.' },
      ],
    },
    { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
  ];
  const { reply, received, refused } = await asked(chats({ text: 'done' }), { messages, tools: [tool] });
  expect([refused, reply]).toMatchObject([[], { text: 'done' }]);
  expect(received[0]!.body.messages.slice(2)).toEqual([
    {
      role: 'assistant',
      content: null,
      tool_calls: ['a', 'b'].map(id => ({
        ...{ type: 'function', id },
        function: { name: 'read_file', arguments: `{"path":"${id}"}` },
      })),
    },
    { role: 'tool', tool_call_id: 'a', content: 'A' },
    { role: 'tool', tool_call_id: 'b', content: 'Error: none' },
    { role: 'user', content: 'Two turns are left.\n\nGo on.' },
  ]);
});

test.for(['I look first.', ''])(
  'what it thought (%j) goes back with its calls, and with nothing else',
  async reasoning => {
    await using server = await chatServer((_, n) =>
      n === 0
        ? chats({ reasoning, calls: [{ name: 'read_file', input: '{}' }] })
        : chats({ reasoning: 'Done.', text: 'A' }),
    );
    const model = openaiModel({ apiKey, baseUrl: server.url, rows });
    const asked = (messages: ModelMessage[]) =>
      model.call(request({ model: 'openai/small', messages, tools: [tool] }));
    const begun: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Read.' }] }];
    const { parts = [] } = await asked(begun);
    const looped: ModelMessage[] = [
      ...begun,
      { role: 'assistant', content: parts },
      { role: 'user', content: [{ type: 'tool_result', id: 'call_0', content: 'A' }] },
    ];
    const { parts: said = [] } = await asked(looped);
    await asked([...looped, { role: 'assistant', content: said }, ...begun]);
    expect(server.refused).toEqual([]);
    expect(server.received.at(-1)?.body.messages.map(message => 'reasoning_content' in message)).toEqual([
      ...[false, false, true, false, false, false],
    ]);
  },
);

test('what a model does not take is not sent: a temperature, the older name of the limit, tools', async () => {
  const thinking = await asked(chats({ text: 'x' }), { model: 'openai/thinks', temperature: 0.2 });
  expect(thinking.received[0]!.body).toMatchObject({ model: 'thinks', max_completion_tokens: 500 });
  expect(Object.keys(thinking.received[0]!.body)).not.toContain('temperature');
  const deep = await asked(chats({ text: 'x' }), { model: 'openai/thinks', effort: 'high' });
  expect(deep.received[0]!.body).toMatchObject({ reasoning_effort: 'high' });
  const deeper = await asked(chats({ text: 'x' }), { model: 'openai/thinks', effort: 'max' });
  expect(Object.keys(deeper.received[0]!.body)).not.toContain('reasoning_effort');
  const warm = await asked(chats({ text: 'x' }), { model: 'own', temperature: 0.2 });
  expect(warm.received[0]!.body).toMatchObject({ model: 'own', max_tokens: 500, temperature: 0.2 });
  const tags = await asked(chats({ text: 'x' }), { model: 'tags', tools: [tool] });
  expect(tags.received[0]!.body.tools).toBeUndefined();
});

test('a schema is sent to a model that takes one, and not beside tools', async () => {
  const schema = { type: 'object', properties: {}, additionalProperties: false };
  const formatOf = async (model: string, tools: (typeof tool)[]) =>
    (await asked(chats({ text: '{}' }), { model, schema, tools })).received[0]!.body.response_format;
  expect(await formatOf('openai/thinks', [])).toEqual({
    type: 'json_schema',
    json_schema: { name: 'result', schema },
  });
  expect(await formatOf('openai/thinks', [tool])).toBeUndefined();
  expect(await formatOf('openai/small', [])).toBeUndefined();
});

test.for<[name: string, answer: ChatAnswer, stop: string]>([
  ['cut at the limit', chats({ text: 'half', stop: 'length' }), 'max_output'],
  ['filtered', chats({ text: '', stop: 'content_filter' }), 'refusal'],
  [
    'cut within a call',
    chats({ calls: [{ name: 'read_file', input: '{"pa' }], stop: 'length' }),
    'max_output',
  ],
])('a reply that is %s', async ([, answer, stop]) => {
  expect((await asked(answer)).reply).toMatchObject({ stop, tool_calls: [] });
});

test.for<[name: string, answer: ChatAnswer, kind: string, words: RegExp, retryAfterMs?: number]>([
  ['no credit', refuseChat(429, { code: 'insufficient_quota', message: 'no money' }), 'quota', /no money/],
  [
    'too many requests',
    refuseChat(429, { message: 'slow down' }, { 'retry-after': '7' }),
    'rate_limit',
    /slow/,
    7000,
  ],
  ['a wrong key', refuseChat(401, { message: `bad ${apiKey}` }), 'crash', /bad \*\*\*.*OPENAI_API_KEY/],
  ['an outage', refuseChat(503, { message: 'down' }), 'timeout', /down/],
  [
    'a prompt too long',
    refuseChat(400, { code: 'context_length_exceeded', message: 'too long' }),
    'context',
    /too long/,
  ],
  [
    'a prompt too long for vLLM',
    refuseChat(400, { message: "This model's maximum context length is 4096 tokens" }),
    'context',
    /4096/,
  ],
  [
    'a prompt too long for llama.cpp',
    refuseChat(400, { message: 'request (9000 tokens) exceeds the available context size (4096 tokens)' }),
    'context',
    /9000/,
  ],
  ['an outage in the middle', breaksOff({ type: 'server_error', message: 'sorry' }), 'timeout', /sorry/],
  ['an outage behind a broker', breaksOff({ code: 502, message: 'upstream' }), 'timeout', /upstream/],
  ['a limit in the middle', breaksOff({ code: 429, message: 'slow' }), 'rate_limit', /slow/],
  [
    'a prompt too long, told in the stream',
    breaksOff({ code: 400, type: 'exceed_context_size_error', message: 'too many tokens' }),
    'context',
    /too many/,
  ],
  ['a stream cut off', chats({ text: 'half', stop: null }), 'timeout', /broke off/],
  ['a reply without usage', chats({ text: 'x', usage: null }), 'crash', /priced/],
  ['an unknown end', chats({ text: 'x', stop: 'tired' }), 'crash', /tired/],
])('%s is a failure of its own kind', async ([, answer, kind, words, retryAfterMs]) => {
  const { reply } = await asked(answer);
  expect(reply).toBeInstanceOf(ModelFailure);
  const failure = reply as ModelFailure;
  expect([failure.class, failure.message]).toEqual([kind, expect.stringMatching(words)]);
  expect(failure.message).not.toContain(apiKey);
  expect(failure.retry_after_ms).toBe(retryAfterMs);
});

test('an own server without a key is asked all the same', async () => {
  await using server = await chatServer(() => chats({ text: 'yes' }));
  const model = openaiModel({ apiKey: '', baseUrl: server.url, rows });
  expect(await model.call(request({ model: 'own' }))).toMatchObject({ text: 'yes' });
});

test('a model without a price is refused before anything is sent', async () => {
  const { reply, received } = await asked(chats({ text: 'x' }), { model: 'openai/unknown' });
  expect([reply, received]).toMatchObject([{ message: expect.stringMatching(/no price for model/) }, []]);
});

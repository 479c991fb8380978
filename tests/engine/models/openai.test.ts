// The OpenAI model, with the real SDK, against a local server that refuses what the real one refuses.
import { expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import type { ModelEvent, ModelMessage } from '../../../src/engine/models/model.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';
import { type ChatAnswer, chats, chatServer, responds } from './openai-server.ts';
import { request } from './request.ts';
import { messagesServer, says } from './server.ts';

const apiKey = 'sk-openai-secret-0001';
const row: ModelRow = {
  ...{ provider: 'openai', output: 500, tools: 'functions', temperature: true, efforts: [], schema: false },
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

/** A loop of two turns: what the model answered first goes back to it, or to another one, with the results. */
async function looped(
  first: ChatAnswer,
  { model = 'openai/small', next = model }: { model?: string; next?: string } = {},
) {
  await using server = await chatServer((_, n) => (n === 0 ? first : chats({ text: 'A' })));
  const { url } = server;
  const here: typeof fetch = (input, init) =>
    fetch(String(input).replace('https://api.openai.com/v1', url), init);
  const asked = openaiModel({
    apiKey,
    rows,
    ...(model.includes('gpt') ? { fetch: here } : { baseUrl: url }),
  });
  const begun: ModelMessage[] = [{ role: 'user', content: [{ type: 'text', text: 'Read.' }] }];
  const reply = await asked.call(request({ model, messages: begun, tools: [tool] }));
  const { parts = [], tool_calls } = reply;
  const results = tool_calls.map(({ id }) => ({ type: 'tool_result' as const, id, content: 'A' }));
  const messages: ModelMessage[] = [
    ...begun,
    { role: 'assistant', content: parts },
    { role: 'user', content: results },
  ];
  await asked.call(request({ model: next, messages, tools: [tool] })).catch(() => undefined);
  return { reply, messages, server };
}

test.for(['I look first.', ''])('what it thought (%j) goes back with its calls', async reasoning => {
  const { server } = await looped(chats({ reasoning, calls: [{ name: 'read_file', input: '{}' }] }));
  expect(server.refused).toEqual([]);
  expect(server.received[1]?.body.messages[2]).toMatchObject({ reasoning_content: reasoning });
});

test.for(['{"path":', '[1]'])('an input that is no object (%s) goes back within one', async input => {
  const { server } = await looped(chats({ calls: [{ name: 'read_file', input }] }));
  expect(server.refused).toEqual([]);
});

test('OpenAI itself is asked by the Responses API, and gets back what its model thought', async () => {
  const thought = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' };
  const called = { type: 'function_call', call_id: 'call_1', name: 'read_file', arguments: '{"path":"a"}' };
  const { reply, server } = await looped(responds([thought, called]), { model: 'openai/gpt-6.2-sol' });
  expect(server.refused).toEqual([]);
  // 400 x 2 + 600 x 0.1 + 40 x 10 USD a million.
  expect(reply).toMatchObject({
    stop: 'tool_calls',
    cost_usd: 0.00126,
    tool_calls: [{ input: { path: 'a' } }],
  });
  const [first, second] = server.received;
  expect([first?.path, first?.body.model]).toEqual(['/v1/responses', 'gpt-6.2-sol']);
  expect(second?.items).toEqual([
    { role: 'user', content: 'Read.' },
    thought,
    called,
    { type: 'function_call_output', call_id: 'call_1', output: 'A' },
  ]);
});

test('a model that takes another one’s place gets ids that it takes, and none of the thoughts', async () => {
  const input = '{}';
  const calls = ['functions.look:0', 'functions.look:1'].map(id => ({ id, name: 'read_file', input }));
  const { messages, server } = await looped(chats({ reasoning: 'hm', calls }), { next: 'own' });
  expect(server.refused).toEqual([]);
  const ids = server.received[1]?.body.messages.flatMap(each =>
    each.role === 'assistant' ? (each.tool_calls?.map(({ id }) => id) ?? []) : [],
  );
  expect(ids).toEqual(['call_1', 'call_2']);
  await using other = await messagesServer([says([{ type: 'text', text: 'Done.' }], 'end_turn')]);
  // Its ids begin anew with each reply.
  const twice = [...messages, ...messages.slice(1)];
  const { text } = await anthropicModel({ apiKey, baseUrl: other.url }).call(
    request({ messages: twice, tools: [tool] }),
  );
  expect(text).toBe('Done.');
});

test('what OpenRouter and Google want back goes back as it was', async () => {
  const piece = (text: string) => ({ type: 'reasoning.text', index: 0, text });
  const signed = { ...piece(''), signature: 's' };
  const extra_content = { google: { thought_signature: 'sig' } };
  const deltas = [
    { reasoning: 'a', reasoning_details: [piece('a')] },
    { reasoning: 'b', reasoning_details: [piece('b'), signed] },
    { tool_calls: [{ id: 'call_1', function: { name: 'read_file', arguments: '{}' }, extra_content }] },
  ];
  const { server } = await looped(chats({ deltas, stop: 'tool_calls' }));
  expect(server.refused).toEqual([]);
  expect(server.received[1]?.body.messages[2]).toMatchObject({
    reasoning: 'ab',
    reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'ab', signature: 's' }],
    tool_calls: [{ id: 'call_1', extra_content }],
  });
});

// The door at which programs of others ask the model: who may, what of a request gets through, and what is answered.
import { request as ask } from 'node:http';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../../packages/ground/lib/clock.ts';
import { readStream } from '../../../src/engine/models/anthropic-stream.ts';
import { openMessagesDoor } from '../../../src/engine/models/messages-door.ts';
import type { DoorRequest } from '../../../src/engine/models/messages-request.ts';
import { ModelFailure, type ModelReply } from '../../../src/engine/models/model.ts';
import { temporary } from '../../ground/workspace/fixture.ts';

const token = 'the-token-of-this-door';
const usage = { input_tokens: 1, output_tokens: 2, cache_read_tokens: 3, cache_write_tokens: 4 };
const call = { id: 'c1', name: 'Write', input: { path: 'a', content: '{"b": 1}' } };
const reply: ModelReply = { text: 'I write.', tool_calls: [call], usage, cost_usd: 0.5, stop: 'tool_calls' };
const thinking = { type: 'thinking', thinking: 'Hm.', signature: 'signed' };
const hello = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hello' }] };

async function open(replies: (ModelReply | Error)[]) {
  const folder = await temporary();
  const socket = join(folder.path, 'model');
  const asked: DoorRequest[] = [];
  const failures: unknown[] = [];
  const door = await openMessagesDoor({
    ...{ socket, token, clock: systemClock, failed: error => void failures.push(error) },
    async ask(request) {
      asked.push(request);
      const next = replies.shift() ?? new Error('no reply is left');
      if (next instanceof Error) throw next;
      return next;
    },
  });
  return {
    asked,
    failures,
    send: (body: unknown, { headers = {}, path = '/v1/messages?beta=true', method = 'POST' } = {}) =>
      new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
        const sent = ask({ socketPath: socket, path, method, headers: { 'x-api-key': token, ...headers } });
        sent.on('error', reject).on('response', async response => {
          let text = '';
          for await (const piece of response.setEncoding('utf8')) text += piece;
          resolve({ status: response.statusCode, text });
        });
        sent.end(typeof body === 'string' ? body : JSON.stringify(body));
      }),
    async [Symbol.asyncDispose]() {
      await door.close();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The events of an answer, as the reader of the real API understands them. */
async function* eventsIn(text: string) {
  for (const [, data = ''] of text.matchAll(/^data: (.*)$/gm)) yield JSON.parse(data);
}

test.each([
  ['another token', { headers: { 'x-api-key': `${token}2` } }, hello, 401],
  ['none', { headers: { 'x-api-key': '' } }, hello, 401],
  ['another path', { path: '/v1/files' }, hello, 404],
  ['no POST', { method: 'GET' }, '', 404],
  ['no JSON', {}, '{', 400],
  ['no conversation', {}, { model: 'm' }, 400],
])('a request with %s is refused, and nobody is asked', async (_, how, body, status) => {
  await using door = await open([reply]);
  expect((await door.send(body, how)).status).toBe(status);
  expect(door.asked).toEqual([]);
});

test('a whole answer, and the same one streamed, say what the model said', async () => {
  await using door = await open([reply, reply]);
  const { status, text } = await door.send(hello, {
    headers: { 'x-api-key': '', authorization: `Bearer ${token}` },
  });
  expect([status, JSON.parse(text)]).toMatchObject([
    200,
    {
      model: 'm',
      content: [
        { type: 'text', text: 'I write.' },
        { type: 'tool_use', ...call },
      ],
      stop_reason: 'tool_use',
      usage: {
        input_tokens: 1,
        output_tokens: 2,
        cache_read_input_tokens: 3,
        cache_creation_input_tokens: 4,
      },
    },
  ]);
  const streamed = await door.send({ ...hello, stream: true });
  const { parts: _, ...read } = await readStream(eventsIn(streamed.text), each => each);
  expect(read).toEqual({ ...reply, cost_usd: undefined });
});

test('of a request only what a conversation needs gets through: no tools of the provider, no addresses', async () => {
  await using door = await open([reply]);
  const url = 'https://example.com/?stolen';
  await door.send({
    ...hello,
    ...{ service_tier: 'priority', speed: 'fast', mcp_servers: [{ type: 'url', url }], container: 'c' },
    system: [{ type: 'text', text: 'Be good.', cache_control: { type: 'ephemeral', ttl: '1h' } }],
    messages: [
      { role: 'user', content: [{ type: 'image', source: { type: 'url', url } }] },
      { role: 'assistant', content: [{ type: 'tool_use', ...call }] },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            tool_use_id: 'c1',
            is_error: true,
            content: [
              { type: 'text', text: 'no' },
              { type: 'document', source: { type: 'url', url } },
            ],
          },
        ],
      },
      { role: 'system', content: 'Go on.' },
    ],
    tools: [
      { type: 'web_fetch_20250910', name: 'web_fetch' },
      { name: 'Write', description: 'Writes.', input_schema: { type: 'object' } },
    ],
  });
  expect(JSON.stringify(door.asked)).not.toContain('example.com');
  expect(door.asked).toEqual([
    {
      system: { stable: 'Be good.', changing: '' },
      messages: [
        { role: 'user', content: [{ type: 'text', text: '[image: cannot be shown here]' }] },
        { role: 'assistant', content: [{ type: 'tool_call', ...call }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              id: 'c1',
              content: 'no\n\n[document: cannot be shown here]',
              is_error: true,
            },
          ],
        },
        { role: 'user', content: [{ type: 'text', text: 'Go on.' }] },
      ],
      tools: [{ name: 'Write', description: 'Writes.', input: { type: 'object' } }],
    },
  ]);
});

test('thinking that was given comes back as it was; what the model never thought is dropped', async () => {
  const opaque = { type: 'opaque', model: 'm', after: 'digest', data: thinking } as const;
  const parts = [opaque, { type: 'tool_call', ...call } as const];
  await using door = await open([{ ...reply, parts }, reply]);
  const { text } = await door.send({ ...hello, stream: true });
  const given = await readStream(eventsIn(text), each => each);
  expect(given.parts[0]).toEqual({ type: 'opaque', data: thinking });
  const forged = { ...thinking, signature: 'another' };
  await door.send({ ...hello, messages: [{ role: 'assistant', content: [forged, thinking] }] });
  expect(door.asked[1]?.messages).toEqual([{ role: 'assistant', content: [opaque] }]);
});

test('a call that fails for good is told, and answered as an error without its reason', async () => {
  const failure = new Error('the key sk-1 is wrong');
  await using door = await open([failure, failure]);
  expect(await door.send(hello)).toEqual({ status: 402, text: expect.not.stringContaining('sk-1') });
  expect(await door.send({ ...hello, stream: true })).toMatchObject({ status: 402 });
  expect(door.failures).toEqual([failure, failure]);
});

test('a conversation that does not fit is the program’s to shorten: it is told, and may ask again', async () => {
  await using door = await open([new ModelFailure('context', 'too long'), reply]);
  const { status, text } = await door.send({ ...hello, stream: true });
  expect([status, text]).toEqual([400, expect.stringContaining('prompt is too long')]);
  expect((await door.send(hello)).status).toBe(200);
  expect(door.failures).toEqual([]);
});

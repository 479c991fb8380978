// The Anthropic model, with the real SDK, against a local server.
import { describe, expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { type ModelEvent, ModelFailure, type ModelRequest } from '../../../src/engine/models/model.ts';
import { request } from './request.ts';
import { begin, block, end, messagesServer, refuse, stall, stream, textBlock, toolBlock } from './server.ts';

const apiKey = 'sk-ant-secret-0001';
const tool = (name: string) => ({
  name,
  description: `does ${name}`,
  input: { type: 'object', properties: {} },
});

const said = (text: string) => ({ type: 'text' as const, text });

async function failureOf(answers: Parameters<typeof messagesServer>[0], changes = {}): Promise<ModelFailure> {
  await using server = await messagesServer(answers);
  const call = anthropicModel({ apiKey, baseUrl: server.url }).call(request(changes));
  const error = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ModelFailure);
  expect(server.received.length, 'the SDK must not retry').toBeLessThanOrEqual(1);
  return error as ModelFailure;
}

describe('a reply', () => {
  test('text is streamed, usage counted with the cache, and priced', async () => {
    await using server = await messagesServer([
      stream([begin, { type: 'ping' }, ...textBlock(0, 'Hel', 'lo'), ...end('end_turn')]),
    ]);
    const events: ModelEvent[] = [];
    const reply = await anthropicModel({ apiKey, baseUrl: server.url }).call(request(), event =>
      events.push(event),
    );
    const usage = {
      input_tokens: 100,
      output_tokens: 40,
      cache_read_tokens: 50_000,
      cache_write_tokens: 2000,
    };
    // 100 x 4 + 40 x 20 + 50,000 x 0.2 + 2000 x 5 USD a million.
    const parts = [{ type: 'text', text: 'Hello' }];
    expect(reply).toEqual({ text: 'Hello', tool_calls: [], parts, usage, cost_usd: 0.0212, stop: 'end' });
    expect(events).toEqual([
      { type: 'text', text: 'Hel' },
      { type: 'text', text: 'lo' },
      { type: 'usage', usage },
    ]);
  });

  test('tool calls are put together from pieces of JSON, thinking from its own', async () => {
    const thinking = block(0, { type: 'thinking', thinking: '', signature: '' }, [
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'abc' },
    ]);
    await using server = await messagesServer([
      stream([
        begin,
        ...thinking,
        ...toolBlock(1, 'read_file', '{"pa', 'th":"a.ts"}'),
        ...toolBlock(2, 'list_files'),
        ...end('tool_use'),
      ]),
    ]);
    const reply = await anthropicModel({ apiKey, baseUrl: server.url }).call(request());
    expect(reply.text).toBe('');
    expect(reply.stop).toBe('tool_calls');
    expect(reply.tool_calls).toEqual([
      { id: 'toolu_1', name: 'read_file', input: { path: 'a.ts' } },
      { id: 'toolu_2', name: 'list_files', input: {} },
    ]);
    expect(reply.parts?.[0]).toMatchObject({
      type: 'opaque',
      model: 'claude-opus-5-5',
      data: { type: 'thinking', thinking: 'hm', signature: 'abc' },
    });
  });

  test.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'tool_calls'],
    ['max_tokens', 'max_output'],
    ['model_context_window_exceeded', 'max_output'],
    ['refusal', 'refusal'],
  ])('stop reason %s is %s', async (reason, stop) => {
    await using server = await messagesServer([stream([begin, ...textBlock(0, 'x'), ...end(reason)])]);
    const reply = await anthropicModel({ apiKey, baseUrl: server.url }).call(request());
    expect(reply.stop).toBe(stop);
  });

  test('a tool call cut off by the output limit is left out', async () => {
    await using server = await messagesServer([
      stream([begin, ...toolBlock(0, 'write_file', '{"path":"a'), ...end('max_tokens')]),
    ]);
    const reply = await anthropicModel({ apiKey, baseUrl: server.url }).call(request());
    expect(reply).toMatchObject({ stop: 'max_output', tool_calls: [] });
  });
});

describe('the request', () => {
  test('has the effort where the model takes one, no temperature, and no more output than the model gives', async () => {
    await using server = await messagesServer([stream([begin, ...textBlock(0, 'x'), ...end('end_turn')])]);
    const changes = { effort: 'high', temperature: 0.3, max_output_tokens: 1_000_000 } as const;
    await anthropicModel({ apiKey, baseUrl: server.url }).call(request(changes));
    const { body } = server.received[0]!;
    expect(body).toMatchObject({ output_config: { effort: 'high' }, max_tokens: 128_000 });
    expect(Object.keys(body)).not.toContain('temperature');
  });

  test('has the schema of the reply where the model takes one, and not beside tools', async () => {
    const answer = stream([begin, ...textBlock(0, '{}'), ...end('end_turn')]);
    await using server = await messagesServer([answer, answer]);
    const model = anthropicModel({ apiKey, baseUrl: server.url });
    const schema = { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false };
    await model.call(request({ schema }));
    await model.call(
      request({ schema, tools: [{ name: 'read_file', description: 'reads', input: { type: 'object' } }] }),
    );
    expect(server.received.map(({ body }) => body['output_config'])).toEqual([
      { format: { type: 'json_schema', schema } },
      undefined,
    ]);
  });

  test('caches tools, the stable system text and the conversation, in this order; the changing text is last', async () => {
    await using server = await messagesServer([stream([begin, ...textBlock(0, 'x'), ...end('end_turn')])]);
    const cache_control = { type: 'ephemeral' };
    await anthropicModel({ apiKey, baseUrl: server.url }).call(
      request({
        tools: [tool('read_file'), tool('js')],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'go' }] },
          {
            role: 'assistant',
            content: [
              { type: 'text', text: '' },
              { type: 'tool_call', id: 'c1', name: 'js', input: { code: '1' } },
            ],
          },
          { role: 'user', content: [{ type: 'tool_result', id: 'c1', content: 'boom', is_error: true }] },
        ],
        temperature: 0.5,
      }),
    );
    const { path, headers, body } = server.received[0]!;
    expect(path).toBe('/v1/messages');
    expect(headers.authorization).toBe(`Bearer ${apiKey}`);
    const input_schema = { type: 'object', properties: {} };
    expect(body).toEqual({
      model: 'claude-opus-5-5',
      max_tokens: 1000,
      stream: true,
      tools: [
        { name: 'read_file', description: 'does read_file', input_schema },
        { name: 'js', description: 'does js', input_schema, cache_control },
      ],
      system: [
        { type: 'text', text: 'You are the strategist.', cache_control },
        { type: 'text', text: 'Open issues: 3' },
      ],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'go' }] },
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'c1', name: 'js', input: { code: '1' } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'c1', content: 'boom', is_error: true, cache_control },
          ],
        },
      ],
    });
  });

  test.each<[string, Partial<ModelRequest>, string[]]>([
    ['tools, stable system text, the end', {}, ['t', 'You are the strategist.', 'go']],
    [
      'what other tasks begin with too',
      { system: { stable: 'Rules.\n\nPlan.', changing: 'now', shared: 6 } },
      ['t', 'Rules.', '\n\nPlan.', 'go'],
    ],
    [
      'what a conversation begins with in other rounds too',
      { messages: [{ role: 'user', content: [said('The issue.'), said('The last round.')] }] },
      ['t', 'You are the strategist.', 'The issue.', 'The last round.'],
    ],
    [
      'and as conversations beside it; then the tools have none',
      { messages: [{ role: 'user', content: [said('Rules.'), said('The issue.'), said('The round.')] }] },
      ['You are the strategist.', 'Rules.', 'The issue.', 'The round.'],
    ],
    [
      'the later two of three such texts',
      {
        messages: [{ role: 'user', content: [said('Rules.'), said('Issue.'), said('Round.'), said('Sum.')] }],
      },
      ['You are the strategist.', 'Issue.', 'Round.', 'Sum.'],
    ],
    [
      'one of them where the system text has two',
      {
        system: { stable: 'Rules.\n\nPlan.', changing: 'now', shared: 6 },
        messages: [{ role: 'user', content: [said('Rules'), said('Issue.'), said('Round.')] }],
      },
      ['Rules.', '\n\nPlan.', 'Issue.', 'Round.'],
    ],
    [
      'that also where the conversation has gone on',
      {
        messages: [
          { role: 'user', content: [said('The issue.'), said('What happened so far.')] },
          { role: 'assistant', content: [said('I go on.')] },
          { role: 'user', content: [said('Do.')] },
        ],
      },
      ['t', 'You are the strategist.', 'The issue.', 'Do.'],
    ],
    [
      'without tools not the end',
      {
        tools: [],
        messages: [{ role: 'user', content: [said('The issue.'), said('The last round.')] }],
      },
      ['You are the strategist.', 'The issue.'],
    ],
  ])('the cache is marked after: %s', async (_name, changes, marked) => {
    await using server = await messagesServer([stream([begin, ...textBlock(0, 'x'), ...end('end_turn')])]);
    const messages = [{ role: 'user' as const, content: [said('go')] }];
    await anthropicModel({ apiKey, baseUrl: server.url }).call(
      request({ tools: [tool('t')], messages, ...changes }),
    );
    const found: string[] = [];
    JSON.stringify(server.received[0]?.body, (_key, value) => {
      if (value?.cache_control) found.push(value.text ?? value.name);
      return value;
    });
    expect(found.sort()).toEqual(marked.sort());
  });

  test('without tools and system text neither is sent, and the conversation is not cached', async () => {
    await using server = await messagesServer([stream([begin, ...textBlock(0, 'x'), ...end('end_turn')])]);
    await anthropicModel({ apiKey, baseUrl: server.url }).call(
      request({ system: { stable: '', changing: '' } }),
    );
    expect(server.received[0]!.body).toEqual({
      model: 'claude-opus-5-5',
      max_tokens: 1000,
      stream: true,
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Add a dark theme.' }] }],
    });
  });

  test('a model without a price is refused before anything is sent', async () => {
    await using server = await messagesServer([]);
    const call = anthropicModel({ apiKey, baseUrl: server.url }).call(request({ model: 'claude-next' }));
    await expect(call).rejects.toThrow(
      'no price for model claude-next: add prices.claude-next to .github/echelon.yml',
    );
    expect(server.received).toEqual([]);
  });
});

describe('a failure', () => {
  test.each([
    [429, 'rate_limit_error', 'slow down', { 'retry-after': '7' }, 'rate_limit', 7000],
    [
      429,
      'rate_limit_error',
      'slow down',
      { 'retry-after-ms': '1500', 'retry-after': '2' },
      'rate_limit',
      1500,
    ],
    [429, 'rate_limit_error', 'slow down', { 'retry-after': 'soon' }, 'rate_limit', undefined],
    [529, 'overloaded_error', 'Overloaded', {}, 'timeout', undefined],
    [503, 'unheard_of', 'maintenance', {}, 'timeout', undefined],
    [500, 'api_error', 'oops', {}, 'timeout', undefined],
    [408, 'unheard_of', 'late', {}, 'timeout', undefined],
    [402, 'unheard_of', 'pay', {}, 'quota', undefined],
    [403, 'permission_error', 'not yours', {}, 'quota', undefined],
    [400, 'invalid_request_error', 'Your credit balance is too low', {}, 'quota', undefined],
    [400, 'invalid_request_error', 'max_tokens: too large', {}, 'crash', undefined],
    [401, 'authentication_error', 'invalid x-api-key', {}, 'crash', undefined],
    [404, 'not_found_error', 'model: x', {}, 'crash', undefined],
  ])('%i %s "%s" %j is %s', async (status, type, message, headers, kind, retryAfter) => {
    const failure = await failureOf([refuse(status, type, message, headers)]);
    expect({ class: failure.class, retry_after_ms: failure.retry_after_ms }).toEqual({
      class: kind,
      retry_after_ms: retryAfter,
    });
    expect(failure.message).toContain(`Anthropic: ${status} ${message}`);
  });

  test.each([
    ['overloaded_error', 'timeout'],
    ['rate_limit_error', 'rate_limit'],
    ['billing_error', 'quota'],
    ['invalid_request_error', 'crash'],
  ])('an error event %s in the middle of a stream is %s', async (type, kind) => {
    const event = { type: 'error', error: { type, message: 'in the middle' } };
    const failure = await failureOf([stream([begin, ...textBlock(0, 'half'), event])]);
    expect(failure.class).toBe(kind);
    expect(failure.message).toContain('in the middle');
  });

  test.each([
    ['a socket cut in the middle of a stream', stall([begin], response => response.destroy())],
    ['a socket cut before the answer', (response: { destroy(): void }) => response.destroy()],
    ['a stream that ends before the message does', stream([begin, ...textBlock(0, 'half')])],
  ])('%s is timeout', async (_name, answer) => {
    expect((await failureOf([answer])).class).toBe('timeout');
  });

  const noUsage = { ...begin, message: { ...(begin['message'] as object), usage: { input_tokens: 5 } } };
  test.each([
    ['usage missing', [{ ...begin, message: {} }, ...end('end_turn')], /event message_start/],
    ['input tokens missing', [...end('end_turn')], /input_tokens is undefined/],
    [
      'output tokens missing',
      [noUsage, { ...end('end_turn')[0]!, usage: {} }, end('end_turn')[1]!],
      /output_tokens/,
    ],
    ['negative usage', [begin, ...end('end_turn', -1)], /output_tokens is -1/],
    ['no stop reason', [begin, ...end(null)], /stop reason undefined/],
    ['unknown stop reason', [begin, ...end('lunch')], /stop reason lunch/],
    [
      'tool input that is not JSON',
      [begin, ...toolBlock(0, 'js', '{"a":'), ...end('tool_use')],
      /input of js/,
    ],
    [
      'tool call without a name',
      [begin, ...block(0, { type: 'tool_use', id: 'x' }, []), ...end('tool_use')],
      /name/,
    ],
    ['event of the wrong shape', [begin, { type: 'content_block_stop', index: 'one' }], /content_block_stop/],
  ])('a stream with %s is crash', async (_name, events, message) => {
    const failure = await failureOf([stream(events)]);
    expect(failure.class).toBe('crash');
    expect(failure.message).toMatch(message);
  });

  test('the key is in no message, stack or cause, even when the server repeats it', async () => {
    const failure = await failureOf([refuse(401, 'authentication_error', `no such key: ${apiKey}`)]);
    const cause = failure.cause as Error;
    const seen = [failure.message, failure.stack, cause.message, cause.stack, JSON.stringify(cause)].join(
      '\n',
    );
    expect(seen).toContain('no such key: ***');
    expect(seen).not.toContain(apiKey);
  });

  test('the caller ends a stream: the reason of its signal is thrown', async () => {
    await using server = await messagesServer([stall([begin, ...textBlock(0, 'half')])]);
    const caller = new AbortController();
    const reason = new Error('cancelled by /cancel');
    const call = anthropicModel({ apiKey, baseUrl: server.url }).call(
      request({ signal: caller.signal }),
      event => {
        if (event.type === 'text') caller.abort(reason);
      },
    );
    await expect(call).rejects.toBe(reason);
  });

  test('the caller ends a call that has no answer yet', async () => {
    const caller = new AbortController();
    const reason = new Error('enough');
    await using server = await messagesServer([() => caller.abort(reason)]);
    const call = anthropicModel({ apiKey, baseUrl: server.url }).call(request({ signal: caller.signal }));
    await expect(call).rejects.toBe(reason);
  });

  test('an aborted signal calls nothing', async () => {
    await using server = await messagesServer([]);
    const signal = AbortSignal.abort(new Error('before'));
    await expect(anthropicModel({ apiKey, baseUrl: server.url }).call(request({ signal }))).rejects.toThrow(
      'before',
    );
    expect(server.received).toEqual([]);
  });
});

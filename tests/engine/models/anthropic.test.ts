// The Anthropic model, with the real SDK, against a local server.
import { describe, expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import type { ModelEvent, ModelRequest } from '../../../src/engine/models/model.ts';
import { request } from './request.ts';
import { begin, block, end, messagesServer, stall, stream, textBlock, toolBlock } from './server.ts';

const apiKey = 'sk-ant-secret-0001';
const tool = (name: string) => ({
  name,
  description: `does ${name}`,
  input: { type: 'object', properties: {} },
});

const said = (text: string) => ({ type: 'text' as const, text });

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
        { role: 'user', content: [{ type: 'text', text: 'go', cache_control }] },
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
      'the ends of the last two turns: a reply of ten calls is more than the API looks back',
      {
        messages: [
          { role: 'user', content: [said('The issue.'), said('What happened so far.')] },
          { role: 'assistant', content: [said('I go on.')] },
          { role: 'user', content: [said('Do.')] },
        ],
      },
      ['You are the strategist.', 'The issue.', 'What happened so far.', 'Do.'],
    ],
    [
      'without tools not the end',
      {
        tools: [],
        messages: [{ role: 'user', content: [said('The issue.'), said('The last round.')] }],
      },
      ['You are the strategist.', 'The issue.'],
    ],
    ['nothing of a call that is made once', { once: true }, []],
    [
      'what one that is made once begins with as others do',
      { once: true, messages: [{ role: 'user', content: [said('The run.'), said('The issue.')] }] },
      ['t', 'You are the strategist.', 'The run.'],
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

describe('a signal', () => {
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

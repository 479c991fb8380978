// Provider answers and their handling: each SDK against a local server as strict as the real one.
import { expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { type Model, ModelFailure, type ModelReply } from '../../../src/engine/models/model.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';
import { breaksOff, chats, chatServer, message, refuseChat, responds, streams } from './openai-server.ts';
import { request } from './request.ts';
import { begin, block, end, messagesServer, refuse, stall, stream, textBlock, toolBlock } from './server.ts';

const apiKey = 'sk-secret-0001';
const row: ModelRow = {
  ...{ provider: 'openai', tools: 'functions', temperature: true, efforts: [], schema: false },
  price: { input: 1, output: 10, cache_read: 0.5, cache_write: 0 },
};

type Answer = Parameters<typeof messagesServer>[0][number];
type Wire = 'messages' | 'chat' | 'responses';

/** The model of a wire over a server that gives this answer, and its name. */
async function opened(wire: Wire, answer: Answer) {
  if (wire === 'messages') {
    const server = await messagesServer([answer]);
    return { server, model: anthropicModel({ apiKey, baseUrl: server.url }), name: 'claude-opus-5-5' };
  }
  const server = await chatServer(() => answer);
  const here: typeof fetch = (input, init) =>
    fetch(String(input).replace('https://api.openai.com/v1', server.url), init);
  const model: Model =
    wire === 'chat'
      ? openaiModel({ apiKey, baseUrl: server.url, rows: { own: row } })
      : openaiModel({ apiKey, fetch: here });
  return { server, model, name: wire === 'chat' ? 'own' : 'gpt-6.2-sol' };
}

const tools = [{ name: 'js', description: 'runs', input: { type: 'object', properties: {} } }];

/** The class of the failure with its wait, else how the reply ends with its text and the inputs of its calls. */
async function outcome(wire: Wire, answer: Answer) {
  const { server, model, name } = await opened(wire, answer);
  await using _ = server;
  const reply: ModelReply | ModelFailure = await model
    .call(request({ model: name, tools }))
    .catch((error: ModelFailure) => error);
  expect(server.received.length, 'the SDK must not retry').toBeLessThanOrEqual(1);
  if (!(reply instanceof ModelFailure))
    return [[reply.stop, reply.text, ...reply.tool_calls.map(({ input }) => input)], ''] as const;
  const cause = reply.cause as Error | undefined;
  const told = [reply.message, reply.stack, cause?.message, cause?.stack, JSON.stringify(cause)].join('\n');
  expect(told).not.toContain(apiKey);
  const { retry_after_ms: wait } = reply;
  return [wait === undefined ? reply.class : `${reply.class} ${wait}`, reply.message] as const;
}

const call = (json: string) => ({ type: 'function_call', call_id: 'call_1', name: 'js', arguments: json });
const twoCalls = ['end', '', { a: 1 }, { a: 2 }];
const inTwo = (a: number, id?: string) =>
  [{ name: 'js', arguments: '{"a":' }, { arguments: `${a}}` }].map(piece => ({
    tool_calls: [{ index: 0, id, function: piece }],
  }));
const inTenSeconds = {
  date: 'Fri, 27 Nov 2026 20:00:00 GMT',
  'retry-after': 'Fri, 27 Nov 2026 20:00:10 GMT',
};
const begun = [begin, ...textBlock(0, 'half')];
const half = { name: 'js', input: '{"a":' };
const calling = [begin, ...toolBlock(0, half.name, half.input)];
const noUsage = { ...begin, message: { ...(begin['message'] as object), usage: { input_tokens: 5 } } };
const noOutput = { ...end('end_turn')[0]!, usage: {} };
const failed = (code: string) => responds([], { error: { code, message: 'in vain' } }, 'response.failed');
const cut = (reason: string) =>
  responds([message('half'), call('{"a":')], { incomplete_details: { reason } }, 'response.incomplete');
const slow = 'rate_limit_error';
const bad = 'invalid_request_error';

test.for<[Wire, string, Answer, came: string | unknown[], words?: RegExp]>([
  ['messages', 'too fast', refuse(429, slow, 'slow', { 'retry-after': '7' }), 'rate_limit 7000', /429 slow/],
  ['messages', 'too fast, in ms', refuse(429, slow, '', { 'retry-after-ms': '1500' }), 'rate_limit 1500'],
  ['messages', 'too fast, until a date', refuse(429, slow, '', inTenSeconds), 'rate_limit 10000'],
  ['messages', 'too fast, soon', refuse(429, slow, '', { 'retry-after': 'soon' }), 'rate_limit'],
  ['messages', 'overload', refuse(529, 'overloaded_error', 'Overloaded'), 'timeout', /529 Overloaded/],
  ['messages', 'maintenance', refuse(503, 'unheard_of', ''), 'timeout'],
  ['messages', 'a fault of its own', refuse(500, 'api_error', 'oops'), 'timeout'],
  ['messages', 'too late', refuse(408, 'unheard_of', ''), 'timeout'],
  ['messages', 'a conflict', refuse(409, 'unheard_of', ''), 'timeout'],
  ['messages', 'too large', refuse(413, 'request_too_large', ''), 'context'],
  ['messages', 'to be paid', refuse(402, 'unheard_of', ''), 'quota'],
  ['messages', 'not allowed', refuse(403, 'permission_error', ''), 'denied'],
  ['messages', 'no credit', refuse(400, bad, 'Your credit balance is too low'), 'quota'],
  ['messages', 'a prompt too long', refuse(400, bad, 'prompt is too long: 9 > 8'), 'context'],
  ['messages', 'a wrong request', refuse(400, bad, 'max_tokens: too large'), 'crash'],
  ['messages', 'a wrong key', refuse(401, '', apiKey), 'denied', /^127.*: 401 \*\*\*; set ANTHROPIC/],
  ['messages', 'no such model', refuse(404, 'not_found_error', 'model: x'), 'denied'],
  ['messages', 'overload inside', stream([...begun, errorEvent('overloaded_error')]), 'timeout', /inside/],
  ['messages', 'a limit inside', stream([...begun, errorEvent('rate_limit_error')]), 'rate_limit'],
  ['messages', 'no credit inside', stream([...begun, errorEvent('billing_error')]), 'quota'],
  ['messages', 'a fault inside', stream([...begun, errorEvent(bad)]), 'crash'],
  ['messages', 'a cut socket', stall([begin], response => response.destroy()), 'timeout'],
  ['messages', 'no answer', response => response.destroy(), 'timeout'],
  ['messages', 'no end', stream(begun), 'timeout', /broke off/],
  ['messages', 'an event cut', stall(begun, response => response.end('event: x\ndata: {"a\n\n')), 'timeout'],
  ['messages', 'no usage', stream([{ ...begin, message: {} }]), 'crash', /event message_start, at message/],
  ['messages', 'no input tokens', stream(end('end_turn')), 'crash', /input_tokens is undefined/],
  ['messages', 'no output tokens', stream([noUsage, noOutput, end('')[1]!]), 'crash'],
  ['messages', 'tokens below 0', stream([begin, ...end('end_turn', -1)]), 'crash', /output_tokens is -1/],
  ['messages', 'no stop reason', stream([begin, ...end(null)]), 'crash', /no stop reason/],
  ['messages', 'another stop reason', stream([begin, ...end('lunch')]), 'crash', /lunch/],
  [
    'messages',
    'a call without name',
    stream([begin, ...block(0, { type: 'tool_use', id: 'x' }, [])]),
    'crash',
  ],
  ['messages', 'another shape', stream([begin, { type: 'content_block_delta', index: 'x' }]), 'crash'],
  ['messages', 'broken JSON', stream([...calling, ...end('tool_use')]), ['tool_calls', '', '{"a":']],
  ['messages', 'a call cut', stream([...calling, ...end('max_tokens')]), ['max_output', '']],
  ['messages', 'a stop sequence', stream([...begun, ...end('stop_sequence')]), ['end', 'half']],
  [
    'messages',
    'the end of the window',
    stream([...begun, ...end('model_context_window_exceeded')]),
    ['max_output', 'half'],
  ],
  ['messages', 'a refusal', stream([...begun, ...end('refusal')]), ['refusal', 'half']],
  ['chat', 'no credit', refuseChat(429, { code: 'insufficient_quota', message: '' }), 'quota'],
  ['chat', 'too fast', refuseChat(429, { message: 'slow' }, { 'retry-after': '7' }), 'rate_limit 7000'],
  ['chat', 'too fast, until a date', refuseChat(429, { message: '' }, inTenSeconds), 'rate_limit 10000'],
  ['chat', 'a wrong key', refuseChat(401, { message: apiKey }), 'denied', /\*\*\*; set OPENAI_API_KEY anew/],
  ['chat', 'a policy', refuseChat(400, { code: 'content_policy_violation', message: 'no' }), 'denied'],
  ['chat', 'an outage', refuseChat(503, { message: 'down' }), 'timeout', /down/],
  ['chat', 'a conflict', refuseChat(409, { message: '' }), 'timeout'],
  ['chat', 'too large', refuseChat(413, { message: '' }), 'context'],
  ['chat', 'too long', refuseChat(400, { code: 'context_length_exceeded', message: '' }), 'context'],
  ['chat', 'too long, by vLLM', refuseChat(400, { message: 'maximum context length is 9' }), 'context'],
  ['chat', 'too long: llama.cpp', refuseChat(400, { message: 'exceeds the context size' }), 'context'],
  ['chat', 'an outage inside', breaksOff({ type: 'server_error', message: 'sorry' }), 'timeout', /sorry/],
  ['chat', 'an outage behind a broker', breaksOff({ code: 502, message: 'upstream' }), 'timeout'],
  ['chat', 'a limit inside', breaksOff({ code: 429, message: '' }), 'rate_limit'],
  ['chat', 'too long inside', breaksOff({ code: 400, type: 'exceed_context_size_error' }), 'context'],
  ['chat', 'no end', chats({ text: 'half', stop: null }), 'timeout', /broke off/],
  ['chat', 'an event cut', streams(['{"choices": [']), 'timeout'],
  ['chat', 'no usage', chats({ text: 'x', usage: null }), 'crash', /usage/],
  ['chat', 'usage without counts', chats({ text: 'x', usage: { total_tokens: 9 } }), 'crash', /usage/],
  ['chat', 'another end', chats({ text: 'x', stop: 'tired' }), 'crash', /tired/],
  ['chat', 'broken JSON', chats({ calls: [half] }), ['tool_calls', '', '{"a":']],
  ['chat', 'a call cut', chats({ calls: [half], stop: 'length' }), ['max_output', '']],
  ['chat', 'thinking in the text', chats({ text: '\n<think>hm </b>\n</think>\n\nYes.' }), ['end', 'Yes.']],
  [
    'chat',
    'thinking twice',
    chats({ deltas: [{ content: '<think>a</think><think>b</think>Yes.' }] }),
    ['end', 'Yes.'],
  ],
  ['chat', 'thinking that the prompt began', chats({ text: 'hm\n</think>\n\nYes.' }), ['end', 'Yes.']],
  [
    'chat',
    'thinking that ends in its line, twice',
    chats({ text: 'a</think>b</think> Yes.' }),
    ['end', 'Yes.'],
  ],
  ['chat', 'a mark in code', chats({ text: 'It is `</think>`.' }), ['end', 'It is `</think>`.']],
  [
    'chat',
    'an answer about thinking',
    chats({ text: 'A\n<think>\n</think>\nB' }),
    ['end', 'A\n<think>\n</think>\nB'],
  ],
  ['chat', 'calls with one index', chats({ deltas: [...inTwo(1, 'a'), ...inTwo(2, 'b')] }), twoCalls],
  ['chat', 'calls with one index, without ids', chats({ deltas: [...inTwo(1), ...inTwo(2)] }), twoCalls],
  ['chat', 'nothing but thinking', chats({ text: '<think>hm', stop: 'length' }), ['max_output', '']],
  ['chat', 'a word like it', chats({ text: '<thin> is no tag' }), ['end', '<thin> is no tag']],
  ['chat', 'a call without input', chats({ calls: [{ name: 'js', input: '' }] }), ['tool_calls', '', {}]],
  ['chat', 'a filter', chats({ text: 'x', stop: 'content_filter' }), ['refusal', 'x']],
  [
    'responses',
    'too fast',
    refuseChat(429, { message: '' }),
    'rate_limit',
    /^OpenAI \(gpt-6\.2-sol, for 2ic\): 429/,
  ],
  ['responses', 'no credit', refuseChat(429, { code: 'insufficient_quota', message: '' }), 'quota'],
  ['responses', 'a failure', failed('server_error'), 'timeout', /in vain/],
  ['responses', 'a limit inside', failed('rate_limit_exceeded'), 'rate_limit'],
  ['responses', 'a policy', failed('invalid_prompt'), 'denied', /in vain/],
  ['responses', 'too long', failed('context_length_exceeded'), 'context'],
  [
    'responses',
    'an error inside',
    streams([{ type: 'error', code: 'server_error', message: '' }]),
    'timeout',
  ],
  ['responses', 'no end', streams([{ type: 'response.created', response: {} }]), 'timeout', /broke off/],
  ['responses', 'an event cut', streams(['{"type": ']), 'timeout'],
  ['responses', 'no usage', responds([message('x')], { usage: null }), 'crash', /usage/],
  ['responses', 'usage without counts', responds([message('x')], { usage: {} }), 'crash', /usage/],
  ['responses', 'broken JSON', responds([call('{"a":')]), ['tool_calls', '', '{"a":']],
  ['responses', 'a call cut', cut('max_output_tokens'), ['max_output', 'half']],
  ['responses', 'a filter', cut('content_filter'), ['refusal', 'half', '{"a":']],
  [
    'responses',
    'a refusal',
    responds([{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }]),
    [...['refusal', 'No.']],
  ],
])('%s: %s', async ([wire, , answer, came, words = /^/]) => {
  const [found, told] = await outcome(wire, answer);
  expect(found).toEqual(came);
  expect(told).toMatch(words);
});

function errorEvent(type: string) {
  return { type: 'error', error: { type, message: 'inside' } };
}

test.for<[Wire, string, Answer, usd: number]>([
  // 100 x 4 + 50,000 x 0.2 + 2000 x 5 + 1 x 20 USD a million.
  ['messages', 'claude-opus-5-5', stream(begun), 0.02042],
  ['messages', 'claude-opus-5-5', refuse(503, '', ''), 0],
  ['chat', 'own', breaksOff({ code: 502, message: '' }), 0.00006],
  ['responses', 'gpt-6.2-sol', streams([{ type: 'response.created', response: {} }]), 0.0001],
])('%s: a reply of %s that breaks off is billed for its input', async ([wire, , answer, usd]) => {
  const { server, model, name } = await opened(wire, answer);
  await using _ = server;
  const lost: number[] = [];
  const call = model.call(request({ model: name, onLost: cost_usd => void lost.push(cost_usd) }));
  await expect(call).rejects.toMatchObject({ class: 'timeout' });
  expect(lost.reduce((sum, each) => sum + each, 0)).toBeCloseTo(usd, 4);
});

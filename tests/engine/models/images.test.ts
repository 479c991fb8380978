// Images beside a request, with the real SDKs, against local servers that refuse what the real ones refuse.
import { expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import type { ModelMessage } from '../../../src/engine/models/model.ts';
import type { ModelRow } from '../../../src/engine/models/table.ts';
import { chats, chatServer, message, responds } from './openai-server.ts';
import { request } from './request.ts';
import { begin, end, messagesServer, refuse, stream, textBlock } from './server.ts';

const images = [
  { type: 'image/png', data: 'iVBORw0K' },
  { type: 'image/gif', data: 'R0lGODlh' },
] as const;
const blind: ModelRow = {
  ...{ provider: 'openai', tools: 'functions', temperature: false, efforts: [], schema: false },
  price: { input: 1, output: 10, cache_read: 0.5, cache_write: 0 },
};
const rows = { blind, seeing: { ...blind, image: 1000 } };
const text = 'Add a dark theme.';

test('Anthropic gets them behind the text of the first message, in each call', async () => {
  const answer = stream([begin, ...textBlock(0, 'x'), ...end('end_turn')]);
  await using server = await messagesServer([answer, answer]);
  const model = anthropicModel({ apiKey: 'k', baseUrl: server.url });
  await model.call(request({ images }));
  const { messages } = request();
  const spoken: ModelMessage = { role: 'assistant', content: [{ type: 'text', text: 'x' }] };
  await model.call(request({ images, messages: [...messages, spoken, ...messages] }));
  const source = images.map(({ type, data }) => ({ type: 'base64', media_type: type, data }));
  const shown = [{ type: 'text', text }, ...source.map(each => ({ type: 'image', source: each }))];
  const first = server.received.map(
    ({ body }) => (body as { messages: { content: object[] }[] }).messages[0],
  );
  expect(first.map(each => each?.content.length)).toEqual([3, 3]);
  for (const each of first) expect(each?.content).toMatchObject(shown);
});

test('where the API refuses a request for its images, it is repeated without them', async () => {
  const refused = refuse(400, 'invalid_request_error', 'Could not process image');
  const answer = stream([begin, ...textBlock(0, 'x'), ...end('end_turn')]);
  await using server = await messagesServer([refused, answer]);
  const { text } = await anthropicModel({ apiKey: 'k', baseUrl: server.url }).call(request({ images }));
  expect(text).toBe('x');
  const sent = server.received.map(({ body }) => JSON.stringify(body).includes('"type":"image"'));
  expect(sent).toEqual([true, false]);
});

test.each(['openai/gpt-6.2-sol', 'seeing', 'blind'])('OpenAI’s APIs: %s', async model => {
  await using server = await chatServer(() =>
    model.startsWith('openai/') ? responds([message('x')]) : chats({ text: 'x' }),
  );
  const { url } = server;
  const here: typeof fetch = (input, init) =>
    fetch(String(input).replace('https://api.openai.com/v1', url), init);
  const isOpenAi = model.startsWith('openai/');
  await openaiModel({ apiKey: 'k', rows, ...(isOpenAi ? { fetch: here } : { baseUrl: url }) }).call(
    request({ images, model }),
  );
  expect(server.refused).toEqual([]);
  const [received] = server.received;
  const urls = images.map(({ type, data }) => `data:${type};base64,${data}`);
  const chat = urls.map(url => ({ type: 'image_url', image_url: { url, detail: 'high' } }));
  if (model === 'blind') expect(received?.body.messages[1]?.content).toBe(text);
  else if (model === 'seeing')
    expect(received?.body.messages[1]?.content).toEqual([{ type: 'text', text }, ...chat]);
  else
    expect(received?.items).toEqual([
      { role: 'user', content: text },
      { role: 'user', content: urls.map(url => ({ type: 'input_image', image_url: url, detail: 'high' })) },
    ]);
});

test('a reply that breaks off is billed for them as its model’s row says, where its server does not', async () => {
  const broken = chats({ text: 'x', usage: null, stop: null });
  await using server = await chatServer(() => broken);
  const lost: number[] = [];
  for (const shown of [[], images])
    await openaiModel({ apiKey: 'k', baseUrl: server.url, rows })
      .call(request({ images: shown, model: 'seeing', onLost: usd => void lost.push(usd) }))
      .catch(() => undefined);
  expect(lost).toHaveLength(2);
  // Two images of 1,000 tokens at 1 USD a million.
  expect(lost[1]! - lost[0]!).toBeCloseTo(0.002, 6);
});

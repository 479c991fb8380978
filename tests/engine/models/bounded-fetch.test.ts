// A provider's server that sends the caller elsewhere, or answers without end: both models, by their real SDKs.
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { anthropicModel } from '../../../src/engine/models/anthropic.ts';
import { ModelFailure } from '../../../src/engine/models/model.ts';
import { openaiModel } from '../../../src/engine/models/openai.ts';
import type { ModelRows } from '../../../src/engine/models/table.ts';
import { request } from './request.ts';

const rows: ModelRows = {
  'openai/small': {
    ...{ provider: 'openai', output: 500, tools: 'functions', temperature: true, efforts: [], schema: false },
    price: { input: 1, output: 10, cache_read: 0.5, cache_write: 0 },
  },
};
const models = [
  ['Anthropic', anthropicModel, {}],
  ['OpenAI', openaiModel, { model: 'openai/small' }],
] as const;

const servers: ReturnType<typeof createServer>[] = [];
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
afterAll(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test.for(models)('%s: a redirect is not followed, and named', async ([, open, changes]) => {
  const elsewhere: string[] = [];
  const other = await serve((asked, response) => {
    elsewhere.push(asked.url ?? '');
    response.end();
  });
  const baseUrl = await serve((_asked, response) =>
    response.writeHead(307, { location: `${other}/taken` }).end(),
  );
  const failure = await open({ apiKey: 'key', baseUrl, rows })
    .call(request(changes))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ModelFailure);
  expect((failure as ModelFailure).message).toContain('answers 307, a redirect, which is not followed');
  expect(elsewhere).toEqual([]);
});

const endless = models.flatMap(([name, open, changes]) => [
  { name, open, changes, what: 'a line', chunk: 'x'.repeat(1 << 20), bound: 'a line of more than 8388608' },
  { name, open, changes, what: 'lines', chunk: `${':'.padEnd(1 << 20)}\n\n`, bound: 'more than 67108864' },
]);
test.for(endless)('$name: $what without end: the connection is cut off', async each => {
  const { open, changes, chunk, bound } = each;
  let sent = 0;
  const ended = Promise.withResolvers<void>();
  const baseUrl = await serve((_asked, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n');
    const more = () => {
      while (!response.destroyed && response.write(chunk)) sent += chunk.length;
      sent += chunk.length;
    };
    response.on('drain', more).on('close', () => ended.resolve());
    more();
  });
  const failure = await open({ apiKey: 'key', baseUrl, rows })
    .call(request(changes))
    .catch((error: unknown) => error);
  expect((failure as ModelFailure).message).toContain(`the answer has ${bound} bytes`);
  await ended.promise;
  expect(sent).toBeLessThan(100 << 20);
});

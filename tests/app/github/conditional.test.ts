// Lists that have not changed are not sent again: by the real client, against a server that tags its answers.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { askConditionally } from '../../../src/app/github/octokit.ts';
import { tokenClient } from '../../../src/app/github/token-client.ts';

/** Present content of each path. */
const held: Record<string, string> = {};
const asked: (string | undefined)[] = [];
const server = createServer((request, response) => {
  const known = request.headers['if-none-match'];
  asked.push(known);
  const text = held[request.url ?? ''];
  if (text === undefined) return void response.writeHead(404).end('{}');
  const etag = `W/"${text}"`;
  if (known === etag) return void response.writeHead(304, { etag }).end();
  response.writeHead(200, { etag, 'content-type': 'application/json' }).end(JSON.stringify({ text }));
});
let client: ReturnType<typeof tokenClient>;
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  client = tokenClient('token', `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  askConditionally(client);
});
afterAll(() => void server.close());

const get = async (path: string) => {
  asked.length = 0;
  const { data } = await client.request(`GET ${path}`);
  return [data.text, ...asked];
};

test('a list is asked for by its tag, and one that has changed is read anew', async () => {
  const path = '/repos/a/b/actions/runs/1/jobs';
  held[path] = 'queued';
  expect(await get(path)).toEqual(['queued', undefined]);
  expect(await get(path)).toEqual(['queued', 'W/"queued"']);
  held[path] = 'done';
  expect(await get(path)).toEqual(['done', 'W/"queued"']);
  expect(await get(path)).toEqual(['done', 'W/"done"']);
});

test.for(['/repos/a/b/issues/1', '/repos/a/b/actions/artifacts/1/zip'])(
  '%s is asked for as ever',
  async path => {
    held[path] = 'x';
    expect([await get(path), await get(path)]).toEqual([
      ['x', undefined],
      ['x', undefined],
    ]);
  },
);

test('a refusal is one, known or not', async () => {
  const path = '/repos/a/b/actions/runs/2/jobs';
  held[path] = 'queued';
  await get(path);
  delete held[path];
  await expect(get(path)).rejects.toMatchObject({ status: 404 });
});

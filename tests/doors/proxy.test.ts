// The machine's proxy: what is not on this machine is reached by it, with a provider's real SDK.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { useProxy } from '../../src/doors/settings.ts';
import { scriptedRows } from '../../src/engine/models/names.ts';
import { openaiModel } from '../../src/engine/models/openai.ts';
import { chats, chatServer } from '../engine/models/openai-server.ts';
import { request } from '../engine/models/request.ts';

test('a provider is called by the proxy, without a key too; this machine and hosts of NO_PROXY are not', async () => {
  await using server = await chatServer(() => chats({ text: 'Hello.' }));
  const tunnels: string[] = [];
  const proxy = createServer().on('connect', ({ url = '' }, socket) => {
    tunnels.push(url);
    const tunnel = connect(Number(URL.parse(server.url)?.port), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      tunnel.pipe(socket).pipe(tunnel);
    });
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const { port } = proxy.address() as AddressInfo;
  const undo = useProxy({ HTTP_PROXY: `http://127.0.0.1:${port}`, NO_PROXY: 'direct.example' });
  const call = (baseUrl: string) =>
    openaiModel({ apiKey: '', baseUrl, rows: scriptedRows }).call(request({ model: 'scripted' }));
  expect(await call('http://models.example/v1')).toMatchObject({ text: 'Hello.' });
  expect(await call(server.url)).toMatchObject({ text: 'Hello.' });
  await expect(call('http://direct.example/v1')).rejects.toThrow(/ENOTFOUND|EAI_AGAIN/);
  expect(tunnels).toEqual(['models.example:80']);
  proxy.close();
  undo();
});

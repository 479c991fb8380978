// Images that a directive shows: they go to the layers that read it, where their model can see, and nothing keeps them.
import nock from 'nock';
import { expect, test } from 'vitest';
import { type Asked, organisationApi } from '../doors/library/organisation-api.ts';
import { holdRequests } from '../held-requests.ts';
import { openDialogue } from './fixture.ts';
import { unpackable } from './script.ts';

/** More than the record of this run would hold, however it is packed. */
const gif = `GIF89a${unpackable(300_000)}`;
const base64 = Buffer.from(gif).toString('base64');
const row = '{provider: anthropic, price: {input: 1, output: 1, cache_read: 1, cache_write: 1}}';

const host = 'https://private-user-images.githubusercontent.com';
const asset = '13f1c0de-0000-4000-8000-000000000001';
const address = `${host}/1/2-${asset}.gif?jwt=a.b`;

/** A run up to its approval request, for a directive that shows an attachment, a dead one, and an image elsewhere. */
async function run(config: string) {
  holdRequests();
  const read: string[] = [];
  nock(host)
    .persist()
    .get(/.*/)
    .reply((request: Request) => {
      read.push(request.url);
      return request.url === address ? [200, gif] : [404, ''];
    });
  await using service = await organisationApi();
  const text = `![now](${address}) ![gone](${host}/1/gone.png) ![then](https://evil.example/a.png)`;
  await using d = await openDialogue({
    config,
    issue: { title: 'Tidy the shelf', body: `Make it so:\n\n${text}` },
    served: { anthropic: { apiKey: 'sk-ant-0123456789', baseUrl: service.url } },
  });
  await d.label();
  expect(service.faults).toEqual([]);
  expect(JSON.stringify(await d.comments()).length).toBeLessThan(gif.length / 2);
  return { asked: service.asked, read };
}

const blocks = ({ body }: Asked) => body.messages[0]?.content ?? [];
const seen = (each: Asked) => blocks(each).flatMap(({ type, source }) => (type === 'image' ? [source] : []));

test('the strategist and the lead see them in each call, and are told of those not read; the team lead is not', async () => {
  const { asked } = await run('layers: all\n');
  const source = { type: 'base64', media_type: 'image/gif', data: base64 };
  expect(asked.map(each => [each.task, seen(each)])).toEqual([
    ['2ic', [source]],
    ['2ic', [source]],
    ['eng-lead', [source]],
    ['team-lead', []],
  ]);
  const told = blocks(asked[0]!)[0]?.text;
  expect(told).toContain(`- "${asset}": attached, where you can see images`);
  expect(told).toContain(`- "${host}/1/gone.png": not read: its server answered 404`);
  expect(told).toContain('- "https://evil.example/a.png": not read: it is no attachment on GitHub');
});

test('a model that cannot see is shown none, and nothing is read for it', async () => {
  const { asked, read } = await run(`layers: all\nmodels:\n  default: own\n  own: ${row}\n`);
  expect(asked.map(each => [each.task, seen(each)])).toEqual([
    ...['2ic', '2ic', 'eng-lead', 'team-lead'].map(task => [task, []]),
  ]);
  expect(JSON.stringify(asked)).not.toContain('where you can see images');
  expect(read).toEqual([]);
});

// A review on the forge's pages: threads that are resolved.
import { afterEach, expect, test } from 'vitest';
import { pages } from '../../src/forge/pages/pages.ts';
import { openTestForge, type TestForge } from './fixture.ts';
import { key, Visitor } from './visitor.ts';

let opened: TestForge | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});

/** With pull request 1 of wanda, who turns a sum round. */
async function open(actor = 'olga') {
  opened = await openTestForge({ pages: forge => pages(forge, { actor, key }) });
  const { forge } = opened;
  const pull = { title: 'Turn', head: 'feature', base: 'main' };
  const { body } = await forge.call('wanda', 'POST', '/repos/olga/work/pulls', pull);
  const { head } = Object(body);
  return { opened, forge, head: String(head.sha), visitor: new Visitor(forge.url) };
}

const fieldOf = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

test('a thread is resolved, folded, and opened again; what was typed is said with it', async () => {
  const { forge, head, visitor } = await open();
  const line = { path: 'src/sum.js', line: 1, side: 'RIGHT', commit_id: head, body: 'Why?' };
  const { body } = await forge.call('sam', 'POST', '/repos/olga/work/pulls/1/comments', line);
  const id = Number(Object(body).id);
  const read = async () => (await visitor.read('/olga/work/pull/1')).text;
  const before = await read();
  expect(before).toContain(`<div class="on-line" id="discussion_r${id}">`);

  const thread = fieldOf(before, 'thread');
  const to = `/olga/work/pull/1/threads/${id}`;
  const sent = await visitor.send(to, { thread, resolved: 'true', body: 'So it is.' });
  expect(sent).toMatchObject({ status: 303, to: `/olga/work/pull/1#discussion_r${id}` });
  const folded = await read();
  expect(folded).toContain(`<details class="on-line" id="discussion_r${id}"><summary>`);
  expect(folded).toContain('resolved by olga');
  expect(folded).toContain('So it is.');

  await visitor.send(to, { thread, resolved: 'false', body: '' });
  expect(await read()).toContain(`<div class="on-line" id="discussion_r${id}">`);
  expect((await visitor.send(to, { thread: 'PRRT_none', resolved: 'true' })).status).toBe(422);
});

test('who may not write resolves no thread of others', async () => {
  const { forge, head, visitor } = await open('sam');
  const line = { path: 'src/sum.js', line: 1, side: 'RIGHT', commit_id: head, body: 'Why?' };
  await forge.call('olga', 'POST', '/repos/olga/work/pulls/1/comments', line);
  const { text } = await visitor.read('/olga/work/pull/1');
  const thread = fieldOf(text, 'thread');
  const refused = await visitor.send('/olga/work/pull/1/threads/1', { thread, resolved: 'true' });
  expect(refused.status).toBe(422);
  expect((await visitor.read('/olga/work/pull/1')).text).not.toContain('resolved by');
});

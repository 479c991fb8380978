// Filing and saying without a script: previews, commands to read, answers to click; and what a script is told of all that.
import { afterEach, expect, test } from 'vitest';
import { pages } from '../../packages/forge/pages/pages.ts';
import type { QuickReplies } from '../../packages/forge/pages/issue.ts';
import { Visitor } from '../visitor.ts';
import { openTestForge, type TestForge } from './fixture.ts';

const key = 'the-key-of-these-pages';
const issue = '/olga/work/issues/1';

let opened: TestForge | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});

/** An issue on which wanda asks; what she says is offered to be answered. */
async function asked() {
  const quickReplies: QuickReplies = thread =>
    new Map(
      thread
        .filter(({ author, edited, body }) => author === 'wanda' && !edited && body.startsWith('Shall'))
        .map(({ id }) => [
          id,
          [
            { label: 'Yes', line: '/yes "><b>', main: true as const },
            { label: 'No', line: '/no', field: 'Why <i>' },
          ],
        ]),
    );
  opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key, quickReplies }) });
  const { forge } = opened;
  const call = (login: string, method: string, path: string, body: object) =>
    forge.call(login, method, `/repos/olga/work/issues${path}`, body);
  await call('olga', 'POST', '', { title: 'T' });
  await call('wanda', 'POST', '/1/comments', { body: 'Shall I?' });
  await call('sam', 'POST', '/1/comments', { body: 'Shall I?' });
  const bodies = async () => {
    const { body } = await forge.call('olga', 'GET', `/repos${issue}/comments`);
    return (body as { body: string; user: { login: string } }[]).map(each => [each.user.login, each.body]);
  };
  return { visitor: new Visitor(forge.url, key), bodies };
}

test('a button says its line once, as it was offered, and is gone', async () => {
  const { visitor, bodies } = await asked();
  const { text } = await visitor.read(issue);
  expect(text.match(/>Yes<\/button>/g)).toHaveLength(1);
  expect(text).toContain('value="/yes &quot;&gt;&lt;b&gt;"');
  expect(await visitor.press('No', { rest: ' not\n/approve  now ' })).toBe(issue);
  expect((await bodies()).at(-1)).toEqual(['olga', '/no not /approve now']);
  expect((await visitor.read(issue)).text).not.toContain('quick-replies');
  await visitor.send(`${issue}/comments`, { body: 'Something else.', turn: '' });
  expect((await visitor.read(issue)).text).toContain('quick-replies');
  await visitor.send(`${issue}/comments`, { body: '/yes "><b>' });
  expect((await bodies()).at(-1)).toEqual(['olga', '/yes "><b>']);
  expect((await visitor.read(issue)).text).not.toContain('quick-replies');
});

const hostile = '<img src=x onerror=alert(1)> "#1"';

async function filed() {
  const commands = [{ name: 'go', usage: '/go [<b>]', what: 'begins <i>' }];
  opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key, commands }) });
  const { forge } = opened;
  await forge.call('olga', 'POST', '/repos/olga/work/labels', { name: 'bug', color: 'ff0000' });
  await forge.call('wanda', 'POST', '/repos/olga/work/issues', { title: hostile });
  return { forge, visitor: new Visitor(forge.url, key) };
}

test('a preview is drawn as the text will be, and keeps all that was filled in', async () => {
  const { forge, visitor } = await filed();
  await visitor.read('/olga/work/issues/new');
  const draft = { title: hostile, body: 'As **#1**\n<script>x</script>', label: 'bug', labels: 'new, b' };
  const shown = await visitor.show('/olga/work/issues/preview', draft);
  expect(shown).toMatch(
    /<section id="preview"[\s\S]*<strong><a href="\/olga\/work\/issues\/1"[\s\S]*<\/section>/,
  );
  expect(shown).toContain(
    `value="${hostile.replaceAll('"', '&quot;').replace('<', '&lt;').replace('>', '&gt;')}"`,
  );
  expect(shown).toContain('&lt;script&gt;x&lt;/script&gt;</textarea>');
  expect(shown).not.toContain('<script>x');
  expect(shown).toContain('value="bug" checked');
  expect(shown).toContain('name="labels" value="new, b"');
  await visitor.send('/olga/work/issues', draft);

  await visitor.read(issue);
  expect(await visitor.show(`${issue}/preview`, { body: '_so_' })).toMatch(
    />\n_so_<\/textarea>[\s\S]*<em>so<\/em>/,
  );
  expect(await visitor.send(`${issue}/comments`, { body: '_so_', turn: '' })).toBe(issue);
  const { body } = await forge.call('olga', 'GET', '/repos/olga/work/issues?state=all');
  expect(body).toHaveLength(2);
  await visitor.read(issue);
  expect(await visitor.show('/olga/work/preview', { body: '_alone_' })).toContain('<em>alone</em>');
  await visitor.read(issue);
  await expect(visitor.show(`${issue}/preview`, { body: 'x'.repeat(65_537) })).rejects.toThrow('422');
  await expect(visitor.show('/olga/work/issues/99/preview', { body: 'x' })).rejects.toThrow('404');
});

test('the commands stand below a comment', async () => {
  const { visitor } = await filed();
  expect((await visitor.read(issue)).text).toContain(
    '<dt><code>/go [&lt;b&gt;]</code></dt><dd>begins &lt;i&gt;</dd>',
  );
});

// Answering by clicking, without a script: what a comment offers is said as a comment of one's own.
import { afterEach, expect, test } from 'vitest';
import { pages } from '../../src/forge/pages/pages.ts';
import type { QuickReplies } from '../../src/forge/pages/quick-replies.ts';
import { Visitor } from '../doors/cli/visitor.ts';
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
  await visitor.read(issue);
  await visitor.send(`${issue}/comments`, { body: '/yes "><b>' });
  expect((await bodies()).at(-1)).toEqual(['olga', '/yes "><b>']);
  expect((await visitor.read(issue)).text).not.toContain('quick-replies');
});

// A review on the forge's pages: threads that are begun on lines and resolved, and suggestions as changes.
import { afterEach, describe, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { pages } from '../../packages/forge/pages/pages.ts';
import { commit, openTestForge, type TestForge } from './fixture.ts';
import { key, Visitor } from './visitor.ts';

let opened: TestForge | undefined;
afterEach(async () => {
  await opened?.[Symbol.asyncDispose]();
  opened = undefined;
});

/** Nine lines: one, two, three, ... */
const numbers = 'one two three four five six seven eight nine'.split(' ');
const nine = `${numbers.join('\n')}\n`;

/** With pull request 1 of wanda, who turns a sum round; `files` are pushed to its branch before. */
async function open(actor = 'olga', files?: Record<string, string>) {
  opened = await openTestForge({ pages: forge => pages(forge, { actor, key }) });
  const { forge } = opened;
  if (files) await pushed(files);
  const pull = { title: 'Turn', head: 'feature', base: 'main' };
  const { body } = await forge.call('wanda', 'POST', '/repos/olga/work/pulls', pull);
  const { head } = Object(body);
  return { opened, forge, head: String(head.sha), visitor: new Visitor(forge.url) };
}

/** Commits files to the branch of the pull request. */
async function pushed(files: Record<string, string>): Promise<void> {
  const t = opened as TestForge;
  const clone = await t.clone('wanda', `clone-${Math.random()}`);
  await git(clone, ['checkout', '--quiet', 'feature']);
  await commit(clone, files, 'Go on');
  await git(clone, ['push', '--quiet', 'origin', 'feature']);
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

test('lines that are commented on move with their file, or are outdated', async () => {
  const without = (...gone: string[]) => numbers.filter(each => !gone.includes(each));
  const at = (first: number, last: number) => ({ line: last, start_line: first });
  const cases: [what: string, after: string[], now: ReturnType<typeof at> | undefined][] = [
    ['nothing else', [...numbers], at(4, 5)],
    ['lines come above', ['zero', 'half', ...numbers], at(6, 7)],
    ['lines go above', without('one', 'two'), at(2, 3)],
    ['the line above changes', numbers.with(2, 'THREE'), at(4, 5)],
    ['lines come right below', numbers.toSpliced(5, 0, 'between'), at(4, 5)],
    ['lines come right above', numbers.toSpliced(3, 0, 'between'), at(5, 6)],
    ['a line comes between', numbers.toSpliced(4, 0, 'between'), undefined],
    ['one of them changes', numbers.with(4, 'FIVE'), undefined],
    ['one of them goes', without('four'), undefined],
    ['the file becomes binary', ['\0'], undefined],
  ];
  const files = (of: (each: (typeof cases)[number]) => string) =>
    Object.fromEntries(cases.map(each => [`${each[0]}.txt`, of(each)]));
  const { forge, head } = await open(
    'olga',
    files(() => nine),
  );
  const comments = '/repos/olga/work/pulls/1/comments';
  const read = async () => Object((await forge.call('olga', 'GET', comments)).body);
  for (const [what] of cases) {
    const on = { path: `${what}.txt`, start_line: 4, line: 5, commit_id: head, body: 'Hm.' };
    await forge.call('olga', 'POST', comments, on);
  }
  await pushed(files(([, after]) => `${after.join('\n')}\n`));
  await forge.call('olga', 'POST', `${comments}/${(await read())[6].id}/replies`, { body: 'Still.' });
  const all = await read();
  const seen = cases.map(([what], index) => {
    const { line, start_line } = all[index];
    return [what, line === undefined ? undefined : { line, start_line }];
  });
  expect(seen).toEqual(cases.map(([what, , now]) => [what, now]));
  const written = { original_line: 5, original_start_line: 4, original_commit_id: head };
  for (const each of all) expect(each).toMatchObject(written);
  expect(all.at(-1).line).toBe(undefined);
  const query = `{ repository(owner: "olga", name: "work") { pullRequest(number: 1) { reviewThreads(last: 1) {
    nodes { isOutdated originalLine line } } } } }`;
  const told = await forge.call('olga', 'POST', '/graphql', { query });
  expect(Object(told.body).data.repository.pullRequest.reviewThreads.nodes).toEqual([
    { isOutdated: true, originalLine: 5, line: null },
  ]);
});

describe('a suggestion', () => {
  test('is shown as a change, its text as text', async () => {
    const { forge, head, visitor } = await open('olga', { 'n.txt': nine });
    const hostile = '</code><script>alert(1)</script> & "<!--';
    const on = {
      path: 'n.txt',
      line: 2,
      commit_id: head,
      body: `Say\n\n\`\`\`suggestion\n${hostile}\n\`\`\`\n`,
    };
    await forge.call('wanda', 'POST', '/repos/olga/work/pulls/1/comments', on);
    const { text } = await visitor.read('/olga/work/pull/1');
    expect(text).not.toMatch(/<script>/);
    expect(text).toMatch(/<tr class="del"><td>2<\/td><td><\/td><td><code>-two<\/code>/);
    expect(text).toContain('<code>+&lt;/code&gt;&lt;script&gt;alert(1)');
  });
});

test('a comment is written to lines that changed, and to no other', async () => {
  const { forge, head, visitor } = await open('olga', { 'n.txt': nine });
  await visitor.read('/olga/work/pull/1');
  const form = { path: 'n.txt', commit: head, start: '1', line: '2', side: 'RIGHT', body: 'Why?' };
  expect((await visitor.send('/olga/work/pull/1/lines', form)).status).toBe(303);
  const { body: said } = await forge.call('olga', 'GET', '/repos/olga/work/pulls/1/comments');
  expect(Object(said)[0]).toMatchObject({ start_line: 1, line: 2, body: 'Why?' });
  const beyond = await visitor.send('/olga/work/pull/1/lines', { ...form, start: '', line: '99' });
  expect(beyond).toMatchObject({
    status: 422,
    text: expect.stringContaining('Line 99 of n.txt is not one'),
  });
});

// A review on the forge's pages: threads that are resolved, and suggestions that are committed.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { git, tryGit } from '../../src/forge/git.ts';
import { widened } from '../../src/forge/pages/widened.ts';
import { withLines } from '../../src/forge/pages/review/with-lines.ts';
import { pages } from '../../src/forge/pages/pages.ts';
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
  test.each<
    [
      what: string,
      text: string,
      place: [number, number],
      before: string[],
      after: string[],
      becomes: string | undefined,
    ]
  >([
    ['a line', nine, [2, 2], ['two'], ['TWO'], nine.replace('two', 'TWO')],
    ['several lines by one', nine, [2, 3], ['two', 'three'], ['x'], nine.replace('two\nthree', 'x')],
    ['a line by nothing', nine, [1, 1], ['one'], [], nine.slice(4)],
    ['a line by an empty one', nine, [1, 1], ['one'], [''], nine.slice(3)],
    ['the last line, which has no end', 'a\nb', [2, 2], ['b'], ['c', 'd'], 'a\nc\nd'],
    ['lines that end as on Windows', 'a\r\nb\r\n', [1, 1], ['a'], ['c', 'd'], 'c\r\nd\r\nb\r\n'],
    ['other lines than were seen', nine, [2, 2], ['three'], ['x'], undefined],
    ['lines beyond the end', nine, [9, 12], ['nine'], ['x'], undefined],
    ['no lines at all', nine, [0, 0], [], ['x'], undefined],
  ])('replaces %s', (_what, text, [from, to], before, after, becomes) => {
    expect(withLines(text, { from, to }, before, after)).toBe(becomes);
  });

  const suggesting = (lines: string) => `Say\n\n\`\`\`suggestion\n${lines}\`\`\`\n`;
  const suggest = async (forge: TestForge['forge'], commit_id: string, body: string, line = 2) => {
    const on = { path: 'n.txt', line, commit_id, body };
    const answer = await forge.call('wanda', 'POST', '/repos/olga/work/pulls/1/comments', on);
    return Number(Object(answer.body).id);
  };
  const contentOf = async (forge: TestForge['forge']) => {
    const { body } = await forge.call('olga', 'GET', '/repos/olga/work/contents/n.txt?ref=feature');
    return Buffer.from(Object(body).content, 'base64').toString();
  };

  test('is shown as a change, and committed in the name of both', async () => {
    const { forge, head, visitor } = await open('olga', { 'n.txt': nine });
    const hostile = '</code><script>alert(1)</script> & "<!--';
    const id = await suggest(forge, head, suggesting(`${hostile}\n`));
    const { text } = await visitor.read('/olga/work/pull/1');
    expect(text).not.toMatch(/<script>/);
    expect(text).toMatch(/<tr class="del"><td>2<\/td><td><\/td><td><code>-two<\/code>/);
    expect(text).toContain('<code>+&lt;/code&gt;&lt;script&gt;alert(1)');
    const fields = { head: fieldOf(text, 'head'), number: '0' };
    const sent = await visitor.send(`/olga/work/pull/1/suggestions/${id}`, fields);
    expect(sent).toMatchObject({ status: 303, to: `/olga/work/pull/1#discussion_r${id}` });
    expect(await contentOf(forge)).toBe(nine.replace('two', hostile));
    const { body } = await forge.call('olga', 'GET', '/repos/olga/work/commits/feature');
    const { commit: made, author } = Object(body);
    expect(made.message).toMatch(
      /^Apply a suggestion of @wanda\n\nCo-authored-by: wanda <\d+\+wanda@users\.noreply\.github\.com>$/,
    );
    expect([author?.login, made.author.name]).toEqual(['olga', 'olga']);
    const after = (await visitor.read('/olga/work/pull/1')).text;
    expect(after).toContain('resolved by olga');
    expect(after).toContain('outdated');
    expect(after).not.toContain('Commit suggestion');
  });

  test('fits where its lines have moved to, each of several in its turn', async () => {
    const { forge, head, visitor } = await open('olga', { 'n.txt': nine });
    const [first, second] = [
      await suggest(forge, head, suggesting('TWO\nand a half\n')),
      await suggest(forge, head, suggesting('EIGHT\n'), 8),
    ];
    for (const id of [first, second]) {
      const { text } = await visitor.read('/olga/work/pull/1');
      const sent = await visitor.send(`/olga/work/pull/1/suggestions/${id}`, {
        head: fieldOf(text, 'head'),
        number: '0',
      });
      expect(sent.status).toBe(303);
    }
    expect(await contentOf(forge)).toBe(nine.replace('two', 'TWO\nand a half').replace('eight', 'EIGHT'));
  });

  test.each<
    [
      what: string,
      actor: string,
      before: (forge: TestForge['forge'], id: number) => Promise<unknown>,
      sentence: string,
    ]
  >([
    [
      'whose lines changed',
      'olga',
      () => pushed({ 'n.txt': nine.replace('two', '2') }),
      'lines have changed',
    ],
    ['whose file went', 'olga', forge => remove(forge), 'lines have changed'],
    ['on a head that moved since', 'olga', () => pushed({ 'other.txt': 'x' }), 'Commits came since'],
    ['of who may not write', 'tom', async () => {}, 'Must have write access'],
    [
      'of a pull request that is closed',
      'olga',
      forge => forge.call('olga', 'PATCH', '/repos/olga/work/pulls/1', { state: 'closed' }),
      'The pull request is closed',
    ],
  ])('%s is refused in a sentence', async (what, actor, before, sentence) => {
    const { forge, head, visitor } = await open(actor, { 'n.txt': nine });
    const id = await suggest(forge, head, suggesting('TWO\n'));
    let { text } = await visitor.read('/olga/work/pull/1');
    expect(text.includes('Commit suggestion')).toBe(actor === 'olga');
    await before(forge, id);
    const changed = await contentOf(forge).catch(() => '');
    if (sentence === 'lines have changed') text = (await visitor.read('/olga/work/pull/1')).text;
    const now = await forge.call('olga', 'GET', '/repos/olga/work/pulls/1');
    const seen = what === 'on a head that moved since' ? head : Object(now.body).head.sha;
    const sent = await visitor.send(`/olga/work/pull/1/suggestions/${id}`, { head: seen, number: '0' });
    expect(sent.status).toBeGreaterThan(399);
    expect(sent.text).toContain(sentence);
    expect(text.includes('Commit suggestion')).toBe(actor === 'olga' && sentence !== 'lines have changed');
    expect(await contentOf(forge).catch(() => '')).toBe(changed);
    expect(
      (await visitor.send(`/olga/work/pull/1/suggestions/${id}`, { head: seen, number: '7' })).status,
    ).toBe(404);
  });

  const remove = async (forge: TestForge['forge']) => {
    const call = async (method: string, path: string, body?: object) =>
      Object((await forge.call('olga', method, `/repos/olga/work/git/${path}`, body)).body);
    const { object } = await call('GET', 'ref/heads/feature');
    const entry = { path: 'n.txt', mode: '100644', type: 'blob', sha: null };
    const tree = await call('POST', 'trees', { base_tree: object.sha, tree: [entry] });
    const commit = { message: 'Remove', tree: tree.sha, parents: [object.sha] };
    const { sha } = await call('POST', 'commits', commit);
    return await call('PATCH', 'refs/heads/feature', { sha });
  };

  test('is written from the lines, fenced by more than they hold', async () => {
    const { forge, head, visitor } = await open('olga', { 'n.txt': `one\n\`\`\`\`js\nthree\n` });
    await visitor.read('/olga/work/pull/1');
    const form = { path: 'n.txt', commit: head, start: '1', line: '2', side: 'RIGHT', body: 'Like so:' };
    const filled = await visitor.send('/olga/work/pull/1/lines/suggestion', form);
    const body = /<textarea[^>]*>\n([^<]*)<\/textarea>/.exec(filled.text)?.[1] ?? '';
    expect(body).toBe('Like so:\n\n`````suggestion\none\n````js\n`````\n');
    expect((await visitor.send('/olga/work/pull/1/lines', { ...form, body })).status).toBe(303);
    const { body: said } = await forge.call('olga', 'GET', '/repos/olga/work/pulls/1/comments');
    expect(Object(said)[0]).toMatchObject({ start_line: 1, line: 2, body });
    const beyond = await visitor.send('/olga/work/pull/1/lines', { ...form, start: '', line: '9' });
    expect(beyond).toMatchObject({
      status: 422,
      text: expect.stringContaining('Line 9 of n.txt is not one'),
    });
    for (const wrong of [{ line: '4' }, { start: '3' }, { side: 'LEFT' }, { path: 'none' }, { line: '' }])
      expect(
        (await visitor.send('/olga/work/pull/1/lines/suggestion', { ...form, ...wrong })).status,
      ).toBeGreaterThan(399);
  });
});

describe('more of a file around its changes', () => {
  const many = Array.from({ length: 200 }, (_each, at) => `line ${at + 1}`);
  const text = (lines: string[]) => (lines.length === 0 ? '' : `${lines.join('\n')}\n`);

  test.each<[what: string, after: string[]]>([
    ['changes in its middle', many.with(60, 'x').toSpliced(100, 3).toSpliced(150, 0, 'y', 'z')],
    ['changes at its ends', ['new', ...many.slice(2, 190), 'end']],
    ['changes beside each other', many.with(50, 'x').with(58, 'y').with(90, 'z')],
    ['only lines that go', many.toSpliced(10, 5)],
    ['only lines that come', many.toSpliced(150, 0, 'a', 'b')],
    ['nothing of the old', ['a', 'b']],
  ])('%s: as git shows it', async (_what, after) => {
    const folder = mkdtempSync(join(tmpdir(), 'widened-'));
    try {
      writeFileSync(join(folder, 'a'), text(many));
      writeFileSync(join(folder, 'b'), text(after));
      const patchOf = async (context: number) => {
        const { stdout } = await tryGit(folder, ['diff', '--no-index', `-U${context}`, 'a', 'b']);
        return stdout
          .toString()
          .replace(/^[^@]*/, '')
          .replace(/^(@@ .* @@).*/gm, '$1')
          .trimEnd();
      };
      const short = await patchOf(3);
      const at = [...short.matchAll(/^@@ -\S+ \+(\d+)(?:,(\d+))? @@/gm)].map(([, start, count = '1']) => ({
        from: Number(start),
        to: Number(start) + Number(count) - 1,
      }));
      const more = at.map(({ from, to }) => ({ from: from - 20, to: to + 20 }));
      expect(widened(short, after, more)).toBe(await patchOf(23));
      expect(widened(short, after, [{ from: 1, to: 9_999_999 }])).toBe(await patchOf(100_000));
      expect(widened(short, after, [])).toBe(short);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('by links that keep the place, until nothing is left to be shown', async () => {
    const { opened, forge, visitor } = await open();
    const clone = await opened.clone('olga');
    await commit(clone, { 'many.txt': text(many) }, 'Many');
    await git(clone, ['push', '--quiet', 'origin', 'main']);
    await git(clone, ['checkout', '--quiet', '-b', 'later']);
    await commit(clone, { 'many.txt': text(many.with(99, 'changed <b>')) }, 'Change');
    await git(clone, ['push', '--quiet', 'origin', 'later']);
    await forge.call('olga', 'POST', '/repos/olga/work/pulls', { title: 'L', head: 'later', base: 'main' });
    const linksOf = (page: string) =>
      [...page.matchAll(/<a href="([^"]*\/file\?[^"]*)">([^<]*)<\/a>/g)].map(([, to = '', what]) => ({
        to: to.replaceAll('&amp;', '&'),
        what,
      }));
    let { text: page } = await visitor.read('/olga/work/pull/2');
    const file = '/olga/work/pull/2/file?path=many.txt';
    expect(linksOf(page)).toEqual([
      { what: 'Show whole file', to: `${file}&open=1-9999999#R1` },
      { what: 'Show 20 lines above', to: `${file}&open=77-96#R97` },
      { what: 'Show 20 lines below', to: `${file}&open=104-123#R103` },
    ]);
    for (const what of ['Show 20 lines above', 'Show 20 lines below', 'Show 20 lines above']) {
      const to = linksOf(page).find(each => each.what === what)?.to ?? '';
      page = (await visitor.read(to)).text;
      expect(page).toContain(`id="${to.split('#')[1]}"`);
    }
    const shown = [...page.matchAll(/id="R(\d+)"/g)].map(([, n]) => Number(n));
    expect([shown[0], shown.at(-1), shown.length]).toEqual([57, 123, 67]);
    const whole = (await visitor.read(`${file}&open=1-9999999`)).text;
    expect([...whole.matchAll(/id="R\d+"/g)]).toHaveLength(200);
    expect(whole).toContain('changed &lt;b&gt;');
    expect(linksOf(whole).map(({ what }) => what)).toEqual(['Show whole file']);
    // A change of the only line there is.
    expect((await visitor.read('/olga/work/pull/1')).text).not.toContain('lines below');
    for (const odd of ['open=x', 'open=0-0', 'open=9999999', 'open=-5', 'open=5-1&open=1-5'])
      expect((await visitor.read(`${file}&${odd}`)).status).toBe(200);
  });
});

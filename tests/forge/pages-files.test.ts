// Files on the forge's pages: every kind of entry and name, every kind of content, and what a hostile one cannot do.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { pages } from '../../packages/forge/pages/pages.ts';
import { commit, openTestForge, type TestForge } from './fixture.ts';
import { key, Visitor } from './visitor.ts';

const hostile = '<script>alert(1)</script>"\'';
const elsewhere = '1234567890123456789012345678901234567890';
/** As they stand in docs/links.md, and where they lead. */
const links = [
  ['README.md', '/olga/work/blob/a/long/branch/docs/README.md'],
  ['../src/sum.js#L1', '/olga/work/blob/a/long/branch/src/sum.js#L1'],
  ['/src', '/olga/work/blob/a/long/branch/src'],
  ['a%20b.txt', '/olga/work/blob/a/long/branch/docs/a%20b.txt'],
  ['../../../../../x', '/olga/work/blob/a/long/branch/x'],
  ['https://example.com/x', 'https://example.com/x'],
  ['//example.com/x', undefined],
  ['java\tscript:alert(1)', undefined],
  ['javascript:alert(1)', undefined],
  ['http://file/x', 'http://file/x'],
] as const;
const many = Array.from({ length: 4500 }, (_each, at) => `line ${at + 1}`).join('\n');

let opened: TestForge;
let visitor: Visitor;
let first: string;
let last: string;
beforeAll(async () => {
  opened = await openTestForge({ pages: forge => pages(forge, { actor: 'olga', key }) });
  visitor = new Visitor(opened.forge.url);
  const clone = await opened.clone('olga');
  first = await git(clone, ['rev-parse', 'HEAD']);
  await git(clone, ['checkout', '--quiet', '-b', 'a/long/branch']);
  mkdirSync(join(clone, 'module'));
  symlinkSync('/etc/passwd', join(clone, 'link'));
  await git(clone, ['update-index', '--add', '--cacheinfo', `160000,${elsewhere},module`]);
  const latin = execFileSync('git', ['-C', clone, 'hash-object', '-w', '--stdin'], {
    input: Buffer.from('caf\xe9\n', 'latin1'),
  });
  const binary = execFileSync('git', ['-C', clone, 'hash-object', '-w', '--stdin'], {
    input: Buffer.from([1, 0, 2]),
  });
  for (const [sha, path] of [
    [latin, 'latin.txt'],
    [binary, 'a.bin'],
  ] as const)
    await git(clone, ['update-index', '--add', '--cacheinfo', `100644,${String(sha).trim()},${path}`]);
  await git(clone, ['checkout', '--quiet', '--', 'latin.txt', 'a.bin']);
  last = await commit(
    clone,
    {
      'docs/README.md': '# The docs\n\n<b onclick=x>bold</b>',
      'docs/links.md': links.map(([address]) => `[x](${address})`).join('\n\n'),
      'docs/a b.txt': 'spaced\n',
      'docs/%2F.txt': 'percent\n',
      'docs/..txt': 'dots\n',
      'docs/line\nbreak\u202e.txt': 'odd\n',
      'docs/#?.txt': 'marks\n',
      [`docs/${hostile.replaceAll('/', '')}.html`]: hostile,
      'docs/*.txt': 'star\n',
      'empty.txt': '',
      'open.txt': 'no newline',
      'crlf.txt': 'one\r\ntwo\r\n',
      'lone.txt': 'one\rtwo\n',
      'bidi.js': 'a = "\u202e"; // \u2066\n',
      'code.ts': 'export const one = 1;\n',
      'many.txt': `${many}\n`,
      'wide.txt': `${'x'.repeat(50_000)}\nend\n`,
      'tags.ts': `${'<'.repeat(19_000)}\n`,
      'ones.js': `${'1+'.repeat(1900)}1;\n`.repeat(5),
      'many-tags.txt': `${'<'.repeat(99)}\n`.repeat(1000),
      'large.txt': 'y'.repeat(1024 * 1024 + 1),
    },
    'Add every kind',
  );
  await git(clone, ['push', '--quiet', 'origin', 'HEAD']);
  await git(clone, ['tag', '--annotate', '--message', 'One', 'v/1']);
  await git(clone, ['push', '--quiet', 'origin', 'v/1']);
});
afterAll(() => opened[Symbol.asyncDispose]());

const branch = '/olga/work/blob/a/long/branch';
const read = (path: string) => visitor.read(path);

describe('a folder', () => {
  test('lists every kind of entry, its folders first, and its readme below', async () => {
    const { text } = await read('/olga/work/tree/a/long/branch');
    const names = [...text.matchAll(/<li class="is-(\w+)"><div>(?:<a [^>]*>)?([^<]+)/g)];
    expect(names.slice(0, 2).map(([, type, name]) => [type, name])).toEqual([
      ['dir', 'docs'],
      ['dir', 'src'],
    ]);
    expect(text).toMatch(/<li class="is-submodule"><div>module <span class="quiet">submodule at 1234567/);
    expect(text).toMatch(/<li class="is-symlink"><div><a href="[^"]*\/blob\/a\/long\/branch\/link">/);
    expect(text).toContain('<h1>Work</h1>');
    const docs = await read('/olga/work/tree/a/long/branch/docs');
    expect(docs.text).toContain('<h1>The docs</h1>');
    expect(docs.text).not.toContain('onclick');
    expect(docs.text).not.toMatch(/<script>/);
    expect(docs.text).toContain('line\\u000abreak\\u202e.txt');
  });

  test('each of its links leads to the file that it names', async () => {
    const { text } = await read('/olga/work/tree/a/long/branch/docs');
    const links = [...text.matchAll(/<li class="is-file"><div><a href="([^"]+)"/g)].map(([, href = '']) =>
      href.replaceAll('&#39;', "'"),
    );
    expect(links).toHaveLength(9);
    for (const link of links) expect([link, (await read(link)).status]).toEqual([link, 200]);
    for (const [name, content] of [
      ['a%20b.txt', 'spaced'],
      ['%252F.txt', 'percent'],
      ['..txt', 'dots'],
      ['*.txt', 'star'],
      ['%23%3F.txt', 'marks'],
      ['line%0Abreak%E2%80%AE.txt', 'odd'],
    ])
      expect((await read(`${branch}/docs/${name}`)).text).toContain(`<code>${content}</code>`);
  });

  test('the front page shows the default branch, its files and its readme', async () => {
    const { text } = await read('/olga/work');
    expect(text).toContain('href="/olga/work/tree/main/src"');
    expect(text).toContain('<h1>Work</h1>');
    expect(text).toContain('href="/olga/work/tree/a/long/branch"');
  });
});

describe('what there is not, or lies outside', () => {
  test.each([
    '/olga/work/tree/none',
    '/olga/work/tree/main/none',
    '/olga/work/blob/main/README.md/x',
    '/olga/work/blob/main/..%2f..%2fconfig',
    '/olga/work/blob/main/%2e%2e%2fHEAD',
    '/olga/work/raw/main/..%2f..%2f..%2fforge.sqlite',
    '/olga/work/blob/main/%00',
    '/olga/work/blob/main/%E0%A4%A',
    '/olga/work/blob/main/:(glob)**',
    '/olga/work/blob/--output=x/README.md',
    '/olga/work/tree/refs/pull/1/head',
    '/olga/work/raw/main/src',
    '/olga/work/raw/a/long/branch/module',
    '/olga/work/commits/none',
    '/olga/work/commit/0000000000000000000000000000000000000000',
    '/olga/none/tree/main',
  ])('%s is not found', async path => {
    const { status, text } = await read(path);
    expect([404, 422]).toContain(status);
    expect(text).not.toContain('could not be made');
  });

  test('a folder asked for as a file, and a file as a folder, lead to the right page', async () => {
    expect((await read('/olga/work/blob/main/src')).text).toContain('sum.js');
    expect((await read('/olga/work/tree/main/src/sum.js')).text).toContain('id="L1"');
  });
});

describe('a file', () => {
  test.each([
    ['empty.txt', 'An empty file.'],
    ['open.txt', 'No newline at the end of the file.'],
    ['latin.txt', 'café'],
    ['latin.txt', 'shown as Latin-1'],
    ['a.bin', 'A binary file (3 B)'],
    ['large.txt', 'Too large to be shown (1.0 MB)'],
    ['link', 'A symbolic link to <code>/etc/passwd</code>'],
    ['module', 'A submodule at commit <code>1234567'],
    ['crlf.txt', '<code>one</code>'],
    ['lone.txt', '<code>one␍two</code>'],
    ['bidi.js', 'turn the direction of writing'],
    ['code.ts', '<span class="k-keyword">export</span>'],
    ['wide.txt', '45000 more characters'],
    ['ones.js', '1+1+'],
    ['tags.ts', '&lt;'],
    ['many-tags.txt', 'Lines 1 to'],
    [`docs/${encodeURIComponent(hostile.replaceAll('/', ''))}.html`, '&lt;'],
  ])('%s shows %s', async (path, shown) => {
    const { status, text } = await read(`${branch}/${path}`);
    expect(status).toBe(200);
    expect(text).toContain(shown);
    expect(text).not.toMatch(/<script>|root:x:/);
    expect(text.length).toBeLessThan(300_000);
  });

  test('a long one stands on pages, of which an address of lines finds its own and marks them', async () => {
    const whole = await read(`${branch}/many.txt`);
    expect(whole.text).toContain('Lines 1 to 2000 of 4500');
    expect(whole.text.length).toBeLessThan(300_000);
    const { text } = await read(`${branch}/many.txt?lines=4102-4100`);
    expect(text).toContain('Lines 4001 to 4500 of 4500');
    expect([...text.matchAll(/<tr id="L(\d+)" class="marked">/g)].map(([, n]) => n)).toEqual([
      '4100',
      '4101',
      '4102',
    ]);
    const last = await read(`${branch}/many.txt?page=3`);
    expect(last.text).toContain('<code>line 4500</code>');
    expect((await read(`${branch}/many.txt?page=99`)).status).toBe(404);
    expect((await read(`${branch}/many.txt?lines=9999`)).text).toContain('Lines 1 to 2000');
    expect((await read(`${branch}/many.txt?go=L10-L20`)).text).toMatch(/id="L20" class="marked"/);
  });

  test('by a branch with slashes, a tag, a commit', async () => {
    for (const ref of ['a/long/branch', 'a%2Flong%2Fbranch', 'v/1', last, last.slice(0, 8)])
      expect((await read(`/olga/work/blob/${ref}/code.ts`)).text).toContain('k-keyword');
    expect((await read(`/olga/work/blob/${first}/code.ts`)).status).toBe(404);
    expect((await read(`${branch}/code.ts`)).text).toContain(`href="/olga/work/blob/${last}/code.ts"`);
  });

  test('addresses in Markdown lead to the files of the same branch', async () => {
    const { text } = await read(`${branch}/docs/links.md`);
    const article = text.slice(text.indexOf('<article'), text.indexOf('</article>'));
    const shown = [...article.matchAll(/<p>(?:<a href="([^"]*)"|[^<]*|<a )/g)].map(([, href]) => href);
    expect(shown).toEqual(links.map(([, href]) => href));
  });

  test('Markdown is rendered, and shown as it stands on demand', async () => {
    expect((await read(`${branch}/docs/README.md`)).text).toContain('<h1>The docs</h1>');
    expect((await read(`${branch}/docs/README.md?plain=1`)).text).toContain('id="L3"');
    expect((await read(`${branch}/docs/README.md?lines=1`)).text).toContain('id="L1" class="marked"');
  });

  test.each([
    [`docs/${encodeURIComponent(hostile.replaceAll('/', ''))}.html`, 'text/plain; charset=utf-8', 'inline'],
    ['latin.txt', 'text/plain; charset=windows-1252', 'inline'],
    ['link', 'text/plain; charset=utf-8', 'inline'],
    ['a.bin', 'application/octet-stream', 'attachment'],
    ['large.txt', 'text/plain; charset=utf-8', 'inline'],
  ])('%s alone runs nowhere', async (path, type, disposition) => {
    const { status, headers, text } = await read(`/olga/work/raw/a/long/branch/${path}`);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('content-disposition')).toBe(disposition);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; sandbox; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).not.toContain('root:x:');
    if (path === 'large.txt') expect(text).toHaveLength(1024 * 1024 + 1);
  });
});

test('the history of a folder or a file leads to its commits, and these to their changes', async () => {
  const { text } = await read('/olga/work/commits/a/long/branch/README.md');
  expect([...text.matchAll(/href="\/olga\/work\/commit\/(\w+)"/g)].map(([, sha]) => sha)).toEqual([first]);
  const all = await read('/olga/work/commits/a/long/branch');
  expect(all.text).toContain(`href="/olga/work/commit/${last}"`);
  const shown = await read(`/olga/work/commit/${last}`);
  expect(shown.status).toBe(200);
  expect(shown.text).toContain(`href="/olga/work/blob/${last}/code.ts"`);
  expect(shown.text).not.toMatch(/<script>/);
});

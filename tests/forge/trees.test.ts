// Trees of files as a client asks for them: by whatever name, in whatever depth, with every kind of entry.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { git } from '../../packages/forge/repositories/git.ts';
import { at, commit, openTestForge, refusal, type TestForge } from './fixture.ts';

const elsewhere = '1234567890123456789012345678901234567890';

let t: TestForge;
let sha: string;
beforeAll(async () => {
  t = await openTestForge();
  const clone = await t.clone('olga');
  await git(clone, ['checkout', '--quiet', '-b', 'every/kind']);
  symlinkSync('README.md', join(clone, 'link'));
  mkdirSync(join(clone, 'module'));
  await git(clone, ['update-index', '--add', '--cacheinfo', `160000,${elsewhere},module`]);
  sha = await commit(clone, { 'a\tb\nc.txt': 'odd\n', 'src/deep/é.js': 'é;\n' }, 'Add every kind');
  await git(clone, ['tag', '--annotate', '--message', 'One', 'v1']);
  await git(clone, ['push', '--quiet', 'origin', 'every/kind', 'v1']);
});
afterAll(() => t[Symbol.asyncDispose]());

const treeOf = async (tree_sha: string, recursive?: string) =>
  (await t.as('olga').git.getTree({ ...at, tree_sha, ...(recursive !== undefined && { recursive }) })).data;

test('lists every kind of entry with its mode, and the sizes of files', async () => {
  const { tree, truncated } = await treeOf('every/kind', '1');
  expect(truncated).toBe(false);
  expect(tree.map(({ path, mode, type, size }) => [path, mode, type, size])).toEqual([
    ['README.md', '100644', 'blob', 7],
    ['a\tb\nc.txt', '100644', 'blob', 4],
    ['link', '120000', 'blob', 9],
    ['module', '160000', 'commit', undefined],
    ['src', '040000', 'tree', undefined],
    ['src/deep', '040000', 'tree', undefined],
    ['src/deep/é.js', '100644', 'blob', 4],
    ['src/sum.js', '100644', 'blob', 36],
  ]);
  const module = tree.find(({ path }) => path === 'module');
  expect([module?.sha, module?.url]).toEqual([elsewhere, undefined]);
  expect(tree.at(-1)?.url).toBe(`${t.forge.api}/repos/olga/work/git/blobs/${tree.at(-1)?.sha}`);
});

test('is the same by commit, branch, tag and its own SHA, and a folder has one of its own', async () => {
  const whole = await treeOf(sha);
  for (const name of ['every/kind', 'v1', 'heads/every/kind', whole.sha])
    expect(await treeOf(name)).toEqual(whole);
  const src = whole.tree.find(({ path }) => path === 'src');
  const { tree } = await treeOf(src?.sha ?? '');
  expect(tree.map(({ path }) => path)).toEqual(['deep', 'sum.js']);
});

test.each(['none', '--help', `${'0'.repeat(40)}`, elsewhere, 'main:src', 'main~1', ' '])(
  'there is none of %j',
  async name => {
    expect((await refusal(treeOf(name))).status).toBe(404);
  },
);

test('a file is no tree', async () => {
  const { tree } = await treeOf('main');
  expect((await refusal(treeOf(tree[0]?.sha ?? ''))).status).toBe(404);
});

test('one that is too large for an answer is cut, and says so', async () => {
  const folder = join(t.forge.folder, 'git/olga/work.git');
  const blob = await git(folder, ['hash-object', '-w', '--stdin'], { input: 'x' });
  const lines = Array.from(
    { length: 40_000 },
    (_each, n) => `100644 blob ${blob}\tfile-with-a-name-of-some-length-${n}`,
  );
  const large = await git(folder, ['mktree'], { input: lines.join('\n') });
  const { tree, truncated } = await treeOf(large);
  expect(truncated).toBe(true);
  expect(tree.length).toBeGreaterThan(10_000);
  expect(tree.length).toBeLessThan(40_000);
});

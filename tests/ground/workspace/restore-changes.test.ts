// The changes of an earlier checkout in a fresh one: the same tree, or nothing that may be used.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeBundle } from '../../../packages/ground/workspace/bundle.ts';
import { type Checkout, createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { restoreChanges } from '../../../packages/ground/workspace/restore-changes.ts';
import { repository, writeFiles } from './fixture.ts';

const facts = { tests: null, rounds: 0, cost_usd: 0, isolation: 'none' } as const;
const { signal } = new AbortController();

let repo: Awaited<ReturnType<typeof repository>>;
let count = 0;
beforeAll(async () => {
  repo = await repository({ 'a.txt': 'one\n', 'old.txt': 'old\n', run: { executable: '#!/bin/sh\n' } });
});
afterAll(() => repo[Symbol.asyncDispose]());

const folderOf = (name: string) => join(repo.path, `${name}-${(count += 1)}`);
const open = (commit = repo.base): Promise<Checkout> =>
  createCheckout({ mirror: repo.mirror.path, commit, folder: folderOf('checkout') });

/** The folder of a job that left these changes. */
async function left(files: Parameters<typeof writeFiles>[1]): Promise<string> {
  const folder = folderOf('job');
  const checkout = await open();
  await writeFiles(checkout.tree, files);
  await makeBundle(checkout, await checkout.writeTree(), folder, facts);
  await checkout.remove();
  return folder;
}

test('new, changed, deleted, executable and linked files are as they were, and the patch is the same', async () => {
  const folder = await left({
    'a.txt': 'one\ntwo\n',
    'old.txt': null,
    'deep/er/new.txt': 'new\n',
    tool: { executable: '#!/bin/sh\nexit 0\n' },
    link: { link: 'a.txt' },
    'bytes.bin': '\0\x01\x02',
  });
  const checkout = await open();
  expect(await restoreChanges(checkout, folder, signal)).toBe(true);
  expect(await readFile(join(checkout.tree, 'a.txt'), 'utf8')).toBe('one\ntwo\n');
  expect(existsSync(join(checkout.tree, 'old.txt'))).toBe(false);
  const patch = await checkout.patch(await checkout.writeTree());
  expect(patch.equals(await readFile(join(folder, 'changes.patch')))).toBe(true);
});

test('a bundle of another commit', async () => {
  const folder = await left({ 'a.txt': 'two\n' });
  const other = await repo.commit({ 'a.txt': 'one\n', 'b.txt': 'b\n' }, 'other');
  await repo.mirror.fetch();
  expect(await restoreChanges(await open(other), folder, signal)).toBe(false);
});

test('a folder that is gone', async () => {
  expect(await restoreChanges(await open(), join(repo.path, 'nowhere'), signal)).toBe(false);
});

const added = (path: string, mode = '100644', text = 'x') =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${text}\n`;

test.for<[name: string, patch: string]>([
  ['out of the tree', added('../outside')],
  ['to an absolute path', added('/tmp/echelon-outside')],
  ['into .git', added('.git/hooks/post-checkout')],
  ['into .GIT further down', added('sub/.GIT/config')],
  [
    'through a link that leads out',
    `${added('way', '120000', '..')}\\ No newline at end of file\n${added('way/outside')}`,
  ],
  ['nowhere: it is no patch', 'not a patch'],
  ['into a tree that is not the one it names', added('harmless')],
])('a patch that leads %s', async ([, patch]) => {
  const folder = await left({ 'a.txt': 'two\n' });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'changes.patch'), patch);
  const checkout = await open();
  expect(await restoreChanges(checkout, folder, signal)).toBe(false);
  expect(existsSync(join(checkout.tree, '..', 'outside'))).toBe(false);
  expect(existsSync('/tmp/echelon-outside')).toBe(false);
});

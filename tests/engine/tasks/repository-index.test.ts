// Memory index of real repositories, folders and mirrors, and its file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { refreshIndex } from '../../../src/engine/tasks/memory/refresh.ts';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { folderSource } from '../../../packages/ground/workspace/folder-source.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import { mirrorSource } from '../../../packages/ground/workspace/mirror-source.ts';

import {
  date,
  type Files,
  type Folder,
  repository,
  temporary,
  writeFiles,
} from '../../ground/workspace/fixture.ts';

const who = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap(role => [
    [`GIT_${role}_NAME`, 'a'],
    [`GIT_${role}_EMAIL`, 'a@b'],
    [`GIT_${role}_DATE`, date],
  ]),
);

interface WorkingCopy extends Folder {
  git(...args: string[]): Promise<string>;
  write(files: Files): Promise<void>;
}

/** A working copy with one commit. */
async function workingCopy(files: Files): Promise<WorkingCopy> {
  const folder = await temporary();
  const run = (...args: string[]) => git(args, { cwd: folder.path, env: who });
  await run('init', '--quiet', '--template=');
  await writeFiles(folder.path, files);
  await run('add', '--all', '--force');
  await run('commit', '--quiet', '-m', 'm');
  return { ...folder, git: run, write: changed => writeFiles(folder.path, changed) };
}

async function refresh(folder: string, options?: Parameters<typeof folderSource>[1]) {
  const done = await refreshIndex(await folderSource(folder, options));
  return { ...done, paths: done.index.map(entry => entry.path) };
}

const counts = ({ read, kept, removed }: { read: number; kept: number; removed: number }) => ({
  read,
  kept,
  removed,
});

test('only what changed is read again, over commits, renames, deletions and new files', async () => {
  await using copy = await workingCopy({
    '.gitignore': 'out/\n',
    'a.ts': '// Adds.\nexport const add = 1;\n',
    'b.ts': '// Takes away.\n',
    'docs/guide.md': '# The guide\n',
  });
  const first = await refresh(copy.path);
  expect(counts(first)).toEqual({ read: 4, kept: 0, removed: 0 });
  expect(first.index[1]).toEqual({
    path: 'a.ts',
    digest: (await copy.git('rev-parse', 'HEAD:a.ts')).trim(),
    bytes: 31,
    metadata: 'TypeScript, 31 B: Adds; exports add',
  });
  expect(counts(await refresh(copy.path))).toEqual({ read: 0, kept: 4, removed: 0 });

  await copy.write({ 'b.ts': '// Subtracts.\n' });
  const changed = await refresh(copy.path);
  expect(counts(changed)).toEqual({ read: 1, kept: 3, removed: 0 });
  expect(changed.index[2]?.metadata).toBe('TypeScript, 14 B: Subtracts');

  // A digest made here is the one that git makes of the same content.
  await copy.git('commit', '--quiet', '--all', '-m', 'm');
  const committed = await refresh(copy.path);
  expect(counts(committed)).toEqual({ read: 0, kept: 4, removed: 0 });
  expect(committed.index).toEqual(changed.index);

  await copy.git('mv', 'a.ts', 'sum.ts');
  const renamed = await refresh(copy.path);
  expect(counts(renamed)).toEqual({ read: 0, kept: 4, removed: 1 });
  expect(renamed.paths).toEqual(['.gitignore', 'b.ts', 'docs/guide.md', 'sum.ts']);

  await rename(join(copy.path, 'sum.ts'), join(copy.path, 'total.ts'));
  await copy.write({ 'b.ts': null, 'new.md': '# New\n', 'out/built.js': 'x' });
  const last = await refresh(copy.path);
  expect(counts(last)).toEqual({ read: 1, kept: 3, removed: 2 });
  expect(last.paths).toEqual(['.gitignore', 'docs/guide.md', 'new.md', 'total.ts']);
});

test('files in conflict are taken as they stand', async () => {
  await using copy = await workingCopy({ 'a.txt': 'one\n' });
  const branch = (await copy.git('branch', '--show-current')).trim();
  await copy.git('checkout', '--quiet', '-b', 'other');
  await copy.write({ 'a.txt': 'two\n' });
  await copy.git('commit', '--quiet', '--all', '-m', 'm');
  await copy.git('checkout', '--quiet', branch);
  await copy.write({ 'a.txt': 'three\n' });
  await copy.git('commit', '--quiet', '--all', '-m', 'm');
  await expect(copy.git('merge', 'other')).rejects.toThrow(/exited 1/);
  const { index } = await refresh(copy.path);
  const text = await readFile(join(copy.path, 'a.txt'));
  const digest = createHash('sha1').update(`blob ${text.length}\0`).update(text).digest('hex');
  expect(index).toMatchObject([{ path: 'a.txt', digest, bytes: text.length }]);
});

test('symbolic links, submodules, other repositories, node_modules and names that no tool takes are left out', async () => {
  await using copy = await workingCopy({
    'a.txt': 'a',
    link: { link: 'a.txt' },
    'kept/b.txt': 'b',
    'we\u202eird.txt': 'x',
    'node_modules/m/index.js': 'x',
  });
  await using outside = await temporary();
  await writeFiles(outside.path, { 'b.txt': 'outside' });
  await mkdir(join(copy.path, 'other'));
  await git(['init', '--quiet', join(copy.path, 'other')]);
  await writeFiles(join(copy.path, 'other'), { 'c.txt': 'c' });
  await copy.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`);
  expect((await refresh(copy.path)).paths).toEqual(['a.txt', 'kept/b.txt']);
  // A folder that becomes a link leads nowhere.
  await rename(join(copy.path, 'kept'), join(outside.path, 'moved'));
  await symlink(outside.path, join(copy.path, 'kept'));
  expect((await refresh(copy.path)).paths).toEqual(['a.txt']);
});

test('nothing that the repository configures is run', async () => {
  await using copy = await workingCopy({ '.gitattributes': '*.txt filter=mine\n', 'a.txt': 'one\n' });
  const trace = join(copy.path, '.git', 'ran');
  const program = `touch ${trace}; cat`;
  for (const key of ['filter.mine.clean', 'core.fsmonitor']) await copy.git('config', key, program);
  await copy.git('config', 'filter.mine.required', 'true');
  // Of the same length, and with another time: git has to compare the contents.
  await copy.write({ 'a.txt': 'two\n' });
  await utimes(join(copy.path, 'a.txt'), new Date(date), new Date(date));
  const { index } = await refresh(copy.path);
  expect(index.map(entry => entry.path)).toEqual(['.gitattributes', 'a.txt']);
  expect(index[1]?.digest).toBe((await git(['hash-object', '--stdin'], { input: 'two\n' })).trim());
  expect(existsSync(trace)).toBe(false);
  // The same comparison by git itself does run it.
  await copy.git('ls-files', '--modified');
  expect(existsSync(trace)).toBe(true);
});

test('a work tree that the configuration puts elsewhere is not gone to', async () => {
  await using copy = await workingCopy({ 'a.txt': 'a' });
  await using outside = await temporary();
  await writeFiles(outside.path, { 'b.txt': 'outside' });
  await copy.git('config', 'core.worktree', outside.path);
  expect((await refresh(copy.path)).paths).toEqual(['a.txt']);
});

test('a repository with longer object ids', async () => {
  await using folder = await temporary();
  await git(['init', '--quiet', '--object-format=sha256', '--template=', folder.path]);
  await writeFiles(folder.path, { 'a.txt': 'a' });
  const before = await refresh(folder.path);
  expect(before.index[0]?.digest).toMatch(/^[0-9a-f]{64}$/);
  await git(['add', '--all'], { cwd: folder.path });
  expect(counts(await refresh(folder.path))).toEqual({ read: 0, kept: 1, removed: 0 });
});

test('a file over 1 MB is listed and not read', async () => {
  await using copy = await workingCopy({ 'big.bin': 'x'.repeat(1_100_000), 'a.txt': 'a' });
  await copy.write({ 'new.bin': 'y'.repeat(1_200_000) });
  const done = await refresh(copy.path);
  expect(counts(done)).toEqual({ read: 1, kept: 2, removed: 0 });
  expect(done.index.map(entry => entry.metadata)).toEqual(['text, 1 B', 'file, 1.1 MB', 'file, 1.2 MB']);
  const source = await folderSource(copy.path);
  expect(await source.read([{ path: 'big.bin', digest: 'd', bytes: 1 }])).toEqual([undefined]);
});

test('a plain folder is walked, and keeps an index only where it is told to', async () => {
  await using folder = await temporary();
  await writeFiles(folder.path, {
    'b/c.md': '# C\n',
    'a.txt': 'words\n',
    'node_modules/m/x.js': 'x',
    '.git/HEAD': 'not a repository',
    'b/out': { link: '/etc' },
  });
  const first = await refresh(folder.path);
  expect(first.paths).toEqual(['a.txt', 'b/c.md']);
  expect(counts(await refresh(folder.path))).toEqual({ read: 2, kept: 0, removed: 0 });
  const cache = join(folder.path, 'kept.json');
  expect(counts(await refresh(folder.path, { cache }))).toEqual({ read: 2, kept: 0, removed: 0 });
  const again = await refresh(folder.path, { cache });
  expect(counts(again)).toEqual({ read: 0, kept: 2, removed: 0 });
  expect(again.paths).toEqual(first.paths);
});

test('a folder inside a repository has its own paths and leaves the index of the whole alone', async () => {
  await using copy = await workingCopy({ '.gitignore': 'out/\n', 'src/a.ts': '', 'b.ts': '' });
  await copy.write({ 'out/built.js': 'x' });
  await refresh(copy.path);
  const kept = await readFile(join(copy.path, '.git', 'echelon-index.json'), 'utf8');
  expect((await refresh(join(copy.path, 'src'))).paths).toEqual(['a.ts']);
  expect((await refresh(join(copy.path, 'out'))).paths).toEqual(['built.js']);
  expect(await readFile(join(copy.path, '.git', 'echelon-index.json'), 'utf8')).toBe(kept);
});

test('a checkout, whose git directory lies elsewhere', async () => {
  await using repo = await repository({ 'a.txt': 'a\n', '.gitignore': 'out/\n' });
  const checkout = await createCheckout({
    mirror: repo.mirror.path,
    commit: repo.base,
    folder: join(repo.path, 'c'),
  });
  await writeFiles(checkout.tree, { 'b.txt': 'b\n', 'out/x': 'x' });
  const { paths } = await refresh(checkout.tree, { gitDir: checkout.gitDir });
  expect(paths).toEqual(['.gitignore', 'a.txt', 'b.txt']);
  expect(existsSync(join(checkout.gitDir, 'echelon-index.json'))).toBe(true);
});

test('a commit of a mirror, read in bulk and kept beside its objects', async () => {
  await using repo = await repository({
    'a.ts': '// Adds.\n',
    'b/c.md': '# C\n',
    'same.md': '# C\n',
    empty: '',
    link: { link: 'a.ts' },
  });
  const first = await refreshIndex(mirrorSource(repo.mirror, repo.base));
  expect(first.index.map(({ path, metadata }) => [path, metadata])).toEqual([
    ['a.ts', 'TypeScript, 9 B: Adds'],
    ['b/c.md', 'Markdown, 4 B: C'],
    ['empty', 'file, 0 B'],
    ['same.md', 'Markdown, 4 B: C'],
  ]);
  expect(first.read).toBe(3);
  const next = await repo.commit({ 'b/c.md': '# D\n' }, 'other');
  await repo.mirror.fetch();
  expect(counts(await refreshIndex(mirrorSource(repo.mirror, next)))).toEqual({
    read: 1,
    kept: 3,
    removed: 0,
  });
  const none = mirrorSource(repo.mirror, next, { cache: null });
  expect(counts(await refreshIndex(none))).toEqual({ read: 4, kept: 0, removed: 0 });
});

test.each<[string, string]>([
  ['damaged', '{"format":"echelon-index","version":1,"entr'],
  ['of another program', '{"format":"other"}'],
  ['of another version', '{"format":"echelon-index","version":0,"entries":[]}'],
  ['empty', ''],
])('a kept index that is %s is made anew', async (_name, text) => {
  await using copy = await workingCopy({ 'a.txt': 'a' });
  const cache = join(copy.path, '.git', 'echelon-index.json');
  await writeFile(cache, text);
  const done = await refresh(copy.path);
  expect(done.notes).toEqual([expect.stringContaining('it is made anew')]);
  expect(done.read).toBe(1);
  expect((await refresh(copy.path)).notes).toEqual([]);
});

test('where nothing can be kept the index is made all the same', async () => {
  await using copy = await workingCopy({ 'a.txt': 'a' });
  const done = await refresh(copy.path, { cache: join(copy.path, 'a.txt', 'index.json') });
  expect(done.paths).toEqual(['a.txt']);
  expect(done.notes).toEqual([expect.stringContaining('could not be kept for the next run')]);
});

test('killed in the middle of saving, the old index stays, and what was begun is taken over by the next save; a link in its place is not written through', async () => {
  await using folder = await temporary();
  const cache = join(folder.path, 'index.json');
  await writeFile(cache, 'old');
  const program = `
    const { folderSource } = await import(${JSON.stringify(new URL('../../../packages/ground/workspace/folder-source.ts', import.meta.url).href)});
    const { readdirSync, statSync } = await import('node:fs');
    const source = await folderSource(${JSON.stringify(folder.path)}, { cache: ${JSON.stringify(cache)} });
    const look = () => {
      const part = readdirSync(${JSON.stringify(folder.path)}).find(name => name.endsWith('.part'));
      if (part && statSync(${JSON.stringify(folder.path)} + '/' + part).size > 0) process.kill(process.pid, 'SIGKILL');
      setImmediate(look);
    };
    look();
    await source.save('n'.repeat(64 << 20));
    process.exit(0);
  `;
  const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  expect(ended.signal, ended.stderr).toBe('SIGKILL');
  expect(await readFile(cache, 'utf8')).toBe('old');
  expect((await readdir(folder.path)).sort()).toEqual(['index.json', 'index.json.part']);
  const source = await folderSource(folder.path, { cache });
  await source.save('new');
  expect(await readdir(folder.path)).toEqual(['index.json']);
  expect(await source.load()).toBe('new');
  await symlink(cache, `${cache}.part`);
  await source.save('newer');
  expect(await source.load()).toBe('newer');
});

test('a folder that is not there, and a signal', async () => {
  await using copy = await workingCopy({ 'a.txt': 'a' });
  await expect(folderSource(join(copy.path, 'no'))).rejects.toThrow(
    /there is no folder .*no; give the folder/,
  );
  await expect(folderSource(join(copy.path, 'a.txt'))).rejects.toThrow(/there is no folder/);
  const controller = new AbortController();
  const source = await folderSource(copy.path, { signal: controller.signal });
  controller.abort(new Error('enough'));
  await expect(refreshIndex(source)).rejects.toThrow('enough');
  expect(existsSync(join(copy.path, '.git', 'echelon-index.json'))).toBe(false);
});

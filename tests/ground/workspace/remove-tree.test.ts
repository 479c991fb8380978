// Trees that no ordinary removal copes with: removed, or moved aside and swept later, and never an error.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { createCheckout, TreeTooLarge } from '../../../packages/ground/workspace/checkout.ts';
import { jobFiles, prepareFolder } from '../../../packages/ground/workspace/job-process.ts';
import { clear, removeTree, sweep } from '../../../packages/ground/workspace/remove-tree.ts';
import { nest, repository, temporary } from './fixture.ts';

const signal = AbortSignal.timeout(60_000);

test.for([50, 2500])('%i folders in each other, deeper than a path may be long', async levels => {
  await using folder = await temporary();
  const tree = join(folder.path, 'tree');
  nest(tree, levels);
  expect(await removeTree(tree)).toBeUndefined();
  expect(existsSync(tree)).toBe(false);
});

test('folders without permission bits, of a user without privileges', async () => {
  await using folder = await temporary();
  const tree = join(folder.path, 'tree');
  await mkdir(join(tree, 'in', 'shut'), { recursive: true });
  await writeFile(join(tree, 'in', 'shut', 'f'), '');
  const root = process.getuid?.() === 0;
  if (root) execFileSync('chown', ['-R', '65534:65534', folder.path]);
  for (const path of ['in/shut', 'in', '.']) await chmod(join(tree, path), 0);
  const module = pathToFileURL(
    join(import.meta.dirname, '../../../packages/ground/workspace/remove-tree.ts'),
  ).href;
  const script = `import { clear } from ${JSON.stringify(module)};
    process.stdout.write(String(await clear(process.argv[1], ['tree'])));`;
  const node = [process.execPath, '--input-type=module', '-e', script, folder.path];
  const [program = '', ...args] = root
    ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', ...node]
    : node;
  expect(execFileSync(program, args, { encoding: 'utf8' })).toBe('undefined');
  expect(await readdir(folder.path)).toEqual([]);
});

test('what a link leads to stays', async () => {
  await using folder = await temporary();
  await mkdir(join(folder.path, 'kept'), { mode: 0o500 });
  await mkdir(join(folder.path, 'job', 'tree'), { recursive: true });
  await symlink('../../kept', join(folder.path, 'job', 'tree', 'link'));
  await symlink('../kept', join(folder.path, 'job', 'home'));
  expect(await clear(join(folder.path, 'job'), ['tree', 'home', 'absent'])).toBeUndefined();
  expect(await readdir(join(folder.path, 'job'))).toEqual([]);
  expect(existsSync(join(folder.path, 'kept'))).toBe(true);
});

test('what cannot be removed is out of the way, told, and swept later', async () => {
  await using folder = await temporary();
  const job = join(folder.path, 'jobs', 'one');
  await mkdir(join(job, 'tree', 'deep'), { recursive: true });
  await writeFile(join(job, 'report.json'), '{}');
  const told = await clear(job, ['tree'], AbortSignal.abort());
  expect(told).toContain(`what could not be removed is in ${join(job, 'removed')}: `);
  expect((await readdir(job)).sort()).toEqual(['removed', 'report.json']);
  await sweep(join(folder.path, 'jobs'), signal);
  expect(await readdir(job)).toEqual(['report.json']);
  await sweep(join(folder.path, 'nowhere'), signal);
});

test('a job’s folder is cleared of the tree of a job that died', async () => {
  await using folder = await temporary();
  await prepareFolder(folder.path);
  for (const part of ['tree', 'home', 'tmp', 'git']) nest(join(folder.path, part));
  await prepareFolder(folder.path);
  expect(await readdir(folder.path)).toEqual([jobFiles.mark]);
  expect(await readFile(join(folder.path, jobFiles.mark), 'utf8')).not.toBe('');
});

test('a checkout with such a tree: it cannot be stored, which is said shortly, and it can be removed', async () => {
  await using repo = await repository({ 'a.txt': 'a' });
  const folder = join(repo.path, 'c');
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  nest(join(checkout.tree, 'src'));
  const error = await checkout.writeTree().catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(TreeTooLarge);
  expect(String(error)).toMatch(/^.{1,700}Delete what is nested too deeply or may not be read$/);
  expect(await checkout.remove()).toBeUndefined();
  expect(await readdir(folder)).toEqual([]);
});

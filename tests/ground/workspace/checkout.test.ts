import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import { date, repository, writeFiles } from './fixture.ts';

test('has the files of the commit, no .git, and gives trees, differences and patches', async () => {
  await using repo = await repository({ 'a.txt': 'one\n', run: { executable: 'x' }, '.gitignore': 'out/\n' });
  const folder = join(repo.path, 'c');
  const checkout = await createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder });
  expect((await readdir(checkout.tree)).sort()).toEqual(['.gitignore', 'a.txt', 'run']);
  const before = await checkout.writeTree();
  expect(before).toBe((await git(['rev-parse', `${repo.base}^{tree}`], { gitDir: repo.server })).trim());
  expect(await checkout.diff()).toBe('');
  await writeFiles(checkout.tree, {
    'a.txt': 'two\n',
    new: 'n\n',
    run: null,
    'out/x': 'ignored',
    'node_modules/m/index.js': 'ignored',
  });
  const tree = await checkout.writeTree();
  const diff = await checkout.diff();
  expect(diff).toContain('-one\n+two\n');
  expect(diff.match(/^diff --git .*$/gm)).toEqual([
    'diff --git a/a.txt b/a.txt',
    'diff --git a/new b/new',
    'diff --git a/run b/run',
  ]);
  expect(await checkout.diff(tree, before)).toContain('-two\n+one\n');
  expect((await checkout.patch(tree)).toString()).toContain('deleted file mode 100755');
  await checkout.remove();
  expect(await readdir(folder)).toEqual([]);
});

test('another content of the same size and time is another tree; the same files are stored once', async () => {
  await using repo = await repository({ 'a.txt': '0' });
  const from = { mirror: repo.mirror.path, commit: repo.base };
  const checkout = await createCheckout({ ...from, folder: join(repo.path, 'c') });
  for (const text of ['1', '2', '3']) {
    await writeFile(join(checkout.tree, 'a.txt'), text);
    await utimes(join(checkout.tree, 'a.txt'), 1e9, 1e9);
    const tree = await checkout.writeTree();
    expect(await git(['cat-file', 'blob', `${tree}:a.txt`], { gitDir: checkout.gitDir })).toBe(text);
    const object = join(checkout.gitDir, 'objects', tree.slice(0, 2), tree.slice(2));
    await rm(object);
    expect([await checkout.writeTree(), existsSync(object)]).toEqual([tree, false]);
  }
});

test('an unknown commit leaves nothing behind', async () => {
  await using repo = await repository({ a: 'a' });
  const folder = join(repo.path, 'c');
  const commit = '1'.repeat(40);
  await expect(createCheckout({ mirror: repo.mirror.path, commit, folder })).rejects.toThrow(/exited 128/);
  expect(await readdir(folder)).toEqual([]);
});

test('nothing written into the tree is run or obeyed by git', async () => {
  await using repo = await repository({ 'a.txt': 'a', 'b.bin': 'b' });
  const env = {
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a',
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_DATE: date,
  };
  await git(['init', '--quiet', join(repo.path, 'submodule')]);
  const inSubmodule = async (folder: string, ...args: string[]) => await git(args, { cwd: folder, env });
  const makeCommit = ['commit', '--quiet', '--allow-empty', '-m', 'm'];
  await inSubmodule(join(repo.path, 'submodule'), ...makeCommit);
  const head = (await inSubmodule(join(repo.path, 'submodule'), 'rev-parse', 'HEAD')).trim();
  const index = { gitDir: repo.server, env: { GIT_INDEX_FILE: join(repo.path, 'i') } };
  await git(['read-tree', repo.base], index);
  await git(['update-index', '--add', '--cacheinfo', `160000,${head},sub`], index);
  const tree = (await git(['write-tree'], index)).trim();
  const commit = (await git(['commit-tree', tree, '-m', 'm'], { gitDir: repo.server, env })).trim();
  await git(['update-ref', 'refs/heads/sub', commit], { gitDir: repo.server });
  await repo.mirror.fetch();

  const checkout = await createCheckout({ mirror: repo.mirror.path, commit, folder: join(repo.path, 'c') });
  const canary = join(repo.path, 'ran');
  const program = `touch ${canary}; cat`;
  const config = `[core]\n\tfsmonitor = "touch ${canary}"\n\thooksPath = hooks\n\tbare = false\n[filter "f"]\n\tclean = ${JSON.stringify(program)}\n\tsmudge = ${JSON.stringify(program)}\n\tprocess = ${JSON.stringify(program)}\n[diff "f"]\n\ttextconv = ${JSON.stringify(program)}\n\tcommand = ${JSON.stringify(program)}\n`;
  for (const at of ['', 'sub/', 'deep/nested/']) {
    const folder = join(checkout.tree, at);
    await mkdir(folder, { recursive: true });
    await git(['init', '--quiet', folder]);
    // The very commit that is expected in sub: only then git looks further, for changed files in there.
    await inSubmodule(folder, ...makeCommit);
    await writeFiles(folder, { 'file.txt': 'before!' });
    await inSubmodule(folder, 'add', 'file.txt');
    await writeFile(join(folder, '.git', 'config'), config);
    await writeFiles(folder, {
      '.git/hooks/post-index-change': { executable: `#!/bin/sh\ntouch ${canary}\n` },
      '.git/info/attributes': '* filter=f diff=f\n',
      '.gitattributes': '* filter=f diff=f -text\n',
      'file.txt': 'content',
    });
  }
  await checkout.writeTree();
  const second = await checkout.writeTree();
  const diff = await checkout.diff();
  await checkout.patch(second);
  expect(existsSync(canary)).toBe(false);
  expect(diff).toContain('+content');
  // The repository made inside becomes a submodule entry, which a bundle may not have.
  expect(diff).toContain('new file mode 160000');
  expect(diff).not.toContain('.git/config');
});

test('attributes of the tree cannot hide a change from the difference', async () => {
  await using repo = await repository({ a: '1\n' });
  const checkout = await createCheckout({
    mirror: repo.mirror.path,
    commit: repo.base,
    folder: join(repo.path, 'c'),
  });
  await writeFiles(checkout.tree, { a: '2\n', '.gitattributes': '* -diff\n' });
  expect(await checkout.diff()).toContain('-1\n+2\n');
});

test('eight at once are whole and apart', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, n) => [`d${n % 7}/f${n}`, `content ${n}\n`]),
  );
  await using repo = await repository(files);
  const checkouts = await Promise.all(
    Array.from({ length: 8 }, (_, n) =>
      createCheckout({ mirror: repo.mirror.path, commit: repo.base, folder: join(repo.path, `c${n}`) }),
    ),
  );
  const trees = await Promise.all(
    checkouts.map(async (checkout, n) => {
      expect(await readFile(join(checkout.tree, 'd0/f0'), 'utf8')).toBe('content 0\n');
      await writeFile(join(checkout.tree, 'mine'), String(n));
      return await checkout.writeTree();
    }),
  );
  expect(new Set(trees).size).toBe(8);
  expect(await checkouts[3]!.diff()).toMatch(/^diff --git a\/mine b\/mine[\s\S]*\+3\n\\ No newline[^\n]*\n$/);
  await rm(join(checkouts[0]!.tree, 'd1'), { recursive: true });
  expect((await checkouts[0]!.diff()).match(/^deleted file/gm)).toHaveLength(43);
});

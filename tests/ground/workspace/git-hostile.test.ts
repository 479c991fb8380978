// A git directory whose hooks or configuration somebody else has written: nothing of it is run by our git.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createCheckout } from '../../../packages/ground/workspace/checkout.ts';
import { git } from '../../../packages/ground/workspace/git.ts';
import { gitCovers } from '../../../packages/ground/workspace/git-config.ts';
import { date, repository, temporary, writeFiles } from './fixture.ts';

type Place = Awaited<ReturnType<typeof repository>>;

/** Hooks that git calls on both sides of what is done here. */
const hooks = ['post-index-change', 'reference-transaction', 'pre-push', 'post-checkout', 'pre-auto-gc'];

async function plantHooks(gitDir: string, canary: string): Promise<void> {
  await mkdir(join(gitDir, 'hooks'), { recursive: true });
  for (const name of hooks) {
    const hook = join(gitDir, 'hooks', name);
    await writeFile(hook, `#!/bin/sh\ntouch ${canary}\n`);
    await chmod(hook, 0o755);
  }
}

const plantMonitor = (gitDir: string, canary: string) =>
  git(['config', 'core.fsmonitor', `touch ${canary}; false`], { gitDir });

async function useCheckout(repo: Place, plant: (gitDir: string) => Promise<unknown>): Promise<void> {
  const { mirror, base: commit, path } = repo;
  const checkout = await createCheckout({ mirror: mirror.path, commit, folder: join(path, 'c') });
  await plant(checkout.gitDir);
  await writeFiles(checkout.tree, { 'a.txt': 'two\n' });
  await checkout.patch(await checkout.writeTree());
}

async function useMirror(repo: Place, plant: (gitDir: string) => Promise<unknown>): Promise<void> {
  await plant(repo.mirror.path);
  await repo.commit({ 'b.txt': 'b\n' }, 'more');
  await repo.mirror.fetch();
  const tree = (await git(['rev-parse', `${repo.base}^{tree}`], { gitDir: repo.mirror.path })).trim();
  const commit = await repo.mirror.commitTree({ tree, parents: [repo.base], message: 'm', date });
  await repo.mirror.push({ commit, branch: 'echelon/x' });
}

test.for([
  ['hooks of a checkout', useCheckout, plantHooks],
  ['hooks of a mirror', useMirror, plantHooks],
  ['the file system monitor of a checkout', useCheckout, plantMonitor],
] as const)('nothing is run of %s', async ([, use, plant]) => {
  await using repo = await repository({ 'a.txt': 'one\n' });
  const canary = join(repo.path, 'ran');
  await use(repo, gitDir => plant(gitDir, canary));
  expect(existsSync(canary)).toBe(false);
});

test('what a command sees of a folder’s configuration names neither hooks nor a monitor', async () => {
  await using folder = await temporary();
  const tree = join(folder.path, 'tree');
  await writeFiles(tree, {
    '.git/config': '[core]\n\tbare = false\n\thooksPath = hooks\n\tfsmonitor = touch ran\n',
  });
  const [cover] = await gitCovers(tree, join(folder.path, 'covers'));
  expect(await readFile(cover!.from, 'utf8')).toBe('[core]\n\tbare = "false"\n');
});

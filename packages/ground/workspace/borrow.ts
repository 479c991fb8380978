// Bare repositories without any configuration of their own, and those over the objects of another one: nothing else of
// that one is obeyed, and nothing is written to it.
import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from './git.ts';

/** By the number of a file system: the configuration in which git notes what it is capable of. */
const noted = new Map<number, string>();

/** Makes an empty bare repository: of each file system the first by git, the others as that one. */
export async function initBare(folder: string): Promise<void> {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(join(folder, part), { recursive: true });
  const { dev } = await stat(folder);
  const config = noted.get(dev);
  if (config === undefined) {
    await git(['init', '--quiet', '--bare', '--template=', folder]);
    noted.set(dev, await readFile(join(folder, 'config'), 'utf8'));
  } else {
    await writeFile(join(folder, 'config'), config);
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/main\n');
  }
}

/** Makes `folder`, which has every commit that the repository `gitDir` has, and none of its configuration. */
export async function borrowObjects(gitDir: string, folder: string): Promise<void> {
  await initBare(folder);
  // A git directory without objects is a worktree's: git knows where they are.
  const objects = existsSync(join(gitDir, 'objects'))
    ? 'objects'
    : (await git(['rev-parse', '--git-path', 'objects'], { gitDir })).trim();
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${resolve(gitDir, objects)}\n`);
}

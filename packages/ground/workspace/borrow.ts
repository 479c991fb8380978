// Bare repositories: empty, or over the objects of another one, of which nothing else is obeyed and nothing is written.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from './git.ts';

/** The configuration of a new repository, in which git notes what the file system is capable of. */
let noted: string | undefined;

/** Makes an empty bare repository: the first of a process by git, the others as that one. */
export async function initBare(folder: string): Promise<void> {
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags'])
    await mkdir(join(folder, part), { recursive: true });
  if (noted === undefined) {
    await git(['init', '--quiet', '--bare', '--template=', folder]);
    noted = await readFile(join(folder, 'config'), 'utf8');
  } else {
    await writeFile(join(folder, 'config'), noted);
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

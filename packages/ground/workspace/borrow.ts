// A bare repository over the objects of another one: nothing else of that one is obeyed, and nothing is written to it.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from './git.ts';

/** Makes `folder`, which has every commit that the repository `gitDir` has, and none of its configuration. */
export async function borrowObjects(gitDir: string, folder: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--template=', folder]);
  const found = await git(['rev-parse', '--git-path', 'objects'], { gitDir });
  const objects = resolve(gitDir, found.trim());
  await mkdir(join(folder, 'objects', 'info'), { recursive: true });
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
}

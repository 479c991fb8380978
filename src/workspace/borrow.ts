// A bare repository over the objects of a checkout that something else made: nothing else of that one is obeyed.
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { git } from './git.ts';

/** Makes `folder`, which has every commit that the repository in `checkout` has, and none of its configuration. */
export async function borrowObjects(checkout: string, folder: string): Promise<void> {
  await git(['init', '--quiet', '--bare', '--template=', folder]);
  const found = await git(['rev-parse', '--git-path', 'objects'], { gitDir: join(checkout, '.git') });
  const objects = resolve(checkout, '.git', found.trim());
  await mkdir(join(folder, 'objects', 'info'), { recursive: true });
  await writeFile(join(folder, 'objects', 'info', 'alternates'), `${objects}\n`);
}

// The change that `echelon init` proposes, as a branch: made beside the work tree, which stays as it is.
import { join } from 'node:path';
import { git, temporaryFolder } from '@echelon/ground/workspace';
import type { NewFile } from './files.ts';
import type { Clone } from './look.ts';
import { run } from './programs.ts';

export const initBranch = 'echelon/init';

/** The text of a file in the clone's commit; undefined where there is none. */
export async function textAt({ folder, commit }: Clone, path: string): Promise<string | undefined> {
  const listed = await git(['ls-tree', '-z', '--full-tree', commit, '--', path], { cwd: folder });
  return listed === '' ? undefined : await git(['show', `${commit}:${path}`], { cwd: folder });
}

/**
 * Points the branch at a commit with the files, on top of the default branch. `same`: it stands at these files already;
 * `exists`: it is there with others, and is left alone.
 */
export async function propose(clone: Clone, files: readonly NewFile[]): Promise<'made' | 'same' | 'exists'> {
  const { folder, commit } = clone;
  await using scratch = await temporaryFolder('init');
  const env = { GIT_INDEX_FILE: join(scratch.path, 'index') };
  await git(['read-tree', commit], { cwd: folder, env });
  for (const { path, text } of files) {
    const blob = (await git(['hash-object', '-w', '--stdin'], { cwd: folder, input: text })).trim();
    await git(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`], { cwd: folder, env });
  }
  const tree = (await git(['write-tree'], { cwd: folder, env })).trim();
  const there = await git(['rev-parse', '--verify', '--quiet', `refs/heads/${initBranch}^{tree}`], {
    cwd: folder,
  }).catch(() => '');
  if (there.trim() === tree) return 'same';
  const isMerged = ['merge-base', '--is-ancestor', `refs/heads/${initBranch}`, commit];
  if (there !== '' && (await run('git', isMerged, { cwd: folder })).code !== 0) return 'exists';
  const message = 'Let Echelon work issues of this repository\n';
  const made = await git(['commit-tree', tree, '-p', commit, '-F', '-'], {
    cwd: folder,
    input: message,
    env: await author(folder),
  });
  await git(['update-ref', `refs/heads/${initBranch}`, made.trim()], { cwd: folder });
  return 'made';
}

/** The person who works in the clone, as its own configuration names them. */
async function author(folder: string): Promise<Record<string, string>> {
  const ask = async (key: string, otherwise: string) =>
    (await run('git', ['config', '--get', key], { cwd: folder })).out || otherwise;
  const name = await ask('user.name', 'echelon init');
  const email = await ask('user.email', 'init@localhost');
  return Object.fromEntries(
    ['AUTHOR', 'COMMITTER'].flatMap(who => [
      [`GIT_${who}_NAME`, name],
      [`GIT_${who}_EMAIL`, email],
    ]),
  );
}

// A repository on a "server" (a bare folder reached by git's own transport), a mirror of it, and disposable folders.
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { git } from '../../../packages/ground/workspace/git.ts';
import { type Mirror, openMirror } from '../../../packages/ground/workspace/mirror.ts';

export interface Folder extends AsyncDisposable {
  path: string;
}

export async function temporary(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'echelon-test-'));
  return {
    path,
    [Symbol.asyncDispose]: async () => void execFileSync('rm', ['-rf', '--', path]),
  };
}

export type Files = Record<string, string | { link: string } | { executable: string } | null>;

export async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    const place = join(folder, path);
    await rm(place, { recursive: true, force: true });
    if (content === null) continue;
    await mkdir(dirname(place), { recursive: true });
    if (typeof content === 'string') await writeFile(place, content);
    else if ('link' in content) await symlink(content.link, place);
    else {
      await writeFile(place, content.executable);
      await chmod(place, 0o755);
    }
  }
}

/** Lines for node: folders in each other below the folder where it runs, of 10,000 characters, and a file in the innermost. */
export const nesting = (levels = 50) =>
  `const fs = require('fs'); for (let n = 0; n < ${levels}; n++) { const d = 'd'.repeat(${10_000 / levels}); fs.mkdirSync(d); process.chdir(d); } fs.writeFileSync('f', '');`;

/** Makes the folder, with a tree in it whose paths are longer than the system takes. */
export function nest(folder: string, levels?: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync(process.execPath, ['-e', nesting(levels)], { cwd: folder });
}

export const date = '2026-01-02T03:04:05Z';

/** A server repository whose branch main has `files`, and a fetched mirror of it. */
export async function repository(
  files: Files,
  { partial = false } = {},
): Promise<
  Folder & {
    mirror: Mirror;
    server: string;
    base: string;
    commit: (files: Files, branch?: string) => Promise<string>;
  }
> {
  const folder = await temporary();
  const server = join(folder.path, 'server.git');
  await git(['init', '--quiet', '--bare', '--template=', server]);
  await git(['config', 'uploadpack.allowFilter', 'true'], { gitDir: server });
  await git(['config', 'uploadpack.allowAnySHA1InWant', 'true'], { gitDir: server });
  const mirror = await openMirror({ folder: join(folder.path, 'mirror.git'), url: server, partial });
  let made = 0;
  const commit = async (changed: Files, branch = 'main', from?: string) => {
    const tree = join(folder.path, `work-${(made += 1)}`);
    const options = { gitDir: server, workTree: tree, cwd: tree, env: { GIT_INDEX_FILE: `${tree}.index` } };
    await mkdir(tree);
    if (from) await git(['read-tree', '-u', '--reset', from], options);
    await writeFiles(tree, changed);
    await git(['add', '--all', '--force'], options);
    const oid = (await git(['write-tree'], options)).trim();
    const stamp = { GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const who = {
      GIT_AUTHOR_NAME: 'a',
      GIT_AUTHOR_EMAIL: 'a@b',
      GIT_COMMITTER_NAME: 'a',
      GIT_COMMITTER_EMAIL: 'a@b',
    };
    const parent = from ? ['-p', from] : [];
    const id = (
      await git(['commit-tree', oid, ...parent, '-m', branch], { ...options, env: { ...stamp, ...who } })
    ).trim();
    await git(['update-ref', `refs/heads/${branch}`, id], { gitDir: server });
    return id;
  };
  const base = await commit(files);
  await mirror.fetch();
  return {
    ...folder,
    mirror,
    server,
    base,
    commit: (changed, branch) => commit(changed, branch, base),
  };
}

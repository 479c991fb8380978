// Repositories of one commit, for tests that begin with one.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes `folder` a repository with what it holds and these files in one commit. */
export function commit(folder: string, files: Record<string, string> = {}, message = 'A shelf'): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const git = (...args: string[]) => execFileSync('git', args, { cwd: folder });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=You', '-c', 'user.email=you@example.com', 'commit', '-qm', message);
}

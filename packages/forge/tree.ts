// The entries of a tree, as git lists them.
import { tryGit } from './git.ts';

export interface TreeEntry {
  path: string;
  /** As git writes it: 100644, 100755, 120000 (a symbolic link), 040000, 160000 (a submodule). */
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  /** Of a blob, in bytes. */
  size: number | undefined;
}

interface Listing {
  /** All below it, folders themselves as well. */
  recursive?: boolean;
  /** These alone; one with a slash at its end stands for what is in that folder. */
  paths?: string[];
}

/** The entries of a commit or tree in git's order; none where there is no such tree. */
export async function listTree(
  folder: string,
  tree: string,
  { recursive = false, paths = [] }: Listing = {},
): Promise<TreeEntry[]> {
  const depth = recursive ? ['-r', '-t'] : [];
  const args = ['ls-tree', '--long', '--full-tree', '-z', ...depth, tree, '--', ...paths];
  const { code, stdout } = await tryGit(folder, ['--literal-pathspecs', ...args]);
  if (code !== 0) return [];
  return stdout
    .toString()
    .split('\0')
    .flatMap(line => {
      const match = /^(\d+) (blob|tree|commit) ([\da-f]+) +(-|\d+)\t(.*)$/s.exec(line);
      if (!match) return [];
      const [, mode = '', type, sha = '', size, path = ''] = match;
      const kind = type === 'tree' || type === 'commit' ? type : 'blob';
      return [{ path, mode, type: kind, sha, size: size === '-' ? undefined : Number(size) }];
    });
}

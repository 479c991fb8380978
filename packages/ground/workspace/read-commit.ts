// A commit of the mirror as the GitHub API wants it: its message, its parents, and what it changes.
import { botAuthor } from './commit-fields.ts';
import { type IndexChange, rawChanges } from './git-listing.ts';
import { GitError, git, gitBytes } from './git.ts';
import type { Mirror } from './mirror.ts';

type Place = Pick<Mirror, 'path'>;
type Files = Pick<Mirror, 'options'>;

export interface CommitRead {
  tree: string;
  parents: string[];
  message: string;
  /** ISO 8601. */
  date: string;
  /** It was made in a mirror, by this program. */
  isOwn: boolean;
}

export async function readCommit({ path }: Place, commit: string): Promise<CommitRead> {
  const text = await git(['cat-file', 'commit', commit], { gitDir: path });
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end).split('\n');
  const fields = (name: string) =>
    head.flatMap(line => (line.startsWith(`${name} `) ? line.slice(name.length + 1) : []));
  const [committer = ''] = fields('committer');
  const seconds = Number(/ (\d+) [+-]\d+$/.exec(committer)?.[1] ?? 0);
  return {
    date: new Date(seconds * 1000).toISOString(),
    tree: fields('tree')[0] ?? '',
    parents: fields('parent'),
    message: text.slice(end + 2),
    isOwn: committer.startsWith(`${botAuthor.name} <${botAuthor.email}> `),
  };
}

/** True if a branch of the server holds the commit, as last fetched. */
export async function isOnBranch({ path }: Place, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/heads'];
  return (await git(args, { gitDir: path })).trim() !== '';
}

/** Paths in which two trees or commits differ, without folders. */
export async function treeChanges(mirror: Files, from: string, to: string): Promise<IndexChange[]> {
  return await rawChanges(['diff-tree', '-r', from, to], await mirror.options());
}

/** Undefined: it is larger. */
export async function readBlob(mirror: Files, oid: string, maxBytes: number): Promise<Buffer | undefined> {
  const options = { ...(await mirror.options()), maxBytes: maxBytes + 1, cut: true };
  const bytes = await gitBytes(['cat-file', 'blob', oid], options).catch((error: unknown) => {
    // git was ended at that size.
    if (error instanceof GitError && error.exitCode === null) return undefined;
    throw error;
  });
  return bytes && bytes.length <= maxBytes ? bytes : undefined;
}

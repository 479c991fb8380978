// A commit of the mirror as the GitHub API wants it: its message and its parents.
import { botAuthor } from './commit-fields.ts';
import { git } from './git.ts';
import type { FoundObject } from './object-reader.ts';

interface Objects {
  object(id: string, maxBytes: number): Promise<FoundObject | undefined>;
}

/** Bytes of a commit object. */
const MAX_COMMIT = 16 << 20;

export type CommitRead = Awaited<ReturnType<typeof readCommit>>;

export async function readCommit(mirror: Objects, commit: string) {
  const found = await mirror.object(commit, MAX_COMMIT);
  if (found?.type !== 'commit') throw new Error(`not a commit: ${commit}`);
  const text = found.bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = text.slice(0, end).split('\n');
  const fields = (name: string) =>
    head.flatMap(line => (line.startsWith(`${name} `) ? line.slice(name.length + 1) : []));
  const [committer = ''] = fields('committer');
  const seconds = Number(/ (\d+) [+-]\d+$/.exec(committer)?.[1] ?? 0);
  return {
    /** ISO 8601. */
    date: new Date(seconds * 1000).toISOString(),
    tree: fields('tree')[0] ?? '',
    parents: fields('parent'),
    message: text.slice(end + 2),
    /** It was made in a mirror, by this program. */
    isOwn: committer.startsWith(`${botAuthor.name} <${botAuthor.email}> `),
  };
}

/** True if a branch of the server holds the commit, as last fetched. */
export async function isOnBranch({ path }: { path: string }, commit: string): Promise<boolean> {
  const args = ['for-each-ref', '--count=1', `--contains=${commit}`, 'refs/heads'];
  return (await git(args, { gitDir: path })).trim() !== '';
}

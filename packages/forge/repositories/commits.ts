// Commits, differences and merges of a bare repository, read and made through git.
import { timestamp } from '../core.ts';
import { type GitResult, git, GitError, tryGit, writeObject } from './git.ts';
import { kept } from '../kept.ts';

export interface Signature {
  name: string;
  email: string;
  /** GitHub's form, whole seconds, UTC. */
  date: string;
}

export interface GitCommit {
  sha: string;
  tree: string;
  parents: string[];
  author: Signature;
  committer: Signature;
  message: string;
}

const fields = ['%H', '%T', '%P', '%an', '%ae', '%at', '%cn', '%ce', '%ct', '%B'].join('%x00');

/** Commits as `git log` walks these revisions, newest first. */
export async function readCommits(folder: string, args: string[]): Promise<GitCommit[]> {
  const text = await git(folder, ['log', '-z', `--format=tformat:${fields}`, ...args]);
  const parts = text.split('\0');
  const commits: GitCommit[] = [];
  for (let at = 0; at + 9 < parts.length; at += 10) {
    const [sha = '', tree = '', parents = '', ...rest] = parts.slice(at, at + 10);
    const signature = ([name = '', email = '', seconds]: string[]): Signature => {
      return { name, email, date: timestamp(Number(seconds) * 1000) };
    };
    commits.push({
      ...{ sha, tree, parents: parents.split(' ').filter(Boolean) },
      ...{ author: signature(rest.slice(0, 3)), committer: signature(rest.slice(3, 6)) },
      message: (rest[6] ?? '').replace(/\n+$/, ''),
    });
  }
  return commits;
}

/** Commits by their SHA, which never change: each list of workflow runs shows one for every run. */
const read = kept(4_000_000);

/** The one commit of a SHA known to exist. */
export async function readCommit(folder: string, sha: string): Promise<GitCommit> {
  const key = `${folder}\0${sha}`;
  const known = read.get(key);
  if (known !== undefined) return JSON.parse(known);
  const [commit] = await readCommits(folder, ['-1', sha, '--']);
  if (!commit) throw new Error(`no commit ${sha}`);
  read.set(key, JSON.stringify(commit));
  return commit;
}

export interface FileChange {
  sha: string;
  path: string;
  previous: string | undefined;
  status: 'added' | 'removed' | 'modified' | 'renamed' | 'copied' | 'changed';
  additions: number;
  deletions: number;
  /** From the first @@ on; undefined for a binary file or a mere renaming. */
  patch: string | undefined;
}

const statuses: Record<string, FileChange['status']> = {
  A: 'added',
  D: 'removed',
  M: 'modified',
  R: 'renamed',
  C: 'copied',
  T: 'changed',
};

/** The files that differ between two commits (or between a commit and the empty tree). */
export async function changedFiles(folder: string, from: string, to: string): Promise<FileChange[]> {
  const [list, diff] = await Promise.all([
    between(folder, ['diff', '-M', '--raw', '--numstat', '-z', '--abbrev=40'], from, to),
    diffText(folder, from, to),
  ]);
  const patches = diff.split(/^(?=diff --git )/m).filter(part => part.startsWith('diff --git '));
  const parts = list.split('\0');
  const files: FileChange[] = [];
  const counts: [string, string][] = [];
  for (let at = 0; at < parts.length; ) {
    const part = parts[at++] ?? '';
    if (part.startsWith(':')) {
      const [, , oldSha = '', newSha = '', letters = ''] = part.split(' ');
      const status = statuses[letters.charAt(0)] ?? 'changed';
      const moved = status === 'renamed' || status === 'copied';
      const first = parts[at++] ?? '';
      const path = moved ? (parts[at++] ?? '') : first;
      files.push({
        sha: status === 'removed' ? oldSha : newSha,
        path,
        previous: moved ? first : undefined,
        status,
        additions: 0,
        deletions: 0,
        patch: undefined,
      });
    } else if (part !== '') {
      const [additions = '0', deletions = '0', path = ''] = part.split('\t');
      counts.push([additions, deletions]);
      if (path === '') at += 2;
    }
  }
  let next = 0;
  return files.map((file, index) => {
    const [additions = '0', deletions = '0'] = counts[index] ?? [];
    // A change of type (file to link) is shown as a removal and an addition.
    const sections = file.status === 'changed' ? 2 : 1;
    const text = patches.slice(next, (next += sections)).join('');
    const hunk = text.search(/^@@ /m);
    return {
      ...file,
      additions: Number(additions) || 0,
      deletions: Number(deletions) || 0,
      patch: hunk < 0 ? undefined : text.slice(hunk).replace(/\n$/, ''),
    };
  });
}

/** Size of the difference between two commits. */
export async function changedLines(folder: string, from: string, to: string) {
  const text = await git(folder, ['diff', '-M', '--shortstat', from, to, '--']);
  const count = (what: string) => Number(new RegExp(`(\\d+) ${what}`).exec(text)?.[1] ?? 0);
  return { changed_files: count('file'), additions: count('insertion'), deletions: count('deletion') };
}

export const diffText = (folder: string, from: string, to: string): Promise<string> =>
  between(folder, ['diff', '-M'], from, to);

/** git's output about two commits. It never changes, and a list is requested page by page. */
const said = kept(16_000_000);
const isId = (commit: string) => /^[0-9a-f]{40}$/.test(commit);

async function between(folder: string, args: string[], from: string, to: string): Promise<string> {
  if (!isId(from) || !isId(to)) return await git(folder, [...args, from, to, '--']);
  const key = [folder, ...args, from, to].join('\0');
  return said.get(key) ?? said.set(key, await git(folder, [...args, from, to, '--']));
}

export async function mergeBase(folder: string, a: string, b: string): Promise<string | undefined> {
  const key = isId(a) && isId(b) ? [folder, a, b].join('\0') : undefined;
  const known = key && said.get(key);
  if (known) return known;
  const { code, stdout } = await tryGit(folder, ['merge-base', a, b]);
  if (code !== 0) return undefined;
  const base = stdout.toString().trim();
  return key ? said.set(key, base) : base;
}

export const isAncestor = async (folder: string, ancestor: string, of: string): Promise<boolean> =>
  (await tryGit(folder, ['merge-base', '--is-ancestor', ancestor, of])).code === 0;

/** Number of commits only in `a`, and only in `b`. */
export async function distance(
  folder: string,
  a: string,
  b: string,
): Promise<{ behind: number; ahead: number }> {
  const text = await git(folder, ['rev-list', '--left-right', '--count', `${a}...${b}`]);
  const [behind = 0, ahead = 0] = text.split('\t').map(Number);
  return { behind, ahead };
}

/** The tree that merging two commits gives; undefined when they conflict. */
export async function mergedTree(folder: string, ours: string, theirs: string): Promise<string | undefined> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '--allow-unrelated-histories', ours, theirs];
  const result: GitResult = await tryGit(folder, args);
  if (result.code === 0) return result.stdout.toString().split('\n')[0]?.trim();
  if (result.code === 1) return undefined;
  throw new GitError(args, result.code, result.stderr);
}

/** Writes a commit object and returns its SHA. */
export function writeCommit(
  folder: string,
  commit: { tree: string; parents: string[]; author: Signature; committer: Signature; message: string },
): Promise<string> {
  const text = [
    `tree ${commit.tree}`,
    ...commit.parents.map(parent => `parent ${parent}`),
    signatureLine('author', commit.author),
    signatureLine('committer', commit.committer),
    '',
    commit.message,
  ].join('\n');
  return writeObject(folder, 'commit', Buffer.from(text));
}

/** git takes no time before 1970. */
const signatureLine = (role: string, { name, email, date }: Signature) =>
  `${role} ${clean(name)} <${clean(email)}> ${Math.max(0, Math.floor(Date.parse(date) / 1000))} +0000`;

/** Removes characters that git does not allow inside a name or address. */
const clean = (text: string): string => text.replace(/[<>\n\0]/g, '').trim() || 'unknown';

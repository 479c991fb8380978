// A bare mirror of one repository on the server, kept between runs: everything git does without a work tree.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GitError, type GitOptions, git, gitBytes } from './git.ts';

export interface MirrorFile {
  path: string;
  oid: string;
  /** Bytes; 0 for a submodule. */
  size: number;
  /** `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule). */
  mode: string;
}

export interface CommitFields {
  message: string;
  /** ISO 8601. The same fields give the same commit id, so nothing here may come from a clock. */
  date: string;
  author?: { name: string; email: string };
}

export interface Mirror {
  /** The bare repository; checkouts borrow its objects. */
  readonly path: string;
  /** Brings all branches up to date. Calls wait for each other. */
  fetch(signal?: AbortSignal): Promise<void>;
  /** The commit of a branch, a full ref or an object id as last fetched; undefined when there is none. */
  resolve(ref: string): Promise<string | undefined>;
  listFiles(commit: string): Promise<readonly MirrorFile[]>;
  /** The file at a path of a commit; undefined when there is none. A symbolic link is none. */
  find(commit: string, path: string): Promise<MirrorFile | undefined>;
  /** The bytes of a file in a commit; undefined when it is not a file there. Throws when larger than maxBytes. */
  readFile(commit: string, path: string, maxBytes: number): Promise<Buffer | undefined>;
  /** Merges the commits one after the other, without a work tree. Writes no ref. */
  merge(commits: string[], fields: CommitFields): Promise<{ commit: string } | { conflicts: string[] }>;
  commitTree(commit: CommitFields & { tree: string; parents: string[] }): Promise<string>;
  /** The head of a branch on the server now; null when it does not exist. */
  remoteBranch(branch: string): Promise<string | null>;
  /**
   * Points a branch of the server at `commit`, if it is at `expect` (null, the default: it does not exist).
   * 'same' when it was there already. Throws BranchElsewhere, and moves nothing, when it is anywhere else.
   */
  push(what: { commit: string; branch: string; expect?: string | null }): Promise<'pushed' | 'same'>;
}

/** A branch was not where it was expected, so it was not moved. */
export class BranchElsewhere extends Error {
  override readonly name = 'BranchElsewhere';
  readonly branch: string;
  readonly expected: string | null;
  readonly found: string | null;
  constructor(branch: string, expected: string | null, found: string | null) {
    super(
      `branch ${branch} was expected ${expected ? `at ${expected}` : 'not to exist'} but ${found ? `is at ${found}` : 'does not exist'}; it was not moved. ` +
        'Someone else pushed to it or deleted it: rename or restore the branch, then try again.',
    );
    this.branch = branch;
    this.expected = expected;
    this.found = found;
  }
}

/** The address in square brackets cannot belong to a person. */
const botAuthor = { name: 'echelon[bot]', email: 'echelon[bot]@users.noreply.github.com' };

const isOid = (text: string) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

/**
 * Opens the mirror in `folder`, making it when it is not there. `url` is http(s), file or a local path, without
 * credentials; `token` is asked before each call to the server. Throws GitMissing, GitError.
 */
export async function openMirror(at: {
  folder: string;
  url: string;
  token?: () => Promise<string | undefined>;
}): Promise<Mirror> {
  const { folder, url } = at;
  if (/^[a-z+]+:\/\/[^/]*@/i.test(url))
    throw new Error(
      'the address of a repository must not contain a user or token; give the token separately',
    );
  if (url.startsWith('-')) throw new Error(`not the address of a repository: ${url}`);
  await mkdir(folder, { recursive: true });
  await git(['init', '--quiet', '--bare', '--template=', folder]);
  // Every issue may add lines to LESSONS.md: its lines are united, they never conflict.
  await mkdir(join(folder, 'info'), { recursive: true });
  await writeFile(join(folder, 'info', 'attributes'), 'LESSONS.md merge=union\n');

  const local = (args: string[], more: GitOptions = {}) => git(args, { gitDir: folder, ...more });
  const remote = async (args: string[], signal?: AbortSignal) => {
    const token = /^https?:/.test(url) ? await at.token?.() : undefined;
    return await local(args, { ...(token ? { auth: { url, token } } : {}), ...(signal ? { signal } : {}) });
  };
  let last: Promise<unknown> = Promise.resolve();
  let listed: { commit: string; files: readonly MirrorFile[] } | undefined;
  let looked: { commit: string; files: Map<string, MirrorFile | undefined> } | undefined;

  const mirror: Mirror = {
    path: folder,
    fetch(signal) {
      const mine = last.then(() =>
        remote(
          [
            'fetch',
            '--quiet',
            '--prune',
            '--no-tags',
            '--no-write-fetch-head',
            url,
            '+refs/heads/*:refs/heads/*',
          ],
          signal,
        ),
      );
      // Told to who fetches; the next only waits for its end.
      last = mine.catch(() => {});
      return mine.then(() => {});
    },
    async resolve(ref) {
      const full = isOid(ref) || ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
      if (/[\s~^:?*[\\\u0000-\u001f]|\.\.|@\{/.test(full)) return undefined;
      return await unlessExit(1, async () =>
        (await local(['rev-parse', '--verify', '--quiet', `${full}^{commit}`])).trim(),
      );
    },
    async listFiles(commit) {
      // A commit never changes, and a run asks for the files of its own again and again.
      if (listed?.commit !== commit) {
        const list = await local(['ls-tree', '-r', '-l', '-z', '--full-tree', oid(commit)]);
        listed = { commit, files: list.split('\0').filter(Boolean).map(parseEntry) };
      }
      return listed.files;
    },
    async find(commit, path) {
      if (looked?.commit !== commit) looked = { commit, files: new Map() };
      const { files } = looked;
      if (!files.has(path)) {
        const list = await local(['ls-tree', '-l', '-z', '--full-tree', oid(commit), '--', path]);
        files.set(path, list.split('\0').filter(Boolean).map(parseEntry)[0]);
      }
      const file = files.get(path);
      return file?.path === path && file.mode.startsWith('10') ? file : undefined;
    },
    async readFile(commit, path, maxBytes) {
      const file = await mirror.find(commit, path);
      if (!file) return undefined;
      if (file.size > maxBytes)
        throw new Error(`${path} has ${file.size} bytes; at most ${maxBytes} are read`);
      return await gitBytes(['cat-file', 'blob', file.oid], { gitDir: folder, maxBytes });
    },
    async merge(commits, fields) {
      let head = oid(commits[0] ?? '');
      for (const next of commits.slice(1).map(oid)) {
        if (await isAncestor(next, head)) continue;
        if (await isAncestor(head, next)) {
          head = next;
          continue;
        }
        const { clean, out } = await mergeTree(head, next);
        const [tree, ...conflicts] = out.split('\0').filter(Boolean);
        if (!clean) return { conflicts: [...new Set(conflicts)].sort() };
        head = await mirror.commitTree({ ...fields, tree: tree!, parents: [head, next] });
      }
      return { commit: head };
    },
    async commitTree({ tree, parents, message, date, author = botAuthor }) {
      const seconds = Math.floor(Date.parse(date) / 1000);
      if (!Number.isFinite(seconds)) throw new Error(`not an ISO 8601 date: ${date}`);
      const args = ['commit-tree', oid(tree), ...parents.flatMap(parent => ['-p', oid(parent)]), '-F', '-'];
      const env = Object.fromEntries(
        ['AUTHOR', 'COMMITTER'].flatMap(who => [
          [`GIT_${who}_NAME`, who === 'AUTHOR' ? author.name : botAuthor.name],
          [`GIT_${who}_EMAIL`, who === 'AUTHOR' ? author.email : botAuthor.email],
          [`GIT_${who}_DATE`, `${seconds} +0000`],
        ]),
      );
      return (await local(args, { input: message.replaceAll('\0', ''), env })).trim();
    },
    async remoteBranch(branch) {
      const ref = `refs/heads/${branch}`;
      const lines = (await remote(['ls-remote', '--quiet', url, ref]))
        .split('\n')
        .map(line => line.split('\t'));
      return lines.find(([, name]) => name === ref)?.[0] ?? null;
    },
    async push({ commit, branch, expect = null }) {
      const ref = `refs/heads/${branch}`;
      const lease = `--force-with-lease=${ref}:${expect ?? ''}`;
      try {
        const said = await remote([
          'push',
          '--porcelain',
          '--no-verify',
          lease,
          url,
          `${oid(commit)}:${ref}`,
        ]);
        return /^=\t/m.test(said) ? 'same' : 'pushed';
      } catch (error) {
        // It is elsewhere, somebody was faster, or the push was applied and its answer lost: the server knows.
        const now = await mirror.remoteBranch(branch);
        if (now === commit) return 'same';
        if (now !== expect) throw new BranchElsewhere(branch, expect, now);
        throw error;
      }
    },
  };
  return mirror;

  async function isAncestor(older: string, younger: string): Promise<boolean> {
    const answer = await unlessExit(1, () => local(['merge-base', '--is-ancestor', older, younger]));
    return answer !== undefined;
  }

  async function mergeTree(ours: string, theirs: string): Promise<{ clean: boolean; out: string }> {
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
    try {
      return { clean: true, out: await local(args) };
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return { clean: false, out: error.stdout };
      throw error;
    }
  }
}

async function unlessExit<T>(code: number, run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof GitError && error.exitCode === code) return undefined;
    throw error;
  }
}

function oid(text: string): string {
  if (!isOid(text)) throw new Error(`not an object id: ${text || '(nothing)'}`);
  return text;
}

function parseEntry(line: string): MirrorFile {
  const [, mode, id, size, path] = /^(\d+) \w+ (\w+) +(-|\d+)\t(.*)$/s.exec(line)!;
  return { mode: mode!, oid: id!, size: size === '-' ? 0 : Number(size), path: path! };
}

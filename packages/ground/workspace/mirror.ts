// A bare mirror of one repository on the server: everything git does without a work tree.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { initBare } from './borrow.ts';
import { BranchElsewhere, PushRefused } from './branch-not-moved.ts';
import { type CommitFields, commitInput } from './commit-fields.ts';
import { GitError, type GitOptions, git } from './git.ts';
import { type ListedFile, parseListing } from './git-listing.ts';
import { type FoundObject, ObjectReader, objectsIn } from './object-reader.ts';
import { readCommit } from './read-commit.ts';

/** Git's line about a branch that the server rejected, with the server's reason (`git push --porcelain`). */
const remoteRejection = /^!\t.*\t\[remote rejected\] \((.*)\)$/m;

const isOid = (text: string) => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text);

interface Place {
  folder: string;
  /** http(s), file or a local path, without credentials. */
  url: string;
  /** Asked before each call to the server. */
  token?: () => Promise<string | undefined>;
  /** Asked before each push in its place. */
  pushToken?: () => Promise<string | undefined>;
  /** Fetches commits only; folders and files follow when they are read. For a mirror that no other process reads. */
  partial?: boolean;
}

/** Name of the server in a partial mirror, which git gives to no other mirror. */
const remote = 'origin';

/** GitHub asks no attributes of a repository when it merges, so none choose a driver here. */
const plainMerges = '* !merge\n';

/** Opens the mirror in `folder`, making it when it is not there. Throws as `git` does. */
export async function openMirror(place: Place): Promise<Mirror> {
  const { folder, url } = place;
  if (/^[a-z+]+:\/\/[^/]*@/i.test(url))
    throw new Error(
      'the address of a repository must not contain a user or token; give the token separately',
    );
  if (url.startsWith('-')) throw new Error(`not the address of a repository: ${url}`);
  const attributes = join(folder, 'info', 'attributes');
  // Written last: where it is there, so is the rest.
  if (!existsSync(attributes)) {
    await initBare(folder);
    await mkdir(join(folder, 'info'), { recursive: true });
  }
  await writeFile(attributes, plainMerges);
  return new Mirror(place);
}

export class Mirror {
  /** The bare repository; checkouts borrow its objects. */
  readonly path: string;
  readonly #place: Place;
  #lastFetch: Promise<unknown> = Promise.resolve();
  #listed: { commit: string; files: readonly ListedFile[] } | undefined;
  #looked: { commit: string; files: Map<string, ListedFile | undefined> } | undefined;

  /** Ids that were found to be commits: they stay so, since nothing is ever pruned. */
  readonly #commits = new Set<string>();

  constructor(place: Place) {
    this.#place = place;
    this.path = place.folder;
  }

  /** Brings all branches up to date. Calls wait for each other. */
  async fetch(signal?: AbortSignal): Promise<void> {
    const flags = ['--quiet', '--prune', '--no-tags', '--no-write-fetch-head'];
    const { url, partial } = this.#place;
    const from = partial ? ['--filter=tree:0', remote] : [url];
    const refs = '+refs/heads/*:refs/heads/*';
    const mine = this.#lastFetch.then(() => this.#remote(['fetch', ...flags, ...from, refs], { signal }));
    // Told to who fetches; the next only waits for its end.
    this.#lastFetch = mine.catch(() => {});
    await mine;
  }

  /** The commit of a branch, a full ref or an object id as last fetched; undefined when there is none. */
  async resolve(ref: string): Promise<string | undefined> {
    const full = isOid(ref) || ref.startsWith('refs/') ? ref : `refs/heads/${ref}`;
    if (this.#commits.has(full)) return full;
    if (/[\s~^:?*[\\\u0000-\u001f]|\.\.|@\{/.test(full)) return undefined;
    const commit =
      (await this.#loose(full)) ?? (await objectsIn(this.path).ask('info', `${full}^{commit}`))?.oid;
    if (commit !== undefined) this.#commits.add(commit);
    return commit;
  }

  /** Content of a plainly named branch's file; git lets a branch name nothing but a commit. */
  async #loose(ref: string): Promise<string | undefined> {
    if (!/^refs\/heads(\/[\w-]+)+$/.test(ref)) return undefined;
    const text = await readFile(join(this.path, ref), 'utf8').catch(() => '');
    return isOid(text.trim()) ? text.trim() : undefined;
  }

  /**
   * Options for git commands that read its files: a partial mirror fetches what they lack, with the token. Without these
   * options no command fetches anything.
   */
  async options(ask = this.#place.token): Promise<GitOptions> {
    const { url, partial } = this.#place;
    const token = /^https?:/.test(url) ? await ask?.() : undefined;
    return {
      gitDir: this.path,
      ...(token && { auth: { url, token } }),
      ...(partial && { config: promisorConfig(url) }),
    };
  }

  /** Fetches what a partial mirror lacks of a commit: its folders, and all files or those at `paths`. */
  async bring(commit: string, paths?: readonly string[]): Promise<void> {
    if (!this.#place.partial) return;
    const walk = ['rev-list', '--objects', '--no-walk', '--no-object-names', '--filter=blob:none'];
    const folders = await this.#local([...walk, '--missing=print', oid(commit)]);
    await this.#fetchObjects([...folders.matchAll(/^\?(\w+)$/gm)].map(([, id]) => id!));
    if (paths?.length === 0) return;
    const listed = await this.#local(['ls-tree', '-r', '-z', '--full-tree', commit, '--', ...(paths ?? [])]);
    const files = new Set(listed.split('\0').flatMap(line => /^\d+ blob (\w+)\t/.exec(line)?.[1] ?? []));
    const missing: string[] = [];
    for (const id of files) if (!(await objectsIn(this.path).ask('info', id))) missing.push(id);
    await this.#fetchObjects(missing);
  }

  /** The way that git itself fetches missing objects (its promisor-remote.c), but with one request for all. */
  async #fetchObjects(oids: readonly string[]): Promise<void> {
    if (oids.length === 0) return;
    const flags = ['--quiet', '--no-tags', '--no-write-fetch-head', '--filter=blob:none', '--stdin'];
    // Else the server would leave out what commits that are here already lead to.
    const args = ['-c', 'fetch.negotiationAlgorithm=noop', 'fetch', ...flags, remote];
    await git(args, { ...(await this.options()), input: `${oids.join('\n')}\n` });
  }

  async listFiles(commit: string): Promise<readonly ListedFile[]> {
    // A commit never changes, and a run asks for the files of its own again and again.
    if (this.#listed?.commit !== commit) {
      await this.bring(commit);
      const list = await this.#local(['ls-tree', '-r', '-l', '-z', '--full-tree', oid(commit)]);
      this.#listed = { commit, files: parseListing(list) };
    }
    return this.#listed.files;
  }

  /** The file at a path of a commit; undefined when there is none. A symbolic link is none. */
  async find(commit: string, path: string): Promise<ListedFile | undefined> {
    if (this.#looked?.commit !== commit) this.#looked = { commit, files: new Map() };
    const { files } = this.#looked;
    if (!files.has(path)) {
      const list = await this.#reading(['ls-tree', '-l', '-z', '--full-tree', oid(commit), '--', path]);
      files.set(path, parseListing(list)[0]);
    }
    const file = files.get(path);
    return file?.path === path && file.mode.startsWith('10') ? file : undefined;
  }

  /** The bytes of a file in a commit; undefined when it is not a file there, or larger than maxBytes. */
  async readFile(commit: string, path: string, maxBytes: number): Promise<Buffer | undefined> {
    const file = await this.find(commit, path);
    return file && (await this.object(file.oid, maxBytes))?.bytes;
  }

  /** An object of at most `maxBytes`, by its id; what a partial mirror lacks is fetched. Undefined: it is larger. */
  async object(id: string, maxBytes: number): Promise<FoundObject | undefined> {
    const { partial } = this.#place;
    // A full mirror needs no token to read, and the token of a partial one is good for a while only.
    const options = partial && (await this.options());
    const reader = options ? new ObjectReader(options) : objectsIn(this.path);
    try {
      const found = await reader.ask('info', oid(id));
      if (!found) throw new Error(`there is no object ${id}`);
      return found.size > maxBytes ? undefined : await reader.ask('contents', id);
    } finally {
      if (partial) reader.end();
    }
  }

  /** Merges the commits one after the other, without a work tree. Writes no ref. */
  async merge(
    commits: string[],
    fields: CommitFields,
  ): Promise<{ commit: string } | { conflicts: string[] }> {
    const { commit, conflicts } = await this.mergeAll(commits, fields);
    return conflicts.length > 0 ? { conflicts } : { commit };
  }

  /**
   * The same; where two conflict, `marked` leaves both sides between git's marks for somebody to resolve, else that is the
   * end. `conflicts`: in which files.
   */
  async mergeAll(commits: string[], fields: CommitFields, marked = false) {
    let head = oid(commits[0] ?? '');
    const conflicts = new Set<string>();
    for (const next of commits.slice(1).map(oid)) {
      const parted = await this.mergeBase(head, next);
      if (parted === next) continue;
      if (!marked && parted === head) {
        head = next;
        continue;
      }
      const merged = await this.#mergeTree(head, next);
      for (const path of merged.conflicts) conflicts.add(path);
      if (!marked && conflicts.size > 0) break;
      head = await this.commitTree({ ...fields, tree: merged.tree, parents: [head, next] });
    }
    return { commit: head, conflicts: [...conflicts].sort() };
  }

  /** The newest commit that two came of; undefined where there is none. */
  async mergeBase(one: string, other: string): Promise<string | undefined> {
    try {
      return (await this.#local(['merge-base', oid(one), oid(other)])).trim();
    } catch (error) {
      if (error instanceof GitError && error.exitCode === 1) return undefined;
      throw error;
    }
  }

  /** The tree of a commit. */
  async treeOf(commit: string): Promise<string> {
    return (await readCommit(this, commit)).tree;
  }

  /** True if `older` is the commit itself or an ancestor. */
  async contains(commit: string, older: string): Promise<boolean> {
    return (await this.mergeBase(commit, older)) === older;
  }

  /**
   * Merges `theirs` into `ours` as if both came of `from`, which `ours` contains: so what `theirs` holds of `from` in
   * other commits (a squash, a rebase) is no conflict. Writes no ref.
   */
  async mergeAbove(
    from: string,
    { ours, theirs }: { ours: string; theirs: string },
    fields: CommitFields,
  ): Promise<{ commit: string } | { conflicts: string[] }> {
    const tree = await this.treeOf(theirs);
    // Git looks for the common ancestor itself: a stand-in of their tree on `from` makes it that one.
    const standIn = await this.commitTree({ ...fields, tree, parents: [from] });
    const merged = await this.#mergeTree(oid(ours), standIn);
    if (merged.conflicts.length > 0) return { conflicts: merged.conflicts };
    return { commit: await this.commitTree({ ...fields, tree: merged.tree, parents: [ours, theirs] }) };
  }

  /** Answers its id. Throws where a date is none. */
  async commitTree(commit: CommitFields & { tree: string; parents: string[] }): Promise<string> {
    const { tree, parents } = commit;
    const args = ['commit-tree', oid(tree), ...parents.flatMap(parent => ['-p', oid(parent)]), '-F', '-'];
    return (await this.#reading(args, commitInput(commit))).trim();
  }

  /** The head of a branch on the server now; null when it does not exist. */
  async remoteBranch(branch: string): Promise<string | null> {
    const ref = `refs/heads/${branch}`;
    const listed = await this.#remote(['ls-remote', '--quiet', this.#place.url, ref]);
    const lines = listed.split('\n').map(line => line.split('\t'));
    return lines.find(([, name]) => name === ref)?.[0] ?? null;
  }

  /**
   * Points a branch of the server at `commit`, if it is at `expect` (null, the default: it does not exist).
   * 'same' when it was there already. Moves nothing and throws BranchElsewhere when it is anywhere else, PushRefused
   * when the server takes no such branch.
   */
  async push(what: { commit: string; branch: string; expect?: string | null }): Promise<'pushed' | 'same'> {
    const { commit, branch, expect = null } = what;
    const ref = `refs/heads/${branch}`;
    const lease = `--force-with-lease=${ref}:${expect ?? ''}`;
    const flags = ['--porcelain', '--no-verify', lease];
    try {
      const { url, token, pushToken = token } = this.#place;
      const said = await this.#remote(['push', ...flags, url, `${oid(commit)}:${ref}`], { token: pushToken });
      return /^=\t/m.test(said) ? 'same' : 'pushed';
    } catch (error) {
      // It is elsewhere, somebody was faster, or the push was applied and its answer lost: the server knows.
      const now = await this.remoteBranch(branch);
      if (now === commit) return 'same';
      if (now !== expect) throw new BranchElsewhere(branch, expect, now);
      const refused = error instanceof GitError ? remoteRejection.exec(error.stdout)?.[1] : undefined;
      throw refused === undefined ? error : new PushRefused(branch, refused);
    }
  }

  #local(args: string[]): Promise<string> {
    return git(args, { gitDir: this.path });
  }

  /** A full mirror needs no token to read. */
  async #reading(args: string[], more: GitOptions = {}): Promise<string> {
    return await git(args, {
      ...(this.#place.partial ? await this.options() : { gitDir: this.path }),
      ...more,
    });
  }

  async #remote(
    args: string[],
    { signal, token }: { signal?: AbortSignal | undefined; token?: Place['token'] } = {},
  ): Promise<string> {
    return await git(args, { ...(await this.options(token)), ...(signal && { signal }) });
  }

  /** Files that conflict hold both sides between git's marks in that tree. */
  async #mergeTree(ours: string, theirs: string) {
    const args = ['merge-tree', '--write-tree', '-z', '--name-only', '--no-messages', ours, theirs];
    const out = await this.#reading(args).catch((error: unknown) => {
      if (error instanceof GitError && error.exitCode === 1) return error.stdout;
      throw error;
    });
    const [tree = '', ...listed] = out.split('\0').filter(Boolean);
    return { tree, conflicts: [...new Set(listed)].sort() };
  }
}

const promisorConfig = (url: string): Record<string, string> => ({
  [`remote.${remote}.url`]: url,
  [`remote.${remote}.promisor`]: 'true',
  [`remote.${remote}.partialCloneFilter`]: 'tree:0',
});

function oid(text: string): string {
  if (!isOid(text)) throw new Error(`not an object id: ${text || '(nothing)'}`);
  return text;
}

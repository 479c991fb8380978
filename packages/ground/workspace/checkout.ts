// A fresh work tree of one commit. Its git directory lies outside of it, so nothing that is written into the tree
// (configuration, hooks, filters, a nested repository) is ever obeyed by the git that runs out here.
import { existsSync, type Stats } from 'node:fs';
import { copyFile, lstat, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { digest } from '../lib/json.ts';
import { borrowObjects } from './borrow.ts';
import { type GitOptions, git, gitBytes } from './git.ts';
import { copyInto } from './copy-tree.ts';
import { clear } from './remove-tree.ts';
import { restore } from './reset-tree.ts';

/** The files are more, or larger, than a patch may be, or lie where git cannot read them. */
export class TreeTooLarge extends Error {}

/** Folders of a checkout: its parts, and those beside it that commands use. */
export const checkoutParts = ['tree', 'git', 'home', 'tmp', 'engine', 'without'];

/** Far above what a bundle may hold (index-changes.ts), and far below what would keep git busy for long. */
const mostChanged = 5000;
const largestChanged = 32 << 20;

/** Files left by builds and tests that no issue wants, in case a repository does not ignore them. */
const leftovers = [
  ...['node_modules/', '__pycache__/', '*.pyc', '.venv/', '.pytest_cache/', '.DS_Store'],
  '.aider.tags.cache.*/',
];

/** Nothing here asks the attributes of the tree for a driver, and no patch depends on someone's settings. */
const plainDiff = [
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-renames',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

/** The initial content of a checkout beside its commit's files. Nothing done in the checkout changes it. */
export interface Ground {
  /** A folder of what git ignores of a work tree: installed dependencies. */
  tree: string;
  /** The home of the command that installed them. */
  home: string;
}

/**
 * Writes the files of `commit` into `folder`/tree, which must not exist yet. `mirror` is the bare repository that
 * has the commit: its objects are borrowed, not copied. Throws as `git` and `copyInto` do, and leaves nothing behind.
 */
export async function createCheckout(of: {
  mirror: string;
  commit: string;
  folder: string;
  /** Absent: no dependency is installed, and the home is empty. */
  ground?: Ground | undefined;
}): Promise<Checkout> {
  const checkout = new Checkout(resolve(of.folder), of.commit, of.ground);
  const { tree, gitDir, home } = checkout;
  await mkdir(resolve(of.folder), { recursive: true });
  await mkdir(tree);
  try {
    await mkdir(home, { recursive: true });
    if (of.ground) await copyInto(of.ground.home, home);
    await borrowObjects(of.mirror, gitDir);
    await mkdir(join(gitDir, 'info'), { recursive: true });
    await writeFile(join(gitDir, 'info', 'exclude'), `${leftovers.join('\n')}\n`);
    // Into an empty folder, so that no link of the commit is followed; git writes the commit's files over it.
    if (of.ground) await copyInto(of.ground.tree, tree);
    const options = { gitDir, workTree: tree, cwd: tree };
    await git(['read-tree', '-u', '--reset', of.commit], options);
    // Files that this commit does not ignore would count as its change.
    if (of.ground) await git(['clean', '-ffdq'], options);
    await hideSubmodules(gitDir, tree);
  } catch (error) {
    await checkout.remove();
    throw error;
  }
  return checkout;
}

/** Runs something in an empty work tree with an empty home in `folder`, which has no checkout now. */
export async function inEmptyRoom<T>(
  folder: string,
  use: (room: Pick<Checkout, 'tree' | 'home'>) => Promise<T>,
): Promise<T> {
  const room = { tree: join(folder, 'tree'), home: join(folder, 'home') };
  await mkdir(room.tree, { recursive: true });
  try {
    return await use(room);
  } finally {
    await clear(folder, checkoutParts);
  }
}

export class Checkout {
  /** The work tree: the files of `base`, nothing else. */
  readonly tree: string;
  /** The git directory of the tree; commands that run in the tree must not see it. */
  readonly gitDir: string;
  /** A folder beside the tree: HOME of the commands that run in it, kept from one to the next. */
  readonly home: string;
  /** The commit it began from. */
  readonly base: string;
  readonly #folder: string;
  readonly #ground: Ground | undefined;
  #patch: { tree: string; bytes: Buffer } | undefined;
  /** The last tree that was stored, of files in this state. */
  #stored: { state: string | undefined; oid: string } | undefined;

  constructor(folder: string, base: string, ground: Ground | undefined) {
    this.tree = join(folder, 'tree');
    this.gitDir = join(folder, 'git');
    this.home = join(folder, 'home');
    this.base = base;
    this.#folder = folder;
    this.#ground = ground;
  }

  /**
   * Stores the files as they are now, without those that git ignores, and gives the tree's object id. Throws
   * TreeTooLarge before anything is read when there is more than any patch may hold.
   */
  writeTree(signal?: AbortSignal): Promise<string> {
    return this.#withIndex(index => this.#store(index, signal));
  }

  /**
   * Runs something, and takes away afterwards what it changed of the files, whatever it came to. Those that git
   * ignores stay. Throws as `writeTree` does; after the signal everything is left as it is.
   */
  undoing<T>(run: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#withIndex(async index => {
      const oid = await this.#store(index, signal, true);
      const stored = { oid, index, ownGit: existsSync(join(this.tree, '.git')) };
      try {
        return await run();
      } finally {
        if (!signal.aborted) await restore(this, stored, this.#ground?.tree, signal);
      }
    });
  }

  /** True if git sees the files as they were when it stored this tree of them; false where that cannot be told. */
  async isStill(oid: string, signal?: AbortSignal): Promise<boolean> {
    const { state } = await this.#look(signal);
    return state !== undefined && this.#stored?.oid === oid && this.#stored.state === state;
  }

  /**
   * The difference between two trees or commits as text, of one file or folder where `path` names it; from
   * `base`, to the files as they are now.
   */
  async diff(from = this.base, to?: string, path?: string): Promise<string> {
    const args = ['diff', ...plainDiff, from, to ?? (await this.writeTree()), '--'];
    if (path !== undefined) args.push(path);
    // Without the work tree: attributes written there could hide a file from the difference.
    return await git(args, { gitDir: this.gitDir });
  }

  /** Puts the file at `path` back as it is in `base`. False where that has no such file. */
  async revert(path: string, signal: AbortSignal): Promise<boolean> {
    // An index without entries knows of no file that it would be unchanged.
    return await this.#withIndex(async index => {
      const options = { ...this.#git(signal), env: { GIT_INDEX_FILE: index } };
      const entry = await git(['ls-tree', '-z', this.base, '--', path], options);
      if (!/^1[02]\d+ blob /.test(entry)) return false;
      await git(['checkout', '--quiet', '--force', this.base, '--', path], options);
      return true;
    });
  }

  /** `git diff --binary` from `base` to a tree: what `git apply` makes the same tree of. */
  async patch(tree: string): Promise<Buffer> {
    const args = ['diff', ...plainDiff, '--binary', '--full-index', this.base, tree];
    // The one that was kept on the way is most often the one that is handed over.
    if (this.#patch?.tree !== tree)
      this.#patch = { tree, bytes: await gitBytes(args, { gitDir: this.gitDir }) };
    return this.#patch.bytes;
  }

  /** Takes the files of `base`, as they are in the work tree, out of it: what git ignores is left. Throws GitError. */
  async keepIgnored(signal: AbortSignal): Promise<void> {
    const nothing = (await git(['mktree'], { gitDir: this.gitDir, input: '' })).trim();
    await git(['read-tree', '-u', '--reset', nothing], this.#git(signal));
  }

  /** Deletes tree, home and git directory, never failing; what could not be deleted is answered, for a log. */
  remove(): Promise<string | undefined> {
    return clear(this.#folder, checkoutParts);
  }

  async #withIndex<T>(use: (index: string) => Promise<T>): Promise<T> {
    const index = join(this.gitDir, `index.${process.hrtime.bigint()}`);
    try {
      return await use(index);
    } finally {
      await rm(index, { force: true });
    }
  }

  /**
   * Stores the files, with an index of its own. The one of the checkout stays as it was: it spares reading unchanged files,
   * and what an earlier call found (a repository inside the tree, say) is not asked about its state by this one. What is
   * stored already is not stored again; the index is left in `index` then only where `fills` says so.
   */
  async #store(index: string, signal: AbortSignal | undefined, fills = false): Promise<string> {
    const { state, isChanged } = await this.#look(signal);
    const known = state !== undefined && state === this.#stored?.state ? this.#stored.oid : undefined;
    if (known !== undefined && !fills) return known;
    await copyIndex(join(this.gitDir, 'index'), index);
    const options = { ...this.#git(signal), env: { GIT_INDEX_FILE: index } };
    if (isChanged) await git(['add', '--all'], options);
    const oid = known ?? (await git(['write-tree'], options)).trim();
    this.#stored = { state, oid };
    return oid;
  }

  /**
   * Git reads every changed file whole, outside of any limit of the command that wrote it: look first. As long as `state`
   * is the same, so are the files that git sees; undefined where that cannot be told.
   */
  async #look(signal: AbortSignal | undefined): Promise<{ state: string | undefined; isChanged: boolean }> {
    const warnings: string[] = [];
    const list = await git(['ls-files', '-z', '--modified', '--others', '--exclude-standard'], {
      ...this.#git(signal),
      onWarning: text => warnings.push(text),
    });
    // It leaves out what it cannot read: folders without permission, or nested deeper than a path may be long.
    if (warnings.length > 0) throw new TreeTooLarge(unreadable(warnings.join('')));
    const paths = list.split('\0').filter(Boolean);
    if (paths.length > mostChanged)
      throw new TreeTooLarge(
        `${paths.length} files are new or changed; at most ${mostChanged} are looked at. Ignore or delete what a build left`,
      );
    const found = [stateOf(await lstat(join(this.gitDir, 'index')))];
    let newest = 0.1;
    for (const path of paths) {
      // Deleted: there is nothing to measure.
      const file = await lstat(join(this.tree, path)).catch(() => undefined);
      if (file && file.size > largestChanged)
        throw new TreeTooLarge(
          `${path} has ${file.size} bytes; at most ${largestChanged} are looked at. Ignore or delete it`,
        );
      found.push(path, file ? stateOf(file) : '');
      newest = Math.max(newest, file?.ctimeMs ?? 0);
    }
    // A change in the same tick of the system's clock does not show in the times: what is read is read after it.
    const wait = newest + TICK_MS - Date.now();
    if (wait > 0 && wait <= TICK_MS) await setTimeout(wait);
    // Some file systems note whole seconds only. The name of a repository inside ends with a slash: which commit it stands
    // on is in none of these times.
    const isTold = wait <= TICK_MS && newest % 1000 > 0 && !paths.some(path => path.endsWith('/'));
    return { state: isTold ? digest(found) : undefined, isChanged: paths.length > 0 };
  }

  #git(signal: AbortSignal | undefined): GitOptions {
    const { gitDir, tree } = this;
    return { gitDir, workTree: tree, cwd: tree, ...(signal && { signal }) };
  }
}

/** Longer than any system's clock for the times of files stands still (milliseconds). */
const TICK_MS = 15;

/** Metadata that changes with a file's content. Nobody can set the time of the last change (ctime). */
const stateOf = ({ ino, mode, size, mtimeMs, ctimeMs }: Stats) => [ino, mode, size, mtimeMs, ctimeMs].join();

const unreadable = (warnings: string) => {
  const [line = ''] = warnings.split('\n');
  const short = line.length > 400 ? `${line.slice(0, 200)} ... ${line.slice(-200)}` : line;
  return `git cannot read all files (${short}). Delete what is nested too deeply or may not be read`;
};

/**
 * Git asks a submodule for its state by running git inside it, under the configuration found there. No submodule is
 * checked out here, so one that appears in its folder was made by a command: git is told not to look.
 */
async function hideSubmodules(gitDir: string, tree: string): Promise<void> {
  // Without the bytes of their mode, the index has no entry of one.
  if (!(await readFile(join(gitDir, 'index'))).includes(Buffer.from([0, 0, 0xe0, 0]))) return;
  const entries = (await git(['ls-files', '--stage', '-z'], { gitDir })).split('\0');
  const paths = entries
    .filter(line => line.startsWith('160000 '))
    .map(line => line.slice(line.indexOf('\t') + 1));
  if (paths.length > 0)
    await git(['update-index', '-z', '--skip-worktree', '--stdin'], {
      ...{ gitDir, workTree: tree, cwd: tree },
      input: `${paths.join('\0')}\0`,
    });
}

/**
 * A copy that is as old as the original. A file that was written in the moment the index was is as old as its entry,
 * and git looks into it only because the index is no younger; a younger copy would hide the change.
 */
async function copyIndex(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const { mtimeMs } = await stat(from);
  // Down to the millisecond: older than it is does no harm.
  const seconds = Math.floor(mtimeMs) / 1000;
  await utimes(to, seconds, seconds);
}

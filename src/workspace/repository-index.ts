// What the memory index is made of: the files of a work tree, a plain folder or a commit of a mirror with digests
// of their contents, their texts, and one file in which the index is kept between runs.
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { lstat, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { GitError, type GitOptions, git, gitBytes } from './git.ts';
import type { Mirror } from './mirror.ts';
import { pathFault } from './paths.ts';
import { maxFileBytes } from './search.ts';

export interface IndexedFile {
  path: string;
  /** The blob's object id; of a changed file over 1 MB, which is not read, its size. */
  digest: string;
  bytes: number;
}

/** What `refreshIndex` of the memory system takes. */
export interface RepositorySource {
  /** At most 100,000 files; `isComplete` is false when there are more. */
  list(): Promise<{ files: IndexedFile[]; isComplete: boolean }>;
  /** Texts in the order of the files; undefined for one that is gone, larger than 1 MB, or not a regular file. */
  read(files: readonly IndexedFile[]): Promise<(string | undefined)[]>;
  load(): Promise<string | undefined>;
  save(text: string): Promise<void>;
}

const mostFiles = 100_000;
const cacheName = 'echelon-index.json';
/** 100,000 files at their longest metadata are below this; what is larger was not written here. */
const largestCache = 64 << 20;
/** How long the event loop is held, in milliseconds, before others get their turn. */
const holdMs = 10;

interface FolderOptions {
  /** The git directory, for a tree that has none inside; default: as git finds it. */
  gitDir?: string;
  /**
   * The file in which the index is kept; null: nowhere. Default: `echelon-index.json` in the git directory; of a
   * plain folder, and of a folder inside a repository, nowhere.
   */
  cache?: string | null;
  signal?: AbortSignal;
}

/**
 * A folder as it is now. In a git work tree: the tracked files and the new ones that git does not ignore; elsewhere
 * all but `.git` and `node_modules`. Symbolic links and submodules are left out, and so are names that no file tool
 * takes. Throws when there is no such folder; GitMissing; the signal's reason.
 */
export async function folderSource(folder: string, options: FolderOptions = {}): Promise<RepositorySource> {
  const { signal } = options;
  const given = resolve(folder);
  const root = await realpath(given).catch(() => undefined);
  if (root === undefined || !(await stat(root)).isDirectory())
    throw new Error(`there is no folder ${given}; give the folder of a repository`);
  const repository = await repositoryOf(root, options);
  const ownCache = repository?.top === root ? join(repository.gitDir, cacheName) : null;
  const cache = options.cache === undefined ? ownCache : options.cache && resolve(options.cache);
  const isCache = (place: string) => cache !== null && place.startsWith(cache);
  return {
    async list() {
      const tracked = repository && (await trackedAndNew(root, repository, signal));
      // Git lists nothing of a folder that it ignores, such as a build's; asked for by name, it is read all the same.
      const listed =
        tracked && (tracked.size > 0 || repository.top === root) ? tracked : await walk(root, signal);
      return await withDigests(root, listed, repository?.hash ?? 'sha1', isCache, signal);
    },
    read(files) {
      const isReal = realFolders();
      return each(files, signal, ({ path }) => contentOf(join(root, path), isReal)?.toString('utf8'));
    },
    ...cacheAt(cache),
  };
}

/**
 * A commit (an object id) of a mirror, without a checkout. Kept in the mirror's folder unless `cache` is null.
 * Throws GitError, or the signal's reason.
 */
export function mirrorSource(
  mirror: Pick<Mirror, 'path' | 'listFiles'>,
  commit: string,
  { cache = join(mirror.path, cacheName), signal }: { cache?: string | null; signal?: AbortSignal } = {},
): RepositorySource {
  return {
    async list() {
      const files = (await mirror.listFiles(commit))
        .filter(file => file.mode.startsWith('10') && isIndexed(file.path))
        .map(({ path, oid, size }) => ({ path, digest: oid, bytes: size }));
      return { files: files.slice(0, mostFiles), isComplete: files.length <= mostFiles };
    },
    async read(files) {
      const small = files.filter(file => file.bytes <= maxFileBytes);
      const bytes = small.reduce((sum, file) => sum + file.bytes + 200, 1000);
      const input = small.map(file => `${file.digest}\n`).join('');
      const answer = await gitBytes(['cat-file', '--batch'], {
        ...{ gitDir: mirror.path, input, maxBytes: bytes },
        ...(signal && { signal }),
      });
      const texts = new Map(blobs(answer));
      return files.map(file => texts.get(file.digest));
    },
    ...cacheAt(cache),
  };
}

interface Repository {
  top: string;
  gitDir: string;
  hash: 'sha1' | 'sha256';
}

async function repositoryOf(
  root: string,
  { gitDir, signal }: FolderOptions,
): Promise<Repository | undefined> {
  const at = gitDir === undefined ? { cwd: root } : { cwd: root, gitDir: resolve(gitDir), workTree: root };
  const args = ['rev-parse', '--show-object-format', '--absolute-git-dir', '--show-toplevel'];
  try {
    const [hash, dir, ...rest] = (await git(args, { ...at, ...(signal && { signal }) })).split('\n');
    const top = rest.join('\n').replace(/\n$/, '');
    // A configuration can name a work tree that is somewhere else altogether.
    if (root !== top && !root.startsWith(`${top}/`)) return undefined;
    return { hash: hash === 'sha256' ? 'sha256' : 'sha1', gitDir: dir!, top };
  } catch (error) {
    // Not a work tree; a git directory that was named must be one.
    if (error instanceof GitError && error.exitCode === 128 && gitDir === undefined) return undefined;
    throw error;
  }
}

/** Path -> the blob's id as staged; undefined where the file differs from it, or was never staged. */
type Listed = Map<string, string | undefined>;

async function trackedAndNew(
  root: string,
  { top, gitDir }: Repository,
  signal: AbortSignal | undefined,
): Promise<Listed> {
  const options: GitOptions = {
    ...{ cwd: root, gitDir, workTree: top, maxBytes: 256 << 20 },
    // A partial clone would fetch what is missing, with the programs its configuration names.
    env: { GIT_ALLOW_PROTOCOL: 'none', GIT_NO_LAZY_FETCH: '1' },
    ...(signal && { signal }),
  };
  const safe = await withoutFilters(options);
  const list = async (...args: string[]) =>
    (await git([...safe, 'ls-files', '-z', ...args], options)).split('\0').filter(Boolean);
  const listed: Listed = new Map();
  for (const line of await list('--stage')) {
    const [mode, id, stage] = line.slice(0, line.indexOf('\t')).split(' ');
    if (!mode?.startsWith('10')) continue;
    listed.set(line.slice(line.indexOf('\t') + 1), stage === '0' ? id : undefined);
  }
  for (const path of await list('--modified')) if (listed.has(path)) listed.set(path, undefined);
  // A name with a slash at its end is a repository of its own.
  for (const path of await list('--others', '--exclude-standard'))
    if (!path.endsWith('/')) listed.set(path, undefined);
  return listed;
}

/**
 * To compare a file git would run the filter that the repository's configuration names for it. Without the filter
 * such a file counts as changed, which costs a reading and nothing else.
 */
async function withoutFilters(options: GitOptions): Promise<string[]> {
  const args = ['config', '-z', '--name-only', '--get-regexp', '^filter\\.'];
  const names = await git(args, options).catch((error: unknown) => {
    if (error instanceof GitError && error.exitCode === 1) return '';
    throw error;
  });
  return names.split('\0').flatMap(name => {
    const driver = /^filter\.(.*)\.(?:clean|process|required)$/s.exec(name)?.[1];
    if (driver === undefined) return [];
    if (/[=\n]/.test(driver))
      throw new Error(
        `the filter ${JSON.stringify(driver)} of the repository's configuration must be renamed`,
      );
    return ['clean', 'process', 'required'].flatMap(key => [
      '-c',
      `filter.${driver}.${key}=${key === 'required' ? 'false' : ''}`,
    ]);
  });
}

/** All files of a plain folder, in the order of their names. One more than `mostFiles` at most. */
async function walk(root: string, signal: AbortSignal | undefined): Promise<Listed> {
  const listed: Listed = new Map();
  const visit = async (folder: string) => {
    signal?.throwIfAborted();
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if (listed.size > mostFiles) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isFile()) listed.set(path, undefined);
      else if (entry.isDirectory() && entry.name !== 'node_modules' && !pathFault(path)) await visit(path);
    }
  };
  await visit('');
  return listed;
}

/** What the file tools list and take: no name that they refuse, and nothing of `node_modules`. */
function isIndexed(path: string): boolean {
  return !pathFault(path) && !(path.includes('node_modules') && path.split('/').includes('node_modules'));
}

/** The files that are there, each with its size, and a digest where git had none. */
async function withDigests(
  root: string,
  listed: Listed,
  hash: Repository['hash'],
  isCache: (place: string) => boolean,
  signal: AbortSignal | undefined,
): Promise<{ files: IndexedFile[]; isComplete: boolean }> {
  const usable = [...listed]
    .filter(([path]) => isIndexed(path) && !isCache(join(root, path)))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const isReal = realFolders();
  const files = await each(usable.slice(0, mostFiles), signal, ([path, staged]) => {
    const place = join(root, path);
    const bytes = isReal(dirname(place)) ? sizeOf(place) : undefined;
    if (bytes === undefined) return [];
    if (staged !== undefined) return [{ path, digest: staged, bytes }];
    if (bytes > maxFileBytes) return [{ path, digest: `bytes:${bytes}`, bytes }];
    const content = contentOf(place, isReal);
    if (!content) return [];
    // The name that git gives a blob.
    const digest = createHash(hash).update(`blob ${content.length}\0`).update(content).digest('hex');
    return [{ path, digest, bytes: content.length }];
  });
  return { files: files.flat(), isComplete: usable.length <= mostFiles };
}

/** The size of a regular file; undefined for anything else. */
function sizeOf(place: string): number | undefined {
  try {
    const found = lstatSync(place);
    return found.isFile() ? found.size : undefined;
  } catch {
    return undefined;
  }
}

/** Tells whether a folder is where its path says: no symbolic link on the way leads elsewhere. Asked once each. */
function realFolders(): (folder: string) => boolean {
  const folders = new Map<string, boolean>();
  return folder => {
    let isReal = folders.get(folder);
    if (isReal === undefined) {
      try {
        // Some file systems keep names in another normal form than git.
        isReal = realpathSync.native(folder).normalize() === folder.normalize();
      } catch {
        isReal = false;
      }
      folders.set(folder, isReal);
    }
    return isReal;
  };
}

/**
 * The bytes of a regular file of at most 1 MB; undefined when it is gone, elsewhere, too large or unreadable. Never
 * waits on a pipe. Blocking: for thousands of small files the way through the thread pool costs three times as much.
 */
function contentOf(place: string, isReal: (folder: string) => boolean): Buffer | undefined {
  if (!isReal(dirname(place))) return undefined;
  let file: number | undefined;
  try {
    file = openSync(place, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(file);
    return found.isFile() && found.size <= maxFileBytes ? readFileSync(file) : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}

/** What `cat-file --batch` answers: a line `<id> <type> <size>`, the bytes, a line end; or `<id> missing`. */
function* blobs(answer: Buffer): Generator<[string, string]> {
  let at = 0;
  while (at < answer.length) {
    const end = answer.indexOf(0x0a, at);
    const [id, type, size] = answer.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (size === undefined) continue;
    if (type === 'blob') yield [id!, answer.toString('utf8', at, at + Number(size))];
    at += Number(size) + 1;
  }
}

/** Maps in order. Others get their turn, and the signal is looked at, every `holdMs`. */
async function each<T, R>(
  items: readonly T[],
  signal: AbortSignal | undefined,
  work: (item: T) => R,
): Promise<R[]> {
  const results: R[] = [];
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > holdMs) {
      await setImmediate();
      signal?.throwIfAborted();
      since = performance.now();
    }
    results.push(work(item));
  }
  return results;
}

/** `load` and `save` on one file. A save that is killed leaves the old file, and a part beside it for the next to clear. */
function cacheAt(file: string | null): Pick<RepositorySource, 'load' | 'save'> {
  return {
    async load() {
      if (file === null) return undefined;
      const cache = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code === 'ENOENT') return undefined;
          throw error;
        },
      );
      if (!cache) return undefined;
      try {
        const found = await cache.stat();
        // As good as damaged, and said to be by whoever reads it.
        if (!found.isFile() || found.size > largestCache) return '';
        return await cache.readFile('utf8');
      } finally {
        await cache.close();
      }
    },
    async save(text) {
      if (file === null) return;
      await clearParts(file);
      const part = `${file}.${randomBytes(6).toString('hex')}.part`;
      try {
        const out = await open(part, 'wx', 0o600);
        try {
          await out.writeFile(text);
          await out.sync();
        } finally {
          await out.close();
        }
        await rename(part, file);
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
  };
}

/** What saves that were killed left. One that is under way now is younger than ten minutes. */
async function clearParts(file: string): Promise<void> {
  const names = await readdir(dirname(file)).catch(() => []);
  for (const name of names) {
    if (!name.startsWith(`${basename(file)}.`) || !/\.[0-9a-f]{12}\.part$/.test(name)) continue;
    const place = join(dirname(file), name);
    const found = await lstat(place).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > 600_000) await rm(place, { force: true });
  }
}

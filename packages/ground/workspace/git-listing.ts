// Lists a folder's files as git does: the tracked ones and the new ones that it does not ignore, with the ids of those
// that are as they were staged. Nothing that the repository's configuration names is run.
import { resolve } from 'node:path';
import { GitError, type GitOptions, git } from './git.ts';

export interface Repository {
  top: string;
  gitDir: string;
  hash: 'sha1' | 'sha256';
}

/**
 * The repository that `root`, a real path, belongs to; undefined where there is none. `gitDir` names its git directory,
 * where `root` has none inside, and throws GitError where that is none.
 */
export async function repositoryOf(
  root: string,
  { gitDir, signal }: { gitDir?: string; signal?: AbortSignal },
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
export type Listed = Map<string, string | undefined>;

/** Git's listing at and below `root`. Throws GitError; the signal's reason. */
export async function trackedAndNew(
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
  const flags = ['-z', '-t', '--stage', '--modified', '--others', '--exclude-standard'];
  const listed: Listed = new Map();
  for (const line of (await git([...safe, 'ls-files', ...flags], options)).split('\0')) {
    const path = line.slice(line.startsWith('? ') ? 2 : line.indexOf('\t') + 1);
    const [state, mode, id, stage] = line.slice(0, -path.length).trim().split(' ');
    // A file that has changed is told once more. A name with a slash at its end is a repository of its own.
    if (mode?.startsWith('10')) listed.set(path, state === 'H' && stage === '0' ? id : undefined);
    else if (state === '?' && !path.endsWith('/')) listed.set(path, undefined);
  }
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

export interface IndexChange {
  path: string;
  oldMode: string;
  /** `000000`: the path is removed. */
  newMode: string;
  oldOid: string;
  newOid: string;
}

/**
 * The changes that `args` names, renames as a deletion and an addition: `diff-index --cached` with a commit, of the index
 * against it; `diff-tree -r` with two trees or commits, from one to the other.
 */
export async function rawChanges(args: readonly string[], options: GitOptions): Promise<IndexChange[]> {
  const flags = ['--raw', '--no-abbrev', '--no-renames', '-z'];
  const raw = (await git([...args, ...flags], options)).split('\0');
  const changes: IndexChange[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [oldMode, newMode, oldOid, newOid] = raw[at]!.slice(1).split(' ');
    changes.push({
      path: raw[at + 1]!,
      oldMode: oldMode!,
      newMode: newMode!,
      oldOid: oldOid!,
      newOid: newOid!,
    });
  }
  return changes;
}

/** A file of a commit, as `git ls-tree -l -z` lists it. */
export interface ListedFile {
  path: string;
  oid: string;
  /** Bytes; 0 for a submodule. */
  size: number;
  /** `100644`, `100755`, `120000` (symbolic link) or `160000` (submodule). */
  mode: string;
}

/** Parses git's listing. Throws if it is malformed. */
export const parseListing = (listing: string): ListedFile[] =>
  listing.split('\0').filter(Boolean).map(parsed);

function parsed(line: string): ListedFile {
  const [, mode, oid, size, path] = /^(\d+) \w+ (\w+) +(-|\d+)\t(.*)$/s.exec(line) ?? [];
  if (!mode || !oid || !size || !path) throw new Error(`git listed no file: ${line}`);
  return { mode, oid, size: size === '-' ? 0 : Number(size), path };
}

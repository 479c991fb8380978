// Makes the bare repository behind a new repository of the forge.
import { appendFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Core, now } from '../core.ts';
import { git, readRefs, repositoryFolder, resolveCommit, tryGit } from './git.ts';

/** Git configuration: clients may push, fetch by hash and filter, but not touch the refs kept for pull requests. */
const settings = `[receive]
\thideRefs = refs/pull
[uploadpack]
\tallowAnySHA1InWant = true
\tallowFilter = true
`;

const nameRule = /^(?!\.{1,2}$)[\w.-]{1,100}$/;

/**
 * Clones `from` bare, or makes an empty repository, and returns the rest of the row for the repositories table.
 * Throws, and leaves no folder, when the name cannot be one or `from` is no git repository.
 */
export async function addBareRepository(
  core: Core,
  owner: string,
  name: string,
  options: { from?: string; private?: boolean; fork?: boolean; defaultBranch?: string },
) {
  if (!nameRule.test(name) || name.endsWith('.git'))
    throw new Error(`"${name}" is not a repository name: letters, digits, ".", "-" and "_", at most 100`);
  const folder = repositoryFolder(core, { owner, name });
  mkdirSync(dirname(folder), { recursive: true });
  // Of an attempt that was killed before the repository was in the database.
  rmSync(folder, { recursive: true, force: true });
  try {
    const branch =
      options.from === undefined
        ? await makeEmpty(folder, options.defaultBranch ?? 'main')
        : await cloneBare(folder, resolve(options.from), options.defaultBranch);
    appendFileSync(join(folder, 'config'), settings);
    const time = now(core);
    return {
      name,
      private: options.private ?? false,
      fork: options.fork ?? false,
      // GitHub's defaults: the workflows of a fork run when somebody enables them.
      actions_enabled: options.fork !== true,
      actions_open_pulls: false,
      default_branch: branch,
      created_at: time,
      updated_at: time,
      pushed_at: time,
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

async function makeEmpty(folder: string, branch: string): Promise<string> {
  mkdirSync(folder);
  await git(folder, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`, '.']);
  return branch;
}

async function cloneBare(folder: string, from: string, wanted: string | undefined): Promise<string> {
  if (!existsSync(from)) throw new Error(`${from}: not found`);
  const inside = await tryGit(from, ['rev-parse', '--git-dir']);
  const owned = /dubious ownership/.test(inside.stderr)
    ? ' of this user (git calls its ownership dubious)'
    : '';
  if (inside.code !== 0) throw new Error(`${from}: not a git repository${owned}`);
  await git(dirname(folder), [
    'clone',
    '--quiet',
    '--bare',
    '--no-hardlinks',
    '--template=',
    '--',
    from,
    folder,
  ]);
  await git(folder, ['remote', 'remove', 'origin']);
  const head = await tryGit(folder, ['symbolic-ref', '--quiet', '--short', 'HEAD']);
  const current = head.code === 0 ? head.stdout.toString().trim() : undefined;
  const branch = wanted ?? current ?? 'main';
  if (!readRefs(folder).has(`refs/heads/${branch}`)) {
    if (wanted !== undefined) throw new Error(`${from}: has no branch ${wanted}`);
    if (!(await resolveCommit(folder, 'HEAD'))) throw new Error(`${from}: has no commit yet`);
    // A detached head: the commit it stands on becomes the branch.
    await git(folder, ['update-ref', `refs/heads/${branch}`, 'HEAD']);
  }
  if (branch !== current) await git(folder, ['symbolic-ref', 'HEAD', `refs/heads/${branch}`]);
  return branch;
}

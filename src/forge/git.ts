// Runs git on the bare repositories, apart from whatever git configuration and variables the machine has.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Core } from './core.ts';

/** Variables of a surrounding git (a hook, a rebase) that would lead ours astray. */
const foreign = ['GIT_DIR', 'GIT_WORK_TREE', 'GIT_INDEX_FILE', 'GIT_OBJECT_DIRECTORY', 'GIT_NAMESPACE'];
/** No configuration but the repository's own, and no replaced objects: a push could bring some along. */
const own = {
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
};

/**
 * Program and arguments that run git with these variables added. Through `env`, because PATH and the like come
 * from the process as they are and nothing here reads them.
 */
export function gitCommand(args: string[], variables: Record<string, string> = {}): [string, string[]] {
  const settings = Object.entries({ ...own, ...variables }).map(([name, value]) => `${name}=${value}`);
  return ['env', [...foreign.flatMap(name => ['-u', name]), ...settings, 'git', ...args]];
}

export class GitError extends Error {
  readonly code: number;
  constructor(args: string[], code: number, stderr: string) {
    super(`git ${args.join(' ')}: ${stderr.trim() || `exit code ${code}`}`);
    this.code = code;
  }
}

export interface GitResult {
  code: number;
  stdout: Buffer;
  stderr: string;
}

/** Runs git in a folder to its end and hands back the exit code as a value. */
export function tryGit(
  folder: string,
  args: string[],
  options: { input?: string | Buffer; variables?: Record<string, string> } = {},
): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const [program, all] = gitCommand(['-C', folder, ...args], options.variables);
    const child = spawn(program, all, { stdio: ['pipe', 'pipe', 'pipe'] });
    const out: Buffer[] = [];
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk));
    child.on('error', reject);
    child.on('close', code => resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr }));
    // git may end without reading its input; that shows in the exit code.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input);
  });
}

/** Runs git and gives its standard output, without the last line feed. Throws GitError on failure. */
export async function git(
  folder: string,
  args: string[],
  options: { input?: string | Buffer; variables?: Record<string, string> } = {},
): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw new GitError(args, code, stderr);
  return stdout.toString().replace(/\n$/, '');
}

/** Folder of a repository: <folder>/git/<owner>/<name>.git */
export function repositoryFolder(core: Core, repository: { owner: string; name: string }): string {
  return join(core.folder, 'git', repository.owner, `${repository.name}.git`);
}

/** The commit a branch name, ref or SHA stands for; undefined when there is none. */
export async function resolveCommit(folder: string, revision: string): Promise<string | undefined> {
  if (revision.startsWith('-') || revision === '') return undefined;
  const { code, stdout } = await tryGit(folder, [
    'rev-parse',
    '--verify',
    '--quiet',
    '--end-of-options',
    `${revision}^{commit}`,
  ]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

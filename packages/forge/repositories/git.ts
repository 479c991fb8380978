// Runs git on the bare repositories, apart from whatever git configuration and variables the machine has.
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { deflateSync } from 'node:zlib';
import { systemPath } from '@echelon/ground';
import { objectsIn } from '@echelon/ground/workspace';
import { slots } from '../actions/concurrency-groups.ts';
import type { Core } from '../core.ts';

/**
 * Everything of the environment that git sees. No configuration but the repository's own, nothing of a surrounding git
 * (a hook, a rebase), and no replaced objects: a push could bring some along.
 */
const environment = {
  PATH: systemPath,
  LC_ALL: 'C',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
};

/** Starts git in a folder. */
export const startGit = (folder: string, args: string[], variables: Record<string, string> = {}) =>
  spawn('git', ['-C', folder, ...args], { env: { ...environment, ...variables } });

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

interface GitInput {
  input?: string | Buffer;
  variables?: Record<string, string>;
}

/** Commands that run at the same time: each is a process, and a query may ask for many at once. */
const room = slots(8);

/** Runs git in a folder to its end and hands back the exit code as a value. */
export const tryGit = (folder: string, args: string[], options: GitInput = {}): Promise<GitResult> =>
  room.enter(() => run(folder, args, options));

/**
 * An object by a name as git resolves it: an id, a ref, `<id>^{tree}`, `<id>:<path>`; undefined where there is none. `info`:
 * without its bytes.
 */
export const readObject = (folder: string, what: 'info' | 'contents', name: string) =>
  room.enter(() => objectsIn(folder).ask(what, name));

function run(folder: string, args: string[], options: GitInput): Promise<GitResult> {
  return new Promise((resolve, reject) => {
    const child = startGit(folder, args, options.variables);
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
export async function git(folder: string, args: string[], options: GitInput = {}): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw new GitError(args, code, stderr);
  return stdout.toString().replace(/\n$/, '');
}

/** Folder of a repository: <folder>/git/<owner>/<name>.git */
export function repositoryFolder(core: Core, repository: { owner: string; name: string }): string {
  return join(core.folder, 'git', repository.owner, `${repository.name}.git`);
}

/** All refs of a bare repository with the objects they name, as its files say it. */
export function readRefs(folder: string): Map<string, string> {
  const read = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      // Nothing is packed, or a loose one was packed or deleted meanwhile.
      return '';
    }
  };
  const loose = readdirSync(join(folder, 'refs'), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && !entry.name.endsWith('.lock'))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => [relative(folder, path), read(path).trim()] as const)
    .filter(([, sha]) => /^[\da-f]{40}$/.test(sha));
  // Read after the others: what is packed meanwhile is in here then.
  const packed = [...read(join(folder, 'packed-refs')).matchAll(/^([\da-f]{40}) (.+)$/gm)];
  return new Map([...packed.map(([, sha = '', name = '']) => [name, sha] as const), ...loose]);
}

/** The commit a branch name, ref or SHA stands for; undefined when there is none. */
export async function resolveCommit(folder: string, revision: string): Promise<string | undefined> {
  if (revision.startsWith('-') || revision === '') return undefined;
  return (await readObject(folder, 'info', `${revision}^{commit}`))?.oid;
}

/** Type of an object; undefined when the repository has none of that id. */
export async function typeOf(folder: string, sha: string): Promise<string | undefined> {
  return /^[\da-f]{40}$/.test(sha) ? (await readObject(folder, 'info', sha))?.type : undefined;
}

/** Writes an object where git keeps those that are in no pack, and answers its id. One that is there is the same. */
export async function writeObject(folder: string, type: 'blob' | 'commit', bytes: Buffer): Promise<string> {
  const whole = Buffer.concat([Buffer.from(`${type} ${bytes.length}\0`), bytes]);
  const sha = createHash('sha1').update(whole).digest('hex');
  const [above, name] = [join(folder, 'objects', sha.slice(0, 2)), sha.slice(2)];
  await mkdir(above, { recursive: true });
  const part = join(above, `tmp_obj_${randomUUID()}`);
  await writeFile(part, deflateSync(whole), { mode: 0o444 });
  await rename(part, join(above, name));
  return sha;
}

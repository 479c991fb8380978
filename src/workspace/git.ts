// Runs the git program with an environment built from nothing: no configuration, hook, helper or credential of
// the machine, of a user or of a checkout takes part in what git does here.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { systemPath } from '../lib/system-path.ts';

/** `git merge-tree --write-tree` came with 2.38. */
const oldest = { major: 2, minor: 38 };

const configuration: Record<string, string> = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'core.attributesFile': '/dev/null',
  'core.excludesFile': '/dev/null',
  'core.autocrlf': 'false',
  'core.quotePath': 'false',
  'core.protectHFS': 'true',
  'core.protectNTFS': 'true',
  'core.askPass': '',
  'credential.helper': '',
  'safe.directory': '*',
  'submodule.recurse': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'protocol.file.allow': 'always',
  'protocol.ext.allow': 'never',
  // A transfer slower than 1,000 bytes a second for a minute is given up.
  'http.lowSpeedLimit': '1000',
  'http.lowSpeedTime': '60',
  // Objects that no ref names yet must survive until they are pushed.
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'checkout.workers': '2',
  'init.defaultBranch': 'main',
};

export interface GitOptions {
  gitDir?: string;
  workTree?: string;
  cwd?: string;
  input?: string | Uint8Array;
  env?: Record<string, string>;
  /** A token for the server of `url`: travels in the environment only, never in argv or a file. */
  auth?: { url: string; token: string };
  signal?: AbortSignal;
  /** More output than this many bytes (default 64 MB) ends git: an error, or with `cut` the bytes so far. */
  maxBytes?: number;
  cut?: boolean;
  /** Told what git wrote to standard error although it ended well. */
  onWarning?: (text: string) => void;
  /** Where the program is looked for; default `systemPath`. */
  path?: string;
}

/** git ended with something else than 0. `command` and `stderr` have tokens masked. */
export class GitError extends Error {
  override readonly name = 'GitError';
  readonly command: string;
  readonly exitCode: number | null;
  readonly stderr: string;
  /** What it wrote before it ended. */
  readonly stdout: string;
  constructor(command: string, exitCode: number | null, stderr: string, stdout = '') {
    super(
      `${command} ${exitCode === null ? 'was ended' : `exited ${exitCode}`}: ${stderr.trim() || 'no message'}`,
    );
    this.command = command;
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.stdout = stdout;
  }
}

/** There is no usable git on this machine; the message says what to do. */
class GitMissing extends Error {
  override readonly name = 'GitMissing';
}

/** Runs git and gives its standard output as text. Throws GitError, GitMissing, or the signal's reason. */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await gitBytes(args, options)).toString('utf8');
}

/** Like `git`, but gives the bytes. */
export async function gitBytes(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { signal, maxBytes = 64 << 20 } = options;
  signal?.throwIfAborted();
  const secrets = options.auth ? [options.auth.token, basic(options.auth.token)] : [];
  const command = maskAll(['git', ...args].join(' '), secrets);
  const child = spawn('git', args, {
    cwd: options.cwd ?? '/',
    env: environment(options),
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  return await new Promise((resolve, reject) => {
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let size = 0;
    let errSize = 0;
    let over = false;
    const abort = () => endGroup(child);
    signal?.addEventListener('abort', abort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      if (over) return;
      out.push(chunk);
      size += chunk.length;
      if (size > maxBytes) {
        over = true;
        endGroup(child);
      }
    });
    child.stderr.on('data', (chunk: Buffer) => {
      if (errSize < 64 << 10) err.push(chunk);
      errSize += chunk.length;
    });
    // git may end before it read everything: its exit code tells more than a broken pipe.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    child.on('error', error => {
      signal?.removeEventListener('abort', abort);
      const cwd = options.cwd ?? '/';
      const missing = 'code' in error && error.code === 'ENOENT';
      if (missing && existsSync(cwd))
        reject(new GitMissing(`git was not found in ${path(options)}. ${remedy}`));
      else reject(new GitError(command, null, missing ? `there is no folder ${cwd}` : error.message));
    });
    child.on('close', code => {
      signal?.removeEventListener('abort', abort);
      const stderr = maskAll(Buffer.concat(err).toString('utf8'), secrets);
      if (signal?.aborted) reject(signal.reason);
      else if (over && options.cut) resolve(Buffer.concat(out).subarray(0, maxBytes));
      else if (over) reject(new GitError(command, null, `it wrote more than ${maxBytes} bytes`));
      else if (code !== 0) reject(new GitError(command, code, stderr, Buffer.concat(out).toString('utf8')));
      else {
        if (stderr !== '') options.onWarning?.(stderr);
        resolve(Buffer.concat(out));
      }
    });
  });
}

const remedy = `Install git ${oldest.major}.${oldest.minor} or newer (Debian, Ubuntu: apt-get install git; macOS: brew install git).`;

/** The version of git, such as `2.39.5`. Throws GitMissing when there is none or it is too old for what is done here. */
export async function checkGit(searchPath = systemPath): Promise<string> {
  const version = /(\d+)\.(\d+)[\d.]*/.exec(await git(['version'], { path: searchPath }));
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new GitMissing(`git ${version?.[0] ?? 'of an unknown version'} is too old. ${remedy}`);
  return version![0];
}

function path(options: GitOptions): string {
  return options.path ?? systemPath;
}

function environment(options: GitOptions): Record<string, string> {
  const entries = Object.entries(configuration);
  if (options.auth)
    entries.push([
      `http.${new URL(options.auth.url).origin}/.extraHeader`,
      `Authorization: Basic ${basic(options.auth.token)}`,
    ]);
  return {
    PATH: path(options),
    HOME: '/nonexistent',
    LANG: 'C',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_LITERAL_PATHSPECS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], n) => [
        [`GIT_CONFIG_KEY_${n}`, key],
        [`GIT_CONFIG_VALUE_${n}`, value],
      ]),
    ),
    ...(options.gitDir ? { GIT_DIR: options.gitDir } : {}),
    ...(options.workTree ? { GIT_WORK_TREE: options.workTree } : {}),
    ...options.env,
  };
}

function basic(token: string): string {
  return Buffer.from(`x-access-token:${token}`).toString('base64');
}

function maskAll(text: string, secrets: string[]): string {
  for (const secret of secrets) text = text.replaceAll(secret, '***');
  return text.replace(/:\/\/[^/\s@]+@/g, '://***@');
}

/** git removes its lock files on SIGTERM; what does not obey within two seconds is killed. */
function endGroup(child: ChildProcess): void {
  const pid = child.pid;
  if (pid === undefined) return;
  const send = (signal: NodeJS.Signals) => {
    try {
      process.kill(-pid, signal);
    } catch {
      // Already gone.
    }
  };
  send('SIGTERM');
  const timer = setTimeout(() => send('SIGKILL'), 2000);
  child.once('close', () => clearTimeout(timer));
}

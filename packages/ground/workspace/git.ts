// Runs the git program with an environment built from nothing: no configuration, hook, helper or credential of
// the machine, of a user or of a checkout takes part in what git does here.
import { endGroup } from './process-tree.ts';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { codeOf } from '../lib/message.ts';
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
  /** Settings of git for this call alone. */
  config?: Record<string, string>;
  /** A token for the server of `url`: travels in the environment only, never in argv or a file. */
  auth?: { url: string; token: string };
  signal?: AbortSignal;
  /** More output than this many bytes (default 64 MB) ends git: an error, or with `cut` the bytes so far. */
  maxBytes?: number;
  cut?: boolean;
  /** Told what git wrote to standard error although it ended well. */
  onWarning?: (text: string) => void;
  /** PATH for finding the program; default `systemPath`. */
  path?: string;
}

/** git ended with something else than 0. Its words have tokens masked. */
export class GitError extends Error {
  readonly exitCode: number | null;
  readonly stderr: string;
  /** Standard output until the end. */
  readonly stdout: string;
  constructor(command: string, exitCode: number | null, stderr: string, stdout = '') {
    super(
      `${command} ${exitCode === null ? 'was ended' : `exited ${exitCode}`}: ${stderr.trim() || 'no message'}`,
    );
    this.exitCode = exitCode;
    this.stderr = stderr;
    this.stdout = stdout;
  }
}

/**
 * Runs git and gives its standard output as text. Throws GitError, the signal's reason, or an Error with the remedy where
 * there is no git.
 */
export async function git(args: readonly string[], options: GitOptions = {}): Promise<string> {
  return (await gitBytes(args, options)).toString('utf8');
}

/** Like `git`, but gives the bytes. */
export async function gitBytes(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
  const { signal, maxBytes = 64 << 20, cwd = '/' } = options;
  signal?.throwIfAborted();
  const secrets = options.auth ? [options.auth.token, basic(options.auth.token)] : [];
  const command = maskAll(['git', ...args].join(' '), secrets);
  const child = startGit(args, options);
  // git removes its lock files on SIGTERM.
  const end = () => endGroup(child);
  const out = gather(child.stdout, maxBytes, end);
  const err = gather(child.stderr, 64 << 10, () => {});
  // git may end before it read everything: its exit code tells more than a broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  signal?.addEventListener('abort', end, { once: true });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  })
    .catch((error: Error) => {
      const missing = codeOf(error) === 'ENOENT';
      if (missing && existsSync(cwd)) throw new Error(`git was not found in ${path(options)}. ${remedy}`);
      throw new GitError(command, null, missing ? `there is no folder ${cwd}` : error.message);
    })
    .finally(() => signal?.removeEventListener('abort', end));
  signal?.throwIfAborted();
  if (out.over() && options.cut) return out.bytes().subarray(0, maxBytes);
  if (out.over()) throw new GitError(command, null, `it wrote more than ${maxBytes} bytes`);
  const stderr = maskAll(err.bytes().toString('utf8'), secrets);
  if (code !== 0) throw new GitError(command, code, stderr, out.bytes().toString('utf8'));
  if (stderr !== '') options.onWarning?.(stderr);
  return out.bytes();
}

/** Starts git, the leader of a process group. */
export const startGit = (args: readonly string[], { cwd = '/', ...options }: GitOptions) =>
  spawn('git', args, { cwd, env: environment(options), detached: true });

/** The bytes of a stream, up to the piece that exceeds `most`. */
function gather(stream: NodeJS.ReadableStream, most: number, onOver: () => void) {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on('data', (chunk: Buffer) => {
    if (size > most) return;
    chunks.push(chunk);
    size += chunk.length;
    if (size > most) onOver();
  });
  return { over: () => size > most, bytes: () => Buffer.concat(chunks) };
}

const remedy = `Install git ${oldest.major}.${oldest.minor} or newer (Debian, Ubuntu: apt-get install git; macOS: brew install git).`;

/** The version of git, such as `2.39.5`. Throws an Error with the remedy when there is none or it is too old. */
export async function checkGit(searchPath = systemPath): Promise<string> {
  const version = /(\d+)\.(\d+)[\d.]*/.exec(await git(['version'], { path: searchPath }));
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major < oldest.major || (major === oldest.major && minor < oldest.minor))
    throw new Error(`git ${version?.[0] ?? 'of an unknown version'} is too old. ${remedy}`);
  return version![0];
}

function path(options: GitOptions): string {
  return options.path ?? systemPath;
}

function environment(options: GitOptions): Record<string, string> {
  const entries = Object.entries({ ...configuration, ...options.config });
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

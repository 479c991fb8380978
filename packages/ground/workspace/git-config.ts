// Credentials in a folder's git configuration: finds them, and makes copies without them for commands.
import type { Shown } from './bubblewrap.ts';
import { isFolder } from './remove-tree.ts';
import { Buffer } from 'node:buffer';
import { mkdir, readdir, realpath, writeFile } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { GitError, git } from './git.ts';
import { maxFileBytes, readRegular } from './regular-file.ts';

export interface GitCredentials {
  /** Their positions, relative to the folder if inside it: `.git/config: http.<url>.extraheader`. */
  places: string[];
  /** The values, each also decoded, to be masked wherever text leaves. */
  secrets: string[];
  /** True if some are outside of the folder's own `.git`, the only place that a sandbox covers. */
  nested: boolean;
}

const configNames = new Set(['config', 'config.worktree']);
/** Of a git directory: no configuration stands there, and names below `refs` are anybody's. */
const contents = new Set(['objects', 'refs', 'logs', 'hooks', 'lfs']);
/** Shorter names in a URL are users; a longer one without a password is a token. */
const SHORTEST_TOKEN = 20;

/** Settings that commands may see: reading of the work tree, committer, upstream branches. */
const shown =
  /^(core\.(repositoryformatversion|filemode|bare|ignorecase|symlinks|precomposeunicode|logallrefupdates|autocrlf|eol|worktree|sparsecheckout(cone)?)|extensions\.[^.]+|user\.(name|email)|init\.defaultbranch|branch\..+\.(remote|merge)|remote\..+\.(url|pushurl|fetch)|submodule\..+\.(url|active))$/s;

/**
 * Copies without credentials, made in the new folder `into`, for every configuration of `tree`'s own `.git`; nothing
 * for its file of credentials. Throws where a configuration is a link: nothing can be laid over it.
 */
export async function gitCovers(tree: string, into: string): Promise<Shown[]> {
  const dir = join(tree, '.git');
  if (!(await isFolder(dir))) return [];
  await mkdir(into, { recursive: true });
  const covers: Shown[] = [];
  for (const { path, name } of await filesOf(dir)) {
    if (name === 'credentials') covers.push({ from: '/dev/null', to: path });
    else {
      const from = join(into, String(covers.length));
      await writeFile(from, (await entriesOf(path)).flatMap(cleaned).join(''));
      covers.push({ from, to: path });
    }
  }
  return covers;
}

/**
 * Throws an Error with the places and the remedy where commands, kept in by a sandbox or not, would see credentials in
 * `tree`.
 */
export async function refuseCredentials(tree: string, sandboxed: boolean): Promise<void> {
  const { places, nested } = await gitCredentials(tree);
  if (nested || (places.length > 0 && !sandboxed))
    throw new Error(
      `commands could read credentials in the git configuration of the folder (${places.join(', ')}): take them out, or check out with \`persist-credentials: false\``,
    );
}

/** Looks through every git configuration at any place in `tree`, and those they include. */
export async function gitCredentials(tree: string): Promise<GitCredentials> {
  const root = await realpath(tree);
  const found: GitCredentials = { places: [], secrets: [], nested: false };
  for (const dir of await gitFolders(root)) {
    for (const { path, name } of await filesOf(dir)) {
      const seen = new Set<string>();
      const secrets =
        name === 'credentials' ? linesOf(path) : await secretsOf(path, seen, found.places, root);
      if (name === 'credentials' && secrets.length > 0) found.places.push(relative(root, path));
      if (secrets.length > 0 && dir !== join(root, '.git')) found.nested = true;
      found.secrets.push(...secrets);
    }
  }
  found.secrets = [...new Set(found.secrets)];
  return found;
}

interface ConfigEntry {
  key: string;
  value: string;
}

async function secretsOf(path: string, seen: Set<string>, places: string[], root: string): Promise<string[]> {
  if (seen.has(path) || seen.size > 20) return [];
  seen.add(path);
  const secrets: string[] = [];
  for (const { key, value } of await entriesOf(path)) {
    const here = secretsIn(key, value);
    const inside = relative(root, path);
    if (here.length > 0)
      places.push(`${inside.startsWith('..') ? path : inside}: ${key.replace(/\/\/[^/@]*@/, '//***@')}`);
    secrets.push(...here);
    if (/^include(if\..*)?\.path$/s.test(key)) {
      const file = isAbsolute(value) ? value : resolve(path, '..', value);
      secrets.push(...(await secretsOf(file, seen, places, root)));
    }
  }
  return secrets;
}

function secretsIn(key: string, value: string): string[] {
  if (/^http\.(.*\.)?extraheader$/s.test(key)) {
    const told = value.replace(/^[^:]*:\s*/, '');
    const last = told.split(/\s+/).at(-1) ?? '';
    if (last === '') return [];
    const decoded = /^[A-Za-z0-9+/]+=*$/.test(last) ? Buffer.from(last, 'base64').toString('utf8') : '';
    const password = decoded.slice(decoded.indexOf(':') + 1);
    return [told, last, decoded, password].filter(text => text !== '' && !text.includes('\uFFFD'));
  }
  if (/password$/.test(key)) return [value];
  return [...inUrl(key), ...inUrl(value)];
}

function inUrl(text: string): string[] {
  return [...text.matchAll(/\w+:\/\/([^/\s@:]*)(?::([^/\s@]*))?@/g)].flatMap(
    ([, user = '', password = '']) => {
      const secret = password || (user.length >= SHORTEST_TOKEN ? user : '');
      return secret === '' ? [] : [secret, decodedUri(secret)];
    },
  );
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // No encoding then: it is looked for as it stands.
    return text;
  }
}

/** A line of a configuration, without what a URL says before its server and after its path. */
function cleaned({ key, value }: ConfigEntry): string[] {
  if (!shown.test(key) || inUrl(key).length > 0) return [];
  const [section = '', ...rest] = key.split('.');
  const name = rest.pop() ?? '';
  const sub = rest.join('.');
  const url = value.replace(/^(\w+:\/\/)[^/]*@/, '$1').replace(/^(\w+:\/\/[^?#]*)[?#].*$/s, '$1');
  const quoted = (text: string) => `"${text.replace(/[\\"]/g, '\\$&').replaceAll('\n', '\\n')}"`;
  const head = sub === '' ? `[${section}]` : `[${section} "${sub.replace(/[\\"]/g, '\\$&')}"]`;
  return [`${head}\n\t${name} = ${quoted(/url$/.test(name) ? url : value)}\n`];
}

/** None where git cannot read the file: neither could the git of a command. */
async function entriesOf(path: string): Promise<ConfigEntry[]> {
  if (!Buffer.isBuffer(readRegular(path, maxFileBytes))) return [];
  try {
    const text = await git(['config', '--file', path, '--null', '--list', '--no-includes']);
    return text
      .split('\0')
      .filter(entry => entry !== '')
      .map(entry => {
        const at = entry.indexOf('\n');
        return at < 0
          ? { key: entry, value: 'true' }
          : { key: entry.slice(0, at), value: entry.slice(at + 1) };
      });
  } catch (error) {
    if (error instanceof GitError) return [];
    throw error;
  }
}

function linesOf(path: string): string[] {
  const read = readRegular(path, maxFileBytes);
  return Buffer.isBuffer(read) ? read.toString('utf8').split('\n').flatMap(inUrl) : [];
}

/** The configurations and files of credentials below a git directory: its own, its modules' and its worktrees'. */
async function filesOf(dir: string): Promise<{ path: string; name: string }[]> {
  const entries = await readdir(dir, { withFileTypes: true });
  const isGitDir = entries.some(entry => entry.name === 'HEAD' && entry.isFile());
  const files: { path: string; name: string }[] = [];
  for (const entry of entries) {
    const path = join(dir, entry.name);
    const { name } = entry;
    if (entry.isDirectory()) {
      if (!(isGitDir && contents.has(name))) files.push(...(await filesOf(path)));
    } else if (configNames.has(name) || name === 'credentials') {
      if (entry.isSymbolicLink())
        throw new Error(
          `${path} is a symbolic link: what it leads to cannot be kept from commands; make it a file`,
        );
      if (entry.isFile()) files.push({ path, name });
    }
  }
  return files;
}

/** Every git directory in `root`, the bare ones and those of other names too. Links are not followed. */
async function gitFolders(root: string): Promise<string[]> {
  const found: string[] = [];
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    // A folder that we may not read cannot be read by a command of ours either.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const has = (name: string) => entries.some(entry => entry.name === name);
    const git = has('config') && has('HEAD') && has('objects');
    if (git || folder.endsWith('/.git')) found.push(folder);
    else for (const entry of entries) if (entry.isDirectory()) open.push(join(folder, entry.name));
  }
  return found;
}

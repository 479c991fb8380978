// Files and folders of a commit's tree, and how the contents API shows them.
import { readObject, tryGit } from './git.ts';
import { repositoryPage, repositoryUrl } from './repository-json.ts';
import type { RepositoryCall } from '../route.ts';

export interface TreeEntry {
  path: string;
  /** As git writes it: 100644, 100755, 120000 (a symbolic link), 040000, 160000 (a submodule). */
  mode: string;
  type: 'blob' | 'tree' | 'commit';
  sha: string;
  /** Of a blob, in bytes. */
  size: number | undefined;
}

interface Listing {
  /** All below it, folders themselves as well. */
  recursive?: boolean;
  /** These alone; one with a slash at its end stands for what is in that folder. */
  paths?: string[];
}

/** The entries of a commit or tree in git's order; none where there is no such tree. */
export async function listTree(
  folder: string,
  tree: string,
  { recursive = false, paths = [] }: Listing = {},
): Promise<TreeEntry[]> {
  const depth = recursive ? ['-r', '-t'] : [];
  const args = ['ls-tree', '--long', '--full-tree', '-z', ...depth, tree, '--', ...paths];
  const { code, stdout } = await tryGit(folder, ['--literal-pathspecs', ...args]);
  if (code !== 0) return [];
  return stdout
    .toString()
    .split('\0')
    .flatMap(line => {
      const match = /^(\d+) (blob|tree|commit) ([\da-f]+) +(-|\d+)\t(.*)$/s.exec(line);
      if (!match) return [];
      const [, mode = '', type, sha = '', size, path = ''] = match;
      const kind = type === 'tree' || type === 'commit' ? type : 'blob';
      return [{ path, mode, type: kind, sha, size: size === '-' ? undefined : Number(size) }];
    });
}

export interface Entry {
  type: 'file' | 'dir' | 'symlink' | 'submodule';
  sha: string;
  size: number;
  path: string;
}

/** Above this size GitHub leaves the content out. */
const largestShown = 1024 * 1024;

/** The file at a path, or the children of the folder. */
export async function entriesAt(
  folder: string,
  commit: string,
  path: string,
): Promise<{ self?: Entry; children?: Entry[] }> {
  if (path === '') return { children: await entries(folder, commit, []) };
  const [self] = await entries(folder, commit, [path]);
  if (self?.path !== path) return {};
  if (self.type !== 'dir') return { self };
  return { children: await entries(folder, commit, [`${path}/`]) };
}

async function entries(folder: string, commit: string, paths: string[]): Promise<Entry[]> {
  return (await listTree(folder, commit, { paths })).map(entry => ({
    type: typeOf(entry),
    sha: entry.sha,
    size: entry.size ?? 0,
    path: entry.path,
  }));
}

function typeOf({ type, mode }: TreeEntry): Entry['type'] {
  if (type !== 'blob') return type === 'tree' ? 'dir' : 'submodule';
  return mode === '120000' ? 'symlink' : 'file';
}

/** An item of GitHub's `content-directory`. */
export function entryJson(call: RepositoryCall, ref: string, entry: Entry) {
  const url = repositoryUrl(call.core, call.repository);
  const page = repositoryPage(call.core, call.repository);
  const path = entry.path.split('/').map(encodeURIComponent).join('/');
  const self = `${url}/contents/${path}?ref=${encodeURIComponent(ref)}`;
  const gitUrl = `${url}/git/${entry.type === 'dir' ? 'trees' : 'blobs'}/${entry.sha}`;
  const html = `${page}/${entry.type === 'dir' ? 'tree' : 'blob'}/${ref}/${path}`;
  return {
    type: entry.type,
    name: entry.path.split('/').at(-1) ?? entry.path,
    path: entry.path,
    sha: entry.sha,
    size: entry.size,
    url: self,
    html_url: html,
    git_url: gitUrl,
    download_url: entry.type === 'dir' ? null : `${page}/raw/${ref}/${path}`,
    _links: { self, git: gitUrl, html },
  };
}

/** A file's bytes; none of a submodule, whose commit lies elsewhere. */
export const fileBytes = async (call: RepositoryCall, { sha }: Entry): Promise<Buffer> =>
  (await readObject(call.folder, 'contents', sha))?.bytes ?? Buffer.of();

/** In lines of 60, as GitHub breaks it. */
function base64Lines(bytes: Buffer): string {
  const base64 = bytes.toString('base64').replace(/.{60}/g, '$&\n');
  return base64 === '' || base64.endsWith('\n') ? base64 : `${base64}\n`;
}

/** GitHub's `content-file`. */
export async function fileContent(call: RepositoryCall, ref: string, entry: Entry) {
  const shown = entry.size <= largestShown;
  const buffer = shown ? await fileBytes(call, entry) : Buffer.of();
  return {
    ...entryJson(call, ref, entry),
    content: base64Lines(buffer),
    encoding: shown ? 'base64' : 'none',
    ...(entry.type === 'symlink' && { target: buffer.toString() }),
  };
}

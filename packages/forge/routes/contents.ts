// Files and folders of a commit's tree, and how the contents API shows them.
import { tryGit } from '../git.ts';
import { repositoryPage, repositoryUrl } from '../render/repository.ts';
import type { RepositoryCall } from '../route.ts';
import { listTree, type TreeEntry } from '../tree.ts';

export interface Entry {
  type: 'file' | 'dir' | 'symlink' | 'submodule';
  sha: string;
  size: number;
  path: string;
}

/** Above this size GitHub leaves the content out. */
const largestShown = 1024 * 1024;

/** What stands at a path: the file itself, or the children of the folder. */
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

/** A file's bytes. */
export const fileBytes = async (call: RepositoryCall, { sha }: Entry): Promise<Buffer> =>
  (await tryGit(call.folder, ['cat-file', 'blob', sha])).stdout;

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

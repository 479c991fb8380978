// A tree of files, whole or its top: one by its own SHA, or that of a commit, branch or tag.
import { notFound } from '../errors.ts';
import { git, tryGit } from '../git.ts';
import { repositoryUrl } from '../render/repository.ts';
import { ok, type RepositoryCall, type Route, read } from '../route.ts';
import { commitOf } from './commits.ts';

/** GitHub's limits of one answer (docs, Get a tree): entries, and characters of their JSON. */
const mostEntries = 100_000;
const mostCharacters = 7 * 1024 * 1024;

async function treeOf(call: RepositoryCall, named: string): Promise<string | undefined> {
  const sha = (await commitOf(call, named)) ?? (/^[\da-f]{40}$/.test(named) ? named : undefined);
  if (sha === undefined) return undefined;
  const { code, stdout } = await tryGit(call.folder, ['rev-parse', '--verify', '--quiet', `${sha}^{tree}`]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

interface TreeEntry {
  path: string;
  mode: string;
  type: string;
  sha: string;
  /** Of a blob, in bytes. */
  size?: number;
  /** A submodule's commit lies elsewhere. */
  url?: string;
}

function entryOf(line: string, url: string): TreeEntry {
  const [, mode = '', type = '', sha = '', size = '', path = ''] =
    /^(\d+) (\w+) ([\da-f]+) +(\d+|-)\t(.*)$/s.exec(line) ?? [];
  return {
    path,
    mode,
    type,
    sha,
    ...(size !== '-' && { size: Number(size) }),
    ...(type !== 'commit' && { url: `${url}/${type}s/${sha}` }),
  };
}

/** The first entries that fit an answer. */
function fitting(tree: TreeEntry[]): TreeEntry[] {
  let characters = 0;
  const cut = tree.findIndex((entry, at) => {
    characters += JSON.stringify(entry).length;
    return at >= mostEntries || characters > mostCharacters;
  });
  return cut < 0 ? tree : tree.slice(0, cut);
}

async function showTree(call: RepositoryCall) {
  const { core, repository, folder, params, query } = call;
  const sha = await treeOf(call, params['tree_sha'] ?? '');
  if (sha === undefined) throw notFound();
  // Any value of it means yes, even 0 (docs, Get a tree).
  const whole = query.has('recursive') ? ['-r', '-t'] : [];
  const listed = await git(folder, ['ls-tree', '-z', '--long', '--full-tree', ...whole, sha]);
  const url = `${repositoryUrl(core, repository)}/git`;
  const all = listed
    .split('\0')
    .filter(Boolean)
    .map(line => entryOf(line, url));
  const tree = fitting(all);
  return ok({ sha, url: `${url}/trees/${sha}`, tree, truncated: tree.length < all.length });
}

export const treeRoutes: Route[] = [read('/git/trees/{tree_sha}', ['contents:read'], showTree)];

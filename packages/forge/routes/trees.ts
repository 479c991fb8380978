// A tree of files, whole or its top: one by its own SHA, or that of a commit, branch or tag.
import { notFound } from '../errors.ts';
import { tryGit } from '../git.ts';
import { repositoryUrl } from '../render/repository.ts';
import { ok, type RepositoryCall, type Route, read } from '../route.ts';
import { listTree, type TreeEntry } from '../tree.ts';
import { commitOf } from './commits.ts';

/** GitHub's limits of one answer (docs, Get a tree): entries, and characters of their JSON. */
const mostEntries = 100_000;
const mostCharacters = 7 * 1024 * 1024;

/** The tree of its own SHA, or that of a commit, branch or tag. */
export async function treeOf(call: RepositoryCall, named: string): Promise<string | undefined> {
  const sha = (await commitOf(call, named)) ?? (/^[\da-f]{40}$/.test(named) ? named : undefined);
  if (sha === undefined) return undefined;
  const { code, stdout } = await tryGit(call.folder, ['rev-parse', '--verify', '--quiet', `${sha}^{tree}`]);
  return code === 0 ? stdout.toString().trim() : undefined;
}

type Shown = Omit<TreeEntry, 'size'> & { size?: number; url?: string };

/** A submodule has no address: its commit lies elsewhere. */
function show({ size, ...entry }: TreeEntry, url: string): Shown {
  const address = entry.type === 'commit' ? {} : { url: `${url}/${entry.type}s/${entry.sha}` };
  return { ...entry, ...(size !== undefined && { size }), ...address };
}

/** The first entries that fit an answer. */
function fitting(tree: Shown[]): Shown[] {
  let characters = 0;
  const cut = tree.findIndex((entry, at) => {
    characters += JSON.stringify(entry).length;
    return at >= mostEntries || characters > mostCharacters;
  });
  return cut < 0 ? tree : tree.slice(0, cut);
}

/** GitHub's `git-tree`. */
export async function treeJson({ core, repository, folder }: RepositoryCall, sha: string, recursive = false) {
  const url = `${repositoryUrl(core, repository)}/git`;
  const all = (await listTree(folder, sha, { recursive })).map(entry => show(entry, url));
  const tree = fitting(all);
  return { sha, url: `${url}/trees/${sha}`, tree, truncated: tree.length < all.length };
}

async function showTree(call: RepositoryCall) {
  const sha = await treeOf(call, call.params['tree_sha'] ?? '');
  if (sha === undefined) throw notFound();
  // Any value of it means yes, even 0 (docs, Get a tree).
  return ok(await treeJson(call, sha, call.query.has('recursive')));
}

export const treeRoutes: Route[] = [read('/git/trees/{tree_sha}', ['contents:read'], showTree)];

// Objects of a repository, made one by one: files (blobs) and trees.
import { z } from 'zod';
import { checkPath, editTree, type TreeEdit, writeBlob } from './commit-changes.ts';
import { ApiError, found } from '../errors.ts';
import { readObject, typeOf } from './git.ts';
import { repositoryUrl } from './repository-json.ts';
import { created, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { listTree, type TreeEntry } from './contents.ts';
import { commitOf, contents, push } from './commit-routes.ts';

/** GitHub's limits of one answer (docs, Get a tree): entries, and characters of their JSON. */
const mostEntries = 100_000;
const mostCharacters = 7 * 1024 * 1024;

/** The tree of its own SHA, or that of a commit, branch or tag. */
async function treeOf(call: RepositoryCall, named: string): Promise<string | undefined> {
  const sha = (await commitOf(call, named)) ?? (/^[\da-f]{40}$/.test(named) ? named : undefined);
  if (sha === undefined) return undefined;
  return (await readObject(call.folder, 'info', `${sha}^{tree}`))?.oid;
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
async function treeJson({ core, repository, folder }: RepositoryCall, sha: string, recursive = false) {
  const url = `${repositoryUrl(core, repository)}/git`;
  const all = (await listTree(folder, sha, { recursive })).map(entry => show(entry, url));
  const tree = fitting(all);
  return { sha, url: `${url}/trees/${sha}`, tree, truncated: tree.length < all.length };
}

async function showTree(call: RepositoryCall) {
  const sha = found(await treeOf(call, call.params['tree_sha'] ?? ''));
  // Any value of it means yes, even 0 (docs, Get a tree).
  return ok(await treeJson(call, sha, call.query.has('recursive')));
}

const newBlob = z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') });

async function createBlob(call: WriteCall) {
  const { content, encoding } = parse(call, 'Blob', newBlob);
  if (encoding === 'base64' && !/^[\w+/=\s-]*$/.test(content))
    throw new ApiError(422, 'content is not valid Base64');
  const sha = await writeBlob(call.folder, Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
  return created({ sha, url: `${repositoryUrl(call.core, call.repository)}/git/blobs/${sha}` });
}

const modes = { '100644': 'blob', '100755': 'blob', '120000': 'blob', '040000': 'tree', '160000': 'commit' };
const newTree = z.object({
  base_tree: z.string().optional(),
  tree: z
    .array(
      z.object({
        path: z.string(),
        mode: z.enum(['100644', '100755', '120000', '040000', '160000']).default('100644'),
        sha: z.string().nullish(),
        content: z.string().optional(),
      }),
    )
    .min(1),
});
type NewEntry = z.infer<typeof newTree>['tree'][number];

/** Edits for one tree entry of a request. A folder expands to all its files. */
async function editsOf(folder: string, { path, mode, sha, content }: NewEntry): Promise<TreeEdit[]> {
  checkPath(path);
  if (sha === null) return [{ path, entry: null }];
  const type = modes[mode];
  if (sha === undefined) {
    if (content === undefined || type !== 'blob')
      throw new ApiError(422, `${path} needs a sha, or a content for a file`);
    return [{ path, entry: { mode, sha: await writeBlob(folder, content) } }];
  }
  const known = type === 'commit' ? /^[\da-f]{40}$/.test(sha) : (await typeOf(folder, sha)) === type;
  if (!known) throw new ApiError(422, `tree.sha ${sha} is not a valid ${type}`);
  if (type !== 'tree') return [{ path, entry: { mode, sha } }];
  const inside = (await listTree(folder, sha, { recursive: true })).filter(each => each.type !== 'tree');
  return inside.map(each => ({ path: `${path}/${each.path}`, entry: { mode: each.mode, sha: each.sha } }));
}

async function createTree(call: WriteCall) {
  const { tree, base_tree } = parse(call, 'Tree', newTree);
  const base = base_tree === undefined ? undefined : await treeOf(call, base_tree);
  if (base_tree !== undefined && base === undefined)
    throw new ApiError(422, 'base_tree is not a valid tree oid');
  const edits: TreeEdit[] = [];
  for (const entry of tree) edits.push(...(await editsOf(call.folder, entry)));
  return created(await treeJson(call, await editTree(call.folder, base, edits)));
}

export const gitDataRoutes = [
  read('/git/trees/{tree_sha}', contents, showTree),
  write('POST', '/git/blobs', push, createBlob),
  write('POST', '/git/trees', push, createTree),
];

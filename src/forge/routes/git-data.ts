// Objects of a repository, made and read one by one: files (blobs), trees, and tags that are objects of their own.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { checkPath, editTree, type TreeEdit, writeBlob } from '../changes/edit-tree.ts';
import { signatureOf } from '../changes/merge.ts';
import { type Signature, writeTag } from '../commits.ts';
import { nodeId, timestamp } from '../core.ts';
import { ApiError, notFound } from '../errors.ts';
import { tryGit } from '../git.ts';
import { repositoryUrl } from '../render/repository.ts';
import {
  type Answer,
  created,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { listTree } from '../tree.ts';
import { base64Lines } from './contents.ts';
import { treeJson, treeOf } from './trees.ts';

const contents = ['contents:read'];
const push: Need = { role: 'write', scopes: ['contents:write'] };

/** The type and content of an object of this full id. */
async function objectOf(folder: string, sha: string): Promise<{ type: string; bytes: Buffer } | undefined> {
  if (!/^[\da-f]{40}$/.test(sha)) return undefined;
  const { code, stdout } = await tryGit(folder, ['cat-file', '-t', sha]);
  const type = stdout.toString().trim();
  if (code !== 0) return undefined;
  return { type, bytes: (await tryGit(folder, ['cat-file', type, sha])).stdout };
}

const newBlob = z.object({ content: z.string(), encoding: z.enum(['utf-8', 'base64']).default('utf-8') });

async function createBlob(call: WriteCall): Promise<Answer> {
  const { content, encoding } = parse(call, 'Blob', newBlob);
  if (encoding === 'base64' && !/^[\w+/=\s-]*$/.test(content))
    throw new ApiError(422, 'content is not valid Base64');
  const sha = await writeBlob(call.folder, Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'));
  return created({ sha, url: `${repositoryUrl(call.core, call.repository)}/git/blobs/${sha}` });
}

async function showBlob(call: RepositoryCall): Promise<Answer> {
  const { core, repository, folder, params } = call;
  const sha = params['file_sha'] ?? '';
  const blob = await objectOf(folder, sha);
  if (blob?.type !== 'blob') throw notFound();
  if (/\.raw\b/.test(call.accept))
    return {
      status: 200,
      body: blob.bytes,
      headers: { 'content-type': 'application/vnd.github.raw; charset=utf-8' },
    };
  return ok({
    sha,
    node_id: nodeId('B', repository.id, sha),
    size: blob.bytes.length,
    url: `${repositoryUrl(core, repository)}/git/blobs/${sha}`,
    content: base64Lines(blob.bytes),
    encoding: 'base64',
  });
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

/** What an entry of a request stands for; a folder stands for all that is in it. */
async function editsOf(folder: string, { path, mode, sha, content }: NewEntry): Promise<TreeEdit[]> {
  checkPath(path);
  if (sha === null) return [{ path, entry: null }];
  const type = modes[mode];
  if (sha === undefined) {
    if (content === undefined || type !== 'blob')
      throw new ApiError(422, `${path} needs a sha, or a content for a file`);
    return [{ path, entry: { mode, sha: await writeBlob(folder, content) } }];
  }
  const known =
    /^[\da-f]{40}$/.test(sha) && (type === 'commit' || (await objectOf(folder, sha))?.type === type);
  if (!known) throw new ApiError(422, `tree.sha ${sha} is not a valid ${type}`);
  if (type !== 'tree') return [{ path, entry: { mode, sha } }];
  const inside = (await listTree(folder, sha, { recursive: true })).filter(each => each.type !== 'tree');
  return inside.map(each => ({ path: `${path}/${each.path}`, entry: { mode: each.mode, sha: each.sha } }));
}

async function createTree(call: WriteCall): Promise<Answer> {
  const { tree, base_tree } = parse(call, 'Tree', newTree);
  const base = base_tree === undefined ? undefined : await treeOf(call, base_tree);
  if (base_tree !== undefined && base === undefined)
    throw new ApiError(422, 'base_tree is not a valid tree oid');
  const edits: TreeEdit[] = [];
  for (const entry of tree) edits.push(...(await editsOf(call.folder, entry)));
  return created(await treeJson(call, await editTree(call.folder, base, edits)));
}

const newTag = z.object({
  tag: z.string(),
  message: z.string(),
  object: z.string(),
  type: z.enum(['commit', 'tree', 'blob']),
  tagger: z
    .object({ name: z.string(), email: z.string(), date: z.iso.datetime({ offset: true }).optional() })
    .optional(),
});

/** An object that no ref names yet: that is another call. */
async function createTag(call: WriteCall): Promise<Answer> {
  const { tag, message, object, type, tagger } = parse(call, 'Tag', newTag);
  const named = await tryGit(call.folder, ['check-ref-format', `refs/tags/${tag}`]);
  if (named.code !== 0 || tag.startsWith('-')) throw new ApiError(422, 'tag is not a valid name');
  if ((await objectOf(call.folder, object))?.type !== type)
    throw new ApiError(422, `object is not a valid ${type}`);
  const own = signatureOf(call.core, call.by.user);
  const date = timestamp(Date.parse(tagger?.date ?? own.date));
  const sha = await writeTag(call.folder, {
    object,
    type,
    tag,
    tagger: { ...own, ...tagger, date },
    message,
  });
  return created(await tagJson(call, sha));
}

/** GitHub's `git-tag`. Throws 404 for what is none. */
async function tagJson({ core, repository, folder }: RepositoryCall, sha: string) {
  const found = await objectOf(folder, sha);
  if (found?.type !== 'tag') throw notFound();
  const [head = '', ...message] = found.bytes.toString().split('\n\n');
  const field = (name: string) => new RegExp(`^${name} (.*)$`, 'm').exec(head)?.[1] ?? '';
  const [object, type] = [field('object'), field('type')];
  const url = `${repositoryUrl(core, repository)}/git`;
  return {
    node_id: nodeId('TA', repository.id, sha),
    sha,
    url: `${url}/tags/${sha}`,
    tagger: taggerOf(field('tagger')),
    object: { sha: object, type, url: `${url}/${type}s/${object}` },
    tag: field('tag'),
    message: message.join('\n\n').replace(/\n+$/, ''),
    verification: { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null },
  };
}

/** Old tags have no tagger. */
function taggerOf(line: string): Signature {
  const [, name = '', email = '', seconds = '0'] = /^(.*) ?<(.*)> (\d+)/.exec(line) ?? [];
  return { name: name.trim(), email, date: timestamp(Number(seconds) * 1000) };
}

export const gitDataRoutes: Route[] = [
  write('POST', '/git/blobs', push, createBlob),
  read('/git/blobs/{file_sha}', contents, showBlob),
  write('POST', '/git/trees', push, createTree),
  write('POST', '/git/tags', push, createTag),
  read('/git/tags/{tag_sha}', contents, async call => ok(await tagJson(call, call.params['tag_sha'] ?? ''))),
];

// Commits, and files of a tree: read, written one at a time.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { commitChanges } from './commit-changes.ts';
import { signatureOf } from '../pulls/merge.ts';
import { branchHead } from '../pulls/pull-changes.ts';
import { changedFiles, diffText, readCommit, readCommits, type Signature, writeCommit } from './commits.ts';
import { ApiError, found, invalidField, notFound } from '../errors.ts';
import { git, resolveCommit, tryGit, typeOf } from './git.ts';
import { page } from '../page.ts';
import { commitJson, gitCommitJson } from './commit-json.ts';
import { created, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { signCommit } from './repository-rows.ts';
import { entriesAt, type Entry, entryJson, fileBytes, fileContent } from './contents.ts';

export const contents = ['contents:read'];
export const push: Need = { role: 'write', scopes: ['contents:write'] };

/** The hash of git's empty tree: what a first commit is compared with. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** The commit of a branch, tag or SHA; branches win, as on GitHub. */
export async function commitOf(call: RepositoryCall, revision: string): Promise<string | undefined> {
  return (
    branchHead(call.core, call.repository, revision) ??
    (await resolveCommit(call.folder, `refs/tags/${revision}`)) ??
    (/^(HEAD|[\da-f]{4,40}|refs\/.+|(heads|tags)\/.+)$/.test(revision)
      ? await resolveCommit(call.folder, revision)
      : undefined)
  );
}

async function showCommit(call: RepositoryCall) {
  const revision = call.params['ref'] ?? '';
  const sha = await commitOf(call, revision);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${revision}`);
  const commit = await readCommit(call.folder, sha);
  const parent = commit.parents[0] ?? emptyTree;
  if (/\.diff\b/.test(call.accept))
    return {
      status: 200,
      body: `${await diffText(call.folder, parent, sha)}\n`,
      headers: { 'content-type': 'application/vnd.github.diff; charset=utf-8' },
    };
  return ok(commitJson(call.core, call.repository, commit, await changedFiles(call.folder, parent, sha)));
}

async function listCommits(call: RepositoryCall) {
  const revision = call.query.get('sha') ?? call.repository.default_branch;
  const sha = await commitOf(call, revision);
  if (sha === undefined) {
    const empty = (await tryGit(call.folder, ['for-each-ref', '--count=1'])).stdout.length === 0;
    throw empty ? new ApiError(409, 'Git Repository is empty.') : notFound();
  }
  const path = call.query.get('path');
  const range = [
    ...['since', 'until'].flatMap(name =>
      call.query.get(name) ? [`--${name}=${call.query.get(name)}`] : [],
    ),
    sha,
    '--',
    ...(path ? [`:(literal)${path}`] : []),
  ];
  const total = Number(await git(call.folder, ['rev-list', '--count', ...range]));
  return page(call, total, async (limit, offset) => {
    const commits = await readCommits(call.folder, [`--max-count=${limit}`, `--skip=${offset}`, ...range]);
    return commits.map(commit => commitJson(call.core, call.repository, commit));
  });
}

async function refAsked(call: RepositoryCall): Promise<{ ref: string; sha: string }> {
  const ref = call.query.get('ref') ?? call.repository.default_branch;
  const sha = await commitOf(call, ref);
  if (sha === undefined)
    throw new ApiError(
      404,
      call.query.has('ref') ? `No commit found for the ref ${ref}` : 'This repository is empty.',
    );
  return { ref, sha };
}

async function showContents(call: RepositoryCall) {
  const path = (call.params['path'] ?? '').replace(/\/+$/, '');
  const { ref, sha } = await refAsked(call);
  const { self, children } = await entriesAt(call.folder, sha, path);
  if (children) return ok(children.map(entry => entryJson(call, ref, entry)));
  return await showFile(call, ref, found(self));
}

/** Folders in which GitHub looks for the readme, in this order (docs, About the repository README file). */
const readmeFolders = ['.github', '', 'docs'];

async function showReadme(call: RepositoryCall) {
  const { ref, sha } = await refAsked(call);
  for (const folder of readmeFolders) {
    const { children = [] } = await entriesAt(call.folder, sha, folder);
    const named = (pattern: RegExp) =>
      children.find(({ type, path }) => type === 'file' && pattern.test(path.split('/').at(-1) ?? ''));
    const readme = named(/^readme\.(?:md|markdown)$/i) ?? named(/^readme(?:\.\w+)?$/i);
    if (readme) return await showFile(call, ref, readme);
  }
  throw notFound();
}

async function showFile(call: RepositoryCall, ref: string, file: Entry) {
  if (!/\.raw\b/.test(call.accept)) return ok(await fileContent(call, ref, file));
  const headers = { 'content-type': 'application/vnd.github.raw; charset=utf-8' };
  return { status: 200, body: await fileBytes(call, file), headers };
}

const signature = z.object({ name: z.string(), email: z.string() });
const fileWrite = z.object({
  message: z.string(),
  content: z.string(),
  sha: z.string().optional(),
  branch: z.string().optional(),
  author: signature.optional(),
});

async function putFile(call: WriteCall) {
  const { core, repository, by } = call;
  const input = parse(call, 'Content', fileWrite);
  if (!/^[\w+/=\s-]*$/.test(input.content)) throw new ApiError(422, 'content is not valid Base64');
  const path = call.params['path'] ?? '';
  const branch = input.branch ?? repository.default_branch;
  const head = branchHead(core, repository, branch);
  const anyBranch = core.db.count('refs WHERE repository_id = ?', repository.id) > 0;
  if (head === undefined && anyBranch) throw new ApiError(404, `Branch ${branch} not found`);
  const now = head === undefined ? undefined : (await entriesAt(call.folder, head, path)).self;
  if (input.sha !== undefined && now?.sha !== input.sha)
    throw new ApiError(409, `${path} does not match ${input.sha}`);
  if (now && input.sha === undefined) throw new ApiError(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
  if (input.message.trim() === '') throw invalidField('Content', 'message', 'missing_field');
  const sha = await commitChanges(call, {
    branch,
    head,
    author: { ...signatureOf(core, by.user), ...input.author },
    message: input.message,
    changes: [{ path, content: Buffer.from(input.content, 'base64') }],
    signed: by.app !== null && input.author === undefined,
  });
  const { self } = await entriesAt(call.folder, sha, path);
  const body = {
    content: self ? entryJson(call, branch, self) : null,
    commit: gitCommitJson(core, repository, await readCommit(call.folder, sha)),
  };
  return now ? ok(body) : created(body);
}

const dated = signature.extend({ date: z.iso.datetime({ offset: true }).optional() });
const newCommit = z.object({
  message: z.string(),
  tree: z.string(),
  parents: z.array(z.string()).default([]),
  author: dated.optional(),
  committer: dated.optional(),
});

/**
 * A commit that no branch stands on yet. GitHub signs what an app or a job's token writes without naming an author:
 * https://docs.github.com/authentication/managing-commit-signature-verification/about-commit-signature-verification#signature-verification-for-bots
 */
async function createCommit(call: WriteCall) {
  const { message, tree, parents, ...who } = parse(call, 'Commit', newCommit);
  // git knows the empty tree without having it.
  if (tree !== emptyTree && (await typeOf(call.folder, tree)) !== 'tree')
    throw new ApiError(422, 'Tree SHA does not exist');
  for (const parent of parents)
    if ((await typeOf(call.folder, parent)) !== 'commit')
      throw new ApiError(422, 'Parent SHA does not exist or is not a commit object');
  const own = signatureOf(call.core, call.by.user);
  const signed = (given: z.infer<typeof dated> | undefined, otherwise: Signature): Signature =>
    given ? { ...otherwise, ...given, date: given.date ?? own.date } : otherwise;
  const author = signed(who.author, own);
  const committer = signed(who.committer, author);
  const sha = await writeCommit(call.folder, { tree, parents, author, committer, message });
  if (call.by.app !== null && !who.author && !who.committer) signCommit(call.core, call.repository, sha);
  return created(gitCommitJson(call.core, call.repository, await readCommit(call.folder, sha)));
}

export const commitRoutes = [
  write('POST', '/git/commits', push, createCommit),
  read('/git/commits/{commit_sha}', contents, async call => {
    const sha = call.params['commit_sha'] ?? '';
    const known = found(/^[\da-f]{40}$/.test(sha) ? await resolveCommit(call.folder, sha) : undefined);
    return ok(gitCommitJson(call.core, call.repository, await readCommit(call.folder, known)));
  }),
  read('/commits', contents, listCommits),
  read('/commits/{ref}', contents, showCommit),
  read('/contents/{path}', contents, showContents),
  read('/readme', contents, showReadme),
  write('PUT', '/contents/{path}', push, putFile),
];

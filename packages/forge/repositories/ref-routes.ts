// Branches and refs: read, create, move, delete, merge.
import { z } from 'zod';
import { noCommit, settleRefs } from './refs.ts';
import { checkRules } from './rules.ts';
import { isAncestor, readCommit } from './commits.ts';
import { ApiError, found } from '../errors.ts';
import { git, tryGit, typeOf } from './git.ts';
import { pageOfAll } from '../page.ts';
import { commitJson, refJson, shortBranch } from './commit-json.ts';
import { created, noContent, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { findRef, type Ref, refsUnder } from './repository-rows.ts';
import { present } from '@echelon/ground';
import { mergeInto } from '../pulls/merge.ts';
import { branchHead } from '../pulls/pull-changes.ts';
import { commitOf, contents, push } from './commit-routes.ts';

const newRef = z.object({ ref: z.string(), sha: z.string() });
const refMove = z.object({ sha: z.string(), force: z.boolean().default(false) });

async function show(call: RepositoryCall, ref: Ref) {
  // A branch always stands on a commit; only tags need asking.
  const type = ref.name.startsWith('refs/heads/') ? 'commit' : await typeOf(call.folder, ref.sha);
  return refJson(call.core, call.repository, ref, type ?? 'commit');
}

const named = (call: RepositoryCall): Ref | undefined =>
  findRef(call.core, call.repository.id, `refs/${call.params['ref']}`);

/** Moves a ref only when it still stands where the caller was shown it. */
async function updateRef(call: WriteCall, name: string, sha: string, before: string): Promise<void> {
  await checkRules(call.core, call.repository, { name, before, after: sha });
  const { code } = await tryGit(call.folder, ['update-ref', name, sha, before]);
  if (code !== 0) throw new ApiError(422, 'Reference cannot be updated');
  await settleRefs(call);
}

async function createRef(call: WriteCall) {
  const { ref: name, sha } = parse(call, 'Reference', newRef);
  const wellFormed =
    /^refs(\/[\w-]+){2,}$/.test(name) ||
    (/^refs\/[^/]+\/./.test(name) && (await tryGit(call.folder, ['check-ref-format', name])).code === 0);
  if (!wellFormed || name.startsWith('refs/pull/'))
    throw new ApiError(422, `${name} is not a valid ref name: it must start with refs/ and hold two slashes`);
  if (findRef(call.core, call.repository.id, name)) throw new ApiError(422, 'Reference already exists');
  const type = await typeOf(call.folder, sha);
  if (type === undefined || (name.startsWith('refs/heads/') && type !== 'commit'))
    throw new ApiError(422, 'Object does not exist');
  await updateRef(call, name, sha, noCommit);
  return created(await show(call, present(findRef(call.core, call.repository.id, name), 'the ref')));
}

async function moveRef(call: WriteCall) {
  const { sha, force } = parse(call, 'Reference', refMove);
  const ref = named(call);
  if (!ref) throw new ApiError(422, 'Reference does not exist');
  if ((await typeOf(call.folder, sha)) !== 'commit') throw new ApiError(422, 'Object does not exist');
  if (!force && !(await isAncestor(call.folder, ref.sha, sha)))
    throw new ApiError(422, 'Update is not a fast forward');
  await updateRef(call, ref.name, sha, ref.sha);
  return ok(await show(call, present(findRef(call.core, call.repository.id, ref.name), 'the ref')));
}

async function deleteRef(call: WriteCall) {
  const ref = named(call);
  if (!ref) throw new ApiError(422, 'Reference does not exist');
  if (ref.name === `refs/heads/${call.repository.default_branch}`)
    throw new ApiError(422, 'Cannot delete the default branch');
  await checkRules(call.core, call.repository, { name: ref.name, before: ref.sha, after: noCommit });
  await git(call.folder, ['update-ref', '-d', ref.name, ref.sha]);
  await settleRefs(call);
  return noContent();
}

const merge = z.object({ base: z.string(), head: z.string(), commit_message: z.string().optional() });

/** Always by a merge commit. 204: the base holds the head already. */
async function mergeBranch(call: WriteCall) {
  const { core, repository, folder } = call;
  const { base, head, commit_message: message } = parse(call, 'Merge', merge);
  const ours = branchHead(core, repository, base);
  if (ours === undefined) throw new ApiError(404, 'Base does not exist');
  const theirs = await commitOf(call, head);
  if (theirs === undefined) throw new ApiError(404, 'Head does not exist');
  if (await isAncestor(folder, theirs, ours)) return noContent();
  const outcome = await mergeInto(call, {
    branch: base,
    ours,
    theirs,
    message: message ?? `Merge ${head} into ${base}`,
  });
  if (outcome === 'conflict') throw new ApiError(409, 'Merge conflict');
  if (outcome === 'moved')
    throw new ApiError(409, 'Base branch was modified. Review and try the merge again.');
  return created(commitJson(core, repository, await readCommit(folder, outcome.sha)));
}

export const refRoutes = [
  read('/branches', contents, call =>
    pageOfAll(call, refsUnder(call.core, call.repository.id, 'refs/heads/'), ref =>
      shortBranch(call.core, call.repository, ref),
    ),
  ),
  read('/git/ref/{ref}', contents, async call => ok(await show(call, found(named(call))))),
  read('/git/matching-refs/{ref}', contents, call => {
    const refs = refsUnder(call.core, call.repository.id, `refs/${call.params['ref']}`);
    return pageOfAll(call, refs, ref => show(call, ref));
  }),
  write('POST', '/git/refs', push, createRef),
  write('PATCH', '/git/refs/{ref}', push, moveRef),
  write('DELETE', '/git/refs/{ref}', push, deleteRef),
  write('POST', '/merges', push, mergeBranch),
];

// One branch merged into another, without a pull request.
import { z } from 'zod';
import { signatureOf } from '../changes/merge.ts';
import { branchHead } from '../changes/pulls.ts';
import { settleRefs } from '../changes/refs.ts';
import { isAncestor, mergedTree, readCommit, writeCommit } from '../commits.ts';
import { ApiError } from '../errors.ts';
import { tryGit } from '../git.ts';
import { commitJson } from '../render/commit.ts';
import { type Answer, created, noContent, parse, type Route, type WriteCall, write } from '../route.ts';
import { commitOf } from './commits.ts';

const merge = z.object({ base: z.string(), head: z.string(), commit_message: z.string().optional() });

/** Always by a merge commit. 204: the base holds the head already. */
async function mergeBranch(call: WriteCall): Promise<Answer> {
  const { core, by, repository, folder } = call;
  const { base, head, commit_message: message } = parse(call, 'Merge', merge);
  const ours = branchHead(core, repository, base);
  if (ours === undefined) throw new ApiError(404, 'Base does not exist');
  const theirs = await commitOf(call, head);
  if (theirs === undefined) throw new ApiError(404, 'Head does not exist');
  if (await isAncestor(folder, theirs, ours)) return noContent();
  const tree = await mergedTree(folder, ours, theirs);
  if (tree === undefined) throw new ApiError(409, 'Merge conflict');
  const author = signatureOf(core, by.user);
  const sha = await writeCommit(folder, {
    tree,
    parents: [ours, theirs],
    author,
    committer: { ...author, name: 'GitHub', email: 'noreply@github.com' },
    message: message ?? `Merge ${head} into ${base}`,
  });
  const { code } = await tryGit(folder, ['update-ref', `refs/heads/${base}`, sha, ours]);
  if (code !== 0) throw new ApiError(409, 'Base branch was modified. Review and try the merge again.');
  await settleRefs(core, repository, by);
  return created(commitJson(core, repository, await readCommit(folder, sha)));
}

export const mergeRoutes: Route[] = [
  write('POST', '/merges', { role: 'write', scopes: ['contents:write'] }, mergeBranch),
];

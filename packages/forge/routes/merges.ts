// One branch merged into another, without a pull request.
import { z } from 'zod';
import { mergeInto } from '../changes/merge.ts';
import { branchHead } from '../changes/pulls.ts';
import { isAncestor, readCommit } from '../commits.ts';
import { ApiError } from '../errors.ts';
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
  const outcome = await mergeInto(core, by, repository, {
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

export const mergeRoutes: Route[] = [
  write('POST', '/merges', { role: 'write', scopes: ['contents:write'] }, mergeBranch),
];

// The field of Mutation that makes a commit on a branch.
import { present } from '@echelon/ground';
import { actor, type Identity } from '../auth.ts';
import { commitChanges } from '../repositories/commit-changes.ts';
import { signatureOf } from '../pulls/merge.ts';
import { branchHead } from '../pulls/pull-changes.ts';
import type { Core } from '../core.ts';
import { findRef, findRepository } from '../repositories/repository-rows.ts';
import type { Input } from './change-issues.ts';
import { commitObject, refObject } from './commit.ts';
import { GraphqlRefusal } from './connection.ts';
import { enter, missing } from './nodes.ts';

interface NewCommit {
  branch: { id?: string | null; repositoryNameWithOwner?: string | null; branchName?: string | null };
  expectedHeadOid: string;
  message: { headline: string; body?: string | null };
  fileChanges?: {
    additions?: { path: string; contents: string }[] | null;
    deletions?: { path: string }[] | null;
  } | null;
}

export const branchMutations = (core: Core, identity: Identity) => ({
  async createCommitOnBranch({ input }: Input<NewCommit>) {
    const { repositoryNameWithOwner, branchName } = input.branch;
    const [owner = '', name = ''] = (repositoryNameWithOwner ?? '').split('/');
    const unknown = missing(`a Repository with the name '${repositoryNameWithOwner ?? ''}'.`);
    const repository = findRepository(core, owner, name);
    if (!repository) throw unknown;
    enter(core, identity, repository, 'write', ['contents:write'], unknown);
    const branch = (branchName ?? '').replace(/^refs\/heads\//, '');
    const head = branchHead(core, repository, branch);
    if (head === undefined) throw missing(`a branch with the name '${branch}'.`);
    if (head !== input.expectedHeadOid)
      throw new GraphqlRefusal(
        'STALE_DATA',
        `Expected branch to point to "${input.expectedHeadOid}" but it points to "${head}". Pull and try again.`,
      );
    const by = actor(identity);
    const sha = await commitChanges(
      { core, by, repository },
      {
        branch,
        head,
        author: signatureOf(core, by.user),
        signed: true,
        message: [input.message.headline, input.message.body ?? ''].join('\n\n').trimEnd(),
        changes: [
          ...(input.fileChanges?.deletions ?? []).map(({ path }) => ({ path, content: null })),
          ...(input.fileChanges?.additions ?? []).map(({ path, contents }) => ({
            path,
            content: Buffer.from(contents, 'base64'),
          })),
        ],
      },
    );
    const ref = present(findRef(core, repository.id, `refs/heads/${branch}`), 'the branch');
    return {
      ...input,
      commit: await commitObject(core, repository, sha),
      ref: refObject(core, repository, ref),
    };
  },
});

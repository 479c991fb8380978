// A pull request of the GraphQL schema; fields that cost something are functions.
import { isMergeable } from '../pulls/edit-pull.ts';
import { issuesClosedBy } from '../issues/closing-words.ts';
import { filesOf } from '../pulls/reviews.ts';
import { mergeText } from '../pulls/merge.ts';
import { type Core, nodeId } from '../core.ts';
import { mergeableState } from '../pulls/pull-json.ts';
import type { Issue } from '../issues/issue-rows.ts';
import { getPull } from '../pulls/pull-rows.ts';
import { findRef, getRepository } from '../repositories/repository-rows.ts';
import { getUser } from '../apps/users.ts';
import { int, userObject, userOfId } from './accounts.ts';
import { type Asked, connection, listed, type Window } from './connection.ts';
import { rollupObject } from './checks.ts';
import { commitObject, commitsOf, refObject } from './commit.ts';
import { reviewFields } from './reviews.ts';
import { threadFields } from './thread.ts';

const changeTypes: Record<string, string> = { removed: 'DELETED' };
export const mergeMethods = { MERGE: 'merge', SQUASH: 'squash', REBASE: 'rebase' } as const;
export type MergeMethod = keyof typeof mergeMethods;
const mergeability = (mergeable: boolean | null) =>
  mergeable === null ? 'UNKNOWN' : mergeable ? 'MERGEABLE' : 'CONFLICTING';

interface MergeType {
  mergeType?: MergeMethod | null;
}

export function pullObject(core: Core, issue: Issue) {
  const pull = getPull(core, issue.id);
  const repository = getRepository(core, issue.repository_id);
  const branch = (name: string) => () => {
    const ref = findRef(core, repository.id, `refs/heads/${name}`);
    return ref ? refObject(core, repository, ref) : null;
  };
  const here = (_: unknown, asked: Asked) => asked.repository(repository);
  let merges: Promise<boolean | null> | undefined;
  const mergeable = () => (merges ??= isMergeable(core, repository, issue));
  const text = ({ mergeType }: MergeType) =>
    mergeText(repository, issue, pull, mergeMethods[mergeType ?? 'MERGE']);
  return {
    ...threadFields(core, issue),
    __typename: 'PullRequest',
    id: nodeId('PR', pull.id),
    databaseId: int(pull.id),
    fullDatabaseId: String(pull.id),
    state: pull.merged_at === null ? issue.state.toUpperCase() : 'MERGED',
    isDraft: pull.draft === 1,
    isInMergeQueue: false,
    isMergeQueueEnabled: false,
    merged: pull.merged_at !== null,
    mergedAt: pull.merged_at,
    mergedBy: () => userOfId(core, pull.merged_by),
    mergeCommit: () => (pull.merge_sha === null ? null : commitObject(core, repository, pull.merge_sha)),
    mergeable: async () => mergeability(await mergeable()),
    mergeStateStatus: async () => mergeableState(pull, await mergeable()).toUpperCase(),
    ...reviewFields(core, pull),
    additions: pull.additions,
    deletions: pull.deletions,
    changedFiles: pull.changed_files,
    headRefName: pull.head_ref,
    headRefOid: pull.head_sha,
    headRef: branch(pull.head_ref),
    headRepository: here,
    headRepositoryOwner: () => userObject(core, getUser(core, repository.owner_id)),
    baseRefName: pull.base_ref,
    baseRefOid: pull.base_sha,
    baseRef: branch(pull.base_ref),
    baseRepository: here,
    isCrossRepository: false,
    maintainerCanModify: false,
    commits: commitsOf(
      core,
      repository,
      `${pull.base_sha}..${pull.head_sha}`,
      pull.commits,
      (commit, sha) => ({
        id: nodeId('PRC', pull.id, sha),
        commit,
      }),
    ),
    files: (window: Window) =>
      connection('files', window, pull.changed_files, async (limit, offset) =>
        (await filesOf({ core, repository }, pull)).slice(offset, offset + limit).map(file => ({
          path: file.path,
          additions: file.additions,
          deletions: file.deletions,
          changeType: changeTypes[file.status] ?? file.status.toUpperCase(),
        })),
      ),
    closingIssuesReferences: listed('closingIssuesReferences', (_, asked: Asked) =>
      pull.base_ref === repository.default_branch
        ? issuesClosedBy(core, repository, issue.body ?? '').map(each => asked.thread(each))
        : [],
    ),
    statusCheckRollup(_: unknown, asked: Asked) {
      asked.mayRead(repository, ['checks:read', 'statuses:read']);
      return rollupObject(core, repository, pull.head_sha, () =>
        commitObject(core, repository, pull.head_sha),
      );
    },
    viewerMergeHeadlineText: (args: MergeType) => text(args).headline,
    viewerMergeBodyText: (args: MergeType) => text(args).body,
  };
}

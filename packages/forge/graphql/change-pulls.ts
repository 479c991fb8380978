// The fields of Mutation that change pull requests.
import { actor, type Access, type Identity } from '../auth.ts';
import { changePull, createPull, setDraft } from '../pulls/edit-pull.ts';
import { giveReview, type ReviewEvent } from '../pulls/reviews.ts';
import { changeReviewers, resolveThread } from '../pulls/review-changes.ts';
import { mergePull, updateBranch } from '../pulls/merge.ts';
import { assigneesOnly } from '../permitted.ts';
import type { Core } from '../core.ts';
import { invalidField } from '../errors.ts';
import { getIssue, type Issue } from '../issues/issue-rows.ts';
import { getPull, requestedReviewers } from '../pulls/pull-rows.ts';
import { getRepository, type Role } from '../repositories/repository-rows.ts';
import { answering, type Settable, settable } from './change-issues.ts';
import {
  access,
  repositoryOfNode,
  reviewThreadOfNode,
  threadOfNode,
  unknownNode,
  usersOfNodes,
} from './nodes.ts';
import { type MergeMethod, mergeMethods, pullObject } from './pull.ts';
import { reviewObject, threadObject } from './reviews.ts';

interface NewPullRequest {
  repositoryId: string;
  headRepositoryId?: string | null;
  title: string;
  body?: string | null;
  headRefName: string;
  baseRefName: string;
  draft?: boolean | null;
}
interface PullRequestChange extends Settable {
  pullRequestId: string;
  baseRefName?: string | null;
}
interface Merge {
  pullRequestId: string;
  mergeMethod?: MergeMethod | null;
  commitHeadline?: string | null;
  commitBody?: string | null;
  expectedHeadOid?: string | null;
}
interface NewReview {
  pullRequestId: string;
  event?: ReviewEvent | null;
  body?: string | null;
  commitOID?: string | null;
}
interface One {
  pullRequestId: string;
}
interface ReviewRequest extends One {
  userIds?: string[] | null;
  teamIds?: string[] | null;
  union?: boolean | null;
}
const pullsWrite = ['pull_requests:write'];

const changing = <T>(work: (input: T) => unknown) => answering('pullRequest', work);

export function pullMutations(core: Core, identity: Identity) {
  function entered(id: string, role: Role | ((issue: Issue) => Role), scopes = pullsWrite) {
    const issue = threadOfNode(core, id, 'pull');
    const repository = getRepository(core, issue.repository_id);
    const needed = typeof role === 'string' ? role : role(issue);
    return { issue, may: access(core, identity, repository, id, needed, scopes) };
  }
  /** The author does it without more; others need write access. */
  const authorOrWriter = (issue: Issue): Role =>
    actor(identity).user.id === issue.author_id ? 'read' : 'write';
  const shown = (issue: Issue) => pullObject(core, getIssue(core, issue.id));
  async function change(id: string, input: (may: Access) => Parameters<typeof changePull>[2]) {
    const { issue, may } = entered(id, 'read');
    return shown(await changePull(may, issue, input(may)));
  }
  function changeThread(id: string, resolved: boolean) {
    const { first, issue } = reviewThreadOfNode(core, id);
    const repository = getRepository(core, issue.repository_id);
    const may = access(core, identity, repository, id, authorOrWriter(issue), pullsWrite);
    resolveThread(may, first, resolved);
    return threadObject(core, getPull(core, issue.id), reviewThreadOfNode(core, id).first);
  }
  function draft(id: string, is: boolean) {
    const { issue, may } = entered(id, authorOrWriter);
    setDraft(may, issue, is);
    return shown(issue);
  }
  return {
    createPullRequest: changing(async (input: NewPullRequest) => {
      const { repositoryId: id, headRepositoryId: from } = input;
      // The forge has no forks.
      if (from && from !== id) throw unknownNode(from);
      const may = access(core, identity, repositoryOfNode(core, id), id, 'read', pullsWrite);
      const { title, body, headRefName: head, baseRefName: base } = input;
      return shown(await createPull(may, { title, body, head, base, draft: input.draft ?? false }));
    }),
    updatePullRequest: changing(async (input: PullRequestChange) =>
      change(input.pullRequestId, may => ({
        ...settable(may, input),
        base: input.baseRefName ?? undefined,
      })),
    ),
    closePullRequest: changing((input: One) => change(input.pullRequestId, () => ({ state: 'closed' }))),
    reopenPullRequest: changing((input: One) => change(input.pullRequestId, () => ({ state: 'open' }))),
    markPullRequestReadyForReview: changing((input: One) => draft(input.pullRequestId, false)),
    convertPullRequestToDraft: changing((input: One) => draft(input.pullRequestId, true)),
    updatePullRequestBranch: changing(async (input: One & { expectedHeadOid?: string | null }) => {
      const { issue, may } = entered(input.pullRequestId, 'write');
      await updateBranch(may, issue, input.expectedHeadOid ?? undefined);
      return shown(issue);
    }),
    mergePullRequest: changing(async (input: Merge) => {
      const { issue, may } = entered(input.pullRequestId, 'write', ['contents:write']);
      await mergePull(may, issue, getPull(core, issue.id), {
        method: mergeMethods[input.mergeMethod ?? 'MERGE'],
        sha: input.expectedHeadOid ?? undefined,
        title: input.commitHeadline ?? undefined,
        message: input.commitBody ?? undefined,
      });
      return shown(issue);
    }),
    addPullRequestReview: answering('pullRequestReview', async (input: NewReview) => {
      const { issue, may } = entered(input.pullRequestId, 'read');
      const pull = getPull(core, issue.id);
      if (!input.event) throw invalidField('PullRequestReview', 'event', 'missing_field');
      const review = await giveReview(may, pull, {
        body: input.body,
        event: input.event,
        commit_id: input.commitOID ?? undefined,
        comments: [],
      });
      return reviewObject(core, pull, review);
    }),
    requestReviews: changing((input: ReviewRequest) => {
      const { issue, may } = entered(input.pullRequestId, 'write');
      const [team] = input.teamIds ?? [];
      if (team !== undefined) throw unknownNode(team);
      const pull = getPull(core, issue.id);
      const asked = assigneesOnly(may, usersOfNodes(core, input.userIds ?? []));
      const before = requestedReviewers(core, pull.id);
      const gone = input.union ? [] : before.filter(({ id }) => !asked.some(user => user.id === id));
      changeReviewers(may, pull, gone, false);
      changeReviewers(may, pull, asked, true);
      return shown(issue);
    }),
    resolveReviewThread: answering('thread', (input: { threadId: string }) =>
      changeThread(input.threadId, true),
    ),
    unresolveReviewThread: answering('thread', (input: { threadId: string }) =>
      changeThread(input.threadId, false),
    ),
  };
}

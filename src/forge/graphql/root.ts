// Queries and mutations: the fields of the roots, each checked as its REST counterpart is.
import { actor, authorize, type Identity } from '../auth.ts';
import { signatureOf } from '../changes/merge.ts';
import { commitChanges } from '../changes/commit.ts';
import { setDraft } from '../changes/change-pull.ts';
import { deleteIssue } from '../changes/issues.ts';
import { branchHead } from '../changes/pulls.ts';
import { findReviewComment, issueOfReview, resolveThread } from '../changes/reviews.ts';
import { type Core, idOfNode, timestamp } from '../core.ts';
import { ApiError } from '../errors.ts';
import { rateLimit } from '../rate-limit.ts';
import { findComment } from '../store/comments.ts';
import { findIssue, findIssueById, getIssue, type Issue } from '../store/issues.ts';
import type { Pull } from '../store/pulls.ts';
import { findRef, findRepository, getRepository, type Repository, type Role } from '../store/repositories.ts';
import { userObject } from './accounts.ts';
import { commitObject } from './commit.ts';
import { GraphqlRefusal } from './connection.ts';
import { commentObject, issueObject, pullObject, refObject, repositoryFields } from './objects.ts';
import { threadObject } from './reviews.ts';
import { present } from '../../lib/present.ts';

const missing = (what: string) => new GraphqlRefusal('NOT_FOUND', `Could not resolve to ${what}`);

/** Who may read whole repositories by what scope; refusals in GraphQL's words. */
function check(
  core: Core,
  identity: Identity,
  repository: Repository,
  role: Role,
  scopes: string[],
  unknown: string,
): Role {
  try {
    return authorize(core, identity, repository, { role, scopes });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw error.status === 404 ? missing(unknown) : new GraphqlRefusal('FORBIDDEN', error.message);
  }
}

const reads = ['issues:read', 'pull_requests:read'];

export function queries(core: Core, identity: Identity) {
  return {
    viewer: () => userObject(core, actor(identity).user),
    rateLimit() {
      const { reset, ...rate } = rateLimit(core);
      return { ...rate, cost: 1, nodeCount: 0, resetAt: timestamp(reset * 1000) };
    },
    repository({ owner, name }: { owner: string; name: string }) {
      const unknown = `a Repository with the name '${owner}/${name}'.`;
      const repository = findRepository(core, owner, name);
      if (!repository) throw missing(unknown);
      check(core, identity, repository, 'read', reads, unknown);
      return {
        ...repositoryFields(core, repository),
        issue({ number }: { number: number }) {
          const issue = findIssue(core, repository.id, number);
          if (!issue || issue.is_pull) throw missing(`an Issue with the number of ${number}.`);
          return issueObject(core, issue);
        },
        pullRequest({ number }: { number: number }) {
          const issue = findIssue(core, repository.id, number);
          if (!issue?.is_pull) throw missing(`a PullRequest with the number of ${number}.`);
          return pullObject(core, issue);
        },
        issueOrPullRequest({ number }: { number: number }) {
          const issue = findIssue(core, repository.id, number);
          if (!issue) throw missing(`an issue or pull request with the number of ${number}.`);
          return issue.is_pull ? pullObject(core, issue) : issueObject(core, issue);
        },
      };
    },
    node({ id }: { id: string }) {
      const unknown = `a node with the global id of '${id}'.`;
      const comment = findComment(core, idOfNode('IC', id));
      const issue = comment
        ? getIssue(core, comment.issue_id)
        : (findIssueById(core, idOfNode('I', id)) ?? pullOfNode(core, id));
      if (!issue) throw missing(unknown);
      check(core, identity, getRepository(core, issue.repository_id), 'read', reads, unknown);
      if (comment) return commentObject(core, comment);
      return issue.is_pull ? pullObject(core, issue) : issueObject(core, issue);
    },
  };
}

function pullOfNode(core: Core, id: string): Issue | undefined {
  const pull = core.db.one<Pull>('SELECT * FROM pulls WHERE id = ?', idOfNode('PR', id));
  return pull && getIssue(core, pull.issue_id);
}

interface Input<T> {
  input: T & { clientMutationId?: string };
}

export interface NewCommit {
  branch: { repositoryNameWithOwner?: string; branchName?: string };
  expectedHeadOid: string;
  message: { headline: string; body?: string };
  fileChanges?: { additions?: { path: string; contents: string }[]; deletions?: { path: string }[] };
}

export function mutations(core: Core, identity: Identity) {
  function changeDraft(id: string, draft: boolean) {
    const unknown = `a node with the global id of '${id}'.`;
    const issue = pullOfNode(core, id);
    if (!issue) throw missing(unknown);
    const by = actor(identity);
    const role = by.user.id === issue.author_id ? 'read' : 'write';
    const repository = getRepository(core, issue.repository_id);
    const entered = check(core, identity, repository, role, ['pull_requests:write'], unknown);
    setDraft({ core, identity, repository, by, role: entered }, issue, draft);
    return pullObject(core, getIssue(core, issue.id));
  }
  function changeThread(threadId: string, resolved: boolean) {
    const unknown = `a node with the global id of '${threadId}'.`;
    const first = findReviewComment(core, idOfNode('PRRT', threadId));
    if (!first) throw missing(unknown);
    const issue = issueOfReview(core, first);
    const by = actor(identity);
    const role = by.user.id === issue.author_id ? 'read' : 'write';
    check(core, identity, getRepository(core, issue.repository_id), role, ['pull_requests:write'], unknown);
    resolveThread(core, by, first, resolved);
    return threadObject(core, present(findReviewComment(core, first.id), 'the thread'));
  }
  return {
    markPullRequestReadyForReview: ({ input }: Input<{ pullRequestId: string }>) => ({
      ...input,
      pullRequest: changeDraft(input.pullRequestId, false),
    }),
    convertPullRequestToDraft: ({ input }: Input<{ pullRequestId: string }>) => ({
      ...input,
      pullRequest: changeDraft(input.pullRequestId, true),
    }),
    deleteIssue({ input }: Input<{ issueId: string }>) {
      const unknown = `a node with the global id of '${input.issueId}'.`;
      const issue = findIssueById(core, idOfNode('I', input.issueId));
      if (!issue || issue.is_pull) throw missing(unknown);
      const repository = getRepository(core, issue.repository_id);
      check(core, identity, repository, 'admin', ['issues:write'], unknown);
      deleteIssue(core, actor(identity), issue);
      return { ...input, repository: repositoryFields(core, repository) };
    },
    minimizeComment({ input }: Input<{ subjectId: string; classifier: string }>) {
      const unknown = `a node with the global id of '${input.subjectId}'.`;
      const comment = findComment(core, idOfNode('IC', input.subjectId));
      if (!comment) throw missing(unknown);
      const repository = getRepository(core, getIssue(core, comment.issue_id).repository_id);
      check(core, identity, repository, 'triage', ['issues:write', 'pull_requests:write'], unknown);
      const minimized_reason = input.classifier.toLowerCase().replace('_', '-');
      core.db.update('comments', comment.id, { minimized_reason });
      return { ...input, minimizedComment: commentObject(core, { ...comment, minimized_reason }) };
    },
    resolveReviewThread: ({ input }: Input<{ threadId: string }>) => ({
      ...input,
      thread: changeThread(input.threadId, true),
    }),
    unresolveReviewThread: ({ input }: Input<{ threadId: string }>) => ({
      ...input,
      thread: changeThread(input.threadId, false),
    }),
    async createCommitOnBranch({ input }: Input<NewCommit>) {
      const { repositoryNameWithOwner = '', branchName = '' } = input.branch;
      const [owner = '', name = ''] = repositoryNameWithOwner.split('/');
      const unknown = `a Repository with the name '${repositoryNameWithOwner}'.`;
      const repository = findRepository(core, owner, name);
      if (!repository) throw missing(unknown);
      check(core, identity, repository, 'write', ['contents:write'], unknown);
      const branch = branchName.replace(/^refs\/heads\//, '');
      const head = branchHead(core, repository, branch);
      if (head === undefined) throw missing(`a branch with the name '${branch}'.`);
      if (head !== input.expectedHeadOid)
        throw new GraphqlRefusal(
          'STALE_DATA',
          `Expected branch to point to "${input.expectedHeadOid}" but it points to "${head}". Pull and try again.`,
        );
      const by = actor(identity);
      const sha = await commitChanges(core, by, repository, {
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
      });
      return {
        ...input,
        commit: await commitObject(core, repository, sha),
        ref: refObject(
          core,
          repository,
          present(findRef(core, repository.id, `refs/heads/${branch}`), 'the branch'),
        ),
      };
    },
  };
}

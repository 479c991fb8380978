// The fields of Mutation that change issues, or what a pull request has of one.
import type { Access, Identity } from '../auth.ts';
import { changeIssue, type IssueChange, openIssue } from '../issues/edit-issue.ts';
import { deleteIssue, setAssignees, setLabels, setLock } from '../issues/issue-changes.ts';
import { assigneesOnly, writeScopes } from '../permitted.ts';
import { findComment } from '../issues/comment-rows.ts';
import { changeComment, postComment, removeComment } from '../issues/comments.ts';
import { type Core, idOfNode } from '../core.ts';
import { assigneesOf, getIssue, type Issue, labelsOf } from '../issues/issue-rows.ts';
import { getRepository, type Role } from '../repositories/repository-rows.ts';
import { issueObject } from './issue.ts';
import { access, labelsOfNodes, repositoryOfNode, threadOfNode, unknownNode, usersOfNodes } from './nodes.ts';
import { threadObject } from './queries.ts';
import { repositoryObject } from './repository.ts';
import { commentObject } from './thread.ts';

const kinds = [
  ['IC', 'IssueComment', 'comments', 'JOIN issues AS it ON it.id = hideable.issue_id'],
  ['PRRC', 'PullRequestReviewComment', 'review_comments', 'JOIN pulls AS it ON it.id = hideable.pull_id'],
  ['PRR', 'PullRequestReview', 'reviews', 'JOIN pulls AS it ON it.id = hideable.pull_id'],
] as const;

/** Table and row that it is kept in. Throws where the id names none. */
function hideable(core: Core, node: string) {
  for (const [kind, type, table, on] of kinds) {
    const sql = `SELECT hideable.id, it.repository_id FROM ${table} AS hideable ${on} WHERE hideable.id = ?`;
    const found = core.db.one<{ id: number; repository_id: number }>(sql, idOfNode(kind, node));
    if (found) return { ...found, table, type };
  }
  throw unknownNode(node);
}

export interface Input<T> {
  input: T & { clientMutationId?: string | null };
}

/** A mutation that answers what it was given, and under this name what came of it. */
export const answering =
  <T>(name: string, work: (input: T) => unknown) =>
  async ({ input }: Input<T>) => ({ ...input, [name]: await work(input) });

/** Fields of an issue or pull request that a mutation may set; null leaves one as it is. */
export interface Settable {
  title?: string | null;
  body?: string | null;
  state?: 'OPEN' | 'CLOSED' | null;
  assigneeIds?: string[] | null;
  labelIds?: string[] | null;
  milestoneId?: string | null;
  projectIds?: string[] | null;
}

/** The same in the form that the changes take; refuses what the forge has none of. */
export function settable(
  entered: Access,
  { title, body, state, assigneeIds, labelIds, milestoneId, projectIds }: Settable,
) {
  const [none = milestoneId] = projectIds ?? [];
  if (none) throw unknownNode(none);
  return {
    title: title ?? undefined,
    body: body ?? undefined,
    state: state ? (state === 'OPEN' ? 'open' : 'closed') : undefined,
    labels: labelIds ? () => labelsOfNodes(entered, labelIds) : undefined,
    assignees: assigneeIds
      ? () => assigneesOnly(entered, usersOfNodes(entered.core, assigneeIds))
      : undefined,
  } satisfies IssueChange;
}

const without = <T extends { id: number }>(all: T[], gone: T[]): T[] =>
  all.filter(({ id }) => !gone.some(each => each.id === id));

interface Labels {
  labelableId: string;
  labelIds: string[];
}
interface Assignees {
  assignableId: string;
  assigneeIds: string[];
}

export function issueMutations(core: Core, identity: Identity) {
  /** The issue of an id, or the pull request, with the leave to change it. */
  function entered(id: string, role: Role, scopes: string[], kind?: 'issue') {
    const issue = threadOfNode(core, id, kind);
    return { issue, may: access(core, identity, getRepository(core, issue.repository_id), id, role, scopes) };
  }
  function enteredComment(id: string) {
    const comment = findComment(core, idOfNode('IC', id));
    if (!comment) throw unknownNode(id);
    const repository = getRepository(core, getIssue(core, comment.issue_id).repository_id);
    return { comment, may: access(core, identity, repository, id, 'read', writeScopes) };
  }
  function change(id: string, input: (may: Access) => IssueChange) {
    const { issue, may } = entered(id, 'read', writeScopes, 'issue');
    return issueObject(core, changeIssue(may, issue, input(may)));
  }
  function changed(id: string, role: Role, work: (may: Access, issue: Issue) => void) {
    const { issue, may } = entered(id, role, writeScopes);
    work(may, issue);
    return threadObject(core, getIssue(core, issue.id));
  }
  return {
    createIssue: answering('issue', (input: Settable & { repositoryId: string; title: string }) => {
      const repository = repositoryOfNode(core, input.repositoryId);
      const may = access(core, identity, repository, input.repositoryId, 'read', ['issues:write']);
      return issueObject(core, openIssue(may, { ...settable(may, input), title: input.title }));
    }),
    updateIssue: answering('issue', (input: Settable & { id: string }) =>
      change(input.id, may => settable(may, input)),
    ),
    closeIssue: answering('issue', (input: { issueId: string; stateReason?: string | null }) =>
      change(input.issueId, () => ({ state: 'closed', stateReason: input.stateReason?.toLowerCase() })),
    ),
    reopenIssue: answering('issue', (input: { issueId: string }) =>
      change(input.issueId, () => ({ state: 'open' })),
    ),
    deleteIssue: answering('repository', (input: { issueId: string }) => {
      const { issue, may } = entered(input.issueId, 'admin', ['issues:write'], 'issue');
      deleteIssue(may, issue);
      return repositoryObject(core, may.repository);
    }),
    addComment({ input }: Input<{ subjectId: string; body: string }>) {
      const { issue, may } = entered(input.subjectId, 'read', writeScopes);
      const comment = postComment(may, issue, input.body);
      const commentEdge = { cursor: '', node: commentObject(core, comment) };
      return { ...input, commentEdge, subject: threadObject(core, getIssue(core, issue.id)) };
    },
    updateIssueComment: answering('issueComment', (input: { id: string; body: string }) => {
      const { comment, may } = enteredComment(input.id);
      return commentObject(core, changeComment(may, comment, input.body));
    }),
    deleteIssueComment({ input }: Input<{ id: string }>) {
      const { comment, may } = enteredComment(input.id);
      removeComment(may, comment);
      return input;
    },
    minimizeComment: answering('minimizedComment', (input: { subjectId: string; classifier: string }) => {
      const { table, type, id, repository_id } = hideable(core, input.subjectId);
      access(core, identity, getRepository(core, repository_id), input.subjectId, 'triage', writeScopes);
      const minimized_reason = input.classifier.toLowerCase().replace('_', '-');
      core.db.update(table, id, { minimized_reason });
      const shown = { id: input.subjectId, isMinimized: true, minimizedReason: minimized_reason };
      return { __typename: type, ...shown };
    }),
    addLabelsToLabelable: answering('labelable', (input: Labels) =>
      changed(input.labelableId, 'triage', (may, issue) =>
        setLabels(may, issue, [...labelsOf(core, issue.id), ...labelsOfNodes(may, input.labelIds)]),
      ),
    ),
    removeLabelsFromLabelable: answering('labelable', (input: Labels) =>
      changed(input.labelableId, 'triage', (may, issue) =>
        setLabels(may, issue, without(labelsOf(core, issue.id), labelsOfNodes(may, input.labelIds))),
      ),
    ),
    addAssigneesToAssignable: answering('assignable', (input: Assignees) =>
      changed(input.assignableId, 'triage', (may, issue) => {
        const come = assigneesOnly(may, usersOfNodes(core, input.assigneeIds));
        setAssignees(may, issue, [...assigneesOf(core, issue.id), ...come]);
      }),
    ),
    removeAssigneesFromAssignable: answering('assignable', (input: Assignees) =>
      changed(input.assignableId, 'triage', (may, issue) =>
        setAssignees(may, issue, without(assigneesOf(core, issue.id), usersOfNodes(core, input.assigneeIds))),
      ),
    ),
    lockLockable: answering('lockedRecord', (input: { lockableId: string; lockReason?: string | null }) => {
      const reason = input.lockReason?.toLowerCase().replace('_', ' ') ?? null;
      return changed(input.lockableId, 'write', (may, issue) =>
        setLock(may, issue, true, reason === 'off topic' ? 'off-topic' : reason),
      );
    }),
    unlockLockable: answering('unlockedRecord', (input: { lockableId: string }) =>
      changed(input.lockableId, 'write', (may, issue) => setLock(may, issue, false)),
    ),
  };
}

// The objects of the GraphQL schema; fields that cost something are functions.
import { type Core, nodeId } from '../core.ts';
import { pagePath } from '../render/issue.ts';
import { repositoryPage } from '../render/repository.ts';
import { type Comment, commentCount, commentsOf, type EditedKind, editsOf } from '../store/comments.ts';
import { getIssue, type Issue, parentOf, subIssuesOf } from '../store/issues.ts';
import { labelsOf } from '../store/labels.ts';
import { getPull } from '../store/pulls.ts';
import { findRef, getRepository, type Ref, type Repository } from '../store/repositories.ts';
import { int, userOfId } from './accounts.ts';
import { commitObject } from './commit.ts';
import { connection, type Window } from './connection.ts';
import { reviewFields } from './reviews.ts';

export function refObject(core: Core, repository: Repository, ref: Ref) {
  const [, prefix = 'refs/', name = ref.name] = /^(refs\/[^/]+\/)(.+)$/.exec(ref.name) ?? [];
  const target = () => commitObject(core, repository, ref.sha);
  return { id: nodeId('REF', repository.id, ref.name), name, prefix, target };
}

export function repositoryFields(core: Core, repository: Repository) {
  const ref = (name: string) => {
    const found = findRef(core, repository.id, name.startsWith('refs/') ? name : `refs/heads/${name}`);
    return found ? refObject(core, repository, found) : null;
  };
  return {
    __typename: 'Repository',
    id: nodeId('R', repository.id),
    databaseId: repository.id,
    name: repository.name,
    nameWithOwner: `${repository.owner}/${repository.name}`,
    url: repositoryPage(core, repository),
    isPrivate: repository.private === 1,
    owner: () => userOfId(core, repository.owner_id),
    defaultBranchRef: () => ref(repository.default_branch),
    ref: ({ qualifiedName }: { qualifiedName: string }) => ref(qualifiedName),
  };
}

/** Revisions newest first; the oldest is the text as first written. */
function edits(core: Core, kind: EditedKind, id: number) {
  return (window: Window) => {
    const all = editsOf(core, kind, id).reverse();
    return connection('userContentEdits', window, all.length, (limit, offset) =>
      all.slice(offset, offset + limit).map(edit => ({
        id: nodeId('UCE', edit.id),
        editor: userOfId(core, edit.editor_id),
        editedAt: edit.edited_at,
        createdAt: edit.edited_at,
        diff: edit.body,
      })),
    );
  };
}

/** What issues and pull requests have in common. */
function threadFields(core: Core, issue: Issue) {
  const repository = getRepository(core, issue.repository_id);
  return {
    number: issue.number,
    title: issue.title,
    body: issue.body ?? '',
    url: repositoryPage(core, repository) + pagePath(issue),
    locked: issue.locked === 1,
    author: () => userOfId(core, issue.author_id),
    editor: () => userOfId(core, issue.editor_id),
    createdAt: issue.created_at,
    updatedAt: issue.updated_at,
    lastEditedAt: issue.edited_at,
    closedAt: issue.closed_at,
    labels(window: Window) {
      const all = labelsOf(core, issue.id).map(label => ({ ...label, id: nodeId('LA', label.id) }));
      return connection('labels', window, all.length, (limit, offset) => all.slice(offset, offset + limit));
    },
    comments: (window: Window) =>
      connection('comments', window, commentCount(core, issue.id), (limit, offset) =>
        commentsOf(core, issue.id, limit, offset).map(comment => commentObject(core, comment)),
      ),
    userContentEdits: edits(core, 'issue', issue.id),
  };
}

export function issueObject(core: Core, issue: Issue): Record<string, unknown> {
  return {
    ...threadFields(core, issue),
    __typename: 'Issue',
    id: nodeId('I', issue.id),
    databaseId: int(issue.id),
    fullDatabaseId: String(issue.id),
    state: issue.state.toUpperCase(),
    stateReason: issue.state_reason?.toUpperCase() ?? null,
    parent() {
      const parent = parentOf(core, issue.id);
      return parent ? issueObject(core, parent) : null;
    },
    subIssues(window: Window) {
      const all = subIssuesOf(core, issue.id);
      return connection('subIssues', window, all.length, (limit, offset) =>
        all.slice(offset, offset + limit).map(child => issueObject(core, child)),
      );
    },
  };
}

export function pullObject(core: Core, issue: Issue) {
  const pull = getPull(core, issue.id);
  return {
    ...threadFields(core, issue),
    __typename: 'PullRequest',
    id: nodeId('PR', pull.id),
    databaseId: int(pull.id),
    fullDatabaseId: String(pull.id),
    state: pull.merged_at === null ? issue.state.toUpperCase() : 'MERGED',
    isDraft: pull.draft === 1,
    merged: pull.merged_at !== null,
    mergedAt: pull.merged_at,
    mergedBy: () => userOfId(core, pull.merged_by),
    ...reviewFields(core, pull),
    headRefName: pull.head_ref,
    headRefOid: pull.head_sha,
    baseRefName: pull.base_ref,
    baseRefOid: pull.base_sha,
  };
}

export function commentObject(core: Core, comment: Comment) {
  const issue = getIssue(core, comment.issue_id);
  const repository = getRepository(core, issue.repository_id);
  return {
    __typename: 'IssueComment',
    id: nodeId('IC', comment.id),
    databaseId: int(comment.id),
    fullDatabaseId: String(comment.id),
    url: `${repositoryPage(core, repository)}${pagePath(issue)}#issuecomment-${comment.id}`,
    body: comment.body,
    author: () => userOfId(core, comment.author_id),
    editor: () => userOfId(core, comment.editor_id),
    createdAt: comment.created_at,
    updatedAt: comment.updated_at,
    lastEditedAt: comment.edited_at,
    isMinimized: comment.minimized_reason !== null,
    minimizedReason: comment.minimized_reason,
    userContentEdits: edits(core, 'comment', comment.id),
  };
}

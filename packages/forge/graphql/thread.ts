// Fields shared by issues and pull requests, and their comments.
import { type Core, nodeId } from '../core.ts';
import { association, labelJson, pagePath } from '../issues/issue-json.ts';
import { repositoryPage } from '../repositories/repository-json.ts';
import {
  type Comment,
  commentCount,
  commentsOf,
  contents,
  type EditedKind,
  editsOf,
  type ReactionKind,
  reactorsOf,
} from '../issues/comment-rows.ts';
import { assigneesOf, getIssue, type Issue, type Label, labelsOf } from '../issues/issue-rows.ts';
import { getRepository, type Repository } from '../repositories/repository-rows.ts';
import { int, userObject, userOfId } from './accounts.ts';
import { type Asked, connection, empty, listed, type Window } from './connection.ts';

const reactionNames: Partial<Record<string, string>> = { '+1': 'THUMBS_UP', '-1': 'THUMBS_DOWN' };

/** One group for each kind of reaction, with those who reacted so. */
const reactionGroups = (core: Core, kind: ReactionKind | null, id: number) => () =>
  contents.map(content => ({
    content: reactionNames[content] ?? content.toUpperCase(),
    users: listed('users', () =>
      (kind === null ? [] : reactorsOf(core, kind, id, content)).map(user => userObject(core, user)),
    ),
  }));

/** Revisions newest first; the oldest is the text as first written. */
const edits = (core: Core, kind: EditedKind, id: number) =>
  listed('userContentEdits', () =>
    editsOf(core, kind, id)
      .reverse()
      .map(edit => ({
        id: nodeId('UCE', edit.id),
        editor: userOfId(core, edit.editor_id),
        editedAt: edit.edited_at,
        createdAt: edit.edited_at,
        diff: edit.body,
      })),
  );

interface Written {
  author_id: number;
  created_at: string;
  updated_at: string;
  edited_at?: string | null;
  editor_id?: number | null;
}

/** Fields of GitHub's `Comment`: every text that somebody wrote. A text of no `kind` takes no reactions. */
export const commentFields = (
  core: Core,
  repository: Repository,
  kind: ReactionKind | null,
  text: Written & { id: number; body: string | null; minimized_reason?: string | null },
) => ({
  databaseId: int(text.id),
  fullDatabaseId: String(text.id),
  body: text.body ?? '',
  author: () => userOfId(core, text.author_id),
  authorAssociation: () => association(core, repository, text.author_id),
  viewerDidAuthor: (_: unknown, { viewer }: Asked) => viewer === text.author_id,
  editor: () => userOfId(core, text.editor_id ?? null),
  createdAt: text.created_at,
  updatedAt: text.updated_at,
  lastEditedAt: text.edited_at ?? null,
  includesCreatedEdit: Boolean(text.edited_at),
  isMinimized: Boolean(text.minimized_reason),
  minimizedReason: text.minimized_reason ?? null,
  reactionGroups: reactionGroups(core, kind, text.id),
});

export function labelObject(core: Core, repository: Repository, label: Label) {
  const { node_id, name, color, description, default: isDefault } = labelJson(core, repository, label);
  const url = `${repositoryPage(core, repository)}/labels/${encodeURIComponent(name)}`;
  const shown = { id: node_id, name, color, description, isDefault, url };
  // Nobody notes down when a label was made.
  return { __typename: 'Label', ...shown, createdAt: null, updatedAt: null };
}

export function threadFields(core: Core, issue: Issue) {
  const repository = getRepository(core, issue.repository_id);
  return {
    ...commentFields(core, repository, 'issue', issue),
    number: issue.number,
    title: issue.title,
    url: repositoryPage(core, repository) + pagePath(issue),
    closed: issue.state === 'closed',
    closedAt: issue.closed_at,
    locked: issue.locked === 1,
    activeLockReason: issue.lock_reason?.toUpperCase().replace(/\W/g, '_') ?? null,
    repository: (_: unknown, asked: Asked) => asked.repository(repository),
    assignees: listed('assignees', () => assigneesOf(core, issue.id).map(user => userObject(core, user))),
    labels: listed('labels', () =>
      labelsOf(core, issue.id).map(label => labelObject(core, repository, label)),
    ),
    comments: (window: Window) =>
      connection('comments', window, commentCount(core, issue.id), (limit, offset) =>
        commentsOf(core, issue.id, limit, offset).map(comment => commentObject(core, comment)),
      ),
    userContentEdits: edits(core, 'issue', issue.id),
    ...empty('projectCards', 'projectItems'),
  };
}

export function commentObject(core: Core, comment: Comment) {
  const issue = getIssue(core, comment.issue_id);
  const repository = getRepository(core, issue.repository_id);
  return {
    ...commentFields(core, repository, 'comment', comment),
    __typename: 'IssueComment',
    id: nodeId('IC', comment.id),
    url: `${repositoryPage(core, repository)}${pagePath(issue)}#issuecomment-${comment.id}`,
    userContentEdits: edits(core, 'comment', comment.id),
  };
}

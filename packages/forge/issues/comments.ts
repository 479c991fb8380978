// Comments: written, changed and taken away by whoever was let in, each with its event.
import { now } from '../core.ts';
import { commentJson, issueJson } from './issue-json.ts';
import { type Comment, commentCount, recordEdit } from './comment-rows.ts';
import { getIssue, type Issue } from './issue-rows.ts';
import { atLeast } from '../repositories/repository-rows.ts';
import { type Act, emit, recordEvent } from '../emit.ts';
import { touch } from './issue-changes.ts';
import { type Access, authorize } from '../auth.ts';
import { forbidden, invalidField } from '../errors.ts';
import { checkLength, writeScopes } from '../permitted.ts';

function emitComment(act: Act, comment: Comment, action: string, part: Record<string, unknown> = {}): void {
  const { core, repository } = act;
  const issue = getIssue(core, comment.issue_id);
  emit(act, 'issue_comment', action, core => ({
    ...part,
    issue: issueJson(core, repository, issue),
    comment: commentJson(core, repository, comment),
  }));
}

function addComment(act: Act, issue: Issue, body: string): Comment {
  const { core, by } = act;
  const time = now(core);
  const id = core.db.insert('comments', {
    issue_id: issue.id,
    author_id: by.user.id,
    app_id: by.app?.id ?? null,
    body,
    created_at: time,
    updated_at: time,
  });
  touch(core, issue);
  const comment = core.db.get<Comment>('comments', id);
  emitComment(act, comment, 'created');
  return comment;
}

/** Sets the text; the revision before is kept. The same text again is no edit. */
function editComment(act: Act, comment: Comment, body: string): Comment {
  const { core, by } = act;
  if (body === comment.body) return comment;
  const time = now(core);
  recordEdit(
    core,
    'comment',
    comment.id,
    { editor_id: comment.author_id, edited_at: comment.created_at, body: comment.body },
    { editor_id: by.user.id, edited_at: time, body },
  );
  core.db.update('comments', comment.id, { body, updated_at: time, edited_at: time, editor_id: by.user.id });
  const edited = core.db.get<Comment>('comments', comment.id);
  emitComment(act, edited, 'edited', { changes: { body: { from: comment.body } } });
  return edited;
}

function deleteComment(act: Act, comment: Comment): void {
  const { core } = act;
  for (const table of ['reactions', 'edits'])
    core.db.remove(table, { kind: 'comment', subject_id: comment.id });
  core.db.remove('comments', { id: comment.id });
  const issue = getIssue(core, comment.issue_id);
  touch(core, issue);
  recordEvent(act, issue, 'comment_deleted');
  emitComment(act, comment, 'deleted');
}

/** After this many GitHub takes no more comments on an issue. */
const mostComments = 2500;

function checkText(body: string): void {
  if (body.trim() === '') throw invalidField('IssueComment', 'body', 'missing_field');
  checkLength('IssueComment', body);
}

/** Changing and deleting the comments of others takes write access. */
function authorOrWriter({ core, identity, repository, by }: Access, authorId: number): void {
  if (by.user.id === authorId) return;
  authorize(core, identity, repository, { role: 'write', scopes: writeScopes });
}

/** 403 on a locked issue and one that is full, 422 for a text that cannot be. */
export function postComment(access: Access, issue: Issue, body: string): Comment {
  const { core, role } = access;
  if (issue.locked && !atLeast(role, 'write'))
    throw forbidden('Unable to create comment because issue is locked.');
  if (commentCount(core, issue.id) >= mostComments)
    throw forbidden(`Commenting is disabled on issues with more than ${mostComments} comments`);
  checkText(body);
  return addComment(access, issue, body);
}

export function changeComment(access: Access, comment: Comment, body: string): Comment {
  authorOrWriter(access, comment.author_id);
  checkText(body);
  return editComment(access, comment, body);
}

export function removeComment(access: Access, comment: Comment): void {
  authorOrWriter(access, comment.author_id);
  deleteComment(access, comment);
}

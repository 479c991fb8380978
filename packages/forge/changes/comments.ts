// What happens to comments.
import { type Core, now } from '../core.ts';
import { commentJson, issueJson } from '../render/issue.ts';
import { type Comment, recordEdit } from '../store/comments.ts';
import { getIssue, type Issue } from '../store/issues.ts';
import { getRepository } from '../store/repositories.ts';
import { type By, emit } from './emit.ts';
import { recordEvent } from './history.ts';
import { touch } from './issues.ts';

function emitComment(
  core: Core,
  by: By,
  comment: Comment,
  action: string,
  part: Record<string, unknown> = {},
): void {
  const issue = getIssue(core, comment.issue_id);
  const repository = getRepository(core, issue.repository_id);
  emit(core, by, repository, 'issue_comment', action, core => ({
    ...part,
    issue: issueJson(core, repository, issue),
    comment: commentJson(core, repository, comment),
  }));
}

export function addComment(core: Core, by: By, issue: Issue, body: string): Comment {
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
  emitComment(core, by, comment, 'created');
  return comment;
}

/** Sets the text; the revision before is kept. The same text again is no edit. */
export function editComment(core: Core, by: By, comment: Comment, body: string): Comment {
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
  emitComment(core, by, edited, 'edited', { changes: { body: { from: comment.body } } });
  return edited;
}

export function deleteComment(core: Core, by: By, comment: Comment): void {
  for (const table of ['reactions', 'edits'])
    core.db.remove(table, { kind: 'comment', subject_id: comment.id });
  core.db.remove('comments', { id: comment.id });
  const issue = getIssue(core, comment.issue_id);
  touch(core, issue);
  recordEvent(core, by, issue, 'comment_deleted');
  emitComment(core, by, comment, 'deleted');
}

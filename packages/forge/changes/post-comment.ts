// Writes, changes and takes away a comment for whoever was let in.
import { type Access, authorize } from '../auth.ts';
import { forbidden, invalidField } from '../errors.ts';
import { type Comment, commentCount } from '../store/comments.ts';
import type { Issue } from '../store/issues.ts';
import { atLeast } from '../store/repositories.ts';
import { addComment, deleteComment, editComment } from './comments.ts';
import { checkLength, writeScopes } from './permitted.ts';

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
export function postComment({ core, by, role }: Access, issue: Issue, body: string): Comment {
  if (issue.locked && !atLeast(role, 'write'))
    throw forbidden('Unable to create comment because issue is locked.');
  if (commentCount(core, issue.id) >= mostComments)
    throw forbidden(`Commenting is disabled on issues with more than ${mostComments} comments`);
  checkText(body);
  return addComment(core, by, issue, body);
}

export function changeComment(access: Access, comment: Comment, body: string): Comment {
  authorOrWriter(access, comment.author_id);
  checkText(body);
  return editComment(access.core, access.by, comment, body);
}

export function removeComment(access: Access, comment: Comment): void {
  authorOrWriter(access, comment.author_id);
  deleteComment(access.core, access.by, comment);
}

// Comments: written, changed and taken away by whoever was let in, each with its event, and reactions on them.
import { now } from '../core.ts';
import { commentJson, issueJson, reactionJson } from './issue-json.ts';
import {
  type Comment,
  commentCount,
  recordEdit,
  contents,
  findComment,
  type Reaction,
} from './comment-rows.ts';
import { getIssue, type Issue } from './issue-rows.ts';
import { atLeast } from '../repositories/repository-rows.ts';
import { type Act, emit, recordEvent } from '../emit.ts';
import { touch } from './issue-changes.ts';
import { type Access, authorize, type Need } from '../auth.ts';
import { forbidden, invalidField, notFound } from '../errors.ts';
import { checkLength, pushers, writeScopes } from '../permitted.ts';
import { z } from 'zod';
import { pageOfRows } from '../page.ts';
import { created, noContent, ok, parse, read, type RepositoryCall, write, type WriteCall } from '../route.ts';
import { issueOf, readScopes, sinceOf } from './issue-input.ts';
import { present } from '@echelon/ground';

function emitComment(act: Act, comment: Comment, action: string, part: Record<string, unknown> = {}): void {
  const { core, repository } = act;
  const issue = getIssue(core, comment.issue_id);
  emit(act, 'issue_comment', action, core => ({
    ...part,
    issue: issueJson(core, repository, issue),
    comment: commentJson(core, repository, comment),
  }));
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
  authorize(core, identity, repository, pushers);
}

/** 403 on a locked issue and one that is full, 422 for a text that cannot be. */
export function postComment(access: Access, issue: Issue, body: string): Comment {
  const { core, by, role } = access;
  if (issue.locked && !atLeast(role, 'write'))
    throw forbidden('Unable to create comment because issue is locked.');
  if (commentCount(core, issue.id) >= mostComments)
    throw forbidden(`Commenting is disabled on issues with more than ${mostComments} comments`);
  checkText(body);
  const time = now(core);
  const comment = core.db.add<Comment>('comments', {
    issue_id: issue.id,
    author_id: by.user.id,
    app_id: by.app?.id ?? null,
    body,
    created_at: time,
    updated_at: time,
  });
  touch(core, issue);
  emitComment(access, comment, 'created');
  return comment;
}

/** Sets the text; the revision before is kept. The same text again is no edit. */
export function changeComment(access: Access, comment: Comment, body: string): Comment {
  authorOrWriter(access, comment.author_id);
  checkText(body);
  if (body === comment.body) return comment;
  const { core, by } = access;
  const time = now(core);
  recordEdit(access, 'comment', comment, body);
  core.db.update('comments', comment.id, { body, updated_at: time, edited_at: time, editor_id: by.user.id });
  const edited = core.db.get<Comment>('comments', comment.id);
  emitComment(access, edited, 'edited', { changes: { body: { from: comment.body } } });
  return edited;
}

export function removeComment(access: Access, comment: Comment): void {
  authorOrWriter(access, comment.author_id);
  const { core } = access;
  for (const table of ['reactions', 'edits'])
    core.db.remove(table, { kind: 'comment', subject_id: comment.id });
  core.db.remove('comments', { id: comment.id });
  const issue = getIssue(core, comment.issue_id);
  touch(core, issue);
  recordEvent(access, issue, 'comment_deleted');
  emitComment(access, comment, 'deleted');
}

const comment = z.object({ body: z.string() });

function commentOf(call: RepositoryCall): Comment {
  const found = findComment(call.core, Number(call.params['comment_id']));
  if (!found || getIssue(call.core, found.issue_id).repository_id !== call.repository.id) throw notFound();
  return found;
}

const bodyOf = (call: WriteCall): string => parse(call, 'IssueComment', comment).body;

const anyone: Need = { role: 'read', scopes: writeScopes };

const reactions = '/issues/comments/{comment_id}/reactions';
const newReaction = z.object({ content: z.enum(contents) });

export const commentRoutes = [
  read('/issues/{issue_number}/comments', readScopes, call => {
    const values = [issueOf(call).id, sinceOf(call.query)];
    const rows = { from: 'comments WHERE issue_id = ? AND updated_at >= ?', values };
    return pageOfRows<Comment>(call, rows, each => commentJson(call.core, call.repository, each));
  }),
  write('POST', '/issues/{issue_number}/comments', anyone, call => {
    const issue = issueOf(call);
    return created(commentJson(call.core, call.repository, postComment(call, issue, bodyOf(call))));
  }),
  read('/issues/comments', readScopes, call => {
    const { core, repository, query } = call;
    const from =
      'comments WHERE issue_id IN (SELECT id FROM issues WHERE repository_id = ?) AND updated_at >= ?';
    const values = [repository.id, sinceOf(query)];
    const by = query.get('sort') === 'updated' ? 'updated_at' : 'created_at';
    const direction = query.get('direction') === 'desc' ? 'DESC' : 'ASC';
    const rows = { from, values, order: `${by} ${direction}, id ${direction}` };
    return pageOfRows<Comment>(call, rows, each => commentJson(core, repository, each));
  }),
  write('PATCH', '/issues/comments/{comment_id}', anyone, call => {
    const found = commentOf(call);
    return ok(commentJson(call.core, call.repository, changeComment(call, found, bodyOf(call))));
  }),
  write('DELETE', '/issues/comments/{comment_id}', anyone, call => {
    removeComment(call, commentOf(call));
    return noContent();
  }),
  read(reactions, readScopes, call => {
    const rows = { from: 'reactions WHERE subject_id = ?', values: [commentOf(call).id] };
    return pageOfRows<Reaction>(call, rows, reaction => reactionJson(call.core, reaction));
  }),
  write('POST', reactions, anyone, call => {
    const { db } = call.core;
    const { content } = parse(call, 'Reaction', newReaction);
    const row = { kind: 'comment', subject_id: commentOf(call).id, user_id: call.by.user.id, content };
    const added = db.ensure('reactions', { ...row, created_at: now(call.core) });
    const reaction = present(db.find<Reaction>('reactions', row), 'the reaction');
    const body = reactionJson(call.core, reaction);
    return added ? created(body) : ok(body);
  }),
];

// Comments of issues and pull requests, and reactions on them.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { writeScopes } from '../permitted.ts';
import { changeComment, postComment, removeComment } from './comments.ts';
import { notFound } from '../errors.ts';
import { page, pageOfRows } from '../page.ts';
import { commentJson, reactionJson } from './issue-json.ts';
import {
  created,
  noContent,
  ok,
  parse,
  read,
  type RepositoryCall,
  type Route,
  write,
  type WriteCall,
} from '../route.ts';
import { type Comment, commentsOf, contents, findComment, type Reaction } from './comment-rows.ts';
import { getIssue } from './issue-rows.ts';
import { issueOf, readScopes, sinceTime } from './issue-input.ts';
import { present } from '@echelon/ground';
import { now } from '../core.ts';

const comment = z.object({ body: z.string() });

function commentOf(call: RepositoryCall): Comment {
  const found = findComment(call.core, Number(call.params['comment_id']));
  if (!found || getIssue(call.core, found.issue_id).repository_id !== call.repository.id) throw notFound();
  return found;
}

const bodyOf = (call: WriteCall): string => parse(call, 'IssueComment', comment).body;

const anyone: Need = { role: 'read', scopes: writeScopes };

export const commentRoutes: Route[] = [
  read('/issues/{issue_number}/comments', readScopes, call => {
    const issue = issueOf(call);
    const given = call.query.get('since');
    const since = given ? sinceTime(given) : '';
    const total = call.core.db.count('comments WHERE issue_id = ? AND updated_at >= ?', issue.id, since);
    return page(call, total, (limit, offset) =>
      commentsOf(call.core, issue.id, limit, offset, since).map(each =>
        commentJson(call.core, call.repository, each),
      ),
    );
  }),
  write('POST', '/issues/{issue_number}/comments', anyone, call => {
    const issue = issueOf(call);
    return created(commentJson(call.core, call.repository, postComment(call, issue, bodyOf(call))));
  }),
  read('/issues/comments', readScopes, call => {
    const { core, repository, query } = call;
    const given = query.get('since');
    const from =
      'comments WHERE issue_id IN (SELECT id FROM issues WHERE repository_id = ?) AND updated_at >= ?';
    const values = [repository.id, given ? sinceTime(given) : ''];
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
];

const newReaction = z.object({ content: z.enum(contents) });

const path = '/issues/comments/{comment_id}/reactions';

function commentId(call: RepositoryCall): number {
  const comment = findComment(call.core, Number(call.params['comment_id']));
  if (!comment || getIssue(call.core, comment.issue_id).repository_id !== call.repository.id)
    throw notFound();
  return comment.id;
}

export const reactionRoutes: Route[] = [
  read(path, readScopes, call => {
    const rows = { from: 'reactions WHERE subject_id = ?', values: [commentId(call)] };
    return pageOfRows<Reaction>(call, rows, reaction => reactionJson(call.core, reaction));
  }),
  write('POST', path, anyone, call => {
    const { db } = call.core;
    const { content } = parse(call, 'Reaction', newReaction);
    const row = { kind: 'comment', subject_id: commentId(call), user_id: call.by.user.id, content };
    const added = db.ensure('reactions', { ...row, created_at: now(call.core) });
    const reaction = present(db.find<Reaction>('reactions', row), 'the reaction');
    const body = reactionJson(call.core, reaction);
    return added ? created(body) : ok(body);
  }),
];

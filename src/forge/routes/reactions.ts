// Reactions on issues and on comments.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { writeScopes } from '../changes/permitted.ts';
import { now } from '../core.ts';
import { forbidden, notFound } from '../errors.ts';
import { page } from '../page.ts';
import { reactionJson } from '../render/issue.ts';
import { created, noContent, ok, parse, type RepositoryCall, type Route, read, write } from '../route.ts';
import { findComment } from '../store/comments.ts';
import { getIssue } from '../store/issues.ts';
import { contents, type Reaction, type ReactionKind } from '../store/reactions.ts';
import { atLeast } from '../store/repositories.ts';
import { issueOf, readScopes } from './issue-input.ts';

const newReaction = z.object({ content: z.enum(contents) });
const anyone: Need = { role: 'read', scopes: writeScopes };

interface Kind {
  kind: ReactionKind;
  path: string;
  /** Id of what the path names. */
  subject(call: RepositoryCall): number;
}

function commentId(call: RepositoryCall): number {
  const comment = findComment(call.core, Number(call.params['comment_id']));
  if (!comment || getIssue(call.core, comment.issue_id).repository_id !== call.repository.id)
    throw notFound();
  return comment.id;
}

function reviewCommentId(call: RepositoryCall): number {
  const comment = call.core.db.one<{ id: number }>(
    'SELECT c.id FROM review_comments c JOIN pulls p ON p.id = c.pull_id WHERE c.id = ? AND p.repository_id = ?',
    Number(call.params['comment_id']),
    call.repository.id,
  );
  if (!comment) throw notFound();
  return comment.id;
}

const kinds: Kind[] = [
  { kind: 'issue', path: '/issues/{issue_number}/reactions', subject: call => issueOf(call).id },
  { kind: 'comment', path: '/issues/comments/{comment_id}/reactions', subject: commentId },
  { kind: 'review_comment', path: '/pulls/comments/{comment_id}/reactions', subject: reviewCommentId },
];

const routesOf = ({ kind, path, subject }: Kind): Route[] => [
  read(path, readScopes, call => {
    const content = call.query.get('content');
    const from = `reactions WHERE kind = ? AND subject_id = ?${content ? ' AND content = ?' : ''}`;
    const values = [kind, subject(call), ...(content ? [content] : [])];
    return page(call, call.core.db.count(from, ...values), (limit, offset) =>
      call.core.db
        .all<Reaction>(`SELECT * FROM ${from} ORDER BY id LIMIT ? OFFSET ?`, ...values, limit, offset)
        .map(reaction => reactionJson(call.core, reaction)),
    );
  }),
  write('POST', path, anyone, call => {
    const { db } = call.core;
    const { content } = parse(call, 'Reaction', newReaction);
    const values = [kind, subject(call), call.by.user.id, content];
    const added = db.run(
      `INSERT INTO reactions (kind, subject_id, user_id, content, created_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      ...values,
      now(call.core),
    );
    const reaction = db.the<Reaction>(
      'SELECT * FROM reactions WHERE kind = ? AND subject_id = ? AND user_id = ? AND content = ?',
      ...values,
    );
    const body = reactionJson(call.core, reaction);
    return added ? created(body) : ok(body);
  }),
  write('DELETE', `${path}/{reaction_id}`, anyone, call => {
    const reaction = call.core.db.one<Reaction>(
      'SELECT * FROM reactions WHERE id = ? AND kind = ? AND subject_id = ?',
      Number(call.params['reaction_id']),
      kind,
      subject(call),
    );
    if (!reaction) throw notFound();
    if (reaction.user_id !== call.by.user.id && !atLeast(call.role, 'admin'))
      throw forbidden('You can only delete your own reactions.');
    call.core.db.run('DELETE FROM reactions WHERE id = ?', reaction.id);
    return noContent();
  }),
];

export const reactionRoutes: Route[] = kinds.flatMap(routesOf);

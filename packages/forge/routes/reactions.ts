// Reactions on comments of issues and pull requests.
import { z } from 'zod';
import { present } from '../../ground/lib/present.ts';
import type { Need } from '../auth.ts';
import { writeScopes } from '../changes/permitted.ts';
import { now } from '../core.ts';
import { notFound } from '../errors.ts';
import { pageOfRows } from '../page.ts';
import { reactionJson } from '../render/issue.ts';
import { created, ok, parse, type RepositoryCall, type Route, read, write } from '../route.ts';
import { findComment } from '../store/comments.ts';
import { getIssue } from '../store/issues.ts';
import { contents, type Reaction } from '../store/reactions.ts';
import { readScopes } from './issue-input.ts';

const newReaction = z.object({ content: z.enum(contents) });
const anyone: Need = { role: 'read', scopes: writeScopes };

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

// Comments on lines of pull requests, by their own ids: list, read, edit, delete.
import { z } from 'zod';
import type { Need } from '../auth.ts';
import { checkLength } from '../changes/permitted.ts';
import { authorOrWriter } from '../changes/post-comment.ts';
import { deleteReviewComment, editReviewComment } from '../changes/review-comments.ts';
import { findReviewComment, findReview, issueOfReview } from '../changes/reviews.ts';
import { invalidField, notFound } from '../errors.ts';
import { page } from '../page.ts';
import { reviewCommentJson } from '../render/pull.ts';
import { type Answer, noContent, ok, parse, type RepositoryCall, type Route, read, write } from '../route.ts';
import { getPull, type ReviewComment } from '../store/pulls.ts';
import { sinceTime } from './issue-input.ts';
import { pullsRead } from './pulls.ts';

function show({ core, repository }: RepositoryCall, comment: ReviewComment) {
  return reviewCommentJson(core, repository, getPull(core, issueOfReview(core, comment).id), comment);
}

/** The comment of the path's id. What is not submitted yet is nobody's business. */
function commentOf({ core, repository, params }: RepositoryCall): ReviewComment {
  const comment = findReviewComment(core, Number(params['comment_id']));
  if (!comment || issueOfReview(core, comment).repository_id !== repository.id) throw notFound();
  if (findReview(core, comment.review_id)?.state === 'PENDING') throw notFound();
  return comment;
}

function list(call: RepositoryCall): Answer {
  const { core, repository, query } = call;
  const given = query.get('since');
  const from = `review_comments c JOIN pulls p ON p.id = c.pull_id JOIN reviews r ON r.id = c.review_id
    WHERE p.repository_id = ? AND r.state <> 'PENDING' AND c.updated_at >= ?`;
  const values = [repository.id, given ? sinceTime(given) : ''] as const;
  const by = query.get('sort') === 'updated' ? 'c.updated_at' : 'c.created_at';
  const way = query.get('direction') === 'desc' ? 'DESC' : 'ASC';
  return page(call, core.db.count(from, ...values), (limit, offset) =>
    core.db
      .all<ReviewComment>(
        `SELECT c.* FROM ${from} ORDER BY ${by} ${way}, c.id ${way} LIMIT ? OFFSET ?`,
        ...values,
        limit,
        offset,
      )
      .map(comment => show(call, comment)),
  );
}

const change = z.object({ body: z.string() });
const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };

export const reviewCommentRoutes: Route[] = [
  read('/pulls/comments', pullsRead, list),
  read('/pulls/comments/{comment_id}', pullsRead, call => ok(show(call, commentOf(call)))),
  write('PATCH', '/pulls/comments/{comment_id}', anyone, call => {
    const comment = commentOf(call);
    authorOrWriter(call, comment.author_id);
    const { body } = parse(call, 'PullRequestReviewComment', change);
    if (body.trim() === '') throw invalidField('PullRequestReviewComment', 'body', 'missing_field');
    checkLength('PullRequestReviewComment', body);
    return ok(show(call, editReviewComment(call.core, call.by, comment, body)));
  }),
  write('DELETE', '/pulls/comments/{comment_id}', anyone, call => {
    const comment = commentOf(call);
    authorOrWriter(call, comment.author_id);
    deleteReviewComment(call.core, call.by, comment);
    return noContent();
  }),
];

// Reviews of a pull request, comments on its lines, and who is asked for a review.
import { z } from 'zod';
import { actor, type Need } from '../auth.ts';
import { changeReview, dismissReview, withdrawReview } from '../changes/change-review.ts';
import { addLineComment, changeReviewers, endReview, filesOf, giveReview } from '../changes/give-review.ts';
import { assigneesNamed, checkLength } from '../changes/permitted.ts';
import { lineComment } from '../changes/review-place.ts';
import {
  addReview,
  addReviewComment,
  findReview,
  findReviewComment,
  submitReview,
} from '../changes/reviews.ts';
import { ApiError, notFound } from '../errors.ts';
import { page } from '../page.ts';
import { reviewCommentJson, reviewJson, simplePull } from '../render/pull.ts';
import { simpleUser } from '../render/user.ts';
import {
  type Answer,
  created,
  ok,
  parse,
  type RepositoryCall,
  type Route,
  read,
  type WriteCall,
  write,
} from '../route.ts';
import { getIssue } from '../store/issues.ts';
import { type Pull, requestedReviewers, type Review, type ReviewComment } from '../store/pulls.ts';
import { pullOf, pullsRead } from './pulls.ts';

const anyone: Need = { role: 'read', scopes: ['pull_requests:write'] };
const writers: Need = { role: 'write', scopes: ['pull_requests:write'] };

const event = z.enum(['APPROVE', 'REQUEST_CHANGES', 'COMMENT']);
const newReview = z.object({
  body: z.string().nullish(),
  event: event.optional(),
  commit_id: z.string().optional(),
  comments: z.array(lineComment).default([]),
});
const submission = z.object({ body: z.string().nullish(), event });
const newComment = lineComment.extend({ commit_id: z.string(), in_reply_to: z.int().optional() });
const dismissal = z.object({ message: z.string() });
const reply = z.object({ body: z.string() });
const reviewers = z.object({ reviewers: z.array(z.string()).default([]) });

async function createReview(call: WriteCall): Promise<Answer> {
  const { pull } = pullOf(call);
  const review = await giveReview(call, pull, parse(call, 'PullRequestReview', newReview));
  return ok(reviewJson(call.core, call.repository, pull, review));
}

/** A comment outside a review gets a review of its own, as on GitHub. */
function comment(
  call: WriteCall,
  pull: Pull,
  commit_id: string,
  add: (review: Review) => ReviewComment,
): Answer {
  const review = addReview(call.core, call.by, pull, { body: '', commit_id });
  const added = add(review);
  submitReview(call.core, call.by, pull, review, 'COMMENTED', '');
  return created(reviewCommentJson(call.core, call.repository, pull, added));
}

async function createComment(call: WriteCall): Promise<Answer> {
  const { pull } = pullOf(call);
  const input = parse(call, 'PullRequestReviewComment', newComment);
  if (input.in_reply_to !== undefined) return replyTo(call, pull, input.in_reply_to, input.body);
  const files = await filesOf(call, pull);
  return comment(call, pull, input.commit_id, review => addLineComment(call, review, files, input));
}

function replyTo(call: WriteCall, pull: Pull, id: number, body: string): Answer {
  const first = findReviewComment(call.core, id);
  if (first?.pull_id !== pull.id) throw notFound();
  checkLength('PullRequestReviewComment', body);
  const { path, line, start_line, side, diff_hunk, position, subject_type, commit_id } = first;
  const { original_line, original_start_line, original_commit_id } = first;
  return comment(call, pull, commit_id, review =>
    addReviewComment(call.core, call.by, review, {
      ...{ path, line, start_line, side, diff_hunk, position, subject_type, commit_id, body },
      ...{ original_line, original_start_line, original_commit_id },
      reply_to: first.reply_to ?? first.id,
    }),
  );
}

/** The review of the path; a pending one only its author knows of. */
function reviewOf(call: RepositoryCall): { pull: Pull; review: Review } {
  const { pull } = pullOf(call);
  const review = findReview(call.core, Number(call.params['review_id']));
  if (review?.pull_id !== pull.id) throw notFound();
  if (review.state === 'PENDING' && actor(call.identity).user.id !== review.author_id) throw notFound();
  return { pull, review };
}

/** A page of the rows that `from ...` finds. */
function listComments(call: RepositoryCall, pull: Pull, condition: string, value: number): Answer {
  const from = `review_comments WHERE ${condition} = ?`;
  return page(call, call.core.db.count(from, value), (limit, offset) =>
    call.core.db
      .all<ReviewComment>(`SELECT * FROM ${from} ORDER BY id LIMIT ? OFFSET ?`, value, limit, offset)
      .map(comment => reviewCommentJson(call.core, call.repository, pull, comment)),
  );
}

function reviewersChanged(call: WriteCall, asked: boolean) {
  const { issue, pull } = pullOf(call);
  changeReviewers(
    call,
    pull,
    assigneesNamed(call, parse(call, 'PullRequest', reviewers).reviewers, asked),
    asked,
  );
  return simplePull(call.core, call.repository, getIssue(call.core, issue.id));
}

export const reviewRoutes: Route[] = [
  read('/pulls/{pull_number}/reviews', pullsRead, call => {
    const { pull } = pullOf(call);
    const from = "reviews WHERE pull_id = ? AND state <> 'PENDING'";
    return page(call, call.core.db.count(from, pull.id), (limit, offset) =>
      call.core.db
        .all<Review>(`SELECT * FROM ${from} ORDER BY id LIMIT ? OFFSET ?`, pull.id, limit, offset)
        .map(review => reviewJson(call.core, call.repository, pull, review)),
    );
  }),
  write('POST', '/pulls/{pull_number}/reviews', anyone, createReview),
  read('/pulls/{pull_number}/reviews/{review_id}', pullsRead, call => {
    const { pull, review } = reviewOf(call);
    return ok(reviewJson(call.core, call.repository, pull, review));
  }),
  write('PUT', '/pulls/{pull_number}/reviews/{review_id}', anyone, call => {
    const { pull, review } = reviewOf(call);
    const changed = changeReview(call, pull, review, parse(call, 'PullRequestReview', reply).body);
    return ok(reviewJson(call.core, call.repository, pull, changed));
  }),
  write('DELETE', '/pulls/{pull_number}/reviews/{review_id}', anyone, call => {
    const { pull, review } = reviewOf(call);
    const shown = reviewJson(call.core, call.repository, pull, review);
    withdrawReview(call, review);
    return ok(shown);
  }),
  write('PUT', '/pulls/{pull_number}/reviews/{review_id}/dismissals', writers, call => {
    const { pull, review } = reviewOf(call);
    const dismissed = dismissReview(call, pull, review, parse(call, 'PullRequestReview', dismissal).message);
    return ok(reviewJson(call.core, call.repository, pull, dismissed));
  }),
  read('/pulls/{pull_number}/reviews/{review_id}/comments', pullsRead, call => {
    const { pull, review } = reviewOf(call);
    return listComments(call, pull, 'review_id', review.id);
  }),
  write('POST', '/pulls/{pull_number}/reviews/{review_id}/events', anyone, call => {
    const { pull, review } = reviewOf(call);
    const input = parse(call, 'PullRequestReview', submission);
    if (review.state !== 'PENDING') throw new ApiError(422, 'Can not submit a review that is not pending');
    const submitted = endReview(call, pull, review, input.event, input.body ?? review.body);
    return ok(reviewJson(call.core, call.repository, pull, submitted));
  }),
  read('/pulls/{pull_number}/comments', pullsRead, call => {
    const { pull } = pullOf(call);
    return listComments(
      call,
      pull,
      `review_id IN (SELECT id FROM reviews WHERE state <> 'PENDING') AND pull_id`,
      pull.id,
    );
  }),
  write('POST', '/pulls/{pull_number}/comments', anyone, createComment),
  write('POST', '/pulls/{pull_number}/comments/{comment_id}/replies', anyone, call => {
    const { pull } = pullOf(call);
    return replyTo(
      call,
      pull,
      Number(call.params['comment_id']),
      parse(call, 'PullRequestReviewComment', reply).body,
    );
  }),
  read('/pulls/{pull_number}/requested_reviewers', pullsRead, call => {
    const { pull } = pullOf(call);
    const users = requestedReviewers(call.core, pull.id).map(user => simpleUser(call.core, user));
    return ok({ users, teams: [] });
  }),
  write('POST', '/pulls/{pull_number}/requested_reviewers', writers, call =>
    created(reviewersChanged(call, true)),
  ),
  write('DELETE', '/pulls/{pull_number}/requested_reviewers', writers, call =>
    ok(reviewersChanged(call, false)),
  ),
];
